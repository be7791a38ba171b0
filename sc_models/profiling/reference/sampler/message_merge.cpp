#include "sc_models/profiling/reference/sampler/message_merge.h"

#include "sc_models/profiling/reference/common/check.h"

namespace strobe::profiling {

MessageMerge::MessageMerge(unsigned banks) : banks_(banks) {
  check_power_of_two("MessageMerge: banks", banks, 1, kMaxBanks);
}

void MessageMerge::advance(const bool* valid, bool ready) {
  if (valid[turn_] && !ready) return;
  for (unsigned k = 1; k < banks_; ++k) {
    const unsigned bank = (turn_ + k) % banks_;
    if (valid[bank]) {
      turn_ = bank;
      return;
    }
  }
}

MessageMerge::Outputs MessageMerge::step(const Inputs& inputs) {
  Outputs now;
  now.valid = inputs.valid[turn_];
  now.message = inputs.message[turn_];
  now.ready[turn_] = inputs.ready;
  if (inputs.clear) {
    clear();
  } else {
    advance(inputs.valid, inputs.ready);
  }
  return now;
}

}  // namespace strobe::profiling
