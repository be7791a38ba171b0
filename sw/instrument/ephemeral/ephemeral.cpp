#include "sw/instrument/ephemeral/ephemeral.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "sc_models/isa/decode/decoded.h"
#include "sc_models/isa/decode/jump_type.h"
#include "sc_models/isa/decode/op.h"
#include "sw/instrument/ephemeral/island.h"
#include "sw/instrument/snippets.h"
#include "sw/object/analysis/flow_graph.h"
#include "sw/object/analysis/liveness.h"
#include "sw/object/analysis/references.h"
#include "sw/object/edit/editor.h"
#include "sw/object/edit/encode.h"

namespace strobe::instrument {
namespace {

using object::Code;
using object::Editor;
using object::Flow;
using object::FlowGraph;
using object::Function;
using object::Instruction;
using object::kNone;
using object::Liveness;
using object::Place;
using object::Program;
using object::ProgramFunction;
using object::ProgramObject;
using object::Snippet;

isa::Operation operation_of(const Instruction& instruction) {
  return isa::info(static_cast<isa::Op>(instruction.insn.op)).operation;
}

/// Whether the instruction after this one may be executed next.
bool falls_through(const Instruction& instruction) {
  switch (instruction.flow) {
    case Flow::kJump:
    case Flow::kTailCall:
    case Flow::kOtherPart:
    case Flow::kIndirectJump:
    case Flow::kReturn:
    case Flow::kStop:
      return false;
    default:
      return true;
  }
}

bool is_indirect(const Instruction& instruction) {
  return (instruction.flow == Flow::kIndirectJump || instruction.flow == Flow::kIndirectCall) &&
         !instruction.glued;
}

/// Why an indirect jump or call has no stub; null when it gets one.
const char* obstacle_of(const Instruction& jump) {
  if (jump.insn.imm != 0 || jump.relocation != kNone) {
    return "it jumps to a register and a distance";
  }
  // The stub's own link would overwrite the target, or the hook the wrong register.
  if (isa::is_link_register(jump.insn.rs1)) return "its target is in a link register";
  if (jump.insn.rd != object::kZero && jump.insn.rd != object::kRa) {
    return "it links in another register than ra";
  }
  return nullptr;
}

class EphemeralEditing {
 public:
  EphemeralEditing(Program* program, const EphemeralOptions& options)
      : program_(program), options_(options) {}

  Ephemeral run(std::vector<uint8_t> runtime) {
    const size_t objects = program_->objects().size();
    result_.edit.symbols.resize(objects + 1);
    for (uint32_t i = 0; i < objects; ++i) edit(i);
    for (ProgramObject& object : program_->objects()) {
      result_.edit.objects.push_back(std::move(object.file));
    }
    result_.edit.runtime = object::ObjectFile::parse(std::move(runtime), "unhook.o");
    return std::move(result_);
  }

 private:
  void edit(uint32_t index) {
    ProgramObject& object = program_->objects()[index];
    object_ = index;
    file_ = &object.file;
    globals_.emplace(file_);
    for (const Code& code : object.codes) {
      result_.left_alone.insert(result_.left_alone.end(), code.left_alone().begin(),
                                code.left_alone().end());
      result_.counts.bytes_before += file_->sections[code.section()].bytes.size();
    }
    std::map<uint32_t, std::vector<uint32_t>> functions;  // by section, in the order of places
    for (uint32_t i = 0; i < program_->functions().size(); ++i) {
      const ProgramFunction& function = program_->functions()[i];
      if (function.object != index || !is_editable(*program_, function, options_.library)) continue;
      functions[function.function.section].push_back(i);
    }
    std::map<uint32_t, Editor> editors;
    for (const Code& code : object.codes) {
      editor_ = &editors.try_emplace(code.section(), file_, code).first->second;
      edit_section(code, functions[code.section()]);
    }
    // What refers to a section is followed from the place where it was.
    for (const Code& code : object.codes) {
      for (const object::Moved& moved : editors.at(code.section()).apply()) {
        const Instruction& instruction = code.instructions()[code.at(moved.from)];
        result_.edit.code.push_back(
            {object_, code.section(), moved.from, moved.to, instruction.size});
      }
      result_.counts.bytes_after += file_->sections[code.section()].bytes.size();
    }
    object.forget_code();
  }

  void edit_section(const Code& code, std::vector<uint32_t> functions) {
    std::sort(functions.begin(), functions.end(),
              [this](uint32_t a, uint32_t b) { return start_of(a) < start_of(b); });
    island_.emplace(file_, &*globals_, code.section());
    for (const uint32_t function : functions) {
      if (island_->empty()) island_begin_ = start_of(function);
      edit_function(code, function);
      place_island_after(code, program_->functions()[function].function.end);
    }
    const auto end = static_cast<uint32_t>(file_->sections[code.section()].bytes.size());
    if (!island_->empty()) place_island(code, end, Place::kAfterLabels);
  }

  uint32_t start_of(uint32_t function) const {
    return program_->functions()[function].function.start;
  }

  /// The stubs stand after this function when they would be too far from their branches after the
  /// next one.
  void place_island_after(const Code& code, uint32_t end) {
    const size_t next = code.at(end);
    // A branch may become four times as long, when its target is out of its reach.
    const uint64_t bytes = uint64_t{end - island_begin_} * 4 + island_->bytes();
    if (island_->empty() || bytes < options_.island_bytes || next == code.instructions().size() ||
        code.instructions()[next].glued) {
      return;
    }
    place_island(code, end, Place::kBeforeLabels);
  }

  void place_island(const Code& code, uint32_t at, Place place) {
    const size_t next = code.at(at);  // the number of instructions at the section's end
    const bool entered = next > 0 && falls_through(code.instructions()[next - 1]);
    editor_->insert(at, place, island_->finish(entered));
    constexpr uint64_t kAlignment = 8;
    uint64_t& alignment = file_->sections[code.section()].alignment;
    alignment = std::max(alignment, kAlignment);
    ++result_.counts.islands;
  }

  void edit_function(const Code& code, uint32_t index) {
    const ProgramFunction& of_program = program_->functions()[index];
    const Function& function = of_program.function;
    const FlowGraph graph(code, function, program_->objects()[object_].references);
    if (!graph.obstacle().empty()) {
      leave(of_program.name, graph.obstacle());
      return;
    }
    ++result_.counts.functions;
    const size_t first_hook = result_.hooks.size();
    const Liveness live(code, graph, program_->changed_by(index), [&](const Instruction& call) {
      return program_->changed_by(object_, call);
    });
    bool reserved = false;  // nothing accesses memory between a load-reserved and its store
    for (size_t i = code.at(function.start);
         i < code.instructions().size() && code.instructions()[i].offset < function.end; ++i) {
      const Instruction& instruction = code.instructions()[i];
      if (operation_of(instruction) == isa::Operation::kLoadReserved) reserved = true;
      if (operation_of(instruction) == isa::Operation::kStoreConditional) reserved = false;
      if (is_short_jump_away(*file_, instruction)) {
        editor_->replace(instruction.offset, far_jump(instruction, instruction.target_symbol,
                                                      instruction.target_addend));
      }
      const bool jumps = is_indirect(instruction);
      if (!jumps && instruction.flow != Flow::kBranch) continue;
      const object::Registers wanted = live.before(static_cast<uint32_t>(i));
      const char* const obstacle = reserved
                                       ? "it is between a load-reserved and its store-conditional"
                                   : jumps ? obstacle_of(instruction)
                                           : obstacle_of_branch(code, instruction, wanted);
      if (obstacle != nullptr) {
        leave(place_of(code, instruction), obstacle);
      } else if (jumps) {
        add_jump_hook(code, instruction, wanted, function);
      } else {
        add_hook(code, instruction, wanted);
      }
    }
    find_dominators(code, graph, first_hook);
  }

  /// For the hooks of one function, which are those from `first` on. Each ends a block.
  void find_dominators(const Code& code, const FlowGraph& graph, size_t first) {
    const auto block_of = [&](const Hook& hook) {
      return graph.block_of(static_cast<uint32_t>(code.at(hook.branch.offset)));
    };
    std::map<uint32_t, uint32_t> hook_of;  // by block
    for (size_t i = first; i < result_.hooks.size(); ++i) {
      hook_of[block_of(result_.hooks[i])] = static_cast<uint32_t>(i);
    }
    for (size_t i = first; i < result_.hooks.size(); ++i) {
      uint32_t block = graph.blocks()[block_of(result_.hooks[i])].dominator;
      while (block != kNone && hook_of.count(block) == 0) block = graph.blocks()[block].dominator;
      if (block != kNone) result_.hooks[i].dominator = hook_of[block];
    }
  }

  void leave(const std::string& place, const std::string& reason) {
    result_.left_alone.push_back({file_->name + ": " + place, reason});
  }
  std::string place_of(const Code& code, const Instruction& instruction) const {
    return file_->describe(code.section(), instruction.offset);
  }

  /// Why a branch has no stub; null when it gets one.
  const char* obstacle_of_branch(const Code& code, const Instruction& branch,
                                 object::Registers live) const {
    return Island::moves_compared_sp(word_of(code.section(), branch), live)
               ? "it compares sp, and its stub has no free registers"
               : nullptr;
  }

  void add_hook(const Code& code, const Instruction& branch, object::Registers live) {
    const uint32_t section = code.section();
    const object::Relocation relocation = file_->sections[section].relocations[branch.relocation];
    const Hook hook = new_hook(code, branch);
    StubSymbols symbols;
    symbols.target = relocation.symbol;
    symbols.target_addend = relocation.addend;
    symbols.next = file_->add_label(section, branch.offset + branch.size);
    symbols.code = hook.code_symbol;
    symbols.data = hook.data_symbol;
    const uint32_t word = expand(section, branch, relocation);
    result_.counts.spills += island_->add_stub(word, live, symbols);
    ++result_.counts.branches;
    result_.hooks.push_back(hook);
  }

  void add_jump_hook(const Code& code, const Instruction& jump, object::Registers live,
                     const Function& function) {
    // The labels of its function's tables; of a call and an indirect tail call there are none.
    constexpr size_t kLeastTargets = 4, kTargetsOfCall = 16, kMostTargets = 255;
    const std::vector<uint32_t>& tables =
        program_->objects()[object_].references.tables[code.section()];
    const bool calls = jump.flow == Flow::kIndirectCall;
    const size_t targets =
        calls ? kTargetsOfCall : object::References::inside(tables, function).size();
    Hook hook = new_hook(code, jump);
    hook.targets = static_cast<uint32_t>(std::clamp(targets, kLeastTargets, kMostTargets));
    const unsigned target = jump.insn.rs1;
    if (jump.size != sizeof(uint32_t)) {
      Snippet expanded;
      expanded.add(object::jalr(jump.insn.rd, target));
      editor_->replace(jump.offset, expanded);
      ++result_.counts.expanded;
    }
    if (calls) live |= object::x(object::kRa);  // the hook has put the return address there
    result_.counts.spills +=
        island_->add_jump_stub(target, live, hook.targets, hook.code_symbol, hook.data_symbol);
    ++result_.counts.jumps;
    result_.hooks.push_back(hook);
  }

  /// With new symbols, whose addresses are wanted. The instruction is aligned, so that a hook takes
  /// its place by one store and every hart fetches the one or the other whole (Ziccif).
  Hook new_hook(const Code& code, const Instruction& instruction) {
    Hook hook;
    hook.branch = {object_, code.section(), instruction.offset};
    hook.branch_symbol = file_->add_label(code.section(), instruction.offset);
    editor_->insert(instruction.offset, Place::kBeforeLabels, alignment(sizeof(uint32_t)));
    hook.code_symbol = file_->add_label(code.section(), 0);
    hook.data_symbol = file_->add_label(code.section(), 0);
    std::vector<uint32_t>& wanted = result_.edit.symbols[object_ + 1];
    wanted.insert(wanted.end(), {hook.branch_symbol, hook.code_symbol, hook.data_symbol});
    return hook;
  }

  /// The branch as an instruction of four bytes.
  uint32_t word_of(uint32_t section, const Instruction& branch) const {
    uint32_t word = 0;
    std::memcpy(&word, file_->sections[section].bytes.data() + branch.offset, branch.size);
    return branch.size == sizeof word ? word : isa::expand_compressed(static_cast<uint16_t>(word));
  }

  /// That is what it becomes in the edited section.
  uint32_t expand(uint32_t section, const Instruction& branch,
                  const object::Relocation& relocation) {
    const uint32_t word = word_of(section, branch);
    if (branch.size == sizeof word) return word;
    Snippet expanded;
    expanded.add(word, R_RISCV_BRANCH, relocation.symbol, relocation.addend);
    editor_->replace(branch.offset, expanded);
    ++result_.counts.expanded;
    return word;
  }

  Program* program_;
  const EphemeralOptions& options_;
  Ephemeral result_;
  // The object and the section that are edited.
  uint32_t object_ = 0;
  object::ObjectFile* file_ = nullptr;
  std::optional<Globals> globals_;
  Editor* editor_ = nullptr;
  std::optional<Island> island_;
  uint32_t island_begin_ = 0;  // where its first function begins
};

}  // namespace

Ephemeral make_ephemeral(Program* program, std::vector<uint8_t> runtime,
                         const EphemeralOptions& options) {
  return EphemeralEditing(program, options).run(std::move(runtime));
}

}  // namespace strobe::instrument
