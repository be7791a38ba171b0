#include "sw/instrument/bursty.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "sc_models/isa/op.h"
#include "sw/instrument/bursty_runtime.h"
#include "sw/object/duplicate.h"
#include "sw/object/editor.h"
#include "sw/object/encode.h"
#include "sw/object/flow_graph.h"
#include "sw/object/liveness.h"

namespace strobe::instrument {
namespace {

using object::Block;
using object::Code;
using object::Copy;
using object::Editor;
using object::Flow;
using object::FlowGraph;
using object::Function;
using object::Instruction;
using object::kNone;
using object::Liveness;
using object::ObjectFile;
using object::Place;
using object::Program;
using object::ProgramFunction;
using object::ProgramObject;
using object::Registers;
using object::Snippet;

constexpr const char* kSuffix = ".instrumented";

isa::Kind kind_of(const Instruction& instruction) {
  return isa::info(static_cast<isa::Op>(instruction.insn.op)).kind;
}

isa::Operation operation_of(const Instruction& instruction) {
  return isa::info(static_cast<isa::Op>(instruction.insn.op)).operation;
}

bool accesses_memory(const Instruction& instruction) {
  switch (kind_of(instruction)) {
    case isa::Kind::kLoad:
    case isa::Kind::kStore:
    case isa::Kind::kFpLoad:
    case isa::Kind::kFpStore:
    case isa::Kind::kAtomic:
      return true;
    default:
      return false;
  }
}

bool is_call(const Instruction& instruction) {
  return instruction.flow == Flow::kCall || instruction.flow == Flow::kIndirectCall ||
         instruction.flow == Flow::kTailCall;
}

/// Scratch registers, those that compressed instructions and arguments use least first.
constexpr unsigned kScratchOrder[] = {5,  6, 7, 28, 29, 30, 31, 17, 16, 15, 14, 13, 12, 11,
                                      10, 1, 8, 9,  18, 19, 20, 21, 22, 23, 24, 25, 26, 27};

std::vector<unsigned> scratch(Registers not_these, unsigned count) {
  std::vector<unsigned> found;
  for (const unsigned reg : kScratchOrder) {
    if (found.size() == count) break;
    if ((not_these & object::x(reg)) == 0) found.push_back(reg);
  }
  return found;
}

/// A register for new code, and where its old value is kept when it is still wanted.
struct Scratch {
  unsigned reg = 0;
  const char* spilled = nullptr;
};

/// What the paper asks of one function: where its checks are, and what of it is instrumented.
struct Plan {
  uint32_t function = 0;  // index in the program
  bool entry_check = false;
  std::set<uint32_t> checks;         // instructions that a back-edge's check precedes
  std::map<uint32_t, Place> places;  // of them
  std::vector<bool> instrumented;    // by instruction from the function's first
  uint32_t first = 0, count = 0;     // its instructions
};

class Editing {
 public:
  Editing(Program* program, const BurstyOptions& options) : program_(program), options_(options) {}

  Bursty run(std::vector<uint8_t> fold) {
    plan();
    for (uint32_t i = 0; i < program_->objects().size(); ++i) edit(i);
    result_.objects.insert(result_.objects.begin(),
                           make_runtime(std::move(fold), used_ | object::x(object::kT0),
                                        options_.buffer_records, options_.trace_records)
                               .serialize());
    return std::move(result_);
  }

 private:
  bool records(EventKind kind) const {
    return std::find(options_.events.begin(), options_.events.end(), kind) != options_.events.end();
  }

  /// Whether the instruction is an event of interest.
  bool is_event(const Instruction& instruction) const {
    if (records(EventKind::kData) && accesses_memory(instruction)) return true;
    if (records(EventKind::kValue) && kind_of(instruction) == isa::Kind::kLoad) return true;
    if (records(EventKind::kEdge) && instruction.flow == Flow::kBranch) return true;
    return records(EventKind::kCall) && is_call(instruction);
  }

  bool editable(const ProgramFunction& function) const {
    static const std::set<std::string> kBeforeGp = {"_start", "load_gp", "_dl_relocate_static_pie"};
    const std::string& file = program_->objects()[function.object].file.name;
    const std::string base = file.substr(file.rfind('/') + 1);
    if (kBeforeGp.count(function.name) != 0) return false;
    return options_.library || (file.find('(') == std::string::npos && base.rfind("crt", 0) != 0);
  }

  void leave(const ProgramFunction& function, const std::string& reason) {
    result_.left_alone.push_back(
        {program_->objects()[function.object].file.name + ": " + function.name, reason});
  }

  void plan() {
    const object::EntryRules rules = object::entry_rules(program_->calls());
    const std::vector<ProgramFunction>& functions = program_->functions();
    plan_of_.assign(functions.size(), kNone);
    for (uint32_t i = 0; i < functions.size(); ++i) {
      const ProgramFunction& function = functions[i];
      if (!editable(function)) continue;
      const ProgramObject& object = program_->objects()[function.object];
      const Code& code = *object.code_of(function.function.section);
      const FlowGraph graph(code, function.function, object.references);
      if (!graph.obstacle().empty()) {
        leave(function, graph.obstacle());
        continue;
      }
      Plan plan;
      plan.function = i;
      switch (options_.entries) {
        case EntryChecks::kAll:
          plan.entry_check = true;
          break;
        case EntryChecks::kNoLeaves:
          plan.entry_check = !rules.leaf[i];
          break;
        case EntryChecks::kEquationThree:
          plan.entry_check = rules.checked[i];
          break;
        case EntryChecks::kNone:
          break;
      }
      plan_loops(code, graph, &plan);
      plan_of_[i] = static_cast<uint32_t>(plans_.size());
      plans_.push_back(plan);
      ++result_.counts.functions;
      result_.counts.entry_checks += plan.entry_check ? 1 : 0;
      result_.counts.loop_checks += plan.checks.size();
    }
    for (const ProgramObject& object : program_->objects()) {
      for (const Code& code : object.codes) {
        result_.left_alone.insert(result_.left_alone.end(), code.left_alone().begin(),
                                  code.left_alone().end());
      }
    }
  }

  void plan_loops(const Code& code, const FlowGraph& graph, Plan* plan) {
    const std::vector<Instruction>& instructions = code.instructions();
    plan->first = graph.blocks().front().first;
    plan->count = graph.blocks().back().last + 1 - plan->first;
    plan->instrumented.assign(plan->count, true);
    if (options_.boring == kNoLoopChecks) return;
    for (const object::Loop& loop : graph.loops()) {
      unsigned events = 0;
      bool calls = !loop.reducible;
      for (const uint32_t block : loop.blocks) {
        for (uint32_t j = graph.blocks()[block].first; j <= graph.blocks()[block].last; ++j) {
          events += is_event(instructions[j]) ? 1 : 0;
          calls |= is_call(instructions[j]);
        }
      }
      if (!calls && options_.boring != kNoLoopIsBoring &&
          events <= static_cast<unsigned>(options_.boring)) {
        ++result_.counts.boring_loops;
        for (const uint32_t block : loop.blocks) {
          for (uint32_t j = graph.blocks()[block].first; j <= graph.blocks()[block].last; ++j) {
            plan->instrumented[j - plan->first] = false;
          }
        }
        continue;
      }
      for (const uint32_t latch : loop.latches) {
        const Block& block = graph.blocks()[latch];
        const Instruction& last = instructions[block.last];
        // The check precedes what ends the block; a block that ends otherwise has it at
        // its end.
        const bool ends = last.flow == Flow::kBranch || last.flow == Flow::kJump ||
                          (last.flow == Flow::kIndirectJump && !last.glued);
        const uint32_t at = ends ? block.last : block.last + 1;
        if (at >= plan->first + plan->count) continue;
        plan->checks.insert(at);
        plan->places[at] = ends ? Place::kAfterLabels : Place::kBeforeLabels;
      }
    }
  }

  void edit(uint32_t index) {
    ProgramObject& object = program_->objects()[index];
    std::vector<Function> functions;
    std::vector<uint32_t> plans;
    for (uint32_t i = 0; i < plans_.size(); ++i) {
      const ProgramFunction& function = program_->functions()[plans_[i].function];
      if (function.object != index) continue;
      functions.push_back(function.function);
      plans.push_back(i);
    }
    for (const Code& code : object.codes) {
      result_.counts.bytes_before += object.file.sections[code.section()].bytes.size();
    }
    if (!functions.empty()) {
      std::map<std::pair<uint32_t, uint32_t>, Copy> copies;
      for (const Copy& copy : object::duplicate(&object.file, functions, kSuffix)) {
        copies[{copy.original.section, copy.original.start}] = copy;
      }
      object.refresh();
      globals_.emplace(&object.file);
      std::map<uint32_t, Editor> editors;
      for (const Code& code : object.codes) editors.try_emplace(code.section(), &object.file, code);
      for (const uint32_t plan : plans) {
        const Function& function = program_->functions()[plans_[plan].function].function;
        edit_function(index, plans_[plan], copies.at({function.section, function.start}),
                      &editors.at(function.section));
      }
      for (auto& [section, editor] : editors) editor.apply();
    }
    for (const Code& code : object.codes) {
      result_.counts.bytes_after += object.file.sections[code.section()].bytes.size();
    }
    result_.objects.push_back(object.file.serialize());
  }

  void edit_function(uint32_t index, const Plan& plan, const Copy& copy, Editor* editor) {
    ProgramObject& object = program_->objects()[index];
    const Function& function = program_->functions()[plan.function].function;
    const Code& code = *object.code_of(function.section);
    const FlowGraph graph(code, function, object.references);
    const Liveness live(code, graph, program_->changed_by(plan.function),
                        [&](const Instruction& call) { return program_->changed_by(index, call); });
    file_ = &object.file;
    section_ = function.section;
    editor_ = editor;
    shift_ = copy.start - function.start;
    slow_parts_ = Snippet();
    copy_slow_parts_ = Snippet();
    if (plan.entry_check) entry_check(code, function, copy, live.before(plan.first));
    for (const uint32_t at : plan.checks) {
      back_edge_check(code.instructions()[at].offset, plan.places.at(at), live.before(at));
    }
    bool reserved =
        false;  // between a load-reserved and its store-conditional nothing else may access memory
    for (uint32_t i = 0; i < plan.count; ++i) {
      const Instruction& instruction = code.instructions()[plan.first + i];
      const bool conditional = operation_of(instruction) == isa::Operation::kStoreConditional;
      if (plan.instrumented[i] && !reserved) record(index, code, function, live, plan.first + i);
      if (operation_of(instruction) == isa::Operation::kLoadReserved) reserved = true;
      if (conditional) reserved = false;
      redirect_call(index, instruction);
    }
    editor->insert(function.end, Place::kBeforeLabels, slow_parts_);
    editor->insert(copy.end, Place::kBeforeLabels, copy_slow_parts_);
  }

  /// Calls of the copy go to the copies of functions that have no check of their own.
  void redirect_call(uint32_t index, const Instruction& instruction) {
    if (instruction.relocation == kNone || instruction.target_symbol == kNone) return;
    const uint32_t callee = program_->function_of(index, instruction.target_symbol);
    if (callee == kNone || plan_of_[callee] == kNone || plans_[plan_of_[callee]].entry_check)
      return;
    const ProgramFunction& function = program_->functions()[callee];
    if (instruction.target_symbol != kNone) {
      const object::Symbol& symbol = file_->symbols[instruction.target_symbol];
      if (symbol.type != STT_FUNC && symbol.section != object::kUndefined) return;
    }
    const std::string name = function.name + kSuffix;
    uint32_t target = kNone;
    if (function.object == index) {
      target = symbol_named(name, function.function.section);
    } else {
      target = (*globals_)[name];
    }
    if (target != kNone) editor_->redirect(instruction.offset + shift_, target);
  }

  uint32_t symbol_named(const std::string& name, uint32_t section) const {
    for (uint32_t i = 1; i < file_->symbols.size(); ++i) {
      if (file_->symbols[i].section == section && file_->symbols[i].name == name) return i;
    }
    return kNone;
  }

  uint32_t label(uint32_t offset = 0) { return file_->add_label(section_, offset); }

  Scratch take(Registers live) {
    const std::vector<unsigned> free = scratch(live, 1);
    if (!free.empty()) {
      used_ |= object::x(free[0]);
      return {free[0], nullptr};
    }
    ++result_.counts.spills;
    used_ |= object::x(object::kT0);
    return {object::kT0, kSpilled[0]};
  }

  void save(Snippet* code, const Scratch& scratch) {
    if (scratch.spilled != nullptr)
      add_store(code, &*globals_, false, scratch.reg, scratch.spilled);
  }
  void restore(Snippet* code, const Scratch& scratch) {
    if (scratch.spilled != nullptr) add_load(code, &*globals_, false, scratch.reg, scratch.spilled);
  }

  /// nCheck - 1 in the register and in memory.
  Snippet count_down(const Scratch& scratch) {
    Snippet code;
    save(&code, scratch);
    add_load(&code, &*globals_, true, scratch.reg, kCheckCount);
    code.add(object::addiw(scratch.reg, scratch.reg, -1));
    add_store(&code, &*globals_, true, scratch.reg, kCheckCount);
    return code;
  }

  /// The slow part of the checking copy's check, out of the way.
  /// @param go_on  where the check ends in the checking copy: the register is restored there
  void slow_part(uint32_t slow, const Scratch& scratch, uint32_t go_on, uint32_t instrumented) {
    slow_parts_.labels.emplace_back(slow, slow_parts_.size());
    add_call(&slow_parts_, &*globals_, scratch.reg, check_routine(scratch.reg));
    slow_parts_.add(object::jump(), R_RISCV_JAL, go_on);
    restore(&slow_parts_, scratch);
    slow_parts_.add(object::jump(), R_RISCV_JAL, instrumented);
  }

  void entry_check(const Code& code, const Function& function, const Copy& copy, Registers live) {
    const Scratch scratch = take(live);
    const uint32_t slow = label(), go_on = label(), body = label();
    Snippet check = count_down(scratch);
    check.add(object::beqz(scratch.reg), R_RISCV_BRANCH, slow);
    check.labels.emplace_back(go_on, check.size());
    restore(&check, scratch);
    check.labels.emplace_back(body, check.size());
    editor_->insert(function.start, Place::kAfterLabels, check);
    slow_part(slow, scratch, go_on, label(copy.start));
    // A loop back to the first instruction does not pass the entry.
    for (size_t i = code.at(function.start);
         i < code.instructions().size() && code.instructions()[i].offset < function.end; ++i) {
      const Instruction& instruction = code.instructions()[i];
      if ((instruction.flow == Flow::kBranch || instruction.flow == Flow::kJump) &&
          instruction.target == function.start) {
        editor_->redirect(instruction.offset, body);
      }
    }
  }

  void back_edge_check(uint32_t offset, Place place, Registers live) {
    const Scratch scratch = take(live);
    const uint32_t slow = label(), go_on = label(), instrumented = label(), after = label();
    Snippet check = count_down(scratch);
    check.add(object::beqz(scratch.reg), R_RISCV_BRANCH, slow);
    check.labels.emplace_back(go_on, check.size());
    restore(&check, scratch);
    editor_->insert(offset, place, check);
    slow_part(slow, scratch, go_on, after);
    // In the instrumented copy nCheck is 1 as a rule, and the slow part comes next.
    Snippet in_copy = count_down(scratch);
    in_copy.add(object::bnez(scratch.reg), R_RISCV_BRANCH, go_on);
    add_call(&in_copy, &*globals_, scratch.reg, check_routine(scratch.reg));
    in_copy.add(object::jump(), R_RISCV_JAL, go_on);
    in_copy.labels.emplace_back(instrumented, in_copy.size());
    restore(&in_copy, scratch);
    in_copy.labels.emplace_back(after, in_copy.size());
    editor_->insert(offset + shift_, place, in_copy);
  }

  uint32_t add_site(EventKind kind, uint32_t index, uint32_t offset, bool taken) {
    Site site;
    site.kind = kind;
    site.object = index;
    site.section = section_;
    site.offset = offset;
    site.taken = taken;
    if (result_.sites.empty()) result_.sites.emplace_back();  // 0 is a burst's mark
    result_.sites.push_back(site);
    ++result_.counts.sites;
    return static_cast<uint32_t>(result_.sites.size() - 1);
  }

  /// Puts what the options record of one instruction into the copy.
  void record(uint32_t index, const Code& code, const Function& function, const Liveness& live,
              uint32_t at) {
    const Instruction& instruction = code.instructions()[at];
    const uint32_t offset = instruction.offset;
    const bool has_next =
        at + 1 < code.instructions().size() && code.instructions()[at + 1].offset < function.end;
    const auto before = [&](uint32_t where, const Snippet& snippet) {
      editor_->insert(where + shift_, Place::kAfterLabels, snippet);
    };
    // Only what falls through to the next instruction executes it.
    const auto after = [&](const Snippet& snippet) {
      editor_->insert(code.instructions()[at + 1].offset + shift_, Place::kBeforeLabels, snippet);
    };
    if (records(EventKind::kData) && accesses_memory(instruction)) {
      before(offset,
             event(add_site(EventKind::kData, index, offset, false), live.before(at),
                   instruction.insn.rs1, address_offset(instruction), address_low(instruction)));
    }
    if (records(EventKind::kValue) && kind_of(instruction) == isa::Kind::kLoad &&
        instruction.insn.rd != 0 && has_next) {
      after(event(add_site(EventKind::kValue, index, offset, false), live.before(at + 1),
                  instruction.insn.rd, 0, std::nullopt));
    }
    if (records(EventKind::kCall) && is_call(instruction)) {
      // A direct call's callee is known by its site; the pair of a far one begins an instruction
      // earlier.
      const bool direct = instruction.target_symbol != kNone;
      const uint32_t first = instruction.glued ? at - 1 : at;
      before(code.instructions()[first].offset,
             event(add_site(EventKind::kCall, index, offset, false), live.before(first),
                   direct ? object::kZero : instruction.insn.rs1, direct ? 0 : instruction.insn.imm,
                   std::nullopt));
    }
    if (records(EventKind::kEdge) && instruction.flow == Flow::kBranch) {
      if (has_next) {
        after(event(add_site(EventKind::kEdge, index, offset, false), live.before(at + 1),
                    object::kZero, 0, std::nullopt));
      }
      record_taken(index, code, function, live, instruction);
    }
    if (records(EventKind::kEdge) && instruction.flow == Flow::kIndirectJump &&
        !instruction.glued) {
      before(offset, event(add_site(EventKind::kEdge, index, offset, true), live.before(at),
                           instruction.insn.rs1, instruction.insn.imm, std::nullopt));
    }
  }

  /// The taken edge of a branch goes through an event out of the way.
  void record_taken(uint32_t index, const Code& code, const Function& function,
                    const Liveness& live, const Instruction& branch) {
    if (branch.target == kNone || branch.target < function.start || branch.target >= function.end ||
        branch.relocation == kNone) {
      return;
    }
    const auto target = static_cast<uint32_t>(code.at(branch.target));
    const uint32_t edge = label();
    Snippet recorded = event(add_site(EventKind::kEdge, index, branch.offset, true),
                             live.before(target), object::kZero, 0, std::nullopt);
    recorded.labels.emplace_back(edge, 0);
    recorded.add(object::jump(), R_RISCV_JAL, label(branch.target + shift_));
    copy_slow_parts_.add(recorded);
    editor_->redirect(branch.offset + shift_, edge);
  }

  /// The immediate of the address; atomics have none.
  static int32_t address_offset(const Instruction& instruction) {
    return kind_of(instruction) == isa::Kind::kAtomic ? 0 : instruction.insn.imm;
  }

  /// The relocation of the low half of an address, which the new addi carries too.
  std::optional<object::Relocation> address_low(const Instruction& instruction) const {
    if (instruction.relocation == kNone) return std::nullopt;
    // Its index is that of the object as it was; the copy has the same one at its own offset.
    const std::vector<object::Relocation>& all = file_->sections[section_].relocations;
    const uint32_t offset = instruction.offset + shift_;
    auto at =
        std::lower_bound(all.begin(), all.end(), offset,
                         [](const object::Relocation& r, uint32_t o) { return r.offset < o; });
    for (; at != all.end() && at->offset == offset; ++at) {
      const object::Relocation& relocation = *at;
      object::Relocation low = relocation;
      switch (relocation.type) {
        case R_RISCV_PCREL_LO12_I:
        case R_RISCV_PCREL_LO12_S:
          low.type = R_RISCV_PCREL_LO12_I;
          return low;
        case R_RISCV_LO12_I:
        case R_RISCV_LO12_S:
          low.type = R_RISCV_LO12_I;
          return low;
        case R_RISCV_TPREL_LO12_I:
        case R_RISCV_TPREL_LO12_S:
          low.type = R_RISCV_TPREL_LO12_I;
          return low;
        default:
          break;
      }
    }
    return std::nullopt;
  }

  /// Appends {site, base + offset} to the event buffer.
  Snippet event(uint32_t site, Registers live, unsigned base, int32_t offset,
                const std::optional<object::Relocation>& low) {
    std::vector<Scratch> regs;
    Registers taken = live | object::x(base) | object::kFixed;
    for (const unsigned reg : scratch(taken, 2)) {
      regs.push_back({reg, nullptr});
      taken |= object::x(reg);
    }
    for (unsigned slot = 0; regs.size() < 2; ++slot) {
      for (const unsigned reg : {5u, 6u, 7u}) {
        const bool chosen =
            std::any_of(regs.begin(), regs.end(), [&](const Scratch& s) { return s.reg == reg; });
        if (reg == base || chosen) continue;
        regs.push_back({reg, kSpilled[slot]});
        ++result_.counts.spills;
        break;
      }
    }
    const Scratch& next = regs[0];
    const Scratch& value = regs[1];
    used_ |= object::x(next.reg);
    Snippet code;
    save(&code, next);
    save(&code, value);
    const uint32_t full = label(), back = label();
    if (low.has_value()) {
      // The linker may make the auipc gp-relative or drop it; the new addi goes with the old
      // access.
      code.add(object::addi(value.reg, base, 0), low->type, low->symbol, low->addend);
      code.relocations.push_back({code.size() - 4, R_RISCV_RELAX, 0, 0});
    } else {
      code.add(object::addi(value.reg, base, offset));
    }
    add_load(&code, &*globals_, false, next.reg, kNextEvent);
    code.add(object::sd(value.reg, next.reg, 8));
    add_number(&code, value.reg, site);
    code.add(object::sd(value.reg, next.reg, 0));
    code.add(object::addi(next.reg, next.reg, 16));
    add_store(&code, &*globals_, false, next.reg, kNextEvent);
    unsigned shift = 64;
    for (uint64_t size = uint64_t{options_.buffer_records} * 16; size > 1; size /= 2) --shift;
    code.add(object::slli(next.reg, next.reg, shift));
    code.add(object::beqz(next.reg), R_RISCV_BRANCH, full);
    code.labels.emplace_back(back, code.size());
    restore(&code, value);
    restore(&code, next);
    copy_slow_parts_.labels.emplace_back(full, copy_slow_parts_.size());
    add_call(&copy_slow_parts_, &*globals_, next.reg, full_routine(next.reg));
    copy_slow_parts_.add(object::jump(), R_RISCV_JAL, back);
    return code;
  }

  static void add_number(Snippet* code, unsigned reg, uint32_t number) {
    const uint32_t upper = (number + 0x800) >> 12;
    const auto lower = static_cast<int32_t>(number - (upper << 12));
    if (upper == 0) {
      code->add(object::addi(reg, object::kZero, lower));
      return;
    }
    code->add(object::lui(reg, upper));
    if (lower != 0) code->add(object::addiw(reg, reg, lower));
  }

  Program* program_;
  const BurstyOptions& options_;
  Bursty result_;
  std::vector<Plan> plans_;
  std::vector<uint32_t> plan_of_;  // by function
  Registers used_ = 0;
  // The function that is edited.
  ObjectFile* file_ = nullptr;
  std::optional<Globals> globals_;  // those of its object
  uint32_t section_ = 0, shift_ = 0;
  Editor* editor_ = nullptr;
  Snippet slow_parts_, copy_slow_parts_;
};

}  // namespace

BurstyOptions variant(const std::string& name) {
  struct Row {
    const char* name;
    EntryChecks entries;
    int boring;
  };
  static const Row kRows[] = {{"orig", EntryChecks::kAll, kNoLoopIsBoring},
                              {"EL", EntryChecks::kNoLeaves, kNoLoopIsBoring},
                              {"EC", EntryChecks::kEquationThree, kNoLoopIsBoring},
                              {"EN", EntryChecks::kNone, kNoLoopIsBoring},
                              {"L4", EntryChecks::kAll, 4},
                              {"L10", EntryChecks::kAll, 10},
                              {"LN", EntryChecks::kAll, kNoLoopChecks},
                              {"EC+L4", EntryChecks::kEquationThree, 4}};
  for (const Row& row : kRows) {
    if (name != row.name) continue;
    BurstyOptions options;
    options.entries = row.entries;
    options.boring = row.boring;
    return options;
  }
  throw std::invalid_argument(
      fmt::format("expected orig, EL, EC, EN, L4, L10, LN or EC+L4, got '{}'", name));
}

Bursty make_bursty(Program* program, std::vector<uint8_t> runtime, const BurstyOptions& options) {
  return Editing(program, options).run(std::move(runtime));
}

}  // namespace strobe::instrument
