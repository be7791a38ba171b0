// A first level of an observer that is its reference's counters without time, a tuple at a time.
#pragma once

#include <memory>
#include <vector>

#include "sc_models/profiling/observers/first_level.h"

namespace strobe::profiling {

/// @tparam Counters  made from PathParams; `count(tuple, rates)` gives the message that falls due,
///                   if any; `residue_without_tuples()` sums the counts in entries without a tuple;
///                   `read_out(v)` appends what the other entries hold
template <class Counters>
class UntimedLevel final : public FirstLevel {
 public:
  UntimedLevel(const PathParams& params, const CompressorRates& rates)
      : rates_(rates), counters_(params) {}

  void sample(TupleBatch& batch, Observed& observed) override {
    for (const Tuple& tuple : batch) {
      if (const auto due = counters_.count(tuple, rates_)) observed.messages.push_back(*due);
    }
  }
  uint64_t residue() const override { return counters_.residue_without_tuples(); }
  void read_out(std::vector<Message>& messages) const override { counters_.read_out(messages); }

 private:
  CompressorRates rates_;
  Counters counters_;
};

template <class Counters>
std::unique_ptr<FirstLevel> make_untimed_level(const PathParams& params,
                                               const CompressorRates& rates,
                                               const Seeds& /*seeds*/) {
  return std::make_unique<UntimedLevel<Counters>>(params, rates);
}

}  // namespace strobe::profiling
