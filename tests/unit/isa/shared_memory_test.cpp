// Harts that share a memory: their numbers, stores that are not yet visible, reservations.
#include <gtest/gtest.h>

#include "sc_models/isa/memory/store_buffer.h"
#include "tests/unit/isa/machine.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kOtherCode = kCode + 0x1000;

/// Two harts on one memory: the machine's is number 0, `other` number 5.
class Pair : public Machine {
 public:
  Hart other{memory, environment};
  StoreBuffer& stores = hart.share_memory(0);
  StoreBuffer& other_stores = other.share_memory(5);

  Pair() {
    other.state().pc = kOtherCode;
    for (Hart* h : {&hart, &other}) h->state().x[1] = kData;
  }
  void other_code(std::initializer_list<uint32_t> insns) { place(kOtherCode, insns); }
  StepStatus step_other(bool drained = true) { return other.step(record, drained); }
  uint64_t& other_x(unsigned r) { return other.state().x[r]; }
};

uint32_t load(Op op, unsigned rd, int offset) { return encode(op, Fields{rd, 1, 0, 0, offset, 0}); }
uint32_t store(Op op, unsigned source, int offset) {
  return encode(op, Fields{0, 1, source, 0, offset, 0});
}
uint32_t atomic(Op op, unsigned rd, unsigned source) {
  return encode(op, Fields{rd, 1, source, 0, 0, 0});
}

TEST(SharedMemory, GivesEachHartItsNumber) {
  Pair p;
  p.code({csr_insn(Op::kCsrrs, 3, kCsrMhartid, 0)});
  p.other_code({csr_insn(Op::kCsrrs, 3, kCsrMhartid, 0)});
  p.step();
  p.step_other();
  EXPECT_EQ(p.x(3), 0u);
  EXPECT_EQ(p.other_x(3), 5u);
}

TEST(SharedMemory, ShowsAStoreToItsHartAtOnceAndToTheOthersWhenItIsWritten) {
  Pair p;
  p.code({store(Op::kSd, 2, 0), load(Op::kLd, 3, 0)});
  p.other_code({load(Op::kLd, 3, 0), load(Op::kLd, 4, 0)});
  p.x(2) = 0x1234;
  p.step();
  p.step();
  EXPECT_EQ(p.x(3), 0x1234u);
  EXPECT_EQ(p.record.mem_rdata, 0x1234u);
  p.step_other();
  EXPECT_EQ(p.other_x(3), 0u);
  p.stores.write_oldest();
  p.step_other();
  EXPECT_EQ(p.other_x(4), 0x1234u);
}

TEST(SharedMemory, ALoadIsMadeUpOfMemoryAndOfOlderStoresTheYoungestLast) {
  Pair p;
  const uint64_t there = 0x8877665544332211;
  p.memory.write(kData, &there, 8);
  const uint64_t behind = 0xffeeddccbbaa9900;
  p.memory.write(kData + 8, &behind, 8);
  p.code({store(Op::kSw, 2, 2), store(Op::kSb, 4, 3), store(Op::kSd, 2, 12), load(Op::kLd, 3, 0),
          load(Op::kLhu, 5, 4), load(Op::kLd, 6, 7), load(Op::kLb, 7, 3)});
  p.x(2) = 0xa4a3a2a1;
  p.x(4) = 0xb1;
  for (int i = 0; i < 7; ++i) EXPECT_EQ(p.step(), StepStatus::kRetired);
  EXPECT_EQ(p.x(3), 0x8877a4a3b1a12211u);
  EXPECT_EQ(p.x(5), 0xa4a3u);
  EXPECT_EQ(p.x(6), 0xa2a1bbaa990088u | uint64_t{0xa3} << 56) << "the second store reaches in";
  EXPECT_EQ(p.x(7), ~uint64_t{0} << 8 | 0xb1);
  p.stores.write_all();
  EXPECT_EQ(p.read<uint64_t>(kData), 0x8877a4a3b1a12211u) << "and so it is written";
}

TEST(SharedMemory, AtomicsAndFencesWaitForOlderStores) {
  for (const uint32_t insn :
       {encode(Op::kFence), atomic(Op::kAmoaddD, 3, 2), atomic(Op::kLrD, 3, 0)}) {
    Pair p;
    p.other_code({insn});
    EXPECT_EQ(p.step_other(false), StepStatus::kNeedDrain);
    EXPECT_EQ(p.step_other(true), StepStatus::kRetired);
  }
  Machine alone;
  alone.code({encode(Op::kFence)});
  EXPECT_EQ(alone.hart.step(alone.record, false), StepStatus::kRetired);
}

TEST(SharedMemory, AtomicsTakeTheirPlaceAmongTheStores) {
  Pair p;
  p.code({atomic(Op::kLrD, 3, 0), atomic(Op::kScD, 4, 2), atomic(Op::kScD, 5, 2),
          atomic(Op::kAmoaddD, 6, 2), store(Op::kSd, 2, 32)});
  p.x(2) = 7;
  for (int i = 0; i < 5; ++i) p.step();
  EXPECT_EQ(p.x(4), 0u);
  EXPECT_EQ(p.x(5), 1u) << "no reservation any more: it does not reach the cache";
  EXPECT_EQ(p.read<uint64_t>(kData), 14u) << "an atomic is seen at once";
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(p.stores.oldest_first_byte(), kData);
    EXPECT_EQ(p.stores.oldest_last_byte(), kData);
    p.stores.write_oldest();
  }
  EXPECT_EQ(p.stores.oldest_first_byte(), kData + 32);
  EXPECT_EQ(p.stores.oldest_last_byte(), kData + 39);
}

class Breaks : public testing::TestWithParam<std::pair<int, uint64_t>> {};

// A store of eight bytes at an offset from the reserved line, and what the SC says then.
TEST_P(Breaks, AReservationWhenTheStoreIsWritten) {
  const auto [offset, failed] = GetParam();
  Pair p;
  p.x(1) = p.other_x(1) = kData + 64;
  p.code({atomic(Op::kLrD, 3, 0), atomic(Op::kScD, 4, 2)});
  p.other_code({store(Op::kSd, 2, offset)});
  p.step();
  p.step_other();
  EXPECT_EQ(p.hart.state().reservation, kData + 64) << "not yet";
  p.other_stores.write_oldest();
  p.step();
  EXPECT_EQ(p.x(4), failed);
}

INSTANTIATE_TEST_SUITE_P(Offsets, Breaks,
                         testing::Values(std::make_pair(0, 1), std::make_pair(56, 1),
                                         std::make_pair(64, 0), std::make_pair(-8, 0),
                                         std::make_pair(-4, 1), std::make_pair(60, 1)));

TEST(Reservation, IsLostToAnAtomicAndToADebugWrite) {
  Pair p;
  p.code({atomic(Op::kLrD, 3, 0)});
  p.other_code({atomic(Op::kAmoaddD, 3, 2)});
  p.step();
  p.step_other();
  EXPECT_EQ(p.hart.state().reservation, ~uint64_t{0});
  p.hart.state().pc = kCode;
  p.step();
  EXPECT_EQ(p.hart.state().reservation, kData);
  const uint64_t value = 1;
  p.memory.write(kData + 8, &value, 8);  // as a DMA engine does
  EXPECT_EQ(p.hart.state().reservation, ~uint64_t{0});
}

TEST(SharedMemory, IsWrittenAtOnceByTheFunctionalFastPath) {
  Pair p;
  p.code({store(Op::kSd, 2, 0), store(Op::kSd, 2, 8), atomic(Op::kAmoaddD, 3, 2),
          store(Op::kSd, 2, 17), load(Op::kLd, 4, 17)});
  p.other_code({atomic(Op::kLrD, 3, 0)});
  p.x(2) = 9;
  p.step();
  p.step_other();
  EXPECT_EQ(p.other_x(3), 0u);
  EXPECT_EQ(p.hart.run(4), StopReason::kBudget);
  EXPECT_EQ(p.x(3), 9u) << "the first store came before it";
  EXPECT_EQ(p.read<uint64_t>(kData), 18u);
  EXPECT_EQ(p.read<uint64_t>(kData + 8), 9u);
  EXPECT_EQ(p.read<uint64_t>(kData + 17), 9u) << "misaligned: left to step()";
  EXPECT_EQ(p.x(4), 9u);
  EXPECT_EQ(p.other.state().reservation, ~uint64_t{0});
}

}  // namespace
}  // namespace strobe::isa
