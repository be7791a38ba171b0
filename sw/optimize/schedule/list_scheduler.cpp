#include "sw/optimize/schedule/list_scheduler.h"

#include <algorithm>

#include "sw/optimize/schedule/dependences.h"

namespace strobe::optimize {
namespace {

/// The issue slots and units of one cycle after the other.
class Slots {
 public:
  explicit Slots(const Machine& machine) : machine_(machine) {
    for (unsigned unit = 0; unit < core::kUnitCount; ++unit) {
      free_at_[unit].assign(machine.unit(static_cast<core::Unit>(unit)).count, 0);
    }
  }

  void next_cycle() {
    ++cycle_;
    taken_ = 0;
  }
  bool full() const { return taken_ == machine_.width(); }
  unsigned cycle() const { return cycle_; }

  /// Whether the operation issues in this cycle; then its slot and unit are taken.
  bool take(const isa::DecodedInsn& insn) {
    const core::Unit unit = Machine::unit_of(insn);
    const auto free = std::min_element(free_at_[unit].begin(), free_at_[unit].end());
    if (full() || *free > cycle_) return false;
    *free = cycle_ + machine_.unit(unit).interval;
    ++taken_;
    return true;
  }

 private:
  const Machine& machine_;
  std::vector<unsigned> free_at_[core::kUnitCount];
  unsigned cycle_ = 0, taken_ = 0;
};

using Dependences = std::vector<std::vector<Dependence>>;

constexpr int kUnrelated = -1;

/// Cycles from the issue of each operation to that of `exit`, along the longest chain of
/// dependences; kUnrelated when `exit` does not depend on it.
std::vector<int> distances_to(uint32_t exit, const Dependences& dependences) {
  std::vector<int> distances(exit + 1, kUnrelated);
  distances[exit] = 0;
  for (uint32_t i = exit; i-- > 0;) {
    for (const Dependence& dependence : dependences[i]) {
      if (dependence.to > exit || distances[dependence.to] == kUnrelated) continue;
      distances[i] =
          std::max(distances[i], distances[dependence.to] + static_cast<int>(dependence.latency));
    }
  }
  return distances;
}

/// The same to the end, where every result is there.
std::vector<int> distances_to_end(const Region& region, const Machine& machine,
                                  const Dependences& dependences) {
  std::vector<int> distances(region.operations.size());
  for (size_t i = distances.size(); i-- > 0;) {
    distances[i] = static_cast<int>(machine.latency(region.operations[i].insn));
    for (const Dependence& dependence : dependences[i]) {
      distances[i] =
          std::max(distances[i], distances[dependence.to] + static_cast<int>(dependence.latency));
    }
  }
  return distances;
}

/// The priority of each operation: for every exit that needs it, how late it may issue without
/// delaying that exit, weighted by how often control leaves there.
std::vector<double> priorities_of(const Region& region, const Machine& machine,
                                  const Dependences& dependences) {
  std::vector<double> priorities(region.operations.size());
  const std::vector<int> to_end = distances_to_end(region, machine, dependences);
  const int longest = to_end.empty() ? 0 : *std::max_element(to_end.begin(), to_end.end());
  const double all = std::max(region.frequency, 1.0);
  const auto add = [&](const std::vector<int>& distances, double share) {
    const int length = *std::max_element(distances.begin(), distances.end());
    for (size_t i = 0; i < distances.size(); ++i) {
      if (distances[i] == kUnrelated) continue;
      const int latest = length - distances[i];
      priorities[i] += share * (longest + 1 - latest);
    }
  };
  double left = all;
  for (uint32_t i = 0; i < region.operations.size(); ++i) {
    const double leaving = region.operations[i].leaving;
    if (region.operations[i].flow != object::Flow::kBranch || leaving <= 0) continue;
    add(distances_to(i, dependences), leaving / all);
    left -= leaving;
  }
  if (!to_end.empty()) add(to_end, std::max(left, 0.0) / all);
  return priorities;
}

Schedule run(const Region& region, const Machine& machine, bool reorders) {
  const auto count = static_cast<uint32_t>(region.operations.size());
  const Dependences dependences = dependences_of(region, machine);
  const std::vector<double> priorities = priorities_of(region, machine, dependences);
  std::vector<unsigned> waits_for(count), earliest(count);
  for (const auto& of_one : dependences) {
    for (const Dependence& dependence : of_one) ++waits_for[dependence.to];
  }
  const auto before = [&](uint32_t a, uint32_t b) {
    return reorders && priorities[a] != priorities[b] ? priorities[a] > priorities[b] : a < b;
  };
  std::vector<uint32_t> ready;
  for (uint32_t i = 0; i < count; ++i) {
    if (waits_for[i] == 0) ready.push_back(i);
  }
  Schedule result;
  result.cycle.resize(count);
  Slots slots(machine);
  while (result.order.size() < count) {
    std::sort(ready.begin(), ready.end(), before);
    const auto found = std::find_if(ready.begin(), ready.end(), [&](uint32_t i) {
      if (!reorders && i != result.order.size()) return false;
      return earliest[i] <= slots.cycle() && slots.take(region.operations[i].insn);
    });
    if (found == ready.end()) {
      slots.next_cycle();
      continue;
    }
    const uint32_t issued = *found;
    ready.erase(found);
    result.order.push_back(issued);
    result.cycle[issued] = slots.cycle();
    for (const Dependence& dependence : dependences[issued]) {
      earliest[dependence.to] =
          std::max(earliest[dependence.to], slots.cycle() + dependence.latency);
      if (--waits_for[dependence.to] == 0) ready.push_back(dependence.to);
    }
  }
  result.length = count == 0 ? 0 : slots.cycle() + 1;
  return result;
}

}  // namespace

Schedule schedule(const Region& region, const Machine& machine) {
  return run(region, machine, /*reorders=*/true);
}

Schedule in_order(const Region& region, const Machine& machine) {
  return run(region, machine, /*reorders=*/false);
}

double cycles_of(const Region& region, const Schedule& schedule) {
  double cycles = region.completed * schedule.length;
  for (uint32_t i = 0; i < region.operations.size(); ++i) {
    cycles += region.operations[i].leaving * (schedule.cycle[i] + 1);
  }
  return cycles;
}

}  // namespace strobe::optimize
