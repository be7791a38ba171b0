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

/// A run of count_events whose counters begin to count.
struct Counting {
  Harts harts{{}, {{"count_events", {kData, 500}}}};
  Statistics statistics;
  Counters before;
  Counting() {
    harts.system.add_to(statistics);
    run_to(harts, "counting");
    before = statistics.read();
  }
};

TEST(ProgrammableCounters, CountWhatTheStatisticsCount) {
  Counting run;
  run_to(run.harts, "counted");
  const Counters after = run.statistics.read();
  run.harts.run();
  for (unsigned i = 0; i < 8; ++i) {
    const uint64_t counted = after.at(kStatistics[i]) - run.before.at(kStatistics[i]);
    // The instruction that stops the counters is an instruction, too, and waits for the others.
    if (i < 6) {
      EXPECT_EQ(run.harts.a(0, i), counted + (i == 0 ? 1 : 0)) << kStatistics[i];
    } else {
      EXPECT_GE(run.harts.a(0, i), counted) << kStatistics[i];
      EXPECT_LE(run.harts.a(0, i), counted + 20) << kStatistics[i];
    }
    EXPECT_GT(counted, 0u) << kStatistics[i];
  }
}

// All cycles of these classes are of U-mode, which begins and ends while the counters count.
TEST(ProgrammableCounters, CountTheClassesOfUserMode) {
  Harts harts({}, {{"count_classes", {kData, 6000, 0x1ffff}}});
  const uint64_t program = harts.address("count_classes") & ~uint64_t{0xfff};
  harts.memory.protect(program, 0x1000, 5, 7);
  harts.memory.protect(kData, 0x20000, 3, 3);
  Statistics statistics;
  harts.system.add_to(statistics);
  harts.run();
  const Counters counted = statistics.read();
  unsigned i = 0;
  for (const char* name : {"base", "dependency", "fu", "l1", "l2", "dram", "branch", "ifetch"}) {
    const uint64_t cycles = counted.at(std::string("core.cpi.") + name);
    EXPECT_EQ(harts.a(0, i++), cycles) << name;
    EXPECT_GT(cycles, 0u) << name;
  }
}

TEST(ProgrammableCounters, GoOnWhereTheStatisticsAreReset) {
  Counting run;
  run.harts.system.core(0).run_until({0, 0, 1000});
  Counters sum = run.statistics.read();
  run.statistics.reset();
  run_to(run.harts, "counted");
  for (const auto& [name, value] : run.statistics.read()) sum[name] += value;
  run.harts.run();
  for (unsigned i = 1; i < 6; ++i) {
    EXPECT_EQ(run.harts.a(0, i), sum.at(kStatistics[i]) - run.before.at(kStatistics[i]))
        << kStatistics[i];
  }
}

}  // namespace
}  // namespace strobe::platform
