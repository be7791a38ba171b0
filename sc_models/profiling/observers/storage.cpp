#include "sc_models/profiling/observers/storage.h"

#include "sc_models/profiling/reference/sampling_rule.h"

namespace strobe::profiling {
namespace {

constexpr uint64_t kTagBits = 4;
constexpr uint64_t kGeneratorBits = 64;

uint64_t associative_bits(const PathParams& params, uint64_t entries, uint64_t count_width) {
  const uint64_t tuple = kTagBits + params.pc_width + params.value_width;
  return entries * (tuple + count_width + 1);
}

uint64_t stratified_bits(const PathParams& params) {
  const auto sampler = static_cast<SamplerKind>(params.sampler);
  const uint64_t table =
      sampler == SamplerKind::kRandom ? 0 : uint64_t{params.strata} * params.counter_width;
  return table + (sampler == SamplerKind::kPeriodic ? 0 : params.banks * kGeneratorBits);
}

uint64_t tagged_bits(const PathParams& params) {
  return uint64_t{params.strata} * (1 + params.tag_bits + params.counter_width + params.miss_width);
}

uint64_t first_level_bits(const PathParams& params) {
  switch (params.kind()) {
    case CompressorKind::kStratified:
      return stratified_bits(params);
    case CompressorKind::kTagged:
      return tagged_bits(params);
    case CompressorKind::kAssociative:
      break;
  }
  return associative_bits(params, params.strata, params.counter_width);
}

}  // namespace

uint64_t storage_bits(const PathParams& params) {
  return first_level_bits(params) +
         associative_bits(params, params.second_entries, params.second_width);
}

}  // namespace strobe::profiling
