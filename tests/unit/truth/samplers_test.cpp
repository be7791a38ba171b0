// Does each sampler report the instruction that its definition names?
#include "sc_models/watch/truth/samplers.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "sc_models/watch/truth/attribution.h"
#include "tests/unit/truth/commits.h"

namespace strobe::test {
namespace {

using platform::kCycleParts;
using platform::TimeSampler;
using Found = std::map<uint64_t, uint64_t>;  // parts by address

class Sampled {
 public:
  Commits hart;
  truth::Attribution attribution{hart.rob};
  truth::Samplers samplers;
  uint64_t next = 0;  // the next cycle

  explicit Sampled(uint64_t period, uint64_t seed = 1) : samplers(hart.rob, period, seed) {
    attribution.begin(0);
    samplers.begin(0);
  }
  /// Cycles without a commit up to `cycle`, in which the oldest `count` commit.
  void commit(uint64_t cycle, unsigned count) {
    while (next < cycle) samplers.cycle(next++, 0);
    hart.commit(count);
    attribution.commit(cycle, count,
                       [this](const RetireRecord& record, uint64_t from, uint64_t cycles,
                              uint64_t parts) { samplers.attribute(record, from, cycles, parts); });
    samplers.cycle(next++, count);
  }
  Found found(TimeSampler sampler) const {
    Found out;
    samplers.program().for_each([&](uint64_t pc, const truth::Samplers::Samples& samples) {
      const uint64_t parts = samples[static_cast<size_t>(sampler)];
      if (parts != 0) out[pc] = parts;
    });
    return out;
  }
};

/// Samples, as parts.
constexpr uint64_t samples(uint64_t count) { return count * kCycleParts; }

TEST(SampleClock, HasOneSampleInEachPeriod) {
  truth::SampleClock clock(10, 7);
  clock.begin(1000);
  std::map<uint64_t, unsigned> places;
  for (uint64_t i = 0; i < 1000; ++i, clock.advance()) {
    ASSERT_GE(clock.next(), 1000 + 10 * i);
    ASSERT_LT(clock.next(), 1010 + 10 * i);
    ++places[clock.next() % 10];
  }
  // A thousand draws from ten: each place 100 times give or take six standard deviations.
  EXPECT_EQ(places.size(), 10u);
  for (const auto& [place, count] : places) EXPECT_NEAR(count, 100, 57) << place;
}

TEST(SampleClock, DependsOnItsSeed) {
  const auto cycles = [](uint64_t seed) {
    truth::SampleClock clock(1000, seed);
    clock.begin(0);
    std::vector<uint64_t> out;
    for (unsigned i = 0; i < 10; ++i, clock.advance()) out.push_back(clock.next());
    return out;
  };
  EXPECT_EQ(cycles(3), cycles(3));
  EXPECT_NE(cycles(3), cycles(4));
}

// A sample in every cycle. 0x10 is the oldest in cycles 0 to 4 and commits in 5; 0x14 and 0x18
// commit together in 6, 0x1c in 9.
TEST(TimeSamplers, OfEveryCycleReportWhatTheirDefinitionsName) {
  Sampled run(1);
  run.hart.dispatch({{insn(0x10), 0}, {insn(0x14), 1}, {insn(0x18), 3}});
  run.commit(5, 1);
  run.hart.dispatch({{insn(0x1c), 6}});
  run.commit(6, 2);
  run.hart.dispatch({{insn(0x20), 9}});
  run.commit(9, 1);
  EXPECT_EQ(
      run.found(TimeSampler::kTimeProportional),
      (Found{
          {0x10, samples(6)}, {0x14, samples(1) / 2}, {0x18, samples(1) / 2}, {0x1c, samples(3)}}));
  EXPECT_EQ(run.found(TimeSampler::kNextCommit),
            (Found{{0x10, samples(6)}, {0x14, samples(1)}, {0x1c, samples(3)}}));
  // Dispatched in cycles 0, 1, 3 and 6: the sample of 0 has 0x10, that of 1 has 0x14, and so on.
  EXPECT_EQ(
      run.found(TimeSampler::kDispatch),
      (Found{{0x10, samples(1)}, {0x14, samples(1)}, {0x18, samples(2)}, {0x1c, samples(3)}}));
  // In cycles 0 to 5, what is before 0x1c is in flight; in cycle 6, what is before 0x20; then that,
  // too.
  EXPECT_EQ(run.found(TimeSampler::kTimer), (Found{{0x1c, samples(6)}}));
  run.commit(11, 1);
  EXPECT_EQ(run.found(TimeSampler::kTimer), (Found{{0x1c, samples(6)}, {0x20, samples(1)}}));
}

TEST(TimeSamplers, AMachineModeInstructionIsInARowOfItsOwn) {
  Sampled run(1);
  RetireRecord handler = insn(0x10);
  handler.mode = PrivilegeMode::kMachine;
  run.hart.dispatch({{handler, 2}});
  run.commit(2, 1);
  for (const TimeSampler sampler :
       {TimeSampler::kDispatch, TimeSampler::kNextCommit, TimeSampler::kTimeProportional}) {
    EXPECT_TRUE(run.found(sampler).empty());
    EXPECT_EQ(run.samplers.machine()[static_cast<size_t>(sampler)], samples(3));
  }
}

TEST(TimeSamplers, InterruptsWaitForDifferentInstructionsAtTheSameTime) {
  Sampled run(1);
  run.commit(0, 0);  // before 0x10
  run.hart.dispatch({{insn(0x10), 1}});
  run.commit(1, 0);  // before 0x14
  run.hart.dispatch({{insn(0x14), 2}});
  run.commit(2, 0);  // before 0x18
  run.hart.dispatch({{insn(0x18), 3}});
  run.commit(3, 3);
  EXPECT_EQ(run.found(TimeSampler::kTimer),
            (Found{{0x10, samples(1)}, {0x14, samples(1)}, {0x18, samples(1)}}));
}

TEST(TimeSamplers, TheirStorageIsCountedFromTheirDefinitions) {
  core::CoreParams params;
  params.rob = 100;
  params.commit_width = 4;
  const auto bits = truth::sampler_storage_bits(params);
  EXPECT_EQ(bits[static_cast<size_t>(TimeSampler::kTimer)], 0u);
  EXPECT_EQ(bits[static_cast<size_t>(TimeSampler::kDispatch)], 64 + 1 + 100u);
  EXPECT_EQ(bits[static_cast<size_t>(TimeSampler::kNextCommit)], 64 + 1u);
  EXPECT_EQ(bits[static_cast<size_t>(TimeSampler::kTimeProportional)], 64 + 3 + 4 * 65 + 1u);
}

}  // namespace
}  // namespace strobe::test
