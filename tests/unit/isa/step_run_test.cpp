// Hart::step_run does what the same number of step() calls do, and leaves instructions that are not
// plain to step().
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <tuple>

#include "sc_models/isa/memory/store_buffer.h"
#include "sc_models/port/region_marker.h"
#include "tests/unit/isa/lockstep/random_stream.h"
#include "tests/unit/isa/machine.h"

namespace strobe::isa {
namespace {

constexpr unsigned kMost = 8;
constexpr uint64_t kProgram = 0x1000000, kArena = 0x4000000, kArenaSize = 0x3000;

struct Runner {
  explicit Runner(const std::vector<uint8_t>& code, uint64_t seed) : machine(new Machine) {
    lockstep::RandomStream random(seed);
    machine->memory.protect(kProgram, 0x4000, 5, 5);
    machine->memory.protect(kArena, kArenaSize, 3, 3);
    begin = kProgram + 2 * random.below(0x800);
    machine->memory.write(begin, code.data(), code.size());
    for (unsigned i = 1; i < 32; ++i) machine->x(i) = random.integer();
    for (unsigned base : lockstep::kBaseRegisters) {
      machine->x(base) = kArena + 0x1000 + 8 * random.below(0x200);
    }
    for (unsigned i = 0; i < 32; ++i) machine->f(i) = random.binary64();
    for (uint64_t i = 0; i < kArenaSize; i += 8) {
      const uint64_t value = random.integer();
      machine->memory.write(kArena + i, &value, 8);
    }
    machine->hart.set_user_entry(begin, machine->x(2));
    machine->hart.state().fcsr = static_cast<uint32_t>(random.below(5) << 5);
  }
  std::unique_ptr<Machine> machine;
  uint64_t begin;
};

auto fields(const RetireRecord& r) {
  return std::tie(r.order, r.pc_rdata, r.pc_wdata, r.rd_wdata, r.mem_addr, r.mem_rdata, r.mem_wdata,
                  r.insn, r.length, r.rd_addr, r.frd_valid, r.mem_rmask, r.mem_wmask, r.trap,
                  r.intr, r.mode, r.itype, r.opclass, r.injected, r.mispredicted, r.in_burst);
}
bool same(const RetireRecord& a, const RetireRecord& b) { return fields(a) == fields(b); }

void expect_same_state(Machine& a, Machine& b) {
  const HartState &s = a.hart.state(), &t = b.hart.state();
  EXPECT_EQ(std::memcmp(s.x, t.x, sizeof s.x), 0);
  EXPECT_EQ(std::memcmp(s.f, t.f, sizeof s.f), 0);
  EXPECT_EQ(s.pc, t.pc);
  EXPECT_EQ(s.fcsr, t.fcsr);
  EXPECT_EQ(s.mstatus, t.mstatus);
  EXPECT_EQ(std::memcmp(a.memory.data() + kArena, b.memory.data() + kArena, kArenaSize), 0);
  EXPECT_EQ(a.hart.user_instructions(), b.hart.user_instructions());
}

/// The parameter: whether the hart that runs shares its memory, so that its stores wait.
class StepRun : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Memory, StepRun, testing::Bool(),
                         [](const auto& shared) { return shared.param ? "Shared" : "Alone"; });

TEST_P(StepRun, OfRandomInstructionsIsWhatStepDoes) {
  uint64_t together = 0, alone = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const std::vector<uint8_t> code = lockstep::RandomStream(seed).code(160);
    const Runner one(code, seed), several(code, seed);
    lockstep::RandomStream random(seed + 1000);
    StoreBuffer* const stores = GetParam() ? &several.machine->hart.share_memory(0) : nullptr;
    for (;;) {
      RetireRecord records[kMost];
      const DecodedInsn* insns[kMost];
      const auto most = 1 + static_cast<unsigned>(random.below(kMost));
      const unsigned count = several.machine->hart.step_run(records, insns, most);
      ASSERT_LE(count, most);
      for (unsigned i = 0; i < count; ++i) {
        ASSERT_EQ(one.machine->step(), StepStatus::kRetired);
        ASSERT_TRUE(same(one.machine->record, records[i])) << "seed " << seed;
        ASSERT_EQ(insns[i]->insn, records[i].insn);
      }
      together += count;
      if (count != 0) continue;
      ++alone;
      if (stores != nullptr) stores->write_all();  // an atomic requires it
      const StepStatus status = several.machine->step();
      ASSERT_EQ(one.machine->step(), status);
      if (status != StepStatus::kRetired) break;
      ASSERT_TRUE(same(one.machine->record, several.machine->record)) << "seed " << seed;
    }
    if (stores != nullptr) stores->write_all();
    expect_same_state(*one.machine, *several.machine);
  }
  EXPECT_GT(together, 2 * alone);
}

class StepRunOf : public testing::Test {
 protected:
  unsigned run() { return m.hart.step_run(records, insns, kMost); }
  Machine m;
  RetireRecord records[kMost];
  const DecodedInsn* insns[kMost];
  const uint32_t add = encode(Op::kAddi, Fields{5, 5, 0, 0, 1, 0});
};

TEST_F(StepRunOf, NothingPlainIsNothing) {
  for (const uint32_t first :
       {encode(Op::kEcall), encode(Op::kFenceI), encode(Op::kFence),
        encode(Op::kLd, Fields{6, 0, 0, 0, 0, 0}), encode(Op::kSd, Fields{0, 0, 6, 0, 8, 0}),
        csr_insn(Op::kCsrrs, 6, 0xc00, 0), encode(Op::kAmoaddD, Fields{6, 7, 8, 0, 0, 0}), 0u}) {
    Machine fresh;
    fresh.code({first, add});
    fresh.hart.state().pc = kCode;
    EXPECT_EQ(fresh.hart.step_run(records, insns, kMost), 0u) << std::hex << first;
    EXPECT_EQ(fresh.hart.state().pc, kCode);
    EXPECT_EQ(fresh.hart.instructions(), 0u);
  }
}

TEST_F(StepRunOf, StraightCodeEndsBehindAJumpOrAtTheFirstThatIsNotPlain) {
  m.code({add, add, encode(Op::kJal, Fields{0, 0, 0, 0, 8, 0}), add, add, encode(Op::kEcall)});
  EXPECT_EQ(run(), 3u);
  EXPECT_EQ(m.hart.state().pc, kCode + 16);
  EXPECT_EQ(records[2].itype, IType::kDirectTailCall);
  EXPECT_EQ(run(), 1u);
  EXPECT_EQ(run(), 0u);
  EXPECT_EQ(m.x(5), 3u);
}

TEST_F(StepRunOf, WhatWritesRegister0HasNoDestination) {
  m.code({encode(Op::kAddi, Fields{0, 5, 0, 0, 7, 0}),
          encode(Op::kLui, Fields{0, 0, 0, 0, 4096, 0}),
          encode(Op::kJalr, Fields{0, 5, 0, 0, 0, 0})});
  m.x(5) = kCode + 64;
  EXPECT_EQ(run(), 3u);
  EXPECT_EQ(m.x(0), 0u);
  EXPECT_EQ(m.hart.state().pc, kCode + 64);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(records[i].rd_addr, 0);
    EXPECT_EQ(records[i].rd_wdata, 0u);
  }
}

TEST_F(StepRunOf, ARunEndsWithItsPageAndAnInstructionAcrossPagesIsLeftToStep) {
  const uint64_t behind = kCode + GuestMemory::kPageSize;
  m.place(behind - 8, {add, add, add});
  m.hart.state().pc = behind - 8;
  EXPECT_EQ(run(), 2u);
  EXPECT_EQ(m.hart.state().pc, behind);
  EXPECT_EQ(run(), 1u);

  Machine across;
  across.place(behind - 6, {add, add, add});
  across.hart.state().pc = behind - 6;
  EXPECT_EQ(across.hart.step_run(records, insns, kMost), 1u);
  EXPECT_EQ(across.hart.step_run(records, insns, kMost), 0u);
  EXPECT_EQ(across.step(), StepStatus::kRetired);
  EXPECT_EQ(across.hart.step_run(records, insns, kMost), 1u);
}

TEST_F(StepRunOf, AnOddAddressIsNone) {
  m.code({add, add});
  EXPECT_EQ(run(), 2u);
  m.hart.state().pc = kCode + 1;
  EXPECT_EQ(run(), 0u);
}

TEST_F(StepRunOf, AnInterruptHandlersFirstInstructionIsLeftToStep) {
  m.user();
  m.place(kHandler, {add, add});
  m.code({add});
  m.hart.state().mie = ~uint64_t{0};
  m.hart.set_interrupt(Interrupt::kProfiler, true);
  m.hart.take_interrupt();
  EXPECT_EQ(run(), 0u);
  EXPECT_EQ(m.step(), StepStatus::kRetired);
  EXPECT_EQ(m.record.intr, 1);
  EXPECT_GT(run(), 0u);
  EXPECT_EQ(records[0].intr, 0);
  EXPECT_EQ(records[0].mode, PrivilegeMode::kMachine);
}

TEST_F(StepRunOf, WhatAStopPointCountsIsLeftToStep) {
  m.code({add, add, add});
  StopPoint point;
  point.pc = kCode + 4;
  m.hart.set_stop_point(point);
  EXPECT_EQ(run(), 0u);
  m.hart.set_stop_point(StopPoint());
  EXPECT_EQ(run(), 3u);
}

TEST_F(StepRunOf, AHaltRequestIsLeftToStep) {
  m.code({add, add});
  m.hart.request_halt();
  EXPECT_EQ(run(), 0u);
  EXPECT_EQ(m.step(), StepStatus::kStopped);
}

TEST_F(StepRunOf, AHartAmongOthersSeesItsStoresAndTheOthersDoNot) {
  StoreBuffer& stores = m.hart.share_memory(1);
  m.x(1) = kData;
  m.x(6) = 0x1122334455667788;
  m.x(7) = 0xaa;
  m.code({encode(Op::kSd, Fields{0, 1, 6, 0, 8, 0}), encode(Op::kSb, Fields{0, 1, 7, 0, 10, 0}),
          encode(Op::kLw, Fields{8, 1, 0, 0, 8, 0}), encode(Op::kLd, Fields{9, 1, 0, 0, 0, 0}),
          encode(Op::kEcall)});
  EXPECT_EQ(run(), 4u);
  EXPECT_EQ(m.x(8), 0x55aa7788u);
  EXPECT_EQ(records[2].mem_rdata, 0x55aa7788u);
  EXPECT_EQ(m.x(9), 0u);
  EXPECT_EQ(m.memory.data()[kData + 8], 0);
  stores.write_oldest();
  EXPECT_EQ(m.memory.data()[kData + 8], 0x88);
  EXPECT_EQ(m.memory.data()[kData + 10], 0x66);
  stores.write_oldest();
  EXPECT_EQ(m.memory.data()[kData + 10], 0xaa);
}

}  // namespace
}  // namespace strobe::isa
