// Loads, stores, atomics, devices, and how the record describes them.
#include <gtest/gtest.h>

#include "tests/unit/isa/machine.h"

namespace strobe::isa {
namespace {

TEST(Memory, MisalignedAccessesWorkAlsoAcrossPages) {
  for (bool fast : {false, true}) {
    Machine m;
    m.x(5) = kData + 0xffd;
    m.x(6) = 0x1122334455667788;
    m.code({encode(Op::kSd, Fields{0, 5, 6, 0, 0, 0}), encode(Op::kLd, Fields{7, 5, 0, 0, 0, 0}),
            encode(Op::kLh, Fields{8, 5, 0, 0, 2, 0})});
    if (fast) {
      EXPECT_EQ(m.hart.run(3), StopReason::kBudget);
    } else {
      for (int i = 0; i < 3; ++i) EXPECT_EQ(m.step(), StepStatus::kRetired);
    }
    EXPECT_EQ(m.x(7), 0x1122334455667788u);
    EXPECT_EQ(m.x(8), 0x5566u);
    EXPECT_EQ(m.read<uint64_t>(kData + 0xffd), 0x1122334455667788u);
  }
}

TEST(Memory, AnAccessAcrossPagesNeedsPermissionOnBothAndChangesNothing) {
  for (bool fast : {false, true}) {
    Machine m;
    m.user();
    m.x(5) = kData + 0x1ffc;  // the next page is not mapped
    m.x(6) = ~uint64_t{0};
    m.code({encode(Op::kSd, Fields{0, 5, 6, 0, 0, 0})});
    if (fast) {
      m.hart.run(1);
    } else {
      EXPECT_EQ(m.step(), StepStatus::kTrapped);
    }
    EXPECT_EQ(m.hart.cause(), Cause::kStoreFault);
    EXPECT_EQ(m.hart.tval(), kData + 0x2000) << "the page that refuses";
    EXPECT_EQ(m.read<uint32_t>(kData + 0x1ffc), 0u);
  }
}

TEST(Memory, AnAccessAcrossTheEndOfTheWindowFaults) {
  Machine m;
  m.user();
  m.memory.protect(GuestMemory::kSpan - 0x1000, 0x1000, 3, 3);
  m.x(5) = GuestMemory::kSpan - 4;
  m.code({encode(Op::kLd, Fields{6, 5, 0, 0, 0, 0})});
  EXPECT_EQ(m.step(), StepStatus::kTrapped);
  EXPECT_EQ(m.hart.cause(), Cause::kLoadFault);
}

TEST(Memory, MprvGivesMachineModeTheRightsOfUserMode) {
  Machine m;
  m.hart.state().mtvec = kHandler;
  m.x(5) = kHandler;
  m.code({encode(Op::kLb, Fields{6, 5, 0, 0, 0, 0})});
  EXPECT_EQ(m.step(), StepStatus::kRetired);
  m.hart.state().pc = kCode;
  m.hart.state().mstatus |= kMstatusMprv;  // MPP = U
  m.hart.run(1);
  EXPECT_EQ(m.hart.state().mcause, static_cast<uint64_t>(Cause::kLoadFault));
}

TEST(Memory, LoadsExtendAndTheRecordHoldsTheRawBytes) {
  Machine m;
  m.x(5) = kData;
  m.memory.write(kData, "\x80\xff\xff\xff\xff\xff\xff\xff", 8);
  m.code({encode(Op::kLb, Fields{6, 5, 0, 0, 0, 0}), encode(Op::kLwu, Fields{7, 5, 0, 0, 0, 0}),
          encode(Op::kSh, Fields{0, 5, 6, 0, 8, 0})});
  m.step();
  EXPECT_EQ(m.x(6), ~uint64_t{127});
  EXPECT_EQ(m.record.mem_addr, kData);
  EXPECT_EQ(m.record.mem_rmask, 1);
  EXPECT_EQ(m.record.mem_rdata, 0x80u);
  EXPECT_EQ(m.record.rd_wdata, ~uint64_t{127});
  m.step();
  EXPECT_EQ(m.x(7), 0xffffff80u);
  EXPECT_EQ(m.record.mem_rmask, 15);
  m.step();
  EXPECT_EQ(m.record.mem_wmask, 3);
  EXPECT_EQ(m.record.mem_wdata, 0xff80u);
  EXPECT_EQ(m.record.mem_rmask, 0);
  EXPECT_EQ(m.record.rd_addr, 0);
}

TEST(Atomics, MisalignedOnesTrap) {
  const struct {
    Op op;
    Cause cause;
  } cases[] = {{Op::kLrW, Cause::kLoadMisaligned},
               {Op::kScD, Cause::kStoreMisaligned},
               {Op::kAmoaddW, Cause::kStoreMisaligned},
               {Op::kAmomaxuD, Cause::kStoreMisaligned}};
  for (const auto& c : cases) {
    Machine m;
    m.user();
    m.x(5) = kData + 2;
    m.code({encode(c.op, Fields{6, 5, 0, 0, 0, 0})});
    m.hart.run(1);
    EXPECT_EQ(m.hart.cause(), c.cause) << info(c.op).mnemonic;
    EXPECT_EQ(m.hart.tval(), kData + 2);
  }
}

TEST(Atomics, AnAmoOnReadOnlyMemoryIsAStoreFault) {
  Machine m;
  m.user();
  m.memory.protect(kUnmapped, 0x1000, GuestMemory::kRead, 0);
  m.x(5) = kUnmapped;
  m.code({encode(Op::kAmoaddW, Fields{6, 5, 0, 0, 0, 0})});
  EXPECT_EQ(m.step(), StepStatus::kTrapped);
  EXPECT_EQ(m.hart.cause(), Cause::kStoreFault);
}

TEST(Atomics, ScSucceedsOnceAfterLrOfTheSameAddress) {
  Machine m;
  m.x(5) = kData;
  m.x(6) = kData + 8;
  m.x(7) = 42;
  const uint32_t lr = encode(Op::kLrD, Fields{8, 5, 0, 0, 0, 0});
  m.code({lr, encode(Op::kScD, Fields{9, 5, 7, 0, 0, 0}),
          encode(Op::kScD, Fields{10, 5, 7, 0, 0, 0}), lr,
          encode(Op::kScD, Fields{11, 6, 7, 0, 0, 0}),
          encode(Op::kScD, Fields{12, 5, 7, 0, 0, 0})});
  m.step();
  m.step();
  EXPECT_EQ(m.x(9), 0u);
  EXPECT_EQ(m.read<uint64_t>(kData), 42u);
  EXPECT_EQ(m.record.mem_wmask, 0xff);
  m.step();
  EXPECT_EQ(m.x(10), 1u) << "the reservation is used up";
  EXPECT_EQ(m.record.mem_wmask | m.record.mem_rmask, 0);
  EXPECT_EQ(m.record.mem_addr, 0u);
  m.hart.run(3);
  EXPECT_EQ(m.x(11), 1u) << "another address";
  EXPECT_EQ(m.x(12), 1u) << "a failed sc drops the reservation as well";
}

TEST(Atomics, ATrapDropsTheReservation) {
  Machine m;
  m.user();
  m.x(5) = kData;
  m.code({encode(Op::kLrD, Fields{8, 5, 0, 0, 0, 0}), encode(Op::kEbreak)});
  m.step();
  EXPECT_EQ(m.hart.state().reservation, kData);
  m.step();
  EXPECT_EQ(m.hart.state().reservation, ~uint64_t{0});
}

TEST(Atomics, WordFormsSignExtendTheOldValue) {
  Machine m;
  m.x(5) = kData;
  m.x(6) = 0xffffffff00000001;
  m.memory.write(kData, "\xff\xff\xff\xff\xaa\xaa\xaa\xaa", 8);
  m.code({encode(Op::kAmoaddW, Fields{7, 5, 6, 0, 0, 0}),
          encode(Op::kAmominuW, Fields{8, 5, 6, 0, 0, 0})});
  m.step();
  EXPECT_EQ(m.x(7), ~uint64_t{0});
  EXPECT_EQ(m.read<uint64_t>(kData), 0xaaaaaaaa00000000u);
  EXPECT_EQ(m.record.mem_rdata, 0xffffffffu);
  EXPECT_EQ(m.record.mem_wdata, 0u);
}

TEST(Devices, AreReachedFromMachineModeWithTheirSize) {
  Machine m;
  m.x(5) = STROBE_PROFILER_BASE;
  m.x(6) = 0x1122334455667788;
  m.code({encode(Op::kSw, Fields{0, 5, 6, 0, 4, 0}), encode(Op::kLhu, Fields{7, 5, 0, 0, 2, 0})});
  EXPECT_EQ(m.hart.run(2), StopReason::kBudget);
  ASSERT_EQ(m.environment.accesses.size(), 2u);
  EXPECT_EQ(m.environment.accesses[0], std::make_pair(uint64_t{STROBE_PROFILER_BASE + 4}, 4u));
  EXPECT_EQ(m.environment.accesses[1], std::make_pair(uint64_t{STROBE_PROFILER_BASE + 2}, 2u));
  EXPECT_EQ(m.environment.device_value, 0x55667788u);
  EXPECT_EQ(m.x(7), 0x7788u) << "no more than the access's own bytes";
}

TEST(Devices, AHaltRequestEndsTheRunBehindTheStore) {
  for (bool fast : {false, true}) {
    Machine m;
    m.environment.halt_on_write = &m.hart;
    m.x(5) = STROBE_HOST_BASE;
    m.code(
        {encode(Op::kSw, Fields{0, 5, 0, 0, 0, 0}), encode(Op::kAddi, Fields{1, 0, 0, 0, 1, 0})});
    if (fast) {
      EXPECT_EQ(m.hart.run(100), StopReason::kHalted);
    } else {
      EXPECT_EQ(m.step(), StepStatus::kStopped);
      EXPECT_TRUE(m.hart.record_valid());
      EXPECT_EQ(m.hart.stop_reason(), StopReason::kHalted);
    }
    EXPECT_EQ(m.hart.state().pc, kCode + 4);
    EXPECT_EQ(m.hart.instructions(), 1u);
    EXPECT_EQ(m.hart.run(1), StopReason::kBudget) << "the request is used up";
  }
}

TEST(Drain, SerializingAndDeviceInstructionsWaitAndChangeNothing) {
  const uint32_t waiting[] = {encode(Op::kLw, Fields{1, 5, 0, 0, 0, 0}),
                              encode(Op::kSd, Fields{0, 5, 1, 0, 0, 0}),
                              csr_insn(Op::kCsrrw, 1, kCsrMscratch, 5),
                              encode(Op::kMret),
                              encode(Op::kWfi),
                              encode(Op::kEcall),
                              encode(Op::kFenceI)};
  for (uint32_t insn : waiting) {
    Machine m;
    m.x(5) = STROBE_PROFILER_BASE;
    m.code({insn});
    const HartState before = m.hart.state();
    EXPECT_EQ(m.hart.step(m.record, false), StepStatus::kNeedDrain) << std::hex << insn;
    EXPECT_EQ(std::memcmp(&before, &m.hart.state(), sizeof before), 0);
    EXPECT_TRUE(m.environment.accesses.empty());
    EXPECT_FALSE(m.hart.record_valid());
  }
  const uint32_t going[] = {encode(Op::kLw, Fields{1, 6, 0, 0, 0, 0}), encode(Op::kFence),
                            encode(Op::kAddi, Fields{1, 1, 0, 0, 1, 0})};
  for (uint32_t insn : going) {
    Machine m;
    m.x(6) = kData;
    m.code({insn});
    EXPECT_EQ(m.hart.step(m.record, false), StepStatus::kRetired) << std::hex << insn;
  }
}

}  // namespace
}  // namespace strobe::isa
