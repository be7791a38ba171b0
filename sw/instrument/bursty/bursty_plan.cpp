#include "sw/instrument/bursty/bursty_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "sw/object/analysis/flow_graph.h"
#include "sw/object/edit/duplicate.h"

namespace strobe::instrument {
namespace {

using object::Block;
using object::Code;
using object::Flow;
using object::FlowGraph;
using object::Instruction;
using object::kNone;
using object::Place;
using object::Program;
using object::ProgramFunction;
using object::ProgramObject;

class Planning {
 public:
  Planning(const Program& program, const BurstyOptions& options)
      : program_(program), options_(options) {}

  Plans run() {
    const object::EntryRules rules = object::entry_rules(program_.calls());
    const std::vector<ProgramFunction>& functions = program_.functions();
    result_.of_function.assign(functions.size(), kNone);
    for (uint32_t i = 0; i < functions.size(); ++i) {
      const ProgramFunction& function = functions[i];
      if (!is_editable(program_, function, options_.library)) continue;
      const ProgramObject& object = program_.objects()[function.object];
      const Code& code = *object.code_of(function.function.section);
      const FlowGraph graph(code, function.function, object.references);
      const std::string obstacle =
          !graph.obstacle().empty()
              ? graph.obstacle()
              : object::obstacle_to_copy(function.function, object.references);
      if (!obstacle.empty()) {
        result_.left_alone.push_back({object.file.name + ": " + function.name, obstacle});
        continue;
      }
      Plan plan;
      plan.function = i;
      plan.entry_check = has_entry_check(rules, i);
      plan_loops(code, graph, &plan);
      result_.of_function[i] = static_cast<uint32_t>(result_.plans.size());
      ++result_.counts.functions;
      result_.counts.entry_checks += plan.entry_check ? 1 : 0;
      result_.counts.loop_checks += plan.checks.size();
      result_.plans.push_back(std::move(plan));
    }
    for (const ProgramObject& object : program_.objects()) {
      for (const Code& code : object.codes) {
        result_.left_alone.insert(result_.left_alone.end(), code.left_alone().begin(),
                                  code.left_alone().end());
      }
    }
    return std::move(result_);
  }

 private:
  /// Whether the instruction is an event of interest.
  bool is_event(const Instruction& instruction) const {
    if (records(options_, EventKind::kData) && accesses_memory(instruction)) return true;
    if (records(options_, EventKind::kValue) && info_of(instruction).kind == isa::Kind::kLoad) {
      return true;
    }
    if (records(options_, EventKind::kEdge) && instruction.flow == Flow::kBranch) return true;
    return records(options_, EventKind::kCall) && is_linking_call(instruction);
  }

  bool has_entry_check(const object::EntryRules& rules, uint32_t function) const {
    switch (options_.entries) {
      case EntryChecks::kAll:
        return true;
      case EntryChecks::kNoLeaves:
        return !rules.leaf[function];
      case EntryChecks::kEquationThree:
        return rules.checked[function];
      case EntryChecks::kNone:
        break;
    }
    return false;
  }

  void plan_loops(const Code& code, const FlowGraph& graph, Plan* plan) {
    plan->first = graph.blocks().front().first;
    plan->count = graph.blocks().back().last + 1 - plan->first;
    plan->instrumented.assign(plan->count, true);
    if (options_.boring == kNoLoopChecks) return;
    for (const object::Loop& loop : graph.loops()) {
      if (is_boring(code, graph, loop)) {
        ++result_.counts.boring_loops;
        for (const uint32_t block : loop.blocks) {
          for (uint32_t j = graph.blocks()[block].first; j <= graph.blocks()[block].last; ++j) {
            plan->instrumented[j - plan->first] = false;
          }
        }
        continue;
      }
      for (const uint32_t latch : loop.latches) add_check(code, graph.blocks()[latch], plan);
    }
  }

  bool is_boring(const Code& code, const FlowGraph& graph, const object::Loop& loop) const {
    if (!loop.reducible || options_.boring == kNoLoopIsBoring) return false;
    unsigned events = 0;
    for (const uint32_t block : loop.blocks) {
      for (uint32_t j = graph.blocks()[block].first; j <= graph.blocks()[block].last; ++j) {
        if (is_call(code.instructions()[j])) return false;
        events += is_event(code.instructions()[j]) ? 1 : 0;
      }
    }
    return events <= static_cast<unsigned>(options_.boring);
  }

  /// The check precedes what ends the back-edge's block; a block that ends otherwise has it at its
  /// end.
  static void add_check(const Code& code, const Block& block, Plan* plan) {
    const Instruction& last = code.instructions()[block.last];
    const bool ends = last.flow == Flow::kBranch || last.flow == Flow::kJump ||
                      (last.flow == Flow::kIndirectJump && !last.glued);
    const uint32_t at = ends ? block.last : block.last + 1;
    if (at >= plan->first + plan->count) return;
    plan->checks.insert(at);
    plan->places[at] = ends ? Place::kAfterLabels : Place::kBeforeLabels;
  }

  const Program& program_;
  const BurstyOptions& options_;
  Plans result_;
};

}  // namespace

bool accesses_memory(const Instruction& instruction) {
  switch (info_of(instruction).kind) {
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
  return is_linking_call(instruction) || instruction.flow == Flow::kTailCall;
}

bool is_linking_call(const Instruction& instruction) {
  return instruction.flow == Flow::kCall || instruction.flow == Flow::kIndirectCall;
}

bool records(const BurstyOptions& options, EventKind kind) {
  return std::find(options.events.begin(), options.events.end(), kind) != options.events.end();
}

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

Plans plan_bursty(const Program& program, const BurstyOptions& options) {
  return Planning(program, options).run();
}

}  // namespace strobe::instrument
