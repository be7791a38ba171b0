// Widths, latencies and occupancies: the observed number is the configured one.
#include <gtest/gtest.h>

#include "tests/timing/core/machine.h"

namespace strobe::test {
namespace {

constexpr size_t kFrom = 40, kTo = 140;  // measured between these two, away from the start

uint64_t cycles_of_hundred(const core::CoreParams& params, uint32_t word) {
  Machine machine(params);
  for (unsigned i = 1; i < 32; ++i) machine.hart.state().x[i] = Machine::kData;
  for (uint64_t i = 0; i < 64; ++i) {
    const uint64_t self = Machine::kData;
    machine.memory.write(Machine::kData + 8 * i, &self, 8);
  }
  EXPECT_EQ(machine.run(std::vector<uint32_t>(200, word)), core::CoreStop::kHart);
  return machine.commit_cycle(kTo) - machine.commit_cycle(kFrom);
}

TEST(Throughput, DependentAddsCommitOneACycle) {
  EXPECT_EQ(cycles_of_hundred(plain_core(), addi(1, 1, 1)), 100u);
}

TEST(Throughput, IndependentAddsCommitIssueWidthACycle) {
  core::CoreParams params = plain_core();
  for (const unsigned width : {1u, 2u, 4u}) {
    params.issue_width = width;
    EXPECT_EQ(cycles_of_hundred(params, addi(1, 2, 1)), 100u / width) << "issue_width " << width;
  }
}

TEST(Throughput, EveryOtherWidthLimitsToo) {
  for (unsigned core::CoreParams::*width :
       {&core::CoreParams::fetch_width, &core::CoreParams::decode_width,
        &core::CoreParams::commit_width}) {
    core::CoreParams params = plain_core();
    params.*width = 2;
    EXPECT_EQ(cycles_of_hundred(params, addi(1, 2, 1)), 50u);
  }
}

TEST(Throughput, AddsAreLimitedByTheNumberOfAlus) {
  core::CoreParams params = plain_core();
  params.alu.count = 2;
  EXPECT_EQ(cycles_of_hundred(params, addi(1, 2, 1)), 50u);
}

TEST(Latency, DependentOperationsAreOneLatencyApart) {
  core::CoreParams params = plain_core();
  for (const unsigned latency : {1u, 3u, 7u}) {
    params.mul.latency = latency;
    EXPECT_EQ(cycles_of_hundred(params, mul(1, 1, 1)), 100u * latency) << "mul latency " << latency;
  }
}

TEST(Latency, LoadToUseIsAddressGenerationPlusHitLatency) {
  core::CoreParams params = plain_core();
  for (const unsigned hit : {1u, 2u, 5u}) {
    params.memory.l1d.latency = hit;
    EXPECT_EQ(cycles_of_hundred(params, ld(1, 1, 0)), 100u * (params.mem.latency + hit));
  }
}

TEST(Occupancy, IndependentDividesAreOneIntervalApart) {
  core::CoreParams params = plain_core();
  for (const unsigned interval : {1u, 19u, 20u}) {
    params.div.interval = interval;
    EXPECT_EQ(cycles_of_hundred(params, div(1, 2, 3)), 100u * interval) << "interval " << interval;
  }
}

// Two loads that take 300 cycles overlap if and only if both fit into the structure at once.
uint64_t distance_of_two_misses(const core::CoreParams& params, size_t between, uint32_t filler) {
  Machine machine(params);
  machine.hart.state().x[2] = Machine::kData;
  machine.dcache.answer = [](const ScriptedPort::Access& a) {
    const bool slow = a.address == Machine::kData || a.address == Machine::kData + 64;
    return a.cycle + (slow ? 300u : 1u);
  };
  std::vector<uint32_t> program(between, filler);
  program.insert(program.begin(), ld(1, 2, 0));
  program.push_back(ld(3, 2, 64));
  EXPECT_EQ(machine.run(program), core::CoreStop::kHart);
  return machine.commit_cycle(program.size() - 1) - machine.commit_cycle(0);
}

TEST(Limits, TheReorderBufferHoldsExactlyRobInstructions) {
  core::CoreParams params = plain_core();
  params.rob = 100;
  EXPECT_LT(distance_of_two_misses(params, 98, addi(4, 5, 1)), 100u);
  EXPECT_GT(distance_of_two_misses(params, 99, addi(4, 5, 1)), 250u);
}

TEST(Limits, TheReservationStationsHoldExactlyTheirNumber) {
  core::CoreParams params = plain_core();
  params.reservation_stations = 20;  // the fillers wait for the first load; it has left its own
  EXPECT_LT(distance_of_two_misses(params, 19, addi(4, 1, 1)), 100u);
  EXPECT_GT(distance_of_two_misses(params, 20, addi(4, 1, 1)), 250u);
}

TEST(Limits, TheLoadQueueHoldsExactlyItsNumber) {
  core::CoreParams params = plain_core();
  params.load_queue = 10;
  EXPECT_LT(distance_of_two_misses(params, 8, ld(4, 2, 128)), 100u);
  EXPECT_GT(distance_of_two_misses(params, 9, ld(4, 2, 128)), 250u);
}

TEST(Limits, TheStoreQueueHoldsExactlyItsNumber) {
  core::CoreParams params = plain_core();
  params.store_queue = 10;
  EXPECT_LT(distance_of_two_misses(params, 10, sd(4, 2, 128)), 100u);
  EXPECT_GT(distance_of_two_misses(params, 11, sd(4, 2, 128)), 250u);
}

TEST(Parameters, AWidthOfZeroIsRefusedByName) {
  core::CoreParams params = plain_core();
  params.commit_width = 9;
  try {
    Machine machine(params);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "core: commit_width must be 1 to 8");
  }
}

}  // namespace
}  // namespace strobe::test
