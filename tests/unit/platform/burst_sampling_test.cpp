// The beginning of a production set's first burst: how decode.phase derives it from the run's seed.
#include "sc_models/machine/profiler/burst_sampling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/tree.h"

namespace strobe::platform {
namespace {

using testing::HasSubstr;

constexpr uint64_t kRange = uint64_t{1} << 20;  // the range of a counter

std::string shipped(const std::string& name) {
  return in_source("configs/profilers/hps/") + name + ".dise";
}

config::RunConfig drawn(uint64_t seed, uint64_t sparsity, uint64_t burst) {
  config::RunConfig run;
  run.seed = seed;
  run.decode.sparsity = sparsity;
  run.decode.burst = burst;
  run.decode.phase = config::Phase::kRandom;
  return run;
}

dise::Assembled set_of(const config::RunConfig& run, const std::string& file) {
  dise::Assembled set = dise::assemble_files({shipped(file)}, dise::Limits());
  set_burst_sampling(run, set);
  return set;
}

// Events before the first burst: what is written to counter 1 and to sparsityLeft says it.
uint64_t before_hps(const config::RunConfig& run) {
  const dise::Assembled set = set_of(run, "sampling");
  EXPECT_TRUE(set.good()) << to_text(set.faults);
  uint64_t value = 0;
  for (const auto& [offset, written] : dise::register_writes(set.image)) {
    if (offset == 0x80) value = written;
  }
  return kRange - value;
}
uint64_t before_plain(const config::RunConfig& run) {
  const dise::Assembled set = set_of(run, "plain-sampling");
  EXPECT_TRUE(set.good()) << to_text(set.faults);
  for (const dise::NamedRegister& reg : set.image.registers) {
    if (reg.name == "sparsityLeft") return reg.value;
  }
  return 0;
}

TEST(BurstSampling, InPhaseStartTheFirstBurstComesBehindAWholeStretch) {
  config::RunConfig run = drawn(7, 30, 10);
  run.decode.phase = config::Phase::kStart;
  EXPECT_EQ(before_hps(run), 29u);
  EXPECT_EQ(before_plain(run), 29u);
}

config::RunConfig jittered(uint64_t seed, uint64_t sparsity, unsigned bits) {
  config::RunConfig run;
  run.seed = seed;
  run.decode.sparsity = sparsity;
  run.decode.jitter = bits;
  return run;
}

uint64_t written(const dise::Assembled& set, uint32_t offset) {
  uint64_t value = 0;
  for (const auto& [at, what] : dise::register_writes(set.image)) {
    if (at == offset) value = what;
  }
  return value;
}

TEST(BurstSampling, JitterLowersTheRegisterByHalfOfWhatItAdds) {
  constexpr uint64_t kSampleFreq = 0x40 + 8 * 5, kJitter = 0x28, kCounter1 = 0x80;
  const dise::Assembled plain = set_of(jittered(3, 100, 0), "sampling");
  EXPECT_EQ(written(plain, kJitter), 0u);
  EXPECT_EQ(written(plain, kSampleFreq), kRange - 99);
  const dise::Assembled set = set_of(jittered(3, 100, 4), "sampling");
  EXPECT_TRUE(set.good()) << to_text(set.faults);
  EXPECT_EQ(written(set, kSampleFreq), kRange - 99 - 8);
  EXPECT_EQ(written(set, kCounter1), kRange - 99) << "the first distance";
  EXPECT_EQ(written(set, kJitter) & 0xffff, 5u | 4u << 4);
  EXPECT_NE(written(set, kJitter) >> 16, 0u);
  EXPECT_NE(written(set, kJitter), written(set_of(jittered(4, 100, 4), "sampling"), kJitter));
}

TEST(BurstSampling, JitterWithoutRoomOrRegisterIsRefused) {
  EXPECT_TRUE(set_of(jittered(3, 9, 4), "sampling").good());
  const dise::Assembled close = set_of(jittered(3, 8, 4), "sampling");
  EXPECT_THAT(to_text(close.faults),
              HasSubstr("decode.jitter: expected a distance of 9 to 1048569 events, from which 4 "
                        "bits can take 8 and to which they can add as many, got 8"));
  EXPECT_TRUE(set_of(jittered(3, 1048569, 4), "sampling").good());
  EXPECT_FALSE(set_of(jittered(3, 1048570, 4), "sampling").good());
  EXPECT_THAT(to_text(set_of(jittered(3, 100, 4), "plain-sampling").faults),
              HasSubstr("decode.jitter: expected a production file whose counter starts from a "
                        "register named sampleFreq"));
}

TEST(BurstSampling, ARandomPhaseIsUniformOverThePeriod) {
  constexpr uint64_t kPeriod = 40, kSeeds = 4000;
  std::vector<unsigned> times(kPeriod + 1);
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const uint64_t before = before_hps(drawn(seed, 30, 10));
    ASSERT_GE(before, 1u);
    ASSERT_LE(before, kPeriod);
    ++times[before];
  }
  double chi_square = 0;
  constexpr double kExpected = static_cast<double>(kSeeds) / kPeriod;
  for (uint64_t before = 1; before <= kPeriod; ++before) {
    chi_square += (times[before] - kExpected) * (times[before] - kExpected) / kExpected;
  }
  EXPECT_LT(chi_square, 72.05) << "0.1 % of 39 degrees of freedom";
}

TEST(BurstSampling, PlainDiseDrawsTheSamePhase) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const config::RunConfig run = drawn(seed, 990, 10);
    EXPECT_EQ(before_hps(run), before_plain(run)) << seed;
  }
}

TEST(BurstSampling, ARandomPhaseIsOfTheFilesOwnPeriod) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_LE(before_hps(drawn(seed, 0, 0)), 3u) << "sampling.dise: 2 and 1";
    EXPECT_LE(before_plain(drawn(seed, 0, 0)), 100u) << "plain-sampling.dise: 99 and 1";
  }
}

TEST(BurstSampling, TheCountersComeBackToTheWholeStretch) {
  const dise::Assembled set = set_of(drawn(3, 30, 10), "sampling");
  for (const dise::NamedRegister& reg : set.image.registers) {
    if (reg.name == "sampleFreq") {
      EXPECT_EQ(reg.value, kRange - 29);
    }
  }
}

TEST(BurstSampling, APeriodIsAtMostWhatOneCounterCounts) {
  EXPECT_TRUE(set_of(drawn(1, kRange - 100, 100), "sampling").good());
  const dise::Assembled set = set_of(drawn(1, kRange - 99, 100), "sampling");
  EXPECT_THAT(to_text(set.faults),
              HasSubstr("decode.phase: expected sparsity and burst to be at most 1048576 together, "
                        "which a counter can count, got 1048577"));
  EXPECT_TRUE(set_of(drawn(1, kRange - 99, 100), "plain-sampling").good());
}

TEST(BurstSampling, ARandomPhaseNeedsASamplingFramework) {
  EXPECT_THAT(to_text(set_of(drawn(1, 0, 0), "random-hot-methods").faults),
              HasSubstr("decode.phase: expected a production file with the registers sampleFreq"));
}

}  // namespace
}  // namespace strobe::platform
