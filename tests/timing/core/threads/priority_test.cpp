// A hart of low priority: it has what the other leaves, and the other hardly notices.
#include <gtest/gtest.h>

#include "tests/timing/core/threads/two_harts.h"

namespace strobe::test {
namespace {

constexpr size_t kLong = 2000, kMeasuredFrom = 100, kMeasuredTo = 1900;

std::vector<uint32_t> repeated(const std::vector<uint32_t>& piece) {
  std::vector<uint32_t> program;
  while (program.size() < kLong) program.insert(program.end(), piece.begin(), piece.end());
  return program;
}

const std::vector<uint32_t> kAdds = {addi(1, 2, 1)};
const std::vector<uint32_t> kChain = {addi(1, 1, 1)};
const std::vector<uint32_t> kMixed = {ld(3, 2, 0),   mul(4, 3, 3), add(5, 5, 4),  sd(5, 2, 8),
                                      addi(6, 6, 1), add(7, 6, 6), addi(8, 7, 1), add(9, 8, 7)};

struct Cycles {
  uint64_t normal, low;
};

/// Cycles of hart 0 for its instructions, and of hart 1, which has low priority, for as many.
Cycles beside(const std::vector<uint32_t>& normal, const std::vector<uint32_t>& low) {
  TwoHarts two(two_threads());
  two.shares[1].set_low_priority(true);
  for (HartOfTwo& side : two.harts) side.hart.state().x[2] = TwoHarts::kData;
  two.start(0, repeated(normal));
  two.start(1, repeated(low));
  two.run();
  return {two.cycles(0, kMeasuredFrom, kMeasuredTo), two.cycles(1, kMeasuredFrom, kMeasuredTo)};
}

uint64_t alone(const std::vector<uint32_t>& program) {
  TwoHarts two(two_threads());
  two.harts[0].hart.state().x[2] = TwoHarts::kData;
  two.start(0, repeated(program));
  two.run();
  return two.cycles(0, kMeasuredFrom, kMeasuredTo);
}

TEST(LowPriority, CostsTheOtherHartAFewPerCentAtMost) {
  for (const auto& normal : {kAdds, kChain, kMixed}) {
    const uint64_t without = alone(normal);
    for (const auto& low : {kAdds, kChain, kMixed}) {
      const uint64_t with = beside(normal, low).normal;
      EXPECT_GE(with, without);
      EXPECT_LE(static_cast<double>(with), 1.03 * static_cast<double>(without));
    }
  }
}

TEST(LowPriority, WithoutItTheOtherHartWouldLoseHalf) {
  TwoHarts two(two_threads());
  for (const unsigned hart : {0u, 1u}) two.start(hart, repeated(kAdds));
  two.run();
  EXPECT_NEAR(static_cast<double>(two.cycles(0, kMeasuredFrom, kMeasuredTo)),
              2.0 * static_cast<double>(alone(kAdds)), 20);
}

TEST(LowPriority, IssuesAtMostOneACycle) {
  // A chain leaves three slots a cycle; of four-wide adds the low hart gets one of them.
  const Cycles cycles = beside(kChain, kAdds);
  const uint64_t instructions = kMeasuredTo - kMeasuredFrom;
  EXPECT_GE(cycles.low, instructions);
  EXPECT_LE(cycles.low, instructions + 20);
}

TEST(LowPriority, GetsNothingWhileTheOtherHartFetchesInEveryCycle) {
  TwoHarts two(two_threads());
  two.shares[1].set_low_priority(true);
  for (const unsigned hart : {0u, 1u}) two.start(hart, repeated(kAdds));
  two.run();
  EXPECT_LT(two.harts[1].commits.size(), 20u);
}

TEST(LowPriority, IsNoDeadlockHoweverLongItWaits) {
  core::CoreParams params = two_threads();
  params.watchdog_cycles = 200;
  TwoHarts two(params);
  two.shares[1].set_low_priority(true);
  for (const unsigned hart : {0u, 1u}) two.start(hart, repeated(kAdds));
  EXPECT_EQ(two.run(), core::CoreStop::kHart);
  EXPECT_TRUE(two.harts[1].commits.empty());
}

TEST(LowPriority, IsAPropertyOfEitherHart) {
  TwoHarts two(two_threads());
  two.shares[0].set_low_priority(true);
  two.start(1, repeated(kAdds));
  two.start(0, repeated(kAdds));
  two.run(400);
  EXPECT_GT(two.harts[1].commits.size(), 1500u);
  EXPECT_LT(two.harts[0].commits.size(), 40u);
}

TEST(LowPriority, CanBeTakenBack) {
  TwoHarts two(two_threads());
  two.shares[1].set_low_priority(true);
  for (const unsigned hart : {0u, 1u}) two.start(hart, repeated(kAdds));
  two.run(100);
  const size_t before = two.harts[1].commits.size();
  two.shares[1].set_low_priority(false);
  two.run(300);
  EXPECT_LT(before, 20u);
  EXPECT_NEAR(static_cast<double>(two.harts[1].commits.size() - before), 600, 60);
}

}  // namespace
}  // namespace strobe::test
