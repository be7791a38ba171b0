#include "sc_models/profiling/observers/stratified_level.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "sc_models/profiling/reference/common/lfsr.h"
#include "sc_models/profiling/reference/sampler/banked_sampler.h"
#include "sc_models/profiling/reference/sampler/stratified_counters.h"

namespace strobe::profiling {
namespace {

/// H[X_r]_n; X_r alone has one stratum. The banks share the strata, but each bank draws its own
/// random numbers.
class StratifiedLevel final : public FirstLevel {
 public:
  StratifiedLevel(const PathParams& params, const CompressorRates& rates, const Seeds& seeds)
      : hash_(static_cast<HashKind>(params.hash)),
        strata_(params.strata),
        hash_seed_(seeds.hash),
        rate_(rates.sampling),
        counters_(sampler_params(params)) {
    for (unsigned bank = 0; bank < params.banks; ++bank) {
      random_.emplace_back(bank_seed(seeds.draws, bank));
    }
    if (seeds.phase) begin_anywhere(seeds.draws);
  }

  void sample(TupleBatch& batch, Observed& observed) override {
    switch (counters_.params().kind) {
      case SamplerKind::kPeriodic:
        return counters_.entries() == 1 ? every_rth(batch, observed) : count(batch, observed);
      case SamplerKind::kRandom:
        return random_.size() == 1 ? draw_all(batch, observed) : count_drawn(batch, observed);
      case SamplerKind::kCountdown:
      case SamplerKind::kCountedRandom:
        return count_drawn(batch, observed);
    }
  }
  /// A countdown holds the number of tuples to come, so it leaves no residue.
  uint64_t residue() const override {
    return counters_.params().kind == SamplerKind::kCountdown ? 0 : counters_.residue() + since_;
  }
  void read_out(std::vector<Message>& /*messages*/) const override {}

 private:
  /// Each counter begins at a number below the period, so that a message stands for `period` tuples
  /// whichever of them is the first.
  void begin_anywhere(uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_int_distribution<uint32_t> below_period(0, std::max(rate_.period, 1u) - 1);
    if (counters_.entries() == 1) {
      since_ = below_period(random);
      return;
    }
    for (uint32_t stratum = 0; stratum < counters_.entries(); ++stratum)
      counters_.begin_at(stratum, static_cast<uint16_t>(below_period(random)));
  }

  /// P_r: goes straight to the tuples that are due, because nothing happens at the others.
  void every_rth(TupleBatch& batch, Observed& observed) {
    size_t counted = 0;
    for (size_t next = rate_.period - since_ - 1; next < batch.size(); next += rate_.period) {
      observed.samples.emplace_back(next, rate_.period);
      counted = next + 1;
      since_ = 0;
    }
    since_ += static_cast<uint32_t>(batch.size() - counted);
  }

  /// R_r: has no state except the random numbers.
  void draw_all(TupleBatch& batch, Observed& observed) {
    Lfsr random = random_[0];  // a local copy, because appending might alias the member
    for (size_t at = 0; at < batch.size(); ++at) {
      if (random.number() <= rate_.threshold) observed.samples.emplace_back(at, rate_.period);
      random.step();
    }
    random_[0] = random;
  }

  void count(TupleBatch& batch, Observed& observed) {
    const uint16_t* stratum = batch.strata(hash_, strata_, hash_seed_);
    for (size_t at = 0; at < batch.size(); ++at) {
      const uint32_t due = counters_.add(stratum[at], rate_, Draw{});
      if (due != 0) observed.samples.emplace_back(at, due);
    }
  }

  void count_drawn(TupleBatch& batch, Observed& observed) {
    const uint16_t* stratum = batch.strata(hash_, strata_, hash_seed_);
    const uint32_t banks = static_cast<uint32_t>(random_.size()), entries = counters_.entries();
    for (size_t at = 0; at < batch.size(); ++at) {
      const uint32_t index = stratum[at];
      Lfsr& random = random_[index & (banks - 1)];
      const uint32_t due =
          counters_.add(index & (entries - 1), rate_, draw(random.number(), rate_));
      random.step();
      if (due != 0) observed.samples.emplace_back(at, due);
    }
  }

  HashKind hash_;
  unsigned strata_;
  uint64_t hash_seed_;
  SamplingRate rate_;
  StratifiedCounters counters_;
  std::vector<Lfsr> random_;  // one per bank
  uint32_t since_ = 0;        // for P_r: tuples since the last message
};

/// H[P_r]_n where r is a power of two. The marks of the tuples that are due are common to all
/// levels with the same strata.
class MarkedLevel final : public FirstLevel {
 public:
  MarkedLevel(const PathParams& params, const CompressorRates& rates, const Seeds& seeds)
      : params_(sampler_params(params)),
        hash_seed_(seeds.hash),
        period_(rates.sampling.period),
        least_mark_(static_cast<unsigned>(__builtin_ctz(period_))) {
    static_assert(TupleBatch::kMostMark > 12, "a counter has 12 bits at most");
  }

  void sample(TupleBatch& batch, Observed& observed) override {
    const uint8_t* marks = batch.marks(params_.hash, params_.strata, hash_seed_);
    // Tests eight marks at a time: the sum sets a byte's highest bit where its mark is large
    // enough.
    constexpr uint64_t kOnes = 0x0101010101010101, kHighest = 0x80 * kOnes;
    const uint64_t up_to_it = (0x80 - least_mark_) * kOnes;
    const size_t before = observed.samples.size();
    for (size_t first = 0; first < batch.size(); first += 8) {
      uint64_t eight;
      std::memcpy(&eight, marks + first, sizeof eight);
      for (uint64_t due = (eight + up_to_it) & kHighest; due != 0; due &= due - 1) {
        const size_t at = first + static_cast<size_t>(__builtin_ctzll(due)) / 8;
        if (at < batch.size()) observed.samples.emplace_back(at, period_);
      }
    }
    residue_ += batch.size() - (observed.samples.size() - before) * period_;
  }
  uint64_t residue() const override { return residue_; }
  void read_out(std::vector<Message>& /*messages*/) const override {}

 private:
  SamplerParams params_;
  uint64_t hash_seed_;
  uint32_t period_;
  unsigned least_mark_;
  uint64_t residue_ = 0;  // tuples that no message has counted yet
};

}  // namespace

std::unique_ptr<FirstLevel> make_stratified_level(const PathParams& params,
                                                  const CompressorRates& rates,
                                                  const Seeds& seeds) {
  const uint32_t period = rates.sampling.period;
  const bool marked = static_cast<SamplerKind>(params.sampler) == SamplerKind::kPeriodic &&
                      params.strata > 1 && period != 0 && (period & (period - 1)) == 0 &&
                      !seeds.phase;  // the marks are of counters that begin at 0
  if (marked) return std::make_unique<MarkedLevel>(params, rates, seeds);
  return std::make_unique<StratifiedLevel>(params, rates, seeds);
}

}  // namespace strobe::profiling
