#include "sw/profile/accuracy/metrics.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <iostream>
#include <random>

namespace strobe::profile {
namespace {

/// Counts of the tuples {tag 0, pc 1, value 0}, {pc 2}, {pc 3}...
Profile counts(std::vector<uint64_t> by_pc) {
  Entries entries;
  for (size_t i = 0; i < by_pc.size(); ++i) entries.push_back({Tuple{i + 1, 0, 0}, by_pc[i]});
  return Profile(entries);
}

/// One load at `pc` with the values 0, 1, 2...
Entries load(uint64_t pc, std::vector<uint64_t> by_value, uint8_t tag = 1) {
  Entries entries;
  for (size_t i = 0; i < by_value.size(); ++i) entries.push_back({Tuple{pc, i, tag}, by_value[i]});
  return entries;
}

Entries operator+(Entries a, const Entries& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// A load whose frequent values have these counts, filled up to `executions` with values that occur
/// once each.
Profile load_of(uint64_t executions, const std::vector<uint64_t>& frequent) {
  std::vector<uint64_t> values = frequent;
  uint64_t total = 0;
  for (const uint64_t count : frequent) total += count;
  values.resize(values.size() + executions - total, 1);
  return Profile(load(0x100, values));
}

TEST(Overlap, IsTheSumOfTheSmallerShares) {
  // 50, 30, 20 % against 25, 25, 50 %: 25 + 25 + 20.
  EXPECT_DOUBLE_EQ(overlap(counts({50, 30, 20}), counts({1, 1, 2})), 0.70);
  // 75, 25, 0 % against 0, 25, 75 %.
  EXPECT_DOUBLE_EQ(overlap(counts({3, 1, 0}), counts({0, 1, 3})), 0.25);
}

TEST(Overlap, TellsTuplesApartByTagPcAndValue) {
  const Profile base(Entries{{Tuple{1, 1, 1}, 5}});
  EXPECT_EQ(overlap(base, Profile(Entries{{Tuple{1, 1, 2}, 5}})), 0.0);
  EXPECT_EQ(overlap(base, Profile(Entries{{Tuple{2, 1, 1}, 5}})), 0.0);
  EXPECT_EQ(overlap(base, Profile(Entries{{Tuple{1, 2, 1}, 5}})), 0.0);
  EXPECT_EQ(overlap(base, Profile(Entries{{Tuple{1, 1, 1}, 7}})), 1.0);
}

TEST(RandomOverlap, OfOneEventIsTheSumOfTheSquaredShares) {
  EXPECT_NEAR(random_overlap(counts({50, 30, 20}), 1), 0.25 + 0.09 + 0.04, 1e-12);
  EXPECT_NEAR(random_overlap(counts({50, 30, 20}), 10), 0.8341243147, 1e-9);
  EXPECT_NEAR(random_overlap(counts({50, 30, 20}), 100), 0.945990, 1e-6);
  EXPECT_EQ(random_overlap(counts({7}), 3), 1.0);
  EXPECT_EQ(random_overlap(counts({7, 7}), 0), 0.0);
  EXPECT_EQ(random_overlap(Profile(), 9), 1.0);
}

TEST(RandomOverlap, IsWhatDrawnSamplesHave) {
  const Profile ideal = counts({400, 300, 200, 50, 20, 20, 5, 3, 1, 1});
  std::mt19937_64 random(2001);
  std::vector<double> weights;
  for (const auto& [tuple, count] : ideal.entries()) weights.push_back(static_cast<double>(count));
  std::discrete_distribution<size_t> draw(weights.begin(), weights.end());
  constexpr unsigned kSamples = 2000, kEvents = 60;
  double sum = 0;
  for (unsigned k = 0; k < kSamples; ++k) {
    std::vector<uint64_t> drawn(weights.size());
    for (unsigned e = 0; e < kEvents; ++e) ++drawn[draw(random)];
    sum += overlap(ideal, counts(drawn));
  }
  // A sample's overlap has a standard deviation of about 0.03, so the mean of 2000 one of 0.0007.
  EXPECT_NEAR(sum / kSamples, random_overlap(ideal, kEvents), 0.003);
}

TEST(Overlap, OfEmptyProfilesIsOneWithEachOtherAndZeroWithAnyOther) {
  EXPECT_EQ(overlap(Profile(), Profile()), 1.0);
  EXPECT_EQ(overlap(Profile(), counts({1})), 0.0);
  EXPECT_EQ(overlap(counts({1}), Profile()), 0.0);
}

TEST(OverlapTruncated, ComparesTheHeadsWithSharesOfTheHeads) {
  // Heads: {60, 30} of 90 and {50, 40} of 90; the tails differ and do not count.
  const Profile a = counts({60, 30, 10, 0});
  const Profile b = counts({50, 40, 0, 10});
  EXPECT_DOUBLE_EQ(overlap(a, b), 0.80);
  EXPECT_DOUBLE_EQ(overlap_truncated(a, b), 50.0 / 90 + 30.0 / 90);
}

TEST(OverlapTruncated, IsSmallerWhenTheHeadsDiffer) {
  // a keeps 1 and 2 (50 + 40), b keeps 1 and 3 (50 + 40).
  const Profile a = counts({50, 40, 10});
  const Profile b = counts({50, 10, 40});
  EXPECT_DOUBLE_EQ(overlap(a, b), 0.70);
  EXPECT_DOUBLE_EQ(overlap_truncated(a, b), 50.0 / 90);
}

TEST(OverlapTruncated, TakesThePercentage) {
  const Profile a = counts({50, 40, 10});
  const Profile b = counts({50, 10, 40});
  EXPECT_DOUBLE_EQ(overlap_truncated(a, b, 50), 1.0);
  EXPECT_DOUBLE_EQ(overlap_truncated(a, b, 100), 0.70);
}

TEST(Overlap, HasItsPropertiesOnRandomProfiles) {
  const char* given = std::getenv("STROBE_TEST_SEED");
  const uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 7;
  std::cout << "STROBE_TEST_SEED=" << seed << "\n";
  std::mt19937_64 random(seed);
  for (int round = 0; round < 500; ++round) {
    std::vector<uint64_t> in_a(1 + random() % 40), in_b(1 + random() % 40);
    for (auto& count : in_a) count = random() % 1000;
    for (auto& count : in_b) count = random() % 1000;
    in_a[0] = in_b[0] = 1;  // so that neither is empty
    const Profile a = counts(in_a), b = counts(in_b);
    for (auto& count : in_a) count *= 1000;
    const Profile scaled = counts(in_a);

    const double plain = overlap(a, b), cut = overlap_truncated(a, b);
    EXPECT_GE(plain, 0.0);
    EXPECT_LE(plain, 1.0);
    EXPECT_EQ(plain, overlap(b, a));
    EXPECT_EQ(cut, overlap_truncated(b, a));
    EXPECT_NEAR(overlap(a, a), 1.0, 1e-12);
    EXPECT_NEAR(overlap_truncated(a, a), 1.0, 1e-12);
    EXPECT_NEAR(overlap(scaled, b), plain, 1e-12);
    EXPECT_NEAR(overlap_truncated(scaled, b), cut, 1e-12);
    // Both heads hold at least 90 %, so no share grew by more than 1 / 0.9.
    EXPECT_LE(cut, plain / 0.9 + 1e-12);
    // What separates the profiles adds up to what they do not share.
    EXPECT_LE(max_entry_error(a, b)->error, 1 - plain + 1e-12);
  }
}

TEST(InvarianceError, IsTheFrequencyWeightedDifferenceOfTheInvariances) {
  // Ideal: load 0x10 runs 1000 times, values 600, 300, and 100 which is exactly 10 %.
  //        load 0x20 runs 2000 times, value 0 always.
  // Seen:  load 0x10 10 times as 5, 5, 0; load 0x20 20 times, 15 of them value 0.
  // e = (600 |0.6 - 0.5| + 300 |0.3 - 0.5| + 100 |0.1 - 0| + 2000 |1 - 0.75|) / 3000
  //   = (60 + 60 + 10 + 500) / 3000 = 0.21
  const Profile ideal(load(0x10, {600, 300, 100}) + load(0x20, {2000}));
  const Profile seen(load(0x10, {5, 5, 0}) + load(0x20, {15, 5}));
  const auto result = invariance_error(ideal, seen);
  ASSERT_TRUE(result);
  EXPECT_DOUBLE_EQ(result->error, 0.21);
  EXPECT_EQ(result->loads, 2u);
  EXPECT_EQ(result->tuples, 4u);
  EXPECT_EQ(result->frequency, 3000u);
}

TEST(InvarianceError, LeavesOutTuplesThatAreNotInvariant) {
  // 500 is selected, the 500 values that occur once are not: |0.5 - 0.25| alone.
  const Profile seen(Entries{{Tuple{0x100, 0, 1}, 1}, {Tuple{0x100, 7, 1}, 3}});
  const auto result = invariance_error(load_of(1000, {500}), seen);
  ASSERT_TRUE(result);
  EXPECT_DOUBLE_EQ(result->error, 0.25);
  EXPECT_EQ(result->tuples, 1u);
  EXPECT_EQ(result->frequency, 500u);
}

TEST(InvarianceError, CountsALoadTheProfilerNeverSawAsInvarianceZero) {
  const auto result = invariance_error(Profile(load(0x10, {800, 200})), Profile(load(0x20, {5})));
  ASSERT_TRUE(result);
  EXPECT_DOUBLE_EQ(result->error, (800 * 0.8 + 200 * 0.2) / 1000);
}

TEST(InvarianceError, ForgivesScale) {
  const Profile ideal(load(0x10, {600, 400}));
  EXPECT_DOUBLE_EQ(invariance_error(ideal, Profile(load(0x10, {6, 4})))->error, 0.0);
}

TEST(InvarianceError, SelectsALoadThatExecutes1000TimesAndNone999) {
  EXPECT_FALSE(invariance_error(Profile(load(0x10, {999})), Profile()));
  EXPECT_TRUE(invariance_error(Profile(load(0x10, {1000})), Profile()));
}

TEST(InvarianceError, SelectsATupleOf10PercentAndNoneBelow) {
  // 5000 of 10000 make the load qualify; is the second tuple in?
  EXPECT_EQ(invariance_error(load_of(10000, {5000, 999}), Profile())->tuples, 1u);
  EXPECT_EQ(invariance_error(load_of(10000, {5000, 1000}), Profile())->tuples, 2u);
}

TEST(InvarianceError, SelectsALoad40PercentCoveredAndNoneBelow) {
  EXPECT_FALSE(invariance_error(load_of(1000, {399}), Profile()));
  EXPECT_TRUE(invariance_error(load_of(1000, {400}), Profile()));
  // 300 + 99: the second is below 10 % and does not help; 300 + 100 does.
  EXPECT_FALSE(invariance_error(load_of(1000, {300, 99}), Profile()));
  EXPECT_TRUE(invariance_error(load_of(1000, {300, 100}), Profile()));
}

TEST(InvarianceError, TakesOtherLimits) {
  const Profile ideal(load(0x10, {6, 3, 1}));
  EXPECT_FALSE(invariance_error(ideal, Profile()));
  EXPECT_EQ(invariance_error(ideal, Profile(), {10, 10, 40})->tuples, 3u);
  EXPECT_EQ(invariance_error(ideal, Profile(), {10, 50, 40})->tuples, 1u);
  EXPECT_FALSE(invariance_error(ideal, Profile(), {10, 50, 70}));
  EXPECT_FALSE(invariance_error(Profile(), Profile(), {0, 0, 0}));
}

TEST(InvarianceError, KeepsTagsApart) {
  // The same pc under two tags is two loads; together they would run 1200 times.
  const Profile ideal(load(0x10, {600}, 1) + load(0x10, {600}, 2));
  EXPECT_FALSE(invariance_error(ideal, Profile()));
}

TEST(InvarianceError, IsZeroForTheIdealProfileItself) {
  const Profile ideal = load_of(5000, {2000, 700, 600});
  EXPECT_EQ(invariance_error(ideal, ideal)->error, 0.0);
}

TEST(MaxEntryError, NamesTheTupleThatIsMostWrong) {
  // 60, 30, 10, 0 % against 50, 20, 10, 20 %.
  const auto worst = max_entry_error(counts({60, 30, 10, 0}), counts({5, 2, 1, 2}));
  ASSERT_TRUE(worst);
  EXPECT_EQ(worst->tuple.pc, 4u);
  EXPECT_DOUBLE_EQ(worst->error, 0.2);
  EXPECT_FALSE(max_entry_error(Profile(), Profile()));
}

TEST(MaxEntryError, TakesTheFirstOfEquals) {
  EXPECT_EQ(max_entry_error(counts({3, 1}), counts({1, 3}))->tuple.pc, 1u);
}

TEST(Accuracy, IsAllMetricsOfOnePair) {
  const Profile ideal(load(0x10, {600, 300, 100}));
  const Profile seen(load(0x10, {5, 5}));
  const Accuracy result = accuracy(Ideal(ideal), seen);
  EXPECT_DOUBLE_EQ(result.overlap, 0.8);
  EXPECT_DOUBLE_EQ(result.overlap_90, 0.5 + 1.0 / 3);
  EXPECT_DOUBLE_EQ(result.invariance->error, 0.13);
  EXPECT_DOUBLE_EQ(result.max_entry->error, 0.2);
}

TEST(CostModel, Charges30CyclesAMessageAnd214AnInterrupt) {
  EXPECT_EQ(CostModel().cycles(1000, 10), 32140u);
  EXPECT_EQ((CostModel{10, 50}.cycles(1000, 10)), 10500u);
}

TEST(InterruptsFor, RoundsUpToWholeInterrupts) {
  EXPECT_EQ(interrupts_for(0), 0u);
  EXPECT_EQ(interrupts_for(1), 1u);
  EXPECT_EQ(interrupts_for(100), 1u);
  EXPECT_EQ(interrupts_for(101), 2u);
  EXPECT_EQ(interrupts_for(7, 0), 7u);
}

// What depends on the ideal profile alone is done once; the figures are those of the functions
// above.
TEST(Accuracy, IsWhatEachMetricSays) {
  std::mt19937_64 random(5);
  for (const auto& [tuples, seen] : {std::pair<size_t, size_t>{0, 0},
                                     {3, 0},
                                     {0, 3},
                                     {50, 40},
                                     {20'000, 60},
                                     {20'000, 19'990},
                                     {300, 2'000}}) {
    Entries all, some;
    for (size_t i = 0; i < std::max(tuples, seen); ++i) {
      const Tuple tuple{random() % 40 * 4, random() % 3000, static_cast<uint8_t>(random() % 2)};
      const uint64_t count = 1 + random() % (i % 7 == 0 ? 5000 : 20);
      if (i < tuples) all.emplace_back(tuple, count);
      if (i < seen) some.emplace_back(tuple, 1 + count / 16);
    }
    const Ideal ideal{Profile(all)};
    const Profile profile(some);
    const Accuracy accuracy = profile::accuracy(ideal, profile);
    EXPECT_EQ(accuracy.overlap, overlap(ideal.whole, profile));
    EXPECT_EQ(accuracy.overlap_90, overlap_truncated(ideal.whole, profile));
    const auto invariance = invariance_error(ideal.whole, profile);
    ASSERT_EQ(accuracy.invariance.has_value(), invariance.has_value());
    if (invariance) {
      EXPECT_EQ(accuracy.invariance->error, invariance->error);
      EXPECT_EQ(accuracy.invariance->tuples, invariance->tuples);
    }
    const auto worst = max_entry_error(ideal.whole, profile);
    ASSERT_EQ(accuracy.max_entry.has_value(), worst.has_value());
    if (worst) {
      EXPECT_EQ(accuracy.max_entry->tuple, worst->tuple);
      EXPECT_EQ(accuracy.max_entry->error, worst->error);
    }
  }
}

}  // namespace
}  // namespace strobe::profile
