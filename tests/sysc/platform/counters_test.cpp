// What a program reads from its programmable counters is what the statistics of the run count.
#include "sc_models/isa/decode/csr.h"
#include "sc_models/machine/outcome/statistics.h"
#include "tests/sysc/platform/harts.h"

namespace strobe::platform {
namespace {

// In the order of the counters; count_events selects these events.
constexpr const char* kStatistics[] = {"core.committed.machine",
                                       "core.branch.mispredicted",
                                       "l1i.misses",
                                       "l1d.misses",
                                       "l2.misses",
                                       "dram.reads",
                                       "core.cpi.handler",
                                       "core.cycles"};

/// Runs core 0 to an instruction of its program.
void run_to(Harts& harts, const char* place) {
  core::Core& core = harts.system.core(0);
  isa::StopPoint point;
  point.pc = harts.address(place);
  core.hart().set_stop_point(point);
  ASSERT_EQ(core.run_until({0, 10'000'000, 0}), core::CoreStop::kHart);
  ASSERT_EQ(core.hart_stop_reason(), isa::StopReason::kStopPoint);
  core.restart();
}

TEST(ProgrammableCounters, CountWhatTheStatisticsCount) {
  Harts harts({}, {{"count_events", {kData, 500}}});
  Statistics statistics;
  harts.system.add_to(statistics);
  run_to(harts, "counting");
  const Counters before = statistics.read();
  run_to(harts, "counted");
  const Counters after = statistics.read();
  harts.run();
  for (unsigned i = 0; i < 8; ++i) {
    const uint64_t counted = after.at(kStatistics[i]) - before.at(kStatistics[i]);
    // The instruction that stops the counters is an instruction, too, and waits for the others.
    const uint64_t more = i == 0 ? 1 : i < 6 ? 0 : 20;
    EXPECT_GE(harts.a(0, i), counted) << kStatistics[i];
    EXPECT_LE(harts.a(0, i), counted + more) << kStatistics[i];
    EXPECT_GT(counted, 0u) << kStatistics[i];
  }
}

TEST(ProgrammableCounters, GoOnWhereTheStatisticsAreReset) {
  Harts harts({}, {{"count_events", {kData, 500}}});
  Statistics statistics;
  harts.system.add_to(statistics);
  run_to(harts, "counting");
  const Counters before = statistics.read();
  harts.system.core(0).run_until({0, 0, 1000});
  Counters sum = statistics.read();
  statistics.reset();
  run_to(harts, "counted");
  for (const auto& [name, value] : statistics.read()) sum[name] += value;
  harts.run();
  for (unsigned i = 1; i < 6; ++i) {
    EXPECT_EQ(harts.a(0, i), sum.at(kStatistics[i]) - before.at(kStatistics[i])) << kStatistics[i];
  }
}

}  // namespace
}  // namespace strobe::platform
