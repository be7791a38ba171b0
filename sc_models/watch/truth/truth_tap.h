// Shows the truth every cycle of a hart, and passes the retire port on.
#pragma once

#include <cstdint>
#include <utility>

#include "sc_models/port/retire_sink.h"
#include "sc_models/watch/truth/truth.h"

namespace strobe::truth {

/// A retire sink that asks for every cycle. The next sink sees those that it asks for.
class TruthTap final : public RetireSink {
 public:
  /// Keeps a reference to the next sink.
  TruthTap(RetireSink& next, Truth truth) : next_(next), truth_(std::move(truth)) {}

  Truth& truth() { return truth_; }

  RetireInterest interest() const override {
    RetireInterest interest = next_.interest();
    interest.busy = true;
    return interest;
  }
  RetireInterest retire(uint64_t cycle, const RetireRecord* lanes, unsigned count,
                        const RetireRecord* const* picked, unsigned picks) override {
    truth_.cycle(cycle, count);
    if (picks != 0 || next_.interest().busy) next_.retire(cycle, lanes, count, picked, picks);
    return interest();
  }

 private:
  RetireSink& next_;
  Truth truth_;
};

}  // namespace strobe::truth
