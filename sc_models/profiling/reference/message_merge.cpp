#include "sc_models/profiling/reference/message_merge.h"

#include "sc_models/profiling/reference/check.h"

namespace strobe::profiling {

MessageMerge::MessageMerge(unsigned banks) : banks_(banks) {
  check_power_of_two("MessageMerge: banks", banks, 1, kMaxBanks);
}

unsigned MessageMerge::chosen(const bool* valid) const {
  for (unsigned k = 0; k < banks_; ++k) {
    const unsigned bank = (turn_ + k) % banks_;
    if (valid[bank]) return bank;
  }
  return banks_;
}

MessageMerge::Outputs MessageMerge::step(const Inputs& inputs) {
  Outputs now;
  const unsigned bank = chosen(inputs.valid);
  now.valid = bank != banks_;
  if (now.valid) {
    now.message = inputs.message[bank];
    now.ready[bank] = inputs.ready;
    if (inputs.ready) pass(bank);
  }
  if (inputs.clear) clear();
  return now;
}

}  // namespace strobe::profiling
