#include "sw/profile/accuracy/progress.h"

#include <gtest/gtest.h>

#include <random>

namespace strobe::profile {
namespace {

// A stream with a few hot loads of few values, and a profile that counts every third event.
TEST(Progress, APointIsWhatTheMetricsSayOfTheWholeProfiles) {
  std::mt19937_64 random(11);
  ExhaustiveProfile ideal, third;
  NumberedCounts profile, loads;
  ProgressTracker tracker(ideal);
  size_t points_with_error = 0;
  for (int i = 1; i <= 60000; ++i) {
    const uint64_t pc = 0x100 + random() % 12 * 4;
    const uint64_t value = random() % 4 == 0 ? random() % 1000 : pc % 5 + random() % 3;
    const Tuple tuple{pc, value, static_cast<uint8_t>(pc % 8 == 0)};
    const uint32_t number = ideal.add(tuple);
    tracker.note(number);
    if (i % 3 == 0) {
      third.add(tuple, 3);
      profile.fit(ideal.size());
      profile.add(number, 3);
      loads.fit(tracker.loads());
      loads.add(tracker.load_of(number), 3);
    }
    if (i % 5000 != 0) continue;
    tracker.select();
    const Profile whole(ideal.entries()), part(third.entries());
    EXPECT_NEAR(tracker.overlap(profile), overlap(whole, part), 1e-12) << i;
    const auto expected = invariance_error(whole, part);
    const auto found = tracker.invariance_error(profile, loads);
    ASSERT_EQ(found.has_value(), expected.has_value()) << i;
    if (!found) continue;
    EXPECT_NEAR(*found, expected->error, 1e-12) << i;
    ++points_with_error;
  }
  EXPECT_GE(points_with_error, 8u);  // the first ones have no load with 1000 executions
  EXPECT_LT(points_with_error, 12u);
}

std::vector<ProgressPoint> series(const std::vector<std::optional<double>>& errors) {
  std::vector<ProgressPoint> points;
  for (const auto& error : errors) {
    ProgressPoint point;
    point.events = 100 * (points.size() + 1);
    point.invariance_error = error;
    points.push_back(point);
  }
  return points;
}

TEST(Convergence, ReachesAtTheFirstPointUnderTheThresholdAndStaysFromTheLastReturn) {
  const auto found = convergence(series({std::nullopt, 0.2, 0.04, 0.06, 0.05, 0.049, 0.01}), 0.05);
  EXPECT_EQ(found.reaches, 300u);
  EXPECT_EQ(found.stays_below, 600u);  // at the threshold is not under it
}

TEST(Convergence, ASeriesThatEndsAboveDoesNotStay) {
  const auto found = convergence(series({0.01, 0.2}), 0.05);
  EXPECT_EQ(found.reaches, 100u);
  EXPECT_FALSE(found.stays_below);
}

TEST(Convergence, WithoutPointsThereIsNothing) {
  EXPECT_FALSE(convergence({}, 0.05).reaches);
  EXPECT_FALSE(convergence({}, 0.05).stays_below);
}

}  // namespace
}  // namespace strobe::profile
