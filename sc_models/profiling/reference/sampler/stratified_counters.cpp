#include "sc_models/profiling/reference/sampler/stratified_counters.h"

#include <numeric>

#include "sc_models/profiling/reference/common/check.h"

namespace strobe::profiling {
namespace {

unsigned checked_index_bits(const SamplerParams& params) {
  check_power_of_two("StratifiedCounters: strata", params.strata, 1, 4096);
  unsigned bits = 0;
  while ((1u << bits) < params.entries()) ++bits;
  return bits;
}

}  // namespace

StratifiedCounters::StratifiedCounters(const SamplerParams& params)
    : params_(params),
      hash_(params.hash, checked_index_bits(params)),
      counters_(params.entries()) {}

uint64_t StratifiedCounters::residue() const {
  return std::accumulate(counters_.begin(), counters_.end(), uint64_t{0});
}

}  // namespace strobe::profiling
