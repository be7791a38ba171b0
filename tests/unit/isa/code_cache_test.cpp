// The memory of decoded code is bounded, and after a fence.i only written code is decoded again.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <functional>

#include "sc_models/isa/hart/blocks.h"
#include "sc_models/isa/hart/decode_cache.h"
#include "sc_models/isa/hart/hart_run.h"
#include "tests/unit/isa/machine.h"

namespace strobe::isa {
namespace {

uint32_t add_to(unsigned rd, int32_t amount) {
  return encode(Op::kAddi, Fields{rd, rd, 0, 0, amount, 0});
}

/// Bare memory with two pages of code and what is decoded of it.
struct Decoded {
  Decoded() { memory.protect(kCode, 2 * GuestMemory::kPageSize, 5, 7); }
  // A store of the guest. Unlike GuestMemory::write() it notifies no listener.
  void store(uint64_t address, uint32_t insn, size_t bytes = 4) {
    std::memcpy(memory.data() + address, &insn, bytes);
  }
  GuestMemory memory;
  DecodeCache cache{memory};
};

TEST(DecodeCache, APageThatIsAsItWasStaysDecodedAfterAFence) {
  Decoded d;
  d.store(kCode, add_to(7, 1));
  EXPECT_EQ(d.cache.at(kCode).imm, 1);
  d.cache.distrust();
  EXPECT_NE(d.cache.page_of(kCode)->length, 0);
}

TEST(DecodeCache, AWrittenPageIsDecodedAgainAfterAFenceAndNotBefore) {
  Decoded d;
  d.store(kCode, add_to(7, 1));
  EXPECT_EQ(d.cache.at(kCode).imm, 1);
  d.store(kCode, add_to(7, 2));
  EXPECT_EQ(d.cache.at(kCode).imm, 1);
  d.cache.distrust();
  EXPECT_EQ(d.cache.at(kCode).imm, 2);
}

TEST(DecodeCache, AnInstructionAcrossAPageEndSeesBothPages) {
  Decoded d;
  const uint64_t across = kCode + GuestMemory::kPageSize - 2;
  d.store(across, add_to(7, 1));
  EXPECT_EQ(d.cache.at(across).imm, 1);
  d.store(across, add_to(7, 2));  // the immediate is in the second half
  d.cache.distrust();
  EXPECT_EQ(d.cache.at(across).imm, 2);
}

TEST(DecodeCache, AnInstructionOlderThanItsNeighborIsDecodedAgainAfterAFence) {
  Decoded d;
  d.store(kCode, add_to(7, 1));
  EXPECT_EQ(d.cache.at(kCode).imm, 1);
  d.store(kCode, add_to(7, 2));
  d.cache.at(kCode + 2);  // the half that was written, without a fence
  d.cache.distrust();
  EXPECT_EQ(d.cache.at(kCode).imm, 2);
  d.store(kCode + 8, add_to(7, 3));
  EXPECT_EQ(d.cache.at(kCode + 8).imm, 3);  // written after the page was looked at
  d.store(kCode + 8, 0);                    // and then as it was before
  d.cache.distrust();
  EXPECT_NE(d.cache.at(kCode + 8).imm, 3);
}

TEST(DecodeCache, HasRoomForABoundedNumberOfPages) {
  Decoded d;
  uint64_t page = 0;
  while (d.cache.has_room_for(page * GuestMemory::kPageSize)) {
    d.cache.at(page++ * GuestMemory::kPageSize);
    ASSERT_LE(page, DecodeCache::kMostPages);
  }
  EXPECT_EQ(page, DecodeCache::kMostPages);
  EXPECT_TRUE(d.cache.has_room_for(0)) << "it is held";
  d.cache.clear();
  EXPECT_TRUE(d.cache.has_room_for(page * GuestMemory::kPageSize));
}

constexpr uint64_t kBigCode = 0x100000;
constexpr uint64_t kBigPages = 3 * DecodeCache::kMostPages;
constexpr uint64_t kBigRounds = 2;

// More pages of code than the cache holds, executed twice: of each page an addition and a jump to
// the next one, from the last one back to the first.
void make_big(Machine& m) {
  m.memory.protect(kBigCode, kBigPages * GuestMemory::kPageSize, 5, 7);
  for (uint64_t page = 0; page < kBigPages; ++page) {
    const uint64_t at = kBigCode + page * GuestMemory::kPageSize;
    const uint32_t next = encode(Op::kJal, Fields{0, 0, 0, 0, 0x1000 - 4, 0});
    m.place(at, {add_to(7, 1), page + 1 < kBigPages ? next : encode(Op::kJalr, Fields{0, 5, 0})});
  }
  m.x(5) = m.hart.state().pc = kBigCode;
}

TEST(CodeCaches, ProgramsLargerThanTheyAreExecuteRightInEveryWay) {
  for (const int way : {0, 1, 2}) {
    Machine m;
    make_big(m);
    struct {
      void record(const RetireRecord&) const {}
    } sink;
    RetireRecord records[8];
    const DecodedInsn* insns[8];
    const uint64_t all = 2 * kBigPages * kBigRounds;
    if (way == 0) {
      m.hart.run(all);
    } else if (way == 1) {
      m.hart.run_observed(all, sink);
    } else {
      while (m.hart.instructions() < all) {
        const unsigned most =
            static_cast<unsigned>(std::min<uint64_t>(8, all - m.hart.instructions()));
        const unsigned count = m.hart.step_run(records, insns, most);
        ASSERT_GT(count, 0u);
        for (unsigned i = 0; i < count; ++i) EXPECT_EQ(insns[i]->insn, records[i].insn);
      }
    }
    EXPECT_EQ(m.x(7), kBigPages * kBigRounds) << "way " << way;
    EXPECT_EQ(m.hart.state().pc, kBigCode) << "way " << way;
    EXPECT_EQ(m.hart.instructions(), all) << "way " << way;
  }
}

TEST(CodeCaches, MoreBlocksThanTheyHoldExecuteRight) {
  Machine m;
  constexpr uint64_t kJumps = 3 * BlockCache::kMostBlocks;
  m.memory.protect(kBigCode, kJumps * 2 + GuestMemory::kPageSize, 5, 7);
  for (uint64_t i = 0; i < kJumps; ++i) {
    const uint16_t jump = 0xa009;  // c.j .+2
    std::memcpy(m.memory.data() + kBigCode + 2 * i, &jump, sizeof jump);
  }
  m.hart.state().pc = kBigCode;
  EXPECT_EQ(m.hart.run(kJumps), StopReason::kBudget);
  EXPECT_EQ(m.hart.state().pc, kBigCode + 2 * kJumps);
  EXPECT_EQ(m.hart.instructions(), kJumps);
}

// The function that is called, directly and by its address, is another one after each fence.
TEST(CodeCaches, ABlockIsNotFollowedByWhatWasThereBeforeAFence) {
  Machine m;
  m.memory.protect(kCode, 0x2000, 7, 7);
  const uint64_t function = kCode + 0x1000;
  m.x(5) = function;
  m.x(6) = add_to(7, 1);
  m.code({encode(Op::kSw, Fields{0, 5, 6, 0, 0, 0}), encode(Op::kFenceI),
          encode(Op::kJal, Fields{1, 0, 0, 0, 0x1000 - 8, 0}),
          encode(Op::kJalr, Fields{1, 5, 0, 0, 0, 0}), encode(Op::kJalr, Fields{1, 5, 0, 0, 0, 0}),
          encode(Op::kAdd, Fields{6, 6, 8, 0, 0, 0}),  // an immediate one higher
          encode(Op::kJal, Fields{0, 0, 0, 0, -24, 0})});
  m.place(function, {add_to(7, 0), encode(Op::kJalr, Fields{0, 1, 0, 0, 0, 0})});
  m.x(8) = uint64_t{1} << 20;
  constexpr uint64_t kRounds = 100, kRound = 7 + 3 * 2;
  m.hart.run(kRounds * kRound);
  EXPECT_EQ(m.hart.state().pc, kCode);
  EXPECT_EQ(m.x(7), 3 * kRounds * (kRounds + 1) / 2);
}

double seconds_of(const std::function<void()>& work) {
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double begin = now();
  work();
  return now() - begin;
}

// Dropping all that is decoded makes the loop some 2000 times slower than without a fence.
TEST(CodeCaches, AFenceInALoopCostsLittle) {
  constexpr uint64_t kRounds = 100'000, kRound = 12;
  const auto loop = [](uint32_t insn) {
    Machine m;
    m.code({insn, add_to(1, 1), add_to(2, 1), add_to(3, 1), add_to(4, 1), add_to(1, 1),
            add_to(2, 1), add_to(3, 1), add_to(4, 1), add_to(1, 1), add_to(2, 1),
            encode(Op::kJal, Fields{0, 0, 0, 0, -44, 0})});
    const double seconds = seconds_of([&] { m.hart.run(kRounds * kRound); });
    EXPECT_EQ(m.x(4), 2 * kRounds);
    return seconds;
  };
  double with = 1e9, without = 1e9;
  for (int i = 0; i < 3; ++i) {
    with = std::min(with, loop(encode(Op::kFenceI)));
    without = std::min(without, loop(encode(Op::kFence)));
  }
  EXPECT_LT(with, 200 * without) << with << " s and " << without << " s";
}

}  // namespace
}  // namespace strobe::isa
