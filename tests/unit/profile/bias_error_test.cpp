// The error of biases, by hand.
#include "sw/profile/accuracy/bias_error.h"

#include <gtest/gtest.h>

namespace strobe::profile {
namespace {

/// A branch that goes to 0x1, 0x2, 0x3... so often.
Entries branch(uint64_t pc, std::vector<uint64_t> ways, uint8_t tag = 0) {
  Entries entries;
  for (size_t i = 0; i < ways.size(); ++i) entries.push_back({Tuple{pc, i + 1, tag}, ways[i]});
  return entries;
}

Profile together(const std::vector<Entries>& branches) {
  Entries all;
  for (const Entries& each : branches) all.insert(all.end(), each.begin(), each.end());
  return Profile(all);
}

TEST(BiasError, IsTheDifferenceOfTheProbabilitiesWeightedByExecutions) {
  // 0x10: 0.9 against 0.7 in 300 executions; 0x20: 0.5 against 0.5 in 100.
  const BiasError result = bias_error(together({branch(0x10, {270, 30}), branch(0x20, {50, 50})}),
                                      together({branch(0x10, {7, 3}), branch(0x20, {1, 1})}));
  EXPECT_NEAR(result.error, 0.2 * 300 / 400, 1e-12);
  ASSERT_EQ(result.branches.size(), 2u);
  EXPECT_EQ(result.branches[0].pc, 0x10u);
  EXPECT_NEAR(result.branches[0].error, 0.2, 1e-12);
  EXPECT_EQ(result.branches[0].executions, 300u);
  EXPECT_EQ(result.branches[1].error, 0);
  EXPECT_EQ(result.executions, 400u);
  EXPECT_EQ(result.unseen_branches, 0u);
}

TEST(BiasError, ForgivesTheScaleOfEachBranch) {
  const Profile ideal = together({branch(0x10, {6, 2}), branch(0x20, {1, 3})});
  EXPECT_EQ(bias_error(ideal, together({branch(0x10, {600, 200}), branch(0x20, {2, 6})})).error, 0);
}

TEST(BiasError, AWayThatOneProfileDoesNotHaveCounts) {
  EXPECT_EQ(bias_error(together({branch(0x10, {4})}), together({branch(0x10, {0, 4})})).error, 1);
  // Shares 0.5, 0.5, 0 against 0.5, 0.25, 0.25.
  EXPECT_NEAR(
      bias_error(together({branch(0x10, {2, 2})}), together({branch(0x10, {2, 1, 1})})).error, 0.25,
      1e-12);
}

TEST(BiasError, BranchesThatWereNotSeenAreCountedApart) {
  const Profile ideal = together({branch(0x10, {9, 1}), branch(0x20, {5}), branch(0x10, {7}, 3)});
  const BiasError result = bias_error(ideal, together({branch(0x10, {8, 2}), branch(0x30, {5})}));
  EXPECT_NEAR(result.error, 0.1, 1e-12);
  EXPECT_EQ(result.executions, 10u);
  EXPECT_EQ(result.unseen_branches, 2u);
  EXPECT_EQ(result.unseen_executions, 12u);
  EXPECT_EQ(bias_error(ideal, Profile()).error, 0);
  EXPECT_EQ(bias_error(ideal, Profile()).unseen_executions, 22u);
  EXPECT_EQ(bias_error(Profile(), ideal).executions, 0u);
}

}  // namespace
}  // namespace strobe::profile
