#include "sc_models/profiling/reference/selection/selection_plan.h"

#include <algorithm>
#include <iterator>

namespace strobe::profiling {
namespace {

/// Whether class and mode alone decide.
bool takes_all(const SelectorSlot& slot) {
  const bool any_prediction = slot.prediction == 0 || slot.prediction == 3;
  return slot.pc_lo == 0 && slot.pc_hi == ~uint64_t{0} && !slot.marked && !slot.in_burst &&
         slot.thread < 0 && any_prediction;
}

}  // namespace

SelectionPlan::SelectionPlan(std::vector<SelectorSlot> slots) : slots_(std::move(slots)) {
  std::fill(std::begin(first_), std::end(first_), kNone);
  for (size_t number = 0; number < slots_.size(); ++number) {
    const SelectorSlot& slot = slots_[number];
    if (!slot.enable) continue;
    marked_ |= slot.marked;
    kinds_ = kinds_ | RetireKinds(slot.user ? slot.opclass : uint16_t{0},
                                  slot.machine ? slot.opclass : uint16_t{0});
    const int decision = takes_all(slot) ? static_cast<int>(number) : kConditional;
    for (unsigned k = 0; k < kOpClassCount; ++k) {
      if ((slot.opclass >> k & 1) == 0) continue;
      if (slot.user && first_[k] == kNone) first_[k] = decision;
      if (slot.machine && first_[kOpClassCount + k] == kNone) first_[kOpClassCount + k] = decision;
    }
  }
}

}  // namespace strobe::profiling
