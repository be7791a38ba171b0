// A hart reads the counters of another one through the counter window.
#include "sc_models/isa/decode/csr.h"
#include "sc_models/machine/outcome/statistics.h"
#include "tests/sysc/platform/another_process.h"
#include "tests/sysc/platform/harts.h"

namespace strobe::platform {
namespace {

constexpr uint64_t kCounter3 = STROBE_COUNTERS_BASE + 3 * 8;
constexpr uint64_t kEvent3 = STROBE_COUNTERS_BASE + STROBE_COUNTERS_EVENTS + 3 * 8;
constexpr uint64_t kInstret = STROBE_COUNTERS_BASE + 2 * 8;
constexpr uint64_t kOftenEnough = 2000;  // reads, which end after the program of hart 0

SystemParams in_step() {
  SystemParams params;
  params.in_step = true;
  return params;
}

/// What hart 1 reads at last of hart 0, and what the statistics say of that.
struct Read {
  uint64_t value, counted, cycles;
};

Read read_after(uint64_t address, HpmEvent event, const char* statistic) {
  return in_another_process<Read>([=] {
    Harts harts(in_step(),
                {{"store_increment", {kData, 2000}}, {"read_often", {address, kOftenEnough}}});
    harts.system.core(0).thread().set_counter_event(3, static_cast<uint64_t>(event));
    Statistics statistics;
    harts.system.add_to(statistics);
    harts.run();
    return Read{harts.a(1, 2), statistics.read().at(statistic), harts.system.core(0).cycle_count()};
  });
}

TEST(RemoteCounters, ShowWhatTheStatisticsCount) {
  const Read instructions =
      read_after(kCounter3, HpmEvent::kInstructions, "core0.committed.machine");
  EXPECT_EQ(instructions.value, instructions.counted);
  EXPECT_EQ(read_after(kInstret, HpmEvent::kNone, "core0.committed.machine").value,
            instructions.value);
  const Read mispredictions =
      read_after(kCounter3, HpmEvent::kBranchMispredictions, "core0.branch.mispredicted");
  EXPECT_EQ(mispredictions.value, mispredictions.counted);
  EXPECT_GT(mispredictions.value, 0u);
  const Read misses = read_after(kCounter3, HpmEvent::kL1dMisses, "l1d0.misses");
  EXPECT_EQ(misses.value, misses.counted);
}

TEST(RemoteCounters, CostTheObservedHartNothing) {
  const Read observed = read_after(kCounter3, HpmEvent::kInstructions, "core0.committed.machine");
  const Read alone = read_after(kData + 0x1000, HpmEvent::kNone, "core0.committed.machine");
  EXPECT_EQ(observed.cycles, alone.cycles);
}

TEST(RemoteCounters, AnEventIsSetByAnotherHart) {
  constexpr auto kEvent = static_cast<uint64_t>(HpmEvent::kDramRequests);
  Harts harts(in_step(), {{"store_increment", {kData, 10}}, {"write_and_read", {kEvent3, kEvent}}});
  harts.run();
  EXPECT_EQ(harts.a(1, 2), kEvent);
  EXPECT_EQ(harts.system.core(0).thread().counter_event(3), kEvent);
  EXPECT_EQ(harts.system.core(1).thread().counter_event(3), 0u);
}

/// The cause of the fault that an access makes, of hart 0.
isa::Cause fault_of(const char* program, uint64_t address) {
  return in_another_process<isa::Cause>([=] {
    Harts harts(in_step(), {{program, {address, 1}}, {"store_increment", {kData, 1}}});
    harts.system.core(0).run_until({0, 10'000, 0});
    return harts.system.core(0).hart().cause();
  });
}

TEST(RemoteCounters, RefuseWhatIsNoRegisterOrHasNotEightBytes) {
  const uint64_t none[] = {STROBE_COUNTERS_BASE + 8, STROBE_COUNTERS_BASE + 11 * 8,
                           STROBE_COUNTERS_BASE + STROBE_COUNTERS_EVENTS,
                           STROBE_COUNTERS_BASE + 2 * STROBE_COUNTERS_OF_HART};
  for (const uint64_t address : none) {
    EXPECT_EQ(fault_of("read_often", address), isa::Cause::kLoadFault) << std::hex << address;
  }
  EXPECT_EQ(fault_of("read_word", kCounter3), isa::Cause::kLoadFault);
  EXPECT_EQ(fault_of("write_and_read", kCounter3), isa::Cause::kStoreFault);
  EXPECT_EQ(fault_of("read_often", kCounter3), isa::Cause::kEcallFromMachine);
}

}  // namespace
}  // namespace strobe::platform
