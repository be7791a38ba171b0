#include "sc_models/profiling/reference/message_merge.h"

#include "sc_models/profiling/reference/check.h"

namespace strobe::profiling {

MessageMerge::MessageMerge(unsigned banks) : banks_(banks) {
  check_power_of_two("MessageMerge: banks", banks, 1, kMaxBanks);
}

MessageMerge::Outputs MessageMerge::step(const Inputs& inputs) {
  Outputs now;
  unsigned behind = turn_;
  for (unsigned k = 0; k < banks_ && !now.valid; ++k) {
    const unsigned bank = (turn_ + k) % banks_;
    if (!inputs.valid[bank]) continue;
    now.valid = true;
    now.message = inputs.message[bank];
    now.ready[bank] = inputs.ready;
    behind = (bank + 1) % banks_;
  }
  if (inputs.clear) {
    turn_ = 0;
  } else if (inputs.ready) {
    turn_ = behind;
  }
  return now;
}

}  // namespace strobe::profiling
