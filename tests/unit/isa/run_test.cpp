// The three ways to execute agree, budgets are exact, and changed code is seen.
#include <gtest/gtest.h>

#include "sc_models/isa/hart/hart_run.h"
#include "sc_models/port/region_marker.h"
#include "tests/unit/isa/machine.h"

namespace strobe::isa {
namespace {

// x1 counts down, x2 sums; 4 instructions a round.
const std::initializer_list<uint32_t> kLoop = {
    encode(Op::kAdd, Fields{2, 2, 1, 0, 0, 0}), encode(Op::kAddi, Fields{1, 1, 0, 0, -1, 0}),
    encode(Op::kBne, Fields{0, 1, 0, 0, -8, 0}), encode(Op::kEcall)};

TEST(Run, ExecutesExactlyTheBudget) {
  for (uint64_t budget : {uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{100}, uint64_t{101}}) {
    Machine m;
    m.code(kLoop);
    m.x(1) = 1000;
    EXPECT_EQ(m.hart.run(budget), StopReason::kBudget);
    EXPECT_EQ(m.hart.instructions(), budget);
    EXPECT_EQ(m.hart.state().pc, kCode + 4 * (budget % 3));
  }
}

struct Collector {
  std::vector<RetireRecord> records;
  void record(const RetireRecord& r) { records.push_back(r); }
};

TEST(Run, ObservedAndSteppedAndFastEndAlike) {
  Machine fast, observed, stepped;
  Collector sink;
  std::vector<RetireRecord> records;
  for (Machine* m : {&fast, &observed, &stepped}) {
    m->user();
    m->code(kLoop);
    m->x(1) = 50;
  }
  EXPECT_EQ(fast.hart.run(1000), StopReason::kEcallStop);
  EXPECT_EQ(observed.hart.run_observed(1000, sink), StopReason::kEcallStop);
  while (stepped.step() == StepStatus::kRetired) records.push_back(stepped.record);
  EXPECT_EQ(fast.x(2), 1275u);
  EXPECT_EQ(observed.x(2), 1275u);
  EXPECT_EQ(stepped.x(2), 1275u);
  EXPECT_EQ(fast.hart.user_instructions(), 150u);
  ASSERT_EQ(sink.records.size(), 150u);
  ASSERT_EQ(records.size(), 150u);
  for (size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(sink.records[i].order, i);
    EXPECT_EQ(sink.records[i].pc_rdata, records[i].pc_rdata);
    EXPECT_EQ(sink.records[i].pc_wdata, records[i].pc_wdata);
    EXPECT_EQ(sink.records[i].rd_wdata, records[i].rd_wdata);
    EXPECT_EQ(sink.records[i].itype, records[i].itype);
  }
  EXPECT_EQ(sink.records[2].itype, IType::kBranchTaken);
  EXPECT_EQ(sink.records[149].itype, IType::kBranchNotTaken);
}

TEST(Run, InstructionsThatWriteX0LeaveItZero) {
  Machine m;
  m.x(5) = kData;
  m.memory.write(kData, "\x07\0\0\0\0\0\0\0", 8);
  m.code({encode(Op::kAddi, Fields{0, 5, 0, 0, 1, 0}), encode(Op::kLd, Fields{0, 5, 0, 0, 0, 0}),
          encode(Op::kAmoaddD, Fields{0, 5, 5, 0, 0, 0}),
          encode(Op::kJal, Fields{0, 0, 0, 0, 4, 0}), encode(Op::kFeqS, Fields{0, 1, 2, 0, 0, 0}),
          encode(Op::kAddi, Fields{6, 0, 0, 0, 3, 0})});
  EXPECT_EQ(m.hart.run(6), StopReason::kBudget);
  EXPECT_EQ(m.x(0), 0u);
  EXPECT_EQ(m.x(6), 3u);
  EXPECT_EQ(m.read<uint64_t>(kData), kData + 7) << "the amo itself happens";
}

TEST(Run, FenceIMakesStoredCodeVisible) {
  for (bool fast : {false, true}) {
    Machine m;
    m.x(5) = kCode + 8;
    m.x(6) = encode(Op::kAddi, Fields{7, 0, 0, 0, 2, 0});
    m.code({encode(Op::kSw, Fields{0, 5, 6, 0, 0, 0}), encode(Op::kFenceI),
            encode(Op::kAddi, Fields{7, 0, 0, 0, 1, 0})});
    const auto go = [&](uint64_t n) {
      if (fast) {
        m.hart.run(n);
      } else {
        for (uint64_t i = 0; i < n; ++i) m.step();
      }
    };
    m.hart.state().pc = kCode + 8;
    go(1);
    EXPECT_EQ(m.x(7), 1u);
    m.hart.state().pc = kCode;
    go(3);
    EXPECT_EQ(m.x(7), 2u);
  }
}

TEST(Run, CodeWrittenByTheHostIsSeenAtOnceAndDataDoesNotDropCode) {
  Machine m;
  m.code({encode(Op::kAddi, Fields{7, 0, 0, 0, 1, 0})});
  m.hart.run(1);
  const uint64_t epoch = m.memory.code_epoch();
  m.memory.write(kData, "data", 4);
  m.memory.protect(kUnmapped, 0x1000, 3, 3);
  EXPECT_EQ(m.memory.code_epoch(), epoch);
  m.code({encode(Op::kAddi, Fields{7, 0, 0, 0, 2, 0})});
  EXPECT_GT(m.memory.code_epoch(), epoch);
  m.hart.state().pc = kCode;
  m.hart.run(1);
  EXPECT_EQ(m.x(7), 2u);
}

TEST(Run, LosingExecutePermissionStopsAKnownBlock) {
  Machine m;
  m.user();
  m.code(kLoop);
  m.x(1) = 1000;
  m.hart.run(30);
  m.memory.protect(kCode, 0x1000, GuestMemory::kRead, 0);
  m.hart.run(1);
  EXPECT_EQ(m.hart.cause(), Cause::kFetchFault);
}

TEST(Run, ModesDoNotShareBlocks) {
  Machine m;
  m.hart.state().mtvec = kHandler;
  m.memory.protect(kCode, 0x1000, 0, 7);  // M-mode only
  m.code(kLoop);
  m.x(1) = 100;
  m.hart.run(3);
  m.hart.state().mode = PrivilegeMode::kUser;
  m.hart.state().pc = kCode;
  m.hart.run(1);
  EXPECT_EQ(m.hart.cause(), Cause::kFetchFault);
}

TEST(Peek, IsSafeAnywhereAndHasNoEffect) {
  Machine m;
  m.user();
  m.code({encode(Op::kJal, Fields{1, 0, 0, 0, 16, 0}), 0x0000});
  const DecodedInsn* d = m.hart.peek(kCode);
  ASSERT_NE(d, nullptr);
  EXPECT_EQ(d->op, static_cast<uint16_t>(Op::kJal));
  EXPECT_EQ(d->imm, 16);
  EXPECT_EQ(d->dst, 1);
  EXPECT_EQ(d->opclass, OpClass::kCall);
  ASSERT_NE(m.hart.peek(kCode + 4), nullptr);
  EXPECT_EQ(m.hart.peek(kCode + 4)->op, 0) << "illegal";
  EXPECT_EQ(m.hart.peek(kCode + 1), nullptr);
  EXPECT_EQ(m.hart.peek(kHandler), nullptr) << "not for U-mode";
  EXPECT_EQ(m.hart.peek(kUnmapped), nullptr);
  EXPECT_EQ(m.hart.peek(GuestMemory::kSpan), nullptr);
  EXPECT_EQ(m.hart.peek(~uint64_t{1}), nullptr);
  EXPECT_EQ(m.hart.instructions(), 0u);
  EXPECT_EQ(m.hart.state().pc, kCode);
}

TEST(Record, JumpsHaveTheirTraceTypesAndClasses) {
  const struct {
    uint32_t insn;
    IType itype;
    OpClass opclass;
  } cases[] = {
      {encode(Op::kJal, Fields{1, 0, 0, 0, 8, 0}), IType::kDirectCall, OpClass::kCall},
      {encode(Op::kJal, Fields{0, 0, 0, 0, 8, 0}), IType::kDirectTailCall, OpClass::kJump},
      {encode(Op::kJal, Fields{7, 0, 0, 0, 8, 0}), IType::kOtherDirectJump, OpClass::kJump},
      {encode(Op::kJalr, Fields{1, 6, 0, 0, 0, 0}), IType::kIndirectCall, OpClass::kCallIndirect},
      {encode(Op::kJalr, Fields{1, 1, 0, 0, 0, 0}), IType::kIndirectCall, OpClass::kCallIndirect},
      {encode(Op::kJalr, Fields{1, 5, 0, 0, 0, 0}), IType::kCoroutineSwap, OpClass::kCallIndirect},
      {encode(Op::kJalr, Fields{0, 1, 0, 0, 0, 0}), IType::kReturn, OpClass::kReturn},
      {encode(Op::kJalr, Fields{7, 5, 0, 0, 0, 0}), IType::kReturn, OpClass::kReturn},
      {encode(Op::kJalr, Fields{0, 6, 0, 0, 0, 0}), IType::kIndirectTailCall,
       OpClass::kJumpIndirect},
      {encode(Op::kJalr, Fields{7, 6, 0, 0, 0, 0}), IType::kOtherIndirectJump,
       OpClass::kJumpIndirect},
  };
  for (const auto& c : cases) {
    Machine m;
    m.x(1) = m.x(5) = m.x(6) = kCode + 8;
    m.code({c.insn});
    EXPECT_EQ(m.step(), StepStatus::kRetired);
    EXPECT_EQ(m.record.itype, c.itype) << std::hex << c.insn;
    EXPECT_EQ(m.record.opclass, c.opclass) << std::hex << c.insn;
    EXPECT_EQ(m.record.pc_wdata, kCode + 8);
    EXPECT_EQ(m.hart.state().pc, kCode + 8);
  }
}

TEST(Record, ACompressedInstructionIsExpandedAndTwoLong) {
  Machine m;
  m.x(10) = 40;
  m.code({0x0509});  // c.addi a0, 2
  EXPECT_EQ(m.step(), StepStatus::kRetired);
  EXPECT_EQ(m.record.length, 2);
  EXPECT_EQ(m.record.insn, encode(Op::kAddi, Fields{10, 10, 0, 0, 2, 0}));
  EXPECT_EQ(m.record.rd_addr, 10);
  EXPECT_EQ(m.record.rd_wdata, 42u);
  EXPECT_EQ(m.record.pc_wdata, kCode + 2);
}

TEST(Record, FloatResultsAreBoxedAndFlaggedAsSuch) {
  Machine m;
  m.x(5) = 0x3f800000;
  m.code({encode(Op::kFmvWX, Fields{3, 5, 0, 0, 0, 0})});
  m.step();
  EXPECT_EQ(m.record.frd_valid, 1);
  EXPECT_EQ(m.record.rd_addr, 0);
  EXPECT_EQ(m.record.rd_wdata, 0xffffffff3f800000u);
  EXPECT_EQ(m.record.opclass, OpClass::kFp);
}

// Round the loop 50 times: the branch at kCode + 8 is executed 50 times.
TEST(StopPoint, IsBeforeTheOccurrenceOfItsInstructionInEveryWayToExecute) {
  const auto machine = [](Machine& m, uint64_t occurrence) {
    m.user();
    m.code(kLoop);
    m.x(1) = 50;
    StopPoint point;
    point.pc = kCode + 8;
    point.occurrence = occurrence;
    m.hart.set_stop_point(point);
  };
  for (const uint64_t occurrence : {1, 2, 50}) {
    Machine fast, observed, stepped;
    Collector sink;
    machine(fast, occurrence);
    EXPECT_EQ(fast.hart.run(1000), StopReason::kStopPoint);
    machine(observed, occurrence);
    EXPECT_EQ(observed.hart.run_observed(1000, sink), StopReason::kStopPoint);
    machine(stepped, occurrence);
    while (stepped.step() == StepStatus::kRetired) continue;
    EXPECT_EQ(stepped.hart.stop_reason(), StopReason::kStopPoint);
    EXPECT_FALSE(stepped.hart.record_valid());
    for (Machine* m : {&fast, &observed, &stepped}) {
      EXPECT_EQ(m->hart.state().pc, kCode + 8);
      EXPECT_EQ(m->hart.instructions(), 3 * occurrence - 1);
      EXPECT_EQ(m->hart.run(1000), StopReason::kEcallStop) << "it is gone";
    }
  }
  Machine beyond;
  machine(beyond, 51);
  EXPECT_EQ(beyond.hart.run(1000), StopReason::kEcallStop);
  EXPECT_EQ(beyond.hart.stop_point_passes(), 50u);
}

TEST(StopPoint, IsBehindTheOccurrenceOfItsMarkerAndOfNoOther) {
  for (const uint64_t occurrence : {1, 3}) {
    Machine m;
    m.user();
    m.code({marker_insn(6), marker_insn(7), encode(Op::kAddi, Fields{1, 1, 0, 0, -1, 0}),
            encode(Op::kBne, Fields{0, 1, 0, 0, -12, 0}), encode(Op::kEcall)});
    m.x(1) = 10;
    StopPoint point;
    point.marker = 7;
    point.occurrence = occurrence;
    m.hart.set_stop_point(point);
    EXPECT_EQ(m.hart.run(1000), StopReason::kStopPoint);
    EXPECT_EQ(m.hart.state().pc, kCode + 8);
    EXPECT_EQ(m.hart.instructions(), 4 * (occurrence - 1) + 2);
    EXPECT_EQ(m.x(0), 0u);
    EXPECT_EQ(m.hart.run(1000), StopReason::kEcallStop);
  }
}

}  // namespace
}  // namespace strobe::isa
