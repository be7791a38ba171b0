#include "sc_models/profiling/reference/bank_router.h"

#include <algorithm>

#include "sc_models/profiling/reference/check.h"

namespace strobe::profiling {

BankRouter::BankRouter(unsigned lanes, unsigned banks) : lanes_(lanes), banks_(banks) {
  check_range("BankRouter: lanes", lanes, 1, kMaxRetireWidth);
  check_power_of_two("BankRouter: banks", banks, 1, kMaxBanks);
  while (1u << bank_bits_ < banks) ++bank_bits_;
}

int BankRouter::lane_for(unsigned bank) const {
  for (unsigned k = 0; k < lanes_; ++k) {
    if (pending_[k] && bank_of(k) == bank) return static_cast<int>(k);
  }
  return -1;
}

BankRouter::Outputs BankRouter::outputs(const bool* ready) const {
  Outputs now;
  unsigned waiting = static_cast<unsigned>(std::count(pending_, pending_ + lanes_, true));
  now.idle = waiting == 0;
  for (unsigned b = 0; b < banks_; ++b) {
    const int lane = lane_for(b);
    if (lane < 0) continue;
    now.valid[b] = true;
    now.tuple[b] = tuple_[lane];
    now.row[b] = static_cast<uint16_t>(index_[lane] >> bank_bits_);
    if (ready[b]) --waiting;
  }
  now.ready = waiting == 0;
  return now;
}

bool BankRouter::idle() const {
  return std::none_of(pending_, pending_ + lanes_, [](bool pending) { return pending; });
}

void BankRouter::clear() { std::fill(std::begin(pending_), std::end(pending_), false); }

BankRouter::Outputs BankRouter::step(const Inputs& inputs) {
  const Outputs now = outputs(inputs.ready);
  if (inputs.clear) {
    clear();
  } else if (now.ready) {
    std::copy(inputs.valid, inputs.valid + lanes_, pending_);
    std::copy(inputs.tuple, inputs.tuple + lanes_, tuple_);
    std::copy(inputs.index, inputs.index + lanes_, index_);
  } else {
    int taken[kMaxBanks];
    for (unsigned b = 0; b < banks_; ++b) taken[b] = inputs.ready[b] ? lane_for(b) : -1;
    for (unsigned b = 0; b < banks_; ++b) {
      if (taken[b] >= 0) pending_[taken[b]] = false;
    }
  }
  return now;
}

}  // namespace strobe::profiling
