#include "sw/optimize/list_scheduler.h"

#include <algorithm>

#include "sw/optimize/dependences.h"

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

/// Of each operation: cycles from its issue to the end of the longest chain that depends on it.
std::vector<unsigned> heights_of(const Region& region, const Machine& machine,
                                 const std::vector<std::vector<Dependence>>& dependences) {
  std::vector<unsigned> heights(region.operations.size());
  for (size_t i = heights.size(); i-- > 0;) {
    heights[i] = machine.latency(region.operations[i].insn);
    for (const Dependence& dependence : dependences[i]) {
      heights[i] = std::max(heights[i], dependence.latency + heights[dependence.to]);
    }
  }
  return heights;
}

Schedule run(const Region& region, const Machine& machine, bool reorders) {
  const auto count = static_cast<uint32_t>(region.operations.size());
  const std::vector<std::vector<Dependence>> dependences = dependences_of(region, machine);
  const std::vector<unsigned> heights = heights_of(region, machine, dependences);
  std::vector<unsigned> waits_for(count), earliest(count);
  for (const auto& of_one : dependences) {
    for (const Dependence& dependence : of_one) ++waits_for[dependence.to];
  }
  const auto before = [&](uint32_t a, uint32_t b) {
    return reorders && heights[a] != heights[b] ? heights[a] > heights[b] : a < b;
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
