#include "sw/optimize/schedule/expected_registers.h"

#include "sw/object/analysis/flow_graph.h"
#include "sw/object/analysis/liveness.h"

namespace strobe::optimize {
namespace {

using object::Flow;
using object::Instruction;
using object::kCallerSaved;
using object::kNone;
using object::Registers;

/// The least sets that agree with what lives in the callers, which depends on the sets of the
/// callers themselves.
class Solver {
 public:
  Solver(const object::Program& program, uint32_t object)
      : program_(program), object_(object), expected_(program.functions().size()) {
    for (uint32_t i = 0; i < program.functions().size(); ++i) {
      const object::ProgramFunction& function = program.functions()[i];
      if (function.object != object) continue;
      const object::Code& code = *program.objects()[object].code_of(function.function.section);
      functions_.push_back(
          {i, code, {code, function.function, program.objects()[object].references}});
    }
  }

  std::vector<Registers> solve() {
    expect_all_of_strangers();
    for (bool again = true; again;) {
      again = false;
      for (const Caller& caller : functions_) again |= take_calls_of(caller);
    }
    return std::move(expected_);
  }

 private:
  struct Caller {
    uint32_t number;
    const object::Code& code;
    object::FlowGraph graph;
  };

  /// The function of this object that the instruction calls or jumps to; kNone of another one.
  uint32_t callee_of(const Instruction& instruction) const {
    const uint32_t callee = program_.callee_of(object_, instruction);
    return callee != kNone && program_.functions()[callee].object == object_ ? callee : kNone;
  }

  bool expect(uint32_t function, Registers registers) {
    const Registers more = expected_[function] | (registers & kCallerSaved);
    const bool changed = more != expected_[function];
    expected_[function] = more;
    return changed;
  }

  /// Code that cannot be read may expect anything. So may one that jumps into the middle of a
  /// function, as from its cold part: it is left for a caller of another function.
  void expect_all_of_strangers() {
    for (const object::Code& code : program_.objects()[object_].codes) {
      std::vector<uint32_t> owner(code.instructions().size(), kNone);
      for (const Caller& caller : functions_) {
        if (&caller.code != &code || !caller.graph.obstacle().empty()) continue;
        for (const object::Block& block : caller.graph.blocks()) {
          std::fill(owner.begin() + block.first, owner.begin() + block.last + 1, caller.number);
        }
      }
      for (size_t i = 0; i < owner.size(); ++i) {
        const Instruction& instruction = code.instructions()[i];
        const bool calls = instruction.flow == Flow::kCall || instruction.flow == Flow::kTailCall;
        // The auipc of a far call only helps to go there.
        if (instruction.flow == Flow::kNext || instruction.target_symbol == kNone ||
            (calls && owner[i] != kNone)) {
          continue;
        }
        const uint32_t function = around(instruction);
        if (function != kNone && function != owner[i]) expect(function, kCallerSaved);
      }
    }
  }

  /// The function of this object that the instruction calls or jumps into.
  uint32_t around(const Instruction& instruction) const {
    const object::Location place = object::location_of(
        program_.objects()[object_].file, instruction.target_symbol, instruction.target_addend);
    for (const Caller& caller : functions_) {
      const object::Function& function = program_.functions()[caller.number].function;
      if (place.section == function.section && place.offset >= function.start &&
          place.offset < function.end) {
        return caller.number;
      }
    }
    return kNone;
  }

  bool take_calls_of(const Caller& caller) {
    if (!caller.graph.obstacle().empty()) return false;
    const object::Liveness live(
        caller.code, caller.graph, program_.changed_by(caller.number) | ~expected_[caller.number],
        [this](const Instruction& call) { return program_.changed_by(object_, call); });
    const uint32_t last = caller.graph.blocks().back().last;
    bool changed = false;
    for (uint32_t i = caller.graph.blocks().front().first; i <= last; ++i) {
      const Instruction& instruction = caller.code.instructions()[i];
      const uint32_t callee = callee_of(instruction);
      if (callee == kNone) continue;
      if (instruction.flow == Flow::kTailCall) changed |= expect(callee, expected_[caller.number]);
      if (instruction.flow == Flow::kCall && i < last)
        changed |= expect(callee, live.before(i + 1));
    }
    return changed;
  }

  const object::Program& program_;
  uint32_t object_;
  std::vector<Registers> expected_;
  std::vector<Caller> functions_;
};

}  // namespace

std::vector<object::Registers> expected_registers(const object::Program& program, uint32_t object) {
  return Solver(program, object).solve();
}

}  // namespace strobe::optimize
