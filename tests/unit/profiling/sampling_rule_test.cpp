// The samplers without timing: rates, restarts, conservation, and the effect of strata.
#include "sc_models/profiling/reference/sampler/sampling_rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sc_models/profiling/reference/common/lfsr.h"
#include "sc_models/profiling/reference/sampler/stratified_counters.h"
#include "tests/unit/profiling/random_stream.h"

namespace strobe::profiling {
namespace {

SamplingRate rate_of(uint32_t period) { return {period, sampling_threshold(period)}; }

TEST(SamplingThreshold, IsWithinHalfAStepOfTheProbability) {
  for (uint32_t r = 1; r <= 8191; ++r) {
    const double probability = (sampling_threshold(r) + 1.0) / 4294967296.0;
    ASSERT_LE(std::abs(probability - 1.0 / r), std::ldexp(1.0, -33)) << r;
  }
  EXPECT_EQ(sampling_threshold(1), UINT32_MAX);
  EXPECT_EQ(sampling_threshold(256), 0x00ffffffu);
}

TEST(RandomSampler, DrawsAtItsRateAndIndependentlyOfTheLastNumbers) {
  const int tuples = 4000000;
  for (const uint32_t r : {1u, 2u, 3u, 7u, 10u, 64u, 100u, 256u, 1000u, 4095u}) {
    Lfsr lfsr(test_seed());
    const double p = 1.0 / r;
    std::vector<char> hit(tuples);
    for (char& h : hit) {
      h = draw(lfsr.number(), rate_of(r)).hit ? 1 : 0;
      lfsr.step();
    }
    const auto hits = static_cast<double>(std::count(hit.begin(), hit.end(), 1));
    EXPECT_NEAR(hits, tuples * p, 5 * std::sqrt(tuples * p * (1 - p))) << "r " << r;
    for (size_t lag = 1; r <= 1000 && lag <= 16; ++lag) {
      double both = 0;
      for (size_t i = lag; i < hit.size(); ++i) both += hit[i] & hit[i - lag];
      const double pairs = static_cast<double>(hit.size() - lag);
      // Pairs that share a tuple are correlated.
      const double variance =
          pairs * (p * p - std::pow(p, 4) + 2 * (std::pow(p, 3) - std::pow(p, 4)));
      EXPECT_NEAR(both, pairs * p * p, 5 * std::sqrt(variance)) << "r " << r << ", lag " << lag;
    }
  }
}

TEST(CountdownSampler, RestartsAreEquallyLikelyOverAllNumbers) {
  for (const uint32_t r : {1u, 3u, 100u, 2047u}) {
    std::vector<uint32_t> count(2 * r);
    for (uint32_t random = 0; random < 1u << 24; ++random) {
      ++count.at(draw(random << 8, rate_of(r)).restart);
    }
    const auto [least, most] = std::minmax_element(count.begin(), count.end());
    EXPECT_LE(*most - *least, 1u) << "r " << r;
  }
}

TEST(CountdownSampler, IntervalsAreUniformFrom1To2r) {
  const SamplerParams params{SamplerKind::kCountdown, HashKind::kPaper, 1, 8};
  for (const uint32_t r : {1u, 5u, 100u}) {
    Lfsr lfsr(test_seed());
    uint16_t state = 0;
    std::vector<double> seen(2 * r + 1);
    uint32_t interval = 0;
    int messages = 0;
    for (; messages < 400000; lfsr.step()) {
      ++interval;
      const uint32_t count = sample(params, state, rate_of(r), draw(lfsr.number(), rate_of(r)));
      if (count == 0) continue;
      ASSERT_EQ(count, r);
      seen.at(interval) += 1;
      interval = 0;
      ++messages;
    }
    EXPECT_EQ(seen[0], 0);
    double chi_square = 0;
    const double expected = messages / (2.0 * r);
    for (uint32_t i = 1; i <= 2 * r; ++i) {
      chi_square += (seen[i] - expected) * (seen[i] - expected) / expected;
    }
    const double freedom = 2.0 * r - 1;
    EXPECT_NEAR(chi_square, freedom, 5 * std::sqrt(2 * freedom)) << "r " << r;
  }
}

TEST(CountedRandomSampler, TheMeanCountIsR) {
  const SamplerParams params{SamplerKind::kCountedRandom, HashKind::kPaper, 1, 12};
  const uint32_t r = 100;
  Lfsr lfsr(test_seed());
  uint16_t state = 0;
  double sum = 0;
  const int messages = 200000;
  for (int seen = 0; seen < messages; lfsr.step()) {
    const uint32_t count = sample(params, state, rate_of(r), draw(lfsr.number(), rate_of(r)));
    sum += count;
    seen += count != 0 ? 1 : 0;
  }
  EXPECT_NEAR(sum / messages, r, 5 * r / std::sqrt(messages));
}

TEST(CountedRandomSampler, AFullCounterIsAMessage) {
  const SamplerParams params{SamplerKind::kCountedRandom, HashKind::kPaper, 1, 3};
  uint16_t state = 0;
  std::vector<uint32_t> counts;
  for (int i = 0; i < 17; ++i) counts.push_back(sample(params, state, {}, Draw{}));
  std::vector<uint32_t> expected(17);
  expected[7] = expected[15] = 8;
  EXPECT_EQ(counts, expected);
  EXPECT_EQ(state, 1);
}

TEST(CountdownSampler, TheFirstTupleDrawsAndEachMessageIsTheLastOfItsInterval) {
  const SamplerParams params{SamplerKind::kCountdown, HashKind::kPaper, 1, 4};
  uint16_t state = 0;
  std::vector<uint32_t> counts;
  for (const uint32_t restart : {2u, 9u, 9u, 0u, 0u, 1u, 9u}) {
    counts.push_back(sample(params, state, {5}, Draw{false, restart}));
  }
  EXPECT_EQ(counts, (std::vector<uint32_t>{0, 0, 5, 5, 5, 0, 5}));
}

/// The messages of `tuples` tuples of a small population, the rate changing on the way.
std::vector<Message> messages_of(StratifiedCounters& counters, uint64_t tuples, uint64_t seed) {
  std::vector<Message> messages;
  RandomSource source(seed);
  Lfsr lfsr(seed);
  SamplingRate rate = rate_of(4);
  for (uint64_t i = 0; i < tuples; ++i, lfsr.step()) {
    if (source.one_in(1000)) rate = rate_of(1 + static_cast<uint32_t>(source.below(16)));
    const auto message = counters.update(source.tuple(400), rate, draw(lfsr.number(), rate));
    if (message) messages.push_back(*message);
  }
  return messages;
}

TEST(Samplers, PeriodicAndCountedRandomConserveEveryTuple) {
  for (const SamplerKind kind : {SamplerKind::kPeriodic, SamplerKind::kCountedRandom}) {
    for (const HashKind hash : {HashKind::kPaper, HashKind::kXorFold, HashKind::kCrc32c,
                                HashKind::kH3, HashKind::kMultiplyShift}) {
      StratifiedCounters counters({kind, hash, 64, 4});
      uint64_t sum = 0;
      for (const Message& message : messages_of(counters, 100000, test_seed())) {
        sum += message.count;
      }
      EXPECT_EQ(sum + counters.residue(), 100000u);
      EXPECT_NE(counters.residue(), 0u);
    }
  }
}

// The footnote of ISCA 2001, section 3.3: each tuple is drawn independently of all others, so
// strata change nothing. They change everything else.
TEST(Samplers, StrataMakeNoDifferenceToARandomSamplerAndToNoOther) {
  const auto with = [](SamplerKind kind, unsigned strata) {
    StratifiedCounters counters({kind, HashKind::kPaper, strata, 5});
    return messages_of(counters, 100000, test_seed());
  };
  EXPECT_EQ(with(SamplerKind::kRandom, 1), with(SamplerKind::kRandom, 2048));
  EXPECT_FALSE(with(SamplerKind::kRandom, 1).empty());
  for (const SamplerKind kind :
       {SamplerKind::kPeriodic, SamplerKind::kCountdown, SamplerKind::kCountedRandom}) {
    EXPECT_NE(with(kind, 1), with(kind, 64));
  }
}

}  // namespace
}  // namespace strobe::profiling
