#include "sc_models/profiling/reference/sampler/banked_sampler.h"

#include <algorithm>

#include "sc_models/profiling/reference/common/check.h"

namespace strobe::profiling {
namespace {

unsigned index_bits(unsigned strata) {
  unsigned bits = 0;
  while (1u << bits < strata) ++bits;
  return bits;
}

SamplerParams of_a_bank(SamplerParams params, unsigned banks) {
  check_power_of_two("BankedSampler: strata", params.strata, banks, 4096);
  params.strata /= banks;
  return params;
}

}  // namespace

BankedSampler::BankedSampler(const SamplerParams& params, unsigned lanes, unsigned banks)
    : hash_(params.hash, index_bits(params.strata)),
      hash_stages_(params.hash),
      router_(lanes, banks),
      banks_(banks, StratifiedSampler(of_a_bank(params, banks))),
      merge_(banks) {}

std::array<bool, kMaxBanks> BankedSampler::bank_ready() const {
  std::array<bool, kMaxBanks> ready{};
  for (unsigned b = 0; b < banks_.size(); ++b)
    ready[b] = !banks_[b].msg_valid() && !banks_[b].init();
  return ready;
}

bool BankedSampler::init() const {
  return std::any_of(banks_.begin(), banks_.end(), [](const auto& bank) { return bank.init(); });
}

bool BankedSampler::idle() const {
  return std::all_of(banks_.begin(), banks_.end(), [](const auto& bank) { return bank.idle(); }) &&
         router_.idle() && hash_stages_.idle();
}

uint64_t BankedSampler::residue() const {
  uint64_t sum = 0;
  for (const StratifiedSampler& bank : banks_) sum += bank.counters().residue();
  return sum;
}

void BankedSampler::advance(const TupleGroup& group, const SamplingRate& rate, bool msg_ready,
                            uint32_t table_index) {
  if (!hash_stages_.has_stages()) {
    advance_router(group, rate, msg_ready, table_index);
    return;
  }
  const bool routes = router_ready();
  advance_router(routes ? hash_stages_.out() : TupleGroup(), rate, msg_ready, table_index);
  hash_stages_.advance(group, routes);
}

void BankedSampler::advance_router(const TupleGroup& group, const SamplingRate& rate,
                                   bool msg_ready, uint32_t table_index) {
  BankRouter::Inputs inputs;
  for (unsigned k = 0; k < group.count; ++k) {
    inputs.valid[k] = true;
    inputs.tuple[k] = *group.tuple[k];
    inputs.index[k] = static_cast<uint16_t>(hash_.index(group.tuple[k]->pc, group.tuple[k]->value));
  }
  const std::array<bool, kMaxBanks> ready = bank_ready();
  std::copy(ready.begin(), ready.end(), inputs.ready);
  const BankRouter::Outputs routed = router_.step(inputs);
  const SamplingRate rate_of_banks{period_, rate.threshold};
  period_ = rate.period;
  bool has_message[kMaxBanks] = {};
  for (unsigned b = 0; b < banks_.size(); ++b) {
    has_message[b] = banks_[b].msg_valid();
    const Tuple* tuple = routed.valid[b] && ready[b] ? &routed.tuple[b] : nullptr;
    banks_[b].advance(tuple, routed.row[b], rate_of_banks, msg_ready && b == merge_.turn(),
                      row(table_index));
  }
  merge_.advance(has_message, msg_ready);
}

void BankedSampler::advance_idle(uint32_t table_index) {
  for (StratifiedSampler& bank : banks_) bank.advance_idle(row(table_index));
}

bool BankedSampler::settled(uint32_t table_index) const {
  return std::all_of(banks_.begin(), banks_.end(),
                     [&](const StratifiedSampler& bank) { return bank.settled(row(table_index)); });
}

void BankedSampler::clear(uint64_t seed) {
  hash_stages_.clear();
  router_.clear();
  merge_.clear();
  for (size_t b = 0; b < banks_.size(); ++b) banks_[b].clear(bank_seed(seed, b));
}

}  // namespace strobe::profiling
