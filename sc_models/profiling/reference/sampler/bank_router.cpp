#include "sc_models/profiling/reference/sampler/bank_router.h"

#include <algorithm>

#include "sc_models/profiling/reference/common/check.h"

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
  now.idle = idle();
  auto waiting = std::count(pending_, pending_ + lanes_, true);
  for (unsigned b = 0; b < banks_; ++b) {
    now.valid[b] = register_[b].valid;
    now.tuple[b] = register_[b].tuple;
    now.row[b] = register_[b].row;
    if (lane_for(b) >= 0 && ready[b]) --waiting;
  }
  now.ready = waiting == 0;
  return now;
}

bool BankRouter::idle() const {
  return std::none_of(pending_, pending_ + lanes_, [](bool pending) { return pending; }) &&
         std::none_of(register_, register_ + banks_, [](const Register& r) { return r.valid; });
}

void BankRouter::clear() {
  std::fill(std::begin(pending_), std::end(pending_), false);
  std::fill(std::begin(register_), std::end(register_), Register());
}

BankRouter::Outputs BankRouter::step(const Inputs& inputs) {
  const Outputs now = outputs(inputs.ready);
  if (inputs.clear) {
    clear();
    return now;
  }
  for (unsigned b = 0; b < banks_; ++b) {
    if (!inputs.ready[b]) continue;
    const int lane = lane_for(b);
    register_[b] = Register();
    if (lane < 0) continue;
    register_[b] = {true, tuple_[lane], static_cast<uint16_t>(index_[lane] >> bank_bits_)};
    pending_[lane] = false;
  }
  if (now.ready) {
    std::copy(inputs.valid, inputs.valid + lanes_, pending_);
    std::copy(inputs.tuple, inputs.tuple + lanes_, tuple_);
    std::copy(inputs.index, inputs.index + lanes_, index_);
  }
  return now;
}

}  // namespace strobe::profiling
