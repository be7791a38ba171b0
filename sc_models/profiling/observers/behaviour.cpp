#include "sc_models/profiling/observers/behaviour.h"

#include <initializer_list>

namespace strobe::profiling {
namespace {

using Values = std::vector<uint64_t>;

void put(Values& values, std::initializer_list<uint64_t> more) {
  for (const uint64_t value : more) values.push_back(value);
}

void put_stratified(const PathParams& params, const CompressorRates& rates, uint64_t seed,
                    Values& values) {
  put(values, {params.sampler, params.strata, rates.sampling.period});
  if (params.strata > 1) put(values, {params.hash});
  if (static_cast<SamplerKind>(params.sampler) == SamplerKind::kPeriodic) return;
  put(values, {rates.sampling.threshold, params.counter_width, params.banks, seed});
}

}  // namespace

Values behaviour(const PathParams& params, const CompressorRates& rates, uint64_t seed) {
  Values values = {params.compressor, params.second_entries};
  if (params.second_entries != 0) put(values, {params.second_width});
  switch (params.kind()) {
    case CompressorKind::kStratified:
      put_stratified(params, rates, seed, values);
      break;
    case CompressorKind::kTagged:
      put(values,
          {params.hash, params.strata, params.ways, params.tag_bits, params.counter_width,
           params.miss_width, rates.sampling.period, rates.should_evict, rates.should_replace});
      break;
    case CompressorKind::kAssociative:
      put(values, {params.strata, params.counter_width});
      break;
  }
  return values;
}

}  // namespace strobe::profiling
