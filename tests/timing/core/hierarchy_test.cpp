// The pipeline on real caches: closed-form kernels show the configured value of every key of
// core.memory.
//
// One process elaborates one memory system, so t-1 and t are parameters of a test, not a loop in
// it.
#include <gtest/gtest.h>

#include <memory>

#include "sc_models/memory/cache.h"
#include "sc_models/memory/dram.h"
#include "sc_models/memory/interconnect.h"
#include "tests/timing/core/machine.h"

namespace strobe::test {
namespace {

constexpr uint64_t kData = Machine::kData;

// A machine whose data side, instruction side, or both are the real hierarchy.
class Hierarchy {
 public:
  core::CoreParams params;
  Clock clock{1.0};
  Machine machine;
  memory::Cache l1i, l1d, l2;
  memory::Interconnect bus;
  memory::Dram dram;

  Hierarchy(const core::CoreParams& p, bool real_instructions)
      : params(p),
        machine(p),
        l1i("l1i", p.memory.l1i, clock),
        l1d("l1d", p.memory.l1d, clock),
        l2("l2", p.memory.l2, clock),
        bus("bus", 1, {{0, memory::Dram::kSize}}, p.memory.bus_latency, clock),
        dram("dram", machine.memory, p.memory.dram_latency, p.memory.dram_interval, clock) {
    l1i.initiator_socket.bind(l2.target_socket);
    l1d.initiator_socket.bind(l2.target_socket);
    l2.initiator_socket.bind(bus.target_sockets[0]);
    bus.initiator_sockets[0].bind(dram.target_socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    if (real_instructions) {
      machine.pipeline.bind_caches(l1i, machine.dcache);
    } else {
      machine.pipeline.bind_caches(machine.icache, l1d);
    }
  }

  // What an access costs beyond the first level.
  unsigned below_l1() const { return params.memory.l2.latency; }
  unsigned below_l2() const { return 2 * params.memory.bus_latency + params.memory.dram_latency; }

  /// Cycles per load of a chain of dependent loads around these addresses, in its last round.
  double chase(const std::vector<uint64_t>& addresses, unsigned rounds = 3) {
    const size_t n = addresses.size();
    for (size_t i = 0; i < n; ++i) {
      machine.memory.write(addresses[i], &addresses[(i + 1) % n], 8);
    }
    machine.hart.state().x[1] = addresses[0];
    EXPECT_EQ(machine.run(std::vector<uint32_t>(n * rounds + 1, ld(1, 1, 0)), 10000000),
              core::CoreStop::kHart);
    const uint64_t from = machine.commit_cycle(n * (rounds - 1));
    return static_cast<double>(machine.commit_cycle(n * rounds) - from) / static_cast<double>(n);
  }
  /// Commit cycles of `count` independent loads, one a line, after that of the first one.
  std::vector<uint64_t> independent(unsigned count) {
    machine.hart.state().x[2] = kData;
    std::vector<uint32_t> program;
    for (unsigned i = 0; i < count; ++i) program.push_back(ld(3, 2, static_cast<int>(64 * i)));
    EXPECT_EQ(machine.run(program), core::CoreStop::kHart);
    std::vector<uint64_t> cycles;
    for (unsigned i = 0; i < count; ++i) {
      cycles.push_back(machine.commit_cycle(i) - machine.commit_cycle(0));
    }
    return cycles;
  }
};

std::vector<uint64_t> lines(size_t count, uint64_t stride) {
  std::vector<uint64_t> addresses;
  for (size_t i = 0; i < count; ++i) addresses.push_back(kData + stride * i);
  return addresses;
}

core::CoreParams small_caches() {
  core::CoreParams params = plain_core();
  params.memory.l1i = params.memory.l1d = {1024, 2, 64, 2, 8};
  params.memory.l2 = {4096, 4, 64, 9, 8};
  params.memory.bus_latency = 3;
  params.memory.dram_latency = 50;
  params.memory.dram_interval = 5;
  return params;
}

// A change of the small caches, and what a chain of dependent loads around `footprint` then costs.
struct Level {
  const char* name;
  void (*change)(memory::MemoryParams&);
  size_t count;     // lines of the chain
  uint64_t stride;  // between them
  unsigned load;    // cycles a load takes, address generation included
};
void PrintTo(const Level& level, std::ostream* out) { *out << level.name; }

class LoadChain : public testing::TestWithParam<Level> {};

TEST_P(LoadChain, TakesTheLatencyOfTheLevelItsFootprintFitsInto) {
  core::CoreParams params = small_caches();
  GetParam().change(params.memory);
  Hierarchy h(params, false);
  EXPECT_EQ(h.chase(lines(GetParam().count, GetParam().stride)), GetParam().load);
}

constexpr unsigned kL1 = 1 + 2, kL2 = kL1 + 9, kDram = kL2 + 3 + 50 + 3;
using Memory = memory::MemoryParams;

INSTANTIATE_TEST_SUITE_P(
    Keys, LoadChain,
    testing::Values(
        Level{"L1Hit", [](Memory&) {}, 16, 64, kL1},
        Level{"L1LatencyOneLess", [](Memory& m) { m.l1d.latency = 1; }, 16, 64, kL1 - 1},
        Level{"L1LatencyOneMore", [](Memory& m) { m.l1d.latency = 3; }, 16, 64, kL1 + 1},
        Level{"L1SizeOneLineMoreInASet", [](Memory&) {}, 3, 512, kL2},
        Level{"L1SizeDoubled", [](Memory& m) { m.l1d.size = 2048; }, 32, 64, kL1},
        Level{"L1SizeDoubledFromOutside", [](Memory& m) { m.l1d.size = 2048; }, 48, 64, kL2},
        Level{"L1WaysOneWayFits", [](Memory& m) { m.l1d.ways = 1; }, 1, 1024, kL1},
        Level{"L1WaysOneWayConflicts", [](Memory& m) { m.l1d.ways = 1; }, 2, 1024, kL2},
        Level{"L1WaysFourFit", [](Memory& m) { m.l1d.ways = 4; }, 4, 256, kL1},
        Level{"L1WaysFourConflict", [](Memory& m) { m.l1d.ways = 4; }, 5, 256, kL2},
        Level{"L2Hit", [](Memory&) {}, 48, 64, kL2},
        Level{"L2LatencyOneLess", [](Memory& m) { m.l2.latency = 8; }, 48, 64, kL2 - 1},
        Level{"L2LatencyOneMore", [](Memory& m) { m.l2.latency = 10; }, 48, 64, kL2 + 1},
        Level{"L2SizeFits", [](Memory&) {}, 64, 64, kL2},
        Level{"L2SizeTwiceTheFootprint", [](Memory&) {}, 128, 64, kDram},
        Level{"L2SizeDoubled", [](Memory& m) { m.l2.size = 8192; }, 128, 64, kL2},
        Level{"L2WaysFourFit", [](Memory&) {}, 4, 1024, kL2},
        Level{"L2WaysFourConflict", [](Memory&) {}, 5, 1024, kDram},
        Level{"L2WaysEightFit", [](Memory& m) { m.l2.ways = 8; }, 8, 512, kL2},
        Level{"L2WaysEightConflict", [](Memory& m) { m.l2.ways = 8; }, 9, 512, kDram},
        Level{"Dram", [](Memory&) {}, 128, 64, kDram},
        Level{"DramLatencyOneLess", [](Memory& m) { m.dram_latency = 49; }, 128, 64, kDram - 1},
        Level{"DramLatencyOneMore", [](Memory& m) { m.dram_latency = 51; }, 128, 64, kDram + 1},
        Level{"BusLatencyOneLess", [](Memory& m) { m.bus_latency = 2; }, 128, 64, kDram - 2},
        Level{"BusLatencyOneMore", [](Memory& m) { m.bus_latency = 4; }, 128, 64, kDram + 2}),
    [](const auto& level) { return std::string(level.param.name); });

// Lines of L bytes are what decides whether two addresses come together.
class LineSize : public testing::TestWithParam<unsigned> {};

TEST_P(LineSize, IsTheDistanceFromWhichTheNextAddressMisses) {
  core::CoreParams params = small_caches();
  params.memory.l1i.line = params.memory.l1d.line = params.memory.l2.line = GetParam();
  Hierarchy h(params, false);
  // One line: the first load brings it, and the last word of it hits; the next word does not.
  h.chase({kData, kData + GetParam() - 8}, 2);
  EXPECT_EQ(h.l1d.statistics().at("misses"), 1u);
  h.l1d.access(kData + GetParam(), AccessKind::kLoad, 1000000);
  EXPECT_EQ(h.l1d.statistics().at("misses"), 2u);
}

INSTANTIATE_TEST_SUITE_P(Bytes, LineSize, testing::Values(32, 64, 128));

// Misses that overlap come an interval of the DRAM apart; one more than there are miss registers
// starts when the first one's is free.
class MissRegisters : public testing::TestWithParam<unsigned> {};

TEST_P(MissRegisters, OfTheL1LetExactlyTheirNumberOfLoadsOverlap) {
  core::CoreParams params = small_caches();
  params.memory.l1d.mshrs = GetParam();
  Hierarchy h(params, false);
  const std::vector<uint64_t> cycles = h.independent(GetParam() + 1);
  for (unsigned i = 1; i < GetParam(); ++i) EXPECT_EQ(cycles[i], uint64_t{5} * i);
  const unsigned miss = params.memory.l1d.latency + h.below_l1() + h.below_l2();
  // Presented again and accepted in the cycle in which the first line is there.
  EXPECT_EQ(cycles[GetParam()], miss);
}

TEST_P(MissRegisters, OfTheL2LetExactlyTheirNumberOfLoadsOverlap) {
  core::CoreParams params = small_caches();
  params.memory.l2.mshrs = GetParam();
  Hierarchy h(params, false);
  const std::vector<uint64_t> cycles = h.independent(GetParam() + 1);
  for (unsigned i = 1; i < GetParam(); ++i) EXPECT_EQ(cycles[i], uint64_t{5} * i);
  EXPECT_EQ(cycles[GetParam()], h.below_l1() + h.below_l2());
}

INSTANTIATE_TEST_SUITE_P(Number, MissRegisters, testing::Values(1, 2, 3, 4));

class DramInterval : public testing::TestWithParam<unsigned> {};

TEST_P(DramInterval, IsTheDistanceBetweenOverlappingMisses) {
  core::CoreParams params = small_caches();
  params.memory.dram_interval = GetParam();
  Hierarchy h(params, false);
  const std::vector<uint64_t> cycles = h.independent(6);
  for (unsigned i = 1; i < 6; ++i) EXPECT_EQ(cycles[i], uint64_t{GetParam()} * i);
}

INSTANTIATE_TEST_SUITE_P(Cycles, DramInterval, testing::Values(4, 5, 6));

// Straight code, one line of 16 instructions after the other, fetched four a cycle.
struct FetchCase {
  const char* name;
  void (*change)(memory::MemoryParams&);
  unsigned line;  // cycles between the first instructions of two lines, in code that was run before
};
void PrintTo(const FetchCase& c, std::ostream* out) { *out << c.name; }

class InstructionMiss : public testing::TestWithParam<FetchCase> {};

constexpr int kCodeLines = 24;
TEST_P(InstructionMiss, CostsALineOfStraightCodeTheLevelsBelowTheL1) {
  core::CoreParams params = small_caches();
  GetParam().change(params.memory);
  Hierarchy h(params, true);
  // A loop of 24 lines, round twice; the last instruction of a line is a nop like the others.
  std::vector<uint32_t> program(16 * kCodeLines, nop());
  program[16 * kCodeLines - 2] = addi(5, 5, -1);
  program[16 * kCodeLines - 1] = jal(0, -4 * (16 * kCodeLines - 1));
  h.machine.load(program);
  h.machine.hart.state().mode = PrivilegeMode::kUser;
  h.machine.go(20000);
  // The commits of the first instructions of lines 8 and 9 in the third round.
  unsigned round = 0;
  uint64_t eighth = 0, ninth = 0;
  for (const Commit& c : h.machine.commits) {
    if (c.record.pc_rdata == Machine::kCode) ++round;
    if (round != 3) continue;
    if (c.record.pc_rdata == Machine::kCode + 8 * 64) eighth = c.cycle;
    if (c.record.pc_rdata == Machine::kCode + 9 * 64) ninth = c.cycle;
  }
  ASSERT_GE(round, 3u);
  EXPECT_EQ(ninth - eighth, GetParam().line);
}

constexpr unsigned kHit = 4;
INSTANTIATE_TEST_SUITE_P(Keys, InstructionMiss,
                         testing::Values(FetchCase{"L2Hit", [](Memory&) {}, kHit + 9},
                                         FetchCase{"L2LatencyOneMore",
                                                   [](Memory& m) { m.l2.latency = 10; }, kHit + 10},
                                         FetchCase{"L1Hit",
                                                   [](Memory& m) {
                                                     m.l1i = {2048, 32, 64, 2, 8};
                                                   },
                                                   kHit},
                                         FetchCase{"L1SizeOneHalf",
                                                   [](Memory& m) {
                                                     m.l1i = {1024, 16, 64, 2, 8};
                                                   },
                                                   kHit + 9},
                                         FetchCase{"L1WaysConflict",
                                                   [](Memory& m) {
                                                     m.l1i = {2048, 1, 64, 2, 8};
                                                   },
                                                   kHit},
                                         FetchCase{"L1LatencyIsInsideTheFrontEnd",
                                                   [](Memory& m) { m.l1i.latency = 5; }, kHit + 9},
                                         FetchCase{"Dram",
                                                   [](Memory& m) {
                                                     m.l2 = {1024, 16, 64, 9, 8};
                                                   },
                                                   kHit + 9 + 3 + 50 + 3},
                                         FetchCase{"DramLatencyOneMore",
                                                   [](Memory& m) {
                                                     m.l2 = {1024, 16, 64, 9, 8};
                                                     m.dram_latency = 51;
                                                   },
                                                   kHit + 9 + 3 + 51 + 3}),
                         [](const auto& c) { return std::string(c.param.name); });

// A line missed on the wrong path holds its miss register after the branch has resolved.
class InstructionMissRegisters : public testing::TestWithParam<unsigned> {};

TEST_P(InstructionMissRegisters, LetTheRightPathMissBesideTheWrongOneWhenThereAreTwo) {
  core::CoreParams params = small_caches();
  params.memory.l1i.mshrs = GetParam();
  Hierarchy h(params, true);
  // The last instruction of the first line branches far away; static prediction falls through.
  std::vector<uint32_t> program(16, nop());
  program[15] = beq(0, 0, 1024);
  h.machine.load(program);
  h.machine.load(std::vector<uint32_t>(16, nop()), Machine::kCode + 15 * 4 + 1024);
  h.machine.hart.state().mode = PrivilegeMode::kUser;
  h.machine.go(400);
  const uint64_t distance = h.machine.commit_cycle(15 + 256) - h.machine.commit_cycle(15);
  const unsigned below = h.below_l1() + h.below_l2();
  if (GetParam() == 1) {
    // The wrong line is presented a cycle after the branch and is there after a whole miss; only
    // then the right one is. The branch commits front_end_stages + 3 after its fetch.
    EXPECT_EQ(distance, 1 + params.memory.l1i.latency + below + below);
  } else {
    EXPECT_EQ(distance, params.front_end_stages + 2 + below);
  }
}

INSTANTIATE_TEST_SUITE_P(Number, InstructionMissRegisters, testing::Values(1, 2));

}  // namespace
}  // namespace strobe::test
