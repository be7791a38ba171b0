// The load and store queue: forwarding, partial overlap, stores at commit, refused accesses.
#include <gtest/gtest.h>

#include "tests/timing/core/machine.h"

namespace strobe::test {
namespace {

size_t count(const Machine& machine, AccessKind kind) {
  size_t n = 0;
  for (const auto& access : machine.dcache.log) n += access.kind == kind ? 1 : 0;
  return n;
}

TEST(Forwarding, ALoadCoveredByAnOlderStoreDoesNotReachTheCache) {
  for (const unsigned latency : {1u, 2u, 9u}) {
    core::CoreParams params = plain_core();
    params.forward_latency = latency;
    Machine machine(params);
    machine.hart.state().x[2] = Machine::kData;
    machine.dcache.latency = 40;
    machine.run({sd(1, 2, 0), ld(3, 2, 0), addi(4, 3, 0)});
    EXPECT_EQ(count(machine, AccessKind::kLoad), 0u);
    EXPECT_EQ(machine.pipeline.stats().forwards, 1u);
    // The store issues at t and is done at t+1; the load issues then, has its address a cycle later
    // and its data after forward_latency: committed one cycle after that. The store commits at t+2.
    EXPECT_EQ(machine.commit_cycle(1) - machine.commit_cycle(0), 1 + latency);
  }
}

TEST(Forwarding, APartialOverlapWaitsUntilTheStoreIsWritten) {
  Machine machine(plain_core());
  machine.hart.state().x[2] = Machine::kData;
  machine.run({sb(1, 2, 3), ld(3, 2, 0)});
  ASSERT_EQ(machine.dcache.log.size(), 2u);
  EXPECT_EQ(machine.dcache.log[0].kind, AccessKind::kStore);
  EXPECT_EQ(machine.dcache.log[1].kind, AccessKind::kLoad);
  EXPECT_EQ(machine.dcache.log[0].cycle, machine.commit_cycle(0) + 1);
  EXPECT_EQ(machine.dcache.log[1].cycle, machine.dcache.log[0].cycle);
  EXPECT_EQ(machine.pipeline.stats().partial_overlaps, 1u);
}

TEST(Disambiguation, ALoadPassesAnOlderStoreToAnotherAddress) {
  Machine machine(plain_core());
  machine.hart.state().x[2] = Machine::kData;
  machine.hart.state().x[3] = 7;
  // The store's data takes a divide; the load to the next word does not wait for it.
  machine.run({div(1, 3, 3), sd(1, 2, 0), ld(4, 2, 8)});
  ASSERT_EQ(machine.dcache.log.size(), 2u);
  EXPECT_EQ(machine.dcache.log[0].kind, AccessKind::kLoad);
  EXPECT_LT(machine.dcache.log[0].cycle, machine.commit_cycle(0));
}

TEST(Stores, ReachTheCacheAfterCommitOneACycle) {
  Machine machine(plain_core());
  machine.hart.state().x[2] = Machine::kData;
  machine.run({sd(1, 2, 0), sd(1, 2, 64), sd(1, 2, 128)});
  ASSERT_EQ(machine.dcache.log.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(machine.dcache.log[i].address, Machine::kData + 64 * i);
    EXPECT_GT(machine.dcache.log[i].cycle, machine.commit_cycle(i));
  }
  EXPECT_EQ(machine.dcache.log[1].cycle, machine.dcache.log[0].cycle + 1);
}

TEST(Retries, ARefusedAccessIsPresentedAgainEveryCycle) {
  Machine machine(plain_core());
  machine.hart.state().x[2] = Machine::kData;
  uint64_t first = 0;
  machine.dcache.answer = [&](const ScriptedPort::Access& a) -> uint64_t {
    if (first == 0) first = a.cycle;
    return a.cycle < first + 10 ? 0 : a.cycle + 1;
  };
  machine.run({ld(1, 2, 0)});
  EXPECT_EQ(machine.dcache.log.size(), 11u);
  EXPECT_EQ(machine.pipeline.stats().load_retries, 10u);
  EXPECT_EQ(machine.commit_cycle(0), first + 10 + 1 + 1);
}

TEST(Straddling, ALoadOverTwoLinesWaitsForTheLaterOne) {
  Machine machine(plain_core());
  machine.hart.state().x[2] = Machine::kData + 60;
  machine.dcache.answer = [](const ScriptedPort::Access& a) {
    return a.cycle + (a.address >= Machine::kData + 64 ? 30u : 1u);
  };
  machine.run({ld(1, 2, 0)});
  ASSERT_EQ(machine.dcache.log.size(), 2u);
  EXPECT_EQ(machine.commit_cycle(0), machine.dcache.log[0].cycle + 30 + 1);
}

}  // namespace
}  // namespace strobe::test
