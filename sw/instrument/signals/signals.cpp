#include "sw/instrument/signals/signals.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "sc_models/isa/decode/op.h"
#include "sw/instrument/signals/signal_words.h"
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
using object::Liveness;
using object::Place;
using object::Program;
using object::ProgramFunction;
using object::ProgramObject;
using object::References;
using object::Registers;
using object::Snippet;

/// Throws ObjectError when the objects define the words themselves.
void expect_no_signals(const Program& program) {
  for (const ProgramObject& object : program.objects()) {
    for (const object::Symbol& symbol : object.file.symbols) {
      if (symbol.section == object::kUndefined ||
          (symbol.name != kMethodSignal && symbol.name != kLoopSignal)) {
        continue;
      }
      throw object::ObjectError(
          fmt::format("{}: it defines {}: expected an object without software signals; take the "
                      "one that it was made from, or rename the symbol",
                      object.file.name, symbol.name));
    }
  }
}

/// The innermost of the loops that `has(loop)` holds for; null when it holds for none.
template <class Has>
const object::Loop* innermost(const FlowGraph& graph, Has has) {
  const object::Loop* found = nullptr;
  for (const object::Loop& loop : graph.loops()) {
    if (has(loop) && (found == nullptr || loop.blocks.size() < found->blocks.size())) found = &loop;
  }
  return found;
}

bool contains(const std::vector<uint32_t>& all, uint32_t one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

size_t end_of(const Code& code, const Function& function) {
  size_t end = code.at(function.start);
  while (end < code.instructions().size() && code.instructions()[end].offset < function.end) ++end;
  return end;
}

/// Whether the instruction is between a load-reserved and its store-conditional, in the order of
/// their addresses: nothing else may access memory there.
bool is_reserved(const Code& code, const Function& function, uint32_t at) {
  for (size_t i = at; i-- > code.at(function.start);) {
    const auto op = static_cast<isa::Op>(code.instructions()[i].insn.op);
    if (isa::info(op).operation == isa::Operation::kStoreConditional) return false;
    if (isa::info(op).operation == isa::Operation::kLoadReserved) return true;
  }
  return false;
}

class SignalsEditing {
 public:
  SignalsEditing(Program* program, const SignalsOptions& options)
      : program_(program), options_(options) {}

  Signals run() {
    expect_no_signals(*program_);
    const size_t objects = program_->objects().size();
    result_.edit.symbols.resize(objects + 1);
    for (uint32_t i = 0; i < objects; ++i) edit(i);
    result_.edit.runtime = make_signal_words(program_->objects().front().file.elf_flags,
                                             options_.methods, options_.loops);
    for (ProgramObject& object : program_->objects()) {
      result_.edit.objects.push_back(std::move(object.file));
    }
    return std::move(result_);
  }

 private:
  void edit(uint32_t index) {
    ProgramObject& object = program_->objects()[index];
    object_ = index;
    file_ = &object.file;
    globals_.emplace(file_);
    std::map<uint32_t, Editor> editors;
    for (const Code& code : object.codes) {
      editors.try_emplace(code.section(), file_, code);
      result_.left_alone.insert(result_.left_alone.end(), code.left_alone().begin(),
                                code.left_alone().end());
      result_.counts.bytes_before += file_->sections[code.section()].bytes.size();
    }
    for (uint32_t i = 0; i < program_->functions().size(); ++i) {
      const ProgramFunction& function = program_->functions()[i];
      if (function.object != index || !is_editable(*program_, function, options_.library)) continue;
      const Code& code = *object.code_of(function.function.section);
      editor_ = &editors.at(code.section());
      edit_function(code, i);
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

  void edit_function(const Code& code, uint32_t index) {
    const ProgramFunction& of_program = program_->functions()[index];
    const Function& function = of_program.function;
    const FlowGraph graph(code, function, program_->objects()[object_].references);
    if (!graph.obstacle().empty()) {
      leave(of_program.name, graph.obstacle());
      return;
    }
    ++result_.counts.functions;
    result_.methods.push_back({{object_, code.section(), function.start}, of_program.name});
    const auto method = static_cast<uint32_t>(result_.methods.size());
    first_loop_ = static_cast<uint32_t>(result_.loops.size()) + 1;
    for (const object::Loop& loop : graph.loops()) {
      const Instruction& header = code.instructions()[graph.blocks()[loop.header].first];
      result_.loops.push_back({{object_, code.section(), header.offset}, method});
      ++result_.counts.loops;
    }
    const Liveness live(code, graph, program_->changed_by(index), [&](const Instruction& call) {
      return program_->changed_by(object_, call);
    });
    signal_entry(code, function, method, live);
    signal_other_entries(code, function, graph, method, live);
    signal_returns(code, function, graph, method, live);
    if (options_.loops) signal_back_edges(code, function, graph, live);
  }

  void signal_entry(const Code& code, const Function& function, uint32_t method,
                    const Liveness& live) {
    const auto first = static_cast<uint32_t>(code.at(function.start));
    const uint32_t body = file_->add_label(code.section(), 0);
    Snippet entry = signal(method, /*loop=*/0, live.before(first));
    entry.labels.emplace_back(body, entry.size());
    editor_->insert(function.start, Place::kAfterLabels, entry);
    ++result_.counts.entries;
    for (size_t i = first; i < end_of(code, function); ++i) {
      const Instruction& instruction = code.instructions()[i];
      if (is_short_jump_away(*file_, instruction)) {
        editor_->replace(instruction.offset, far_jump(instruction, instruction.target_symbol,
                                                      instruction.target_addend));
      }
      // A loop back to the first instruction does not pass the entry.
      if ((instruction.flow == Flow::kBranch || instruction.flow == Flow::kJump) &&
          instruction.target == function.start) {
        editor_->redirect(instruction.offset, body);
      }
    }
  }

  /// Where control arrives from another function, but neither by a call nor by a return.
  void signal_other_entries(const Code& code, const Function& function, const FlowGraph& graph,
                            uint32_t method, const Liveness& live) {
    const References& references = program_->objects()[object_].references;
    std::vector<uint32_t> places =
        References::inside(references.landing_pads[code.section()], function);
    for (const uint32_t place : References::inside(references.entered[code.section()], function)) {
      if (!contains(places, place)) places.push_back(place);
    }
    for (const uint32_t place : places) {
      const auto at = static_cast<uint32_t>(code.at(place));
      editor_->insert(place, Place::kAfterLabels,
                      signal(method, loop_around(graph, at), live.before(at)));
      ++result_.counts.entries;
    }
  }

  void signal_returns(const Code& code, const Function& function, const FlowGraph& graph,
                      uint32_t method, const Liveness& live) {
    const size_t end = end_of(code, function);
    for (size_t i = code.at(function.start); i < end; ++i) {
      const Flow flow = code.instructions()[i].flow;
      if (flow != Flow::kCall && flow != Flow::kIndirectCall) continue;
      size_t next = i + 1;
      while (next < end && code.instructions()[next].glued) ++next;  // an alignment
      if (next == end) continue;                                     // it does not return
      // Only what falls through from the call executes it.
      editor_->insert(code.instructions()[next].offset, Place::kBeforeLabels,
                      signal(method, loop_around(graph, static_cast<uint32_t>(i)),
                             live.before(static_cast<uint32_t>(next))));
      ++result_.counts.returns;
    }
  }

  /// Before what ends the block of a back-edge; a block that ends otherwise has it at its end.
  void signal_back_edges(const Code& code, const Function& function, const FlowGraph& graph,
                         const Liveness& live) {
    for (uint32_t i = 0; i < graph.blocks().size(); ++i) {
      const object::Loop* const loop =
          innermost(graph, [i](const object::Loop& one) { return contains(one.latches, i); });
      if (loop == nullptr) continue;
      const Instruction& last = code.instructions()[graph.blocks()[i].last];
      const bool ends = last.flow == Flow::kBranch || last.flow == Flow::kJump ||
                        (last.flow == Flow::kIndirectJump && !last.glued);
      const uint32_t at = graph.blocks()[i].last + (ends ? 0 : 1);
      if (at >= end_of(code, function)) continue;
      const uint32_t offset = code.instructions()[at].offset;
      if (is_reserved(code, function, at)) {
        leave(file_->describe(code.section(), offset),
              "it is between a load-reserved and its store-conditional");
        continue;
      }
      editor_->insert(offset, ends ? Place::kAfterLabels : Place::kBeforeLabels,
                      signal(0, number_of(graph, *loop), live.before(at)));
      ++result_.counts.back_edges;
    }
  }

  uint32_t number_of(const FlowGraph& graph, const object::Loop& loop) const {
    return first_loop_ + static_cast<uint32_t>(&loop - graph.loops().data());
  }

  /// The identifier of the innermost loop around an instruction; 0 outside of loops.
  uint32_t loop_around(const FlowGraph& graph, uint32_t instruction) const {
    const uint32_t block = graph.block_of(instruction);
    const object::Loop* const loop = innermost(graph, [block](const object::Loop& one) {
      return std::binary_search(one.blocks.begin(), one.blocks.end(), block);
    });
    return loop == nullptr ? 0 : number_of(graph, *loop);
  }

  /// Writes the words. @param method  0 leaves its word as it is
  Snippet signal(uint32_t method, uint32_t loop, Registers live) {
    std::vector<std::pair<const char*, uint32_t>> words;
    if (options_.methods && method != 0) words.emplace_back(kMethodSignal, method);
    if (options_.loops) words.emplace_back(kLoopSignal, loop);
    Snippet code;
    const bool clears = words.size() == 1 && words.front().second == 0;  // without a register
    const std::vector<unsigned> free =
        clears ? std::vector<unsigned>{object::kZero} : free_registers(live, 1);
    const unsigned reg = free.empty() ? object::kT0 : free.front();
    std::vector<unsigned> pushed;
    if (free.empty()) pushed.push_back(reg);
    result_.counts.spills += pushed.size();
    push(&code, pushed);
    for (const auto& [word, number] : words) {
      if (number != 0) add_number(&code, reg, number);
      add_store(&code, &*globals_, true, number != 0 ? reg : object::kZero, word);
    }
    pop(&code, pushed);
    return code;
  }

  void leave(const std::string& place, const std::string& reason) {
    result_.left_alone.push_back({file_->name + ": " + place, reason});
  }

  Program* program_;
  const SignalsOptions& options_;
  Signals result_;
  // The object that is edited, and its section and function.
  uint32_t object_ = 0;
  object::ObjectFile* file_ = nullptr;
  std::optional<Globals> globals_;
  Editor* editor_ = nullptr;
  uint32_t first_loop_ = 0;  // the identifier of the function's first loop
};

}  // namespace

Signals make_signals(Program* program, const SignalsOptions& options) {
  return SignalsEditing(program, options).run();
}

}  // namespace strobe::instrument
