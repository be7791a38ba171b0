// A bounded exhaustive profile: the counts that it keeps are exact, and its metrics estimate those
// of the whole.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sw/profile/accuracy/metrics.h"
#include "sw/profile/counts/exhaustive_profile.h"
#include "sw/profile/counts/numbered_counts.h"

namespace strobe::profile {
namespace {

// Loads of very different frequency and invariance, and a profile of them by a one in 64 sampler.
struct Streams {
  std::vector<Tuple> events;
  ExhaustiveProfile sampled;
};

Streams make_streams() {
  Streams streams;
  std::mt19937_64 random(7);
  constexpr uint64_t kLoads = 2000;
  for (uint64_t load = 0; load < kLoads; ++load) {
    const uint64_t executions = 200 + random() % 4000;
    const unsigned values = 1 + static_cast<unsigned>(random() % 8);
    for (uint64_t i = 0; i < executions; ++i) {
      const uint64_t value = random() % 4 == 0 ? random() % 50 : random() % values;
      streams.events.push_back({0x10000 + 4 * load, value, 0});
    }
  }
  std::shuffle(streams.events.begin(), streams.events.end(), random);
  for (const Tuple& event : streams.events) {
    if (random() % 64 == 0) streams.sampled.add(event, 64);
  }
  return streams;
}

TEST(BoundedProfile, StaysWithinItsBoundAndKeepsExactCountsOfWhatItKeeps) {
  const Streams streams = make_streams();
  constexpr size_t kBound = 4 * ExhaustiveProfile::kLeastBytes;
  ExhaustiveProfile whole, bounded(kBound, 3);
  for (const Tuple& event : streams.events) {
    whole.add(event);
    bounded.add(event);
    ASSERT_LE(bounded.bytes(), kBound);
  }
  ASSERT_GT(whole.bytes(), kBound);
  EXPECT_GT(bounded.kept().halvings(), 0u);
  EXPECT_EQ(bounded.total(), whole.total());
  const Profile kept = bounded.kept().part_of(Profile(whole.entries()));
  EXPECT_GT(kept.size(), kBound / 24 / 4);
  EXPECT_EQ(bounded.entries(), kept.entries());
}

TEST(BoundedProfile, DoesNotDependOnTheOrderOfTheEvents) {
  Streams streams = make_streams();
  constexpr size_t kBound = ExhaustiveProfile::kLeastBytes;
  ExhaustiveProfile forward(kBound, 3), backward(kBound, 3);
  for (const Tuple& event : streams.events) forward.add(event);
  std::reverse(streams.events.begin(), streams.events.end());
  for (const Tuple& event : streams.events) backward.add(event);
  EXPECT_EQ(forward.entries(), backward.entries());
}

TEST(BoundedProfile, WithoutNeedIsTheWholeOne) {
  ExhaustiveProfile bounded(ExhaustiveProfile::kLeastBytes, 3);
  for (uint64_t i = 0; i < 2700; ++i) bounded.add({i, i, 0});
  EXPECT_EQ(bounded.kept().halvings(), 0u);
  EXPECT_EQ(bounded.size(), 2700u);
}

TEST(BoundedProfile, OfOneInstructionWithEndlessValuesEndsUpEmpty) {
  ExhaustiveProfile bounded(ExhaustiveProfile::kLeastBytes, 3);
  for (uint64_t i = 0; i < 10000; ++i) bounded.add({0x10000, i, 0});
  EXPECT_EQ(bounded.size(), 0u);
  EXPECT_EQ(bounded.total(), 10000u);
}

TEST(BoundedProfile, CountsByNumberFollowWhatIsDropped) {
  const Streams streams = make_streams();
  ExhaustiveProfile bounded(ExhaustiveProfile::kLeastBytes, 3);
  NumberedCounts beside;
  unsigned halvings = 0;
  for (const Tuple& event : streams.events) {
    const uint32_t number = bounded.add(event);
    if (bounded.kept().halvings() != halvings) beside.renumber(bounded.renumbered());
    halvings = bounded.kept().halvings();
    beside.fit(bounded.size());
    beside.add(number, 5);
  }
  ASSERT_GT(halvings, 1u);
  Entries expected = bounded.entries();
  for (auto& entry : expected) entry.second *= 5;
  EXPECT_EQ(beside.entries(bounded.entries(), bounded.order()), expected);
  EXPECT_EQ(beside.total(), 5 * bounded.total());
}

TEST(PcSample, IsTheShareItSaysAndAnotherWithAnotherSeed) {
  PcSample one(1), two(2);
  for (unsigned i = 0; i < 3; ++i) {
    one.halve();
    two.halve();
  }
  unsigned in_one = 0, in_both = 0;
  for (uint64_t pc = 0x10000; pc < 0x10000 + 2 * 64000; pc += 2) {
    in_one += one.has(pc);
    in_both += one.has(pc) && two.has(pc);
  }
  EXPECT_NEAR(in_one, 64000 / 8, 400);
  EXPECT_NEAR(in_both, 64000 / 64, 150);
}

TEST(PcSample, MetricsOfItEstimateThoseOfTheWholeWithoutBias) {
  const Streams streams = make_streams();
  ExhaustiveProfile exhaustive;
  for (const Tuple& event : streams.events) exhaustive.add(event);
  const Profile ideal(exhaustive.entries()), sampled(streams.sampled.entries());
  const Accuracy whole = accuracy(Ideal(ideal), sampled);
  ASSERT_TRUE(whole.invariance);
  ASSERT_LT(whole.overlap, 0.95) << "nothing to estimate";

  constexpr unsigned kSeeds = 200;
  double overlap = 0, squares = 0, invariance = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    PcSample sample(seed);
    for (unsigned i = 0; i < 3; ++i) sample.halve();
    const Accuracy part = accuracy(Ideal(sample.part_of(ideal)), sample.part_of(sampled));
    overlap += part.overlap / kSeeds;
    squares += part.overlap * part.overlap / kSeeds;
    invariance += part.invariance->error / kSeeds;
  }
  EXPECT_NEAR(overlap, whole.overlap, 0.002);
  EXPECT_NEAR(invariance, whole.invariance->error, 0.02 * whole.invariance->error);
  EXPECT_LT(std::sqrt(squares - overlap * overlap), 0.01) << "one seed says little";

  // What would be simpler and is biased: keep the tuples that came first.
  Entries first;
  ExhaustiveProfile seen;
  for (const Tuple& event : streams.events) {
    if (seen.size() == exhaustive.size() / 8) break;
    if (seen.add(event) == 1) first.push_back({event, exhaustive.count(event)});
  }
  const Profile cut(first);
  Entries cut_sampled;
  for (const auto& [tuple, count] : sampled.entries()) {
    if (cut.count(tuple) != 0) cut_sampled.push_back({tuple, count});
  }
  EXPECT_GT(std::abs(overlap_truncated(cut, Profile(cut_sampled), 100) - whole.overlap), 0.02);
}

}  // namespace
}  // namespace strobe::profile
