#include "sc_models/watch/observed_truth.h"

#include <algorithm>

namespace strobe::platform {

void ObservedTruth::begin(uint64_t value) {
  by_value_.clear();
  std::fill(before_.begin(), before_.end(), 0);
  now_ = instructions_ = since_ = since_instructions_ = 0;
  value_ = value;
}

void ObservedTruth::set_cycles(uint64_t cycle) {
  if (cycle > now_ + kCycles) now_ = cycle - kCycles;
  while (now_ < cycle) before_[++now_ % kCycles] = instructions_;
}

void ObservedTruth::leave() {
  ObservedSum& sum = by_value_[std::min(value_, values_)];
  ++sum.samples;
  sum.cycles += now_ - since_;
  sum.count[0] += instructions_ - since_instructions_;
  since_ = now_;
  since_instructions_ = instructions_;
}

const std::map<uint64_t, ObservedSum>& ObservedTruth::by_value() {
  leave();
  return by_value_;
}

}  // namespace strobe::platform
