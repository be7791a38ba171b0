// The hardware and the registers that follow from the keys of a profiler.
#include "sc_models/machine/profiler/profiler_setup.h"

#include <gtest/gtest.h>

#include <string>

#include "sw/config/load.h"

namespace strobe::platform {
namespace {

struct Setup {
  std::string point;  // as path_params.h writes it
  profiling::CompressorRates rates;
  uint64_t seed;
};

Setup setup_of(const std::string& keys, const std::string& run = "") {
  const config::LoadResult loaded = config::load_run_text(
      "workload: { elf: p.elf }\n" + run + "profilers: [{ name: a, " + keys + " }]\n", "t.yaml",
      {});
  EXPECT_TRUE(loaded.good()) << to_text(loaded.diagnostics);
  const config::ProfilerConfig& profiler = loaded.configuration.profilers.at(0);
  return {describe_point(path_params(loaded.configuration, profiler), "=", " "),
          compressor_rates(profiler), compressor_seed(loaded.configuration, profiler)};
}

TEST(ProfilerSetup, EveryKindHasItsPoint) {
  EXPECT_EQ(setup_of("kind: stratified").point, "");
  EXPECT_EQ(setup_of("kind: random").point, "Strata=1 Sampler=1");
  EXPECT_EQ(setup_of("kind: periodic").point, "Strata=1");
  EXPECT_EQ(setup_of("kind: tagged").point, "Compressor=1");
  EXPECT_EQ(setup_of("kind: associative").point, "Strata=16 Compressor=2");
}

TEST(ProfilerSetup, EveryKeyThatIsAParameterIsInThePoint) {
  EXPECT_EQ(setup_of("strata: 64, counter_width: 10, sampler: countdown, hash: h3, banks: 4").point,
            "Strata=64 CounterWidth=10 Sampler=2 Hash=3 Banks=4");
  EXPECT_EQ(setup_of("kind: tagged, strata: 64, counter_width: 9, hash: crc32c, ways: 4, "
                     "tag_bits: 7, miss_width: 5")
                .point,
            "Strata=64 CounterWidth=9 Compressor=1 Hash=2 Ways=4 TagBits=7 MissWidth=5");
  EXPECT_EQ(setup_of("kind: associative, entries: 4, counter_width: 3").point,
            "Strata=4 CounterWidth=3 Compressor=2");
  EXPECT_EQ(setup_of("second_level: { entries: 32, counter_width: 20 }").point,
            "SecondEntries=32 SecondWidth=20");
  EXPECT_EQ(setup_of("second_level: { counter_width: 20 }").point, "");
  EXPECT_EQ(setup_of("queue_depth: 16, buffer_depth: 512", "core: { commit_width: 2 }\n").point,
            "Lanes=2 QueueDepth=16 BufferDepth=512");
}

TEST(ProfilerSetup, ASamplerOfTheWholeStreamHasCountersThatReachItsRate) {
  EXPECT_EQ(setup_of("kind: periodic, rate: 1").point, "Strata=1 CounterWidth=1");
  EXPECT_EQ(setup_of("kind: periodic, rate: 255").point, "Strata=1");
  EXPECT_EQ(setup_of("kind: periodic, rate: 257").point, "Strata=1 CounterWidth=9");
  EXPECT_EQ(setup_of("kind: random, rate: 4096").point, "Strata=1 CounterWidth=12 Sampler=1");
}

TEST(ProfilerSetup, TheThresholdIsThatOfTheRate) {
  EXPECT_EQ(setup_of("kind: random, rate: 256").rates.sampling.period, 256u);
  EXPECT_EQ(setup_of("kind: random, rate: 256").rates.sampling.threshold, (1u << 24) - 1);
  EXPECT_EQ(setup_of("kind: random, rate: 3").rates.sampling.threshold, 1431655764u);
  EXPECT_EQ(setup_of("kind: random, rate: 1").rates.sampling.threshold, UINT32_MAX);
  EXPECT_EQ(setup_of("kind: associative, counter_width: 6").rates.sampling.period, 64u);
}

TEST(ProfilerSetup, ATaggedProfilerEvictsAndReplacesAsThePaperUnlessItSaysOtherwise) {
  const auto paper = setup_of("kind: tagged, counter_width: 10, miss_width: 4").rates;
  EXPECT_EQ(paper.settings.should_evict, 512u);
  EXPECT_EQ(paper.settings.should_replace, 16u);
  const auto other = setup_of("kind: tagged, should_evict: 200, should_replace: 2").rates;
  EXPECT_EQ(other.settings.should_evict, 200u);
  EXPECT_EQ(other.settings.should_replace, 2u);
}

TEST(ProfilerSetup, TheSeedIsItsOwnOrOneOfTheRunAndTheName) {
  EXPECT_EQ(setup_of("kind: random, seed: 5").seed, 5u);
  const uint64_t derived = setup_of("kind: random").seed;
  EXPECT_EQ(derived, setup_of("kind: random, rate: 100").seed);
  EXPECT_NE(derived, setup_of("kind: random", "seed: 2\n").seed);
  EXPECT_NE(derived, 0u);
}

}  // namespace
}  // namespace strobe::platform
