#include "sw/instrument/bursty/bursty.h"

#include <elf.h>

#include <algorithm>
#include <map>
#include <optional>

#include "sw/instrument/bursty/bursty_plan.h"
#include "sw/instrument/bursty/bursty_runtime.h"
#include "sw/instrument/bursty/definitions.h"
#include "sw/instrument/bursty/inserted_code.h"
#include "sw/object/analysis/flow_graph.h"
#include "sw/object/analysis/liveness.h"
#include "sw/object/edit/duplicate.h"
#include "sw/object/edit/editor.h"
#include "sw/object/edit/encode.h"

namespace strobe::instrument {
namespace {

using object::Code;
using object::Copy;
using object::Editor;
using object::Flow;
using object::FlowGraph;
using object::Function;
using object::Instruction;
using object::kNone;
using object::Liveness;
using object::Moved;
using object::ObjectFile;
using object::ObjectPlace;
using object::Place;
using object::Program;
using object::ProgramFunction;
using object::ProgramObject;
using object::Registers;
using object::Snippet;

constexpr const char* kSuffix = ".instrumented";

class Editing {
 public:
  Editing(Program* program, const BurstyOptions& options)
      : program_(program), options_(options), plans_(plan_bursty(*program, options)) {
    result_.counts = plans_.counts;
    result_.left_alone = plans_.left_alone;
    result_.sites.emplace_back();  // number 0: a burst's mark
  }

  Bursty run(std::vector<uint8_t> fold) {
    if (records(options_, EventKind::kCall)) definitions_.emplace(*program_);
    for (uint32_t i = 0; i < program_->objects().size(); ++i) edit(i);
    for (ProgramObject& object : program_->objects()) {
      result_.objects.push_back(std::move(object.file));
    }
    used_.links |= object::x(object::kT0);
    result_.runtime = make_runtime(std::move(fold), used_, options_);
    return std::move(result_);
  }

 private:
  void edit(uint32_t index) {
    ProgramObject& object = program_->objects()[index];
    std::vector<Function> functions;
    std::vector<uint32_t> plans;
    for (uint32_t i = 0; i < plans_.plans.size(); ++i) {
      const ProgramFunction& function = program_->functions()[plans_.plans[i].function];
      if (function.object != index) continue;
      functions.push_back(function.function);
      plans.push_back(i);
    }
    std::map<uint32_t, uint32_t> sizes;  // sections before the copies
    for (const Code& code : object.codes) {
      const auto size = static_cast<uint32_t>(object.file.sections[code.section()].bytes.size());
      sizes[code.section()] = size;
      result_.counts.bytes_before += size;
    }
    if (functions.empty()) {
      for (const Code& code : object.codes) {
        for (const Instruction& instruction : code.instructions()) {
          keep_place(index, code, instruction, {instruction.offset, instruction.offset}, 0);
        }
      }
    } else {
      const std::vector<Copy> copies = object::duplicate(&object.file, functions, kSuffix);
      object.refresh();
      globals_.emplace(&object.file);
      std::map<uint32_t, Editor> editors;
      for (const Code& code : object.codes) editors.try_emplace(code.section(), &object.file, code);
      std::map<std::pair<uint32_t, uint32_t>, const Copy*> copy_of;
      copy_symbols_.clear();
      for (const Copy& copy : copies) {
        copy_of[{copy.original.section, copy.original.start}] = &copy;
        copy_symbols_[{copy.original.section, copy.original.start}] = copy.symbol;
      }
      for (const uint32_t plan : plans) {
        const Function& function = program_->functions()[plans_.plans[plan].function].function;
        edit_function(index, plans_.plans[plan], *copy_of.at({function.section, function.start}),
                      &editors.at(function.section));
      }
      for (auto& [section, editor] : editors) {
        keep_places(index, *object.code_of(section), sizes.at(section), copies, editor.apply());
      }
    }
    for (const Code& code : object.codes) {
      result_.counts.bytes_after += object.file.sections[code.section()].bytes.size();
    }
    object.forget_code();
  }

  /// Where the instructions of a section went. @param size  of the section before the copies
  void keep_places(uint32_t index, const Code& code, uint32_t size, const std::vector<Copy>& copies,
                   const std::vector<Moved>& all) {
    std::map<uint32_t, const Copy*> by_start;
    for (const Copy& copy : copies) {
      if (copy.original.section == code.section()) by_start[copy.start] = &copy;
    }
    for (const Moved& moved : all) {
      const Instruction& instruction = code.instructions()[code.at(moved.from)];
      if (moved.from < size) {
        keep_place(index, code, instruction, moved, 0);
        continue;
      }
      const auto after = by_start.upper_bound(moved.from);
      if (after == by_start.begin()) continue;
      const Copy& copy = *std::prev(after)->second;
      if (moved.from < copy.end) {
        keep_place(index, code, instruction, moved, copy.start - copy.original.start);
      }
    }
  }

  void keep_place(uint32_t index, const Code& code, const Instruction& instruction,
                  const Moved& moved, uint32_t shift) {
    PlacedInstruction placed;
    placed.object = index;
    placed.section = code.section();
    placed.original = moved.from - shift;
    placed.edited = moved.to;
    placed.size = instruction.size;
    placed.instrumented = shift != 0;
    result_.code.push_back(placed);
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
    code_.emplace(file_, &*globals_, section_);
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
      const bool conditional = info_of(instruction).operation == isa::Operation::kStoreConditional;
      if (plan.instrumented[i] && !reserved) record(index, code, function, live, plan.first + i);
      if (info_of(instruction).operation == isa::Operation::kLoadReserved) reserved = true;
      if (conditional) reserved = false;
      edit_jump(index, instruction);
    }
    editor->insert(function.end, Place::kBeforeLabels, slow_parts_);
    editor->insert(copy.end, Place::kBeforeLabels, copy_slow_parts_);
    used_.links |= code_->used().links;
    used_.records.insert(code_->used().records.begin(), code_->used().records.end());
    result_.counts.spills += code_->spills();
  }

  void edit_jump(uint32_t index, const Instruction& instruction) {
    if (instruction.relocation == kNone || instruction.target_symbol == kNone) return;
    const uint32_t in_copy = target_in_copy(index, instruction);
    if (is_short_jump_away(*file_, instruction)) {
      const Snippet away =
          far_jump(instruction, instruction.target_symbol, instruction.target_addend);
      editor_->replace(instruction.offset, away);
      editor_->replace(instruction.offset + shift_,
                       in_copy == kNone ? away : far_jump(instruction, in_copy));
    } else if (in_copy != kNone) {
      editor_->redirect(instruction.offset + shift_, in_copy);
    }
  }

  /// Calls of the copy go to the copies of functions that have no check of their own; else kNone.
  uint32_t target_in_copy(uint32_t index, const Instruction& instruction) {
    const uint32_t callee = program_->callee_of(index, instruction);
    if (callee == kNone || plans_.of_function[callee] == kNone ||
        plans_.plans[plans_.of_function[callee]].entry_check) {
      return kNone;
    }
    const object::Symbol& symbol = file_->symbols[instruction.target_symbol];
    if (symbol.type != STT_FUNC && symbol.section != object::kUndefined) return kNone;
    const ProgramFunction& function = program_->functions()[callee];
    return function.object == index
               ? copy_symbols_.at({function.function.section, function.function.start})
               : (*globals_)[function.name + kSuffix];
  }

  /// The slow part of the checking copy's check, out of the way.
  /// @param go_on  where the check ends in the checking copy: the register is restored there
  void slow_part(uint32_t slow, const Scratch& scratch, uint32_t go_on, uint32_t instrumented) {
    slow_parts_.labels.emplace_back(slow, slow_parts_.size());
    code_->slow_check(&slow_parts_, scratch, go_on);
    code_->restore(&slow_parts_, scratch);
    slow_parts_.add(object::jump(), R_RISCV_JAL, instrumented);
  }

  void entry_check(const Code& code, const Function& function, const Copy& copy, Registers live) {
    const Scratch scratch = code_->take(live);
    const uint32_t slow = code_->label(), go_on = code_->label(), body = code_->label();
    Snippet check = code_->count_down(scratch);
    check.add(object::blez(scratch.reg), R_RISCV_BRANCH, slow);
    check.labels.emplace_back(go_on, check.size());
    code_->restore(&check, scratch);
    check.labels.emplace_back(body, check.size());
    editor_->insert(function.start, Place::kAfterLabels, check);
    slow_part(slow, scratch, go_on, code_->label(copy.start));
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
    const Scratch scratch = code_->take(live);
    const uint32_t slow = code_->label(), go_on = code_->label(), instrumented = code_->label(),
                   after = code_->label();
    Snippet check = code_->count_down(scratch);
    check.add(object::blez(scratch.reg), R_RISCV_BRANCH, slow);
    check.labels.emplace_back(go_on, check.size());
    code_->restore(&check, scratch);
    editor_->insert(offset, place, check);
    slow_part(slow, scratch, go_on, after);
    // In the instrumented copy nCheck is 1 as a rule, and the slow part comes next.
    Snippet in_copy = code_->count_down(scratch);
    in_copy.add(object::bgtz(scratch.reg), R_RISCV_BRANCH, go_on);
    code_->slow_check(&in_copy, scratch, go_on);
    in_copy.labels.emplace_back(instrumented, in_copy.size());
    code_->restore(&in_copy, scratch);
    in_copy.labels.emplace_back(after, in_copy.size());
    editor_->insert(offset + shift_, place, in_copy);
  }

  uint32_t add_site(EventKind kind, uint32_t index, uint32_t offset,
                    const std::optional<ObjectPlace>& target = std::nullopt) {
    result_.sites.push_back({kind, {index, section_, offset}, target, kNone});
    ++result_.counts.sites;
    return static_cast<uint32_t>(result_.sites.size() - 1);
  }

  Snippet event(uint32_t site, Registers live, const EventValue& value = {}) {
    return code_->event(live, value, &result_.sites[site].after_call);
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
    if (records(options_, EventKind::kData) && accesses_memory(instruction)) {
      before(offset, event(add_site(EventKind::kData, index, offset), live.before(at),
                           address_of(instruction, file_->sections[section_], shift_)));
    }
    if (records(options_, EventKind::kValue) && info_of(instruction).kind == isa::Kind::kLoad &&
        instruction.insn.rd != 0 && has_next) {
      after(event(add_site(EventKind::kValue, index, offset), live.before(at + 1),
                  {instruction.insn.rd}));
    }
    if (records(options_, EventKind::kCall) && is_linking_call(instruction)) {
      // A direct call's callee is known by its site; the pair of a far one begins an instruction
      // earlier.
      const bool direct = instruction.target_symbol != kNone;
      const uint32_t first = instruction.glued ? at - 1 : at;
      const uint32_t site =
          add_site(EventKind::kCall, index, offset,
                   direct ? definitions_->of(index, instruction.target_symbol) : std::nullopt);
      before(code.instructions()[first].offset,
             event(site, live.before(first),
                   direct ? EventValue() : EventValue{instruction.insn.rs1, instruction.insn.imm}));
    }
    if (records(options_, EventKind::kEdge) && instruction.flow == Flow::kBranch) {
      if (has_next) {
        const ObjectPlace next = {index, section_, code.instructions()[at + 1].offset};
        after(event(add_site(EventKind::kEdge, index, offset, next), live.before(at + 1)));
      }
      record_taken(index, code, function, live, instruction);
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
    const uint32_t edge = code_->label();
    const ObjectPlace place = {index, section_, branch.target};
    Snippet recorded =
        event(add_site(EventKind::kEdge, index, branch.offset, place), live.before(target));
    recorded.labels.emplace_back(edge, 0);
    recorded.add(object::jump(), R_RISCV_JAL, code_->label(branch.target + shift_));
    copy_slow_parts_.add(recorded);
    editor_->redirect(branch.offset + shift_, edge);
  }

  Program* program_;
  const BurstyOptions& options_;
  Bursty result_;
  Plans plans_;
  std::optional<Definitions> definitions_;  // where calls are recorded
  Routines used_;
  // The function that is edited.
  ObjectFile* file_ = nullptr;
  std::optional<Globals> globals_;                                  // those of its object
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> copy_symbols_;  // by section and start
  uint32_t section_ = 0, shift_ = 0;
  Editor* editor_ = nullptr;
  std::optional<InsertedCode> code_;
  Snippet slow_parts_, copy_slow_parts_;
};

}  // namespace

Bursty make_bursty(Program* program, std::vector<uint8_t> runtime, const BurstyOptions& options) {
  return Editing(program, options).run(std::move(runtime));
}

}  // namespace strobe::instrument
