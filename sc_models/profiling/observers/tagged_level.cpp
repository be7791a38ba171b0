#include "sc_models/profiling/observers/tagged_level.h"

#include "sc_models/profiling/reference/sampler/tagged_counters.h"

namespace strobe::profiling {
namespace {

/// T, the tagged sampler.
class TaggedLevel final : public FirstLevel {
 public:
  TaggedLevel(const PathParams& params, const CompressorRates& rates, const Seeds& seeds)
      : thresholds_(tagged_thresholds(rates)),
        counters_(tagged_shape(params)),
        hash_seed_(seeds.hash) {}

  void sample(TupleBatch& batch, Observed& observed) override {
    const uint16_t* set = batch.strata(counters_.shape().hash, counters_.sets(), hash_seed_);
    for (size_t at = 0; at < batch.size(); ++at) {
      const uint32_t due = counters_.add(set[at], counters_.tag_of(batch.begin()[at]), thresholds_);
      if (due != 0) observed.samples.emplace_back(at, due);
    }
  }
  uint64_t residue() const override { return counters_.residue(); }
  void read_out(std::vector<Message>& /*messages*/) const override {}

 private:
  TaggedThresholds thresholds_;
  TaggedCounters counters_;
  uint64_t hash_seed_;
};

}  // namespace

std::unique_ptr<FirstLevel> make_tagged_level(const PathParams& params,
                                              const CompressorRates& rates, const Seeds& seeds) {
  return std::make_unique<TaggedLevel>(params, rates, seeds);
}

}  // namespace strobe::profiling
