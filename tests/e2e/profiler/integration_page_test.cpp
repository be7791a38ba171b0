// The code of docs/integration.md, as it stands there, drives the attached profiler: a driver that
// follows the page ends, also when the buffer or the ring is full.
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <stdexcept>

#include "sw/guest/include/strobe/registers.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/e2e/profiler/attached_board.h"

namespace strobe::e2e {
namespace {

constexpr uint64_t kBufferDepth = 256, kStrata = 2048, kRing = 0x8000;

const RvfiTrace& trace() {
  static const RvfiTrace trace(workload("paths"));
  return trace;
}

struct Taken {
  uint64_t pc, value, tag, count;
};

/// What the page's code uses, on the board; and the page's code.
struct PageCode {
  Board board{trace()};
  std::vector<Taken> taken;
  std::map<uint64_t, uint64_t> memory;
  size_t written = 0;  // words of the board that are in `memory`
  unsigned accesses = 0;

  /// A driver that waits for what never comes is stopped here.
  void count_access(uint64_t address) {
    if (++accesses > 200'000)
      throw std::runtime_error("the page's code waits forever, at last for register " +
                               std::to_string(address));
  }
  uint64_t read_register(uint16_t address) {
    count_access(address);
    return board.read(address);
  }
  void write_register(uint16_t address, uint64_t data) {
    count_access(address);
    EXPECT_EQ(board.write(address, data), 0u) << address;
  }
  uint64_t read_memory(uint64_t address) {
    board.cycle();
    for (; written < board.written().size(); ++written)
      memory[board.written()[written].first] = board.written()[written].second;
    return memory[address];
  }
  void take(uint64_t pc, uint64_t value, uint64_t tag, uint64_t count) {
    taken.push_back({pc, value, tag, count});
  }

#include "integration_page.inc"

  uint64_t level() {
    return (read_register(STROBE_REG_STATUS) & STROBE_STATUS_LEVEL_MASK) >>
           STROBE_STATUS_LEVEL_SHIFT;
  }
  void run_until_stalls() {
    while (read_register(STROBE_REG_STALLS) == 0) ASSERT_FALSE(board.done());
  }
  void expect_conserved() {
    const uint64_t counts =
        std::accumulate(taken.begin(), taken.end(), uint64_t{0},
                        [](uint64_t sum, const Taken& t) { return sum + t.count; });
    EXPECT_EQ(read_register(STROBE_REG_EVENTS),
              counts + held(kStrata) + read_register(STROBE_REG_DROPPED));
  }
};

TEST(IntegrationPage, TheBlockIsThereAndItsTestInterruptArrives) {
  PageCode page;
  EXPECT_TRUE(page.is_there());
  EXPECT_FALSE(page.board.irq());
  page.test_interrupt(1);
  EXPECT_TRUE(page.board.irq());
  page.test_interrupt(0);
  page.read_register(STROBE_REG_ID);
  EXPECT_FALSE(page.board.irq());
}

TEST(IntegrationPage, TheFirstMessagesHoldThePcsOfTheFirstInstructions) {
  PageCode page;
  page.select_everything();
  page.board.start();
  while (page.level() < 10) {
  }
  page.drain();
  ASSERT_GE(page.taken.size(), 10u);
  for (size_t k = 0; k < 10; ++k) EXPECT_EQ(page.taken[k].pc, trace().records[k].pc_rdata) << k;
}

TEST(IntegrationPage, StopEndsWithAFullBuffer) {
  PageCode page;
  page.select_everything();
  page.board.start();
  page.run_until_stalls();
  EXPECT_EQ(page.level(), kBufferDepth);
  page.stop();
  EXPECT_EQ(page.read_register(STROBE_REG_STATUS), STROBE_STATUS_IDLE_MASK);
  EXPECT_GT(page.taken.size(), kBufferDepth) << "those that waited for room, too";
  page.expect_conserved();
}

TEST(IntegrationPage, AProfileOfEdgesLosesNoEventOnTheBus) {
  PageCode page;
  page.start_edges(kBufferDepth);
  page.board.start();
  while (!page.board.done()) {
    page.board.cycle();
    if (page.board.irq()) page.drain();
  }
  page.stop();
  EXPECT_GT(page.taken.size(), 100u);
  for (const Taken& t : page.taken) EXPECT_EQ(t.tag, 3u);
  page.expect_conserved();
}

TEST(IntegrationPage, WhatIsLockedStaysAndStopAndClearStillWork) {
  PageCode page;
  page.start_edges(kBufferDepth);
  page.board.start();
  page.lock();
  for (const int locked : {STROBE_REG_PERIOD, STROBE_REG_WATERMARK, STROBE_REG_SEL_CTRL,
                           STROBE_REG_RING_CONFIG, STROBE_REG_RING_BASE}) {
    const auto address = static_cast<uint16_t>(locked);
    const uint64_t before = page.read_register(address);
    page.write_register(address, before ^ 0x20);
    EXPECT_EQ(page.read_register(address), before) << address;
  }
  page.write_register(STROBE_REG_REGWEN, 1);
  EXPECT_EQ(page.read_register(STROBE_REG_REGWEN), 0u);
  page.stop();
  page.expect_conserved();
  page.clear();
  EXPECT_EQ(page.read_register(STROBE_REG_EVENTS), 0u);
}

TEST(IntegrationPage, StopOfARingEndsWhenRingAndBufferAreFull) {
  constexpr uint64_t kLog2 = 2;
  PageCode page;
  page.write_register(STROBE_REG_SEL_CTRL, 0xffff0011);
  page.write_register(STROBE_REG_PERIOD, 1);
  page.start_ring(kRing, kLog2);
  page.board.start();
  page.run_until_stalls();
  page.stop_ring(kRing, kLog2, 0);
  EXPECT_EQ(page.read_register(STROBE_REG_RING_PROD), page.taken.size());
  EXPECT_EQ(page.read_register(STROBE_REG_RING_CONS), page.taken.size());
  EXPECT_GT(page.taken.size(), kBufferDepth);
  for (size_t k = 0; k < 10; ++k) EXPECT_EQ(page.taken[k].pc, trace().records[k].pc_rdata) << k;
  page.expect_conserved();
}

TEST(IntegrationPage, AfterTheClearNothingIsWrittenToTheRing) {
  PageCode page;
  page.write_register(STROBE_REG_SEL_CTRL, 0xffff0011);
  page.write_register(STROBE_REG_PERIOD, 1);
  page.start_ring(kRing, 10);
  page.board.start();
  while (page.board.written().size() < 10) page.board.cycle();
  page.clear();
  const size_t after = page.board.written().size();
  for (int n = 0; n < 500; ++n) page.board.cycle();
  EXPECT_EQ(page.board.written().size(), after);
}

}  // namespace
}  // namespace strobe::e2e
