#include "sc_models/profiling/observers/split_samplers.h"

#include <string>

#include "sc_models/profiling/observers/draw.h"
#include "sc_models/profiling/reference/check.h"

namespace strobe::profiling {

SplitRandomSampler::SplitRandomSampler(const char* kind, const ObserverParams& params,
                                       unsigned strata, bool counted)
    : counted_(counted) {
  check_range(std::string(kind) + " sampler: period", params.period, 1, UINT32_MAX);
  check_power_of_two(std::string(kind) + " sampler: strata", strata, 1, 4096);
  period_ = static_cast<uint32_t>(params.period);
  threshold_ = UINT64_MAX / period_;
  strata_.resize(strata);
  uint64_t seed = params.seed;
  for (Stratum& stratum : strata_) {
    seed = splitmix64(seed);
    stratum.random = Xorshift64Star(seed);
  }
}

uint64_t SplitRandomSampler::residue() const {
  uint64_t sum = 0;
  for (const Stratum& stratum : strata_) sum += counted_ ? stratum.since : 0;
  return sum;
}

uint64_t SplitRandomSampler::storage_bits() const {
  return strata_.size() * (64 + (counted_ ? 32 : 0));
}

void SplitRandomSampler::sample(TupleBatch& batch, std::vector<Message>& messages) {
  const uint16_t* index = batch.strata(static_cast<unsigned>(strata_.size()));
  for (const Tuple& tuple : batch) {
    Stratum& stratum = strata_[*index++];
    ++stratum.since;
    if (stratum.random.next() > threshold_) continue;
    messages.push_back(Message{tuple, counted_ ? stratum.since : period_});
    stratum.since = 0;
  }
}

}  // namespace strobe::profiling
