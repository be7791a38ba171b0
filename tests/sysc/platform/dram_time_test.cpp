// A DRAM whose times are given in nanoseconds takes as many cycles as its core's clock makes of
// them.
#include "tests/sysc/platform/another_process.h"
#include "tests/sysc/platform/harts.h"

namespace strobe::platform {
namespace {

/// The cycles of a program that walks over 500 lines, none of which is in a cache.
uint64_t cycles_of(double frequency_ghz, const memory::MemoryParams& memory) {
  SystemParams params;
  params.core.frequency_ghz = frequency_ghz;
  params.core.memory = memory;
  return in_another_process<uint64_t>([&] {
    Harts harts(params, {{"count_events", {kData, 500}}});
    harts.run();
    return harts.cycles();
  });
}

memory::MemoryParams in_cycles(unsigned latency, unsigned interval) {
  memory::MemoryParams params;
  params.dram_latency = latency;
  params.dram_interval = interval;
  return params;
}

memory::MemoryParams in_nanoseconds(double latency, double interval) {
  memory::MemoryParams params;
  params.dram_latency_ns = latency;
  params.dram_interval_ns = interval;
  return params;
}

TEST(DramInNanoseconds, TakesTheCyclesThatTheClockMakesOfThem) {
  EXPECT_EQ(cycles_of(3.4, in_nanoseconds(60, 2.5)), cycles_of(3.4, in_cycles(204, 9)));
  EXPECT_NE(cycles_of(3.4, in_nanoseconds(60, 2.5)), cycles_of(3.4, in_cycles(203, 9)));
}

TEST(DramInNanoseconds, OfASlowerClockTakesFewerCycles) {
  EXPECT_EQ(cycles_of(0.8, in_nanoseconds(60, 2.5)), cycles_of(0.8, in_cycles(48, 2)));
  EXPECT_LT(cycles_of(0.8, in_nanoseconds(60, 2.5)), cycles_of(3.4, in_nanoseconds(60, 2.5)));
}

TEST(DramInNanoseconds, OfZeroKeepsTheCyclesAtAnyFrequency) {
  EXPECT_EQ(cycles_of(3.4, in_cycles(100, 8)), cycles_of(0.8, in_cycles(100, 8)));
}

TEST(DramInNanoseconds, EachKeyTakesThePlaceOfItsOwnOnly) {
  EXPECT_EQ(in_nanoseconds(60, 0).dram_interval_at(3.4), memory::MemoryParams().dram_interval);
  EXPECT_EQ(in_nanoseconds(0, 2.5).dram_latency_at(3.4), memory::MemoryParams().dram_latency);
  EXPECT_EQ(in_nanoseconds(0.1, 2.5).dram_latency_at(0.8), 1u) << "at least one cycle";
}

}  // namespace
}  // namespace strobe::platform
