#include "sw/optimize/optimizer.h"

#include <algorithm>
#include <map>

#include "sw/optimize/function_code.h"
#include "sw/optimize/schedule/expected_registers.h"
#include "sw/optimize/schedule/list_scheduler.h"
#include "sw/optimize/schedule/renaming.h"

namespace strobe::optimize {
namespace {

/// Each block alone, in its order.
Traces blocks_alone(std::vector<FlowNode> nodes) {
  Traces traces;
  for (uint32_t i = 0; i < nodes.size(); ++i) traces.traces.push_back({i});
  traces.nodes = std::move(nodes);
  return traces;
}

/// Chains of regions that follow one another, frequent ones first; then the others in their order.
std::vector<uint32_t> layout_of(const std::vector<Region>& regions) {
  std::map<uint32_t, uint32_t> left;  // by head
  for (uint32_t i = 0; i < regions.size(); ++i) left[regions[i].head] = i;
  std::vector<uint32_t> layout;
  const auto place = [&](uint32_t region) {
    left.erase(regions[region].head);
    layout.push_back(region);
  };
  place(left.at(0));
  while (!left.empty()) {
    const Region& last = regions[layout.back()];
    uint32_t next = kNone;
    double frequency = -1;
    const auto consider = [&](uint32_t head, double often) {
      const auto found = left.find(head);
      if (found == left.end() || often <= frequency) return;
      next = found->second;
      frequency = often;
    };
    consider(last.next, last.completed);
    if (!last.operations.empty() && last.operations.back().flow == object::Flow::kBranch) {
      consider(last.operations.back().target, last.operations.back().leaving);
    }
    if (frequency <= 0) {
      for (const auto& [head, region] : left) {
        if (regions[region].frequency > frequency && regions[region].frequency > 0) {
          next = region;
          frequency = regions[region].frequency;
        }
      }
    }
    place(next == kNone ? left.begin()->second : next);
  }
  return layout;
}

class ObjectOptimizer {
 public:
  ObjectOptimizer(object::Program* program, uint32_t object, const Machine& machine,
                  const Options& options, Counts* counts)
      : program_(*program),
        object_(object),
        file_(program->objects()[object].file),
        machine_(machine),
        options_(options),
        counts_(counts),
        frames_(object::read_frames(file_)),
        expected_(expected_registers(program_, object)) {}

  /// @return why the function was left alone; empty when it was not
  std::string add(uint32_t function, const CountsOf& counts_of) {
    const FunctionCode code(program_, function, frames_, expected_[function]);
    const auto of_branch = [&](uint32_t instruction) {
      return counts_of(object_, code.code().section(), code.code().instructions()[instruction]);
    };
    std::vector<FlowNode> nodes = nodes_of(code.code(), code.graph(), of_branch, code.labels());
    if (std::none_of(nodes.begin(), nodes.end(),
                     [](const FlowNode& node) { return node.frequency > 0; })) {
      return "";
    }
    if (!code.obstacle().empty()) return code.obstacle();
    const bool local = options_.local || code.keeps_order();
    const auto dominates = [&code](uint32_t above, uint32_t below) {
      return code.graph().dominates(above, below);
    };
    const Traces traces = local ? blocks_alone(std::move(nodes))
                                : form_traces(std::move(nodes), options_.traces, dominates);
    schedule_function(code, traces, local);
    return "";
  }

  void rebuild() {
    for (const auto& [section, bodies] : bodies_) {
      object::rebuild(&file_, *program_.objects()[object_].code_of(section), bodies);
    }
  }

 private:
  void schedule_function(const FunctionCode& code, const Traces& traces, bool local) {
    std::vector<Region> regions = code.regions(traces);
    std::vector<Schedule> schedules;
    std::vector<uint32_t> layout;
    for (uint32_t i = 0; i < regions.size(); ++i) {
      layout.push_back(i);
      // What is never executed stays as it is.
      const bool cold = regions[i].frequency <= 0;
      if (!cold) rename_registers(&regions[i]);
      schedules.push_back(cold ? in_order(regions[i], machine_) : schedule(regions[i], machine_));
      counts_->cycles += cycles_of(regions[i], schedules.back());
      counts_->superblocks += traces.traces[i].size() > 1 ? 1 : 0;
    }
    if (!local) layout = layout_of(regions);
    object::NewBody body = code.body(regions, schedules, layout);
    ++counts_->functions;
    counts_->instructions_before +=
        code.graph().blocks().back().last + 1 - code.graph().blocks().front().first;
    counts_->instructions_after += body.instructions.size();
    bodies_[code.code().section()].push_back(std::move(body));
  }

  const object::Program& program_;
  uint32_t object_;
  object::ObjectFile& file_;
  const Machine& machine_;
  const Options& options_;
  Counts* counts_;
  std::vector<object::Frame> frames_;
  std::vector<object::Registers> expected_;                  // by function
  std::map<uint32_t, std::vector<object::NewBody>> bodies_;  // by section
};

}  // namespace

Counts optimize(object::Program* program, const CountsOf& counts_of, const Machine& machine,
                const Options& options, std::vector<object::LeftAlone>* left_alone) {
  Counts counts;
  std::map<uint32_t, std::vector<uint32_t>> functions;  // by object
  for (uint32_t i = 0; i < program->functions().size(); ++i) {
    functions[program->functions()[i].object].push_back(i);
  }
  for (const auto& [object, of_object] : functions) {
    ObjectOptimizer optimizer(program, object, machine, options, &counts);
    for (const uint32_t function : of_object) {
      const std::string why = optimizer.add(function, counts_of);
      if (why.empty()) continue;
      left_alone->push_back(
          {program->objects()[object].file.name + ": " + program->functions()[function].name, why});
    }
    optimizer.rebuild();
  }
  return counts;
}

}  // namespace strobe::optimize
