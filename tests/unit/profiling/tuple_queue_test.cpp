#include "sc_models/profiling/reference/selection/tuple_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/profiling/random_stream.h"

namespace strobe::profiling {
namespace {

Tuple numbered(uint64_t n) { return Tuple{n, n + 1000, static_cast<uint8_t>(n % 16)}; }

constexpr bool kReady = true;

/// A cycle in which these lanes are valid, each with a number.
TupleQueue::Inputs row(std::initializer_list<std::pair<unsigned, uint64_t>> lanes,
                       bool ready = false) {
  TupleQueue::Inputs inputs;
  inputs.ready = ready;
  for (const auto& [lane, number] : lanes) {
    inputs.valid[lane] = true;
    inputs.tuple[lane] = numbered(number);
  }
  return inputs;
}

TupleQueue::Inputs nothing(bool ready = false) { return row({}, ready); }

unsigned heads_of(const TupleQueue::Outputs& out) {
  unsigned heads = 0;
  for (const bool valid : out.valid) heads += valid ? 1 : 0;
  return heads;
}

unsigned arrived_in(const TupleQueue::Outputs& out) {
  unsigned arrived = 0;
  for (const bool lane : out.arrived) arrived += lane ? 1 : 0;
  return arrived;
}

/// The pcs at the head of a queue of one head that is always ready, cycle by cycle; 0 for none.
std::vector<uint64_t> pcs(TupleQueue& queue, unsigned cycles) {
  std::vector<uint64_t> result;
  for (unsigned k = 0; k < cycles; ++k) result.push_back(queue.step(nothing(kReady)).head[0].pc);
  return result;
}

TEST(TupleQueue, ATupleThatWaitsForNobodyIsAtTheHeadInTheFourthCycleAfterItsOwn) {
  for (const unsigned heads : {1u, 4u}) {
    TupleQueue queue(4, 8, heads);
    EXPECT_TRUE(queue.step(row({{0, 7}})).empty);
    for (unsigned cycle = 1; cycle < 4; ++cycle) {
      const TupleQueue::Outputs out = queue.step(nothing());
      EXPECT_EQ(heads_of(out), 0u) << cycle;
      EXPECT_FALSE(out.empty) << cycle;
    }
    const TupleQueue::Outputs out = queue.step(nothing(kReady));
    EXPECT_TRUE(out.valid[0]);
    EXPECT_EQ(out.head[0], numbered(7));
    EXPECT_TRUE(queue.outputs().empty);
    EXPECT_EQ(queue.outputs().head[0], Tuple{});
  }
}

TEST(TupleQueue, TheTuplesOfARowFollowEachOtherInLaneOrderWithoutTheGaps) {
  TupleQueue queue(4, 8);
  queue.step(row({{1, 1}, {3, 3}}));
  EXPECT_THAT(pcs(queue, 6), testing::ElementsAre(0, 0, 0, 1, 3, 0));
}

TEST(TupleQueue, RowsFollowEachOtherInEveryCycle) {
  TupleQueue queue(4, 16);
  queue.step(row({{2, 1}}, kReady));
  queue.step(row({{0, 2}, {3, 3}}, kReady));
  queue.step(row({{1, 4}}, kReady));
  queue.step(row({{0, 5}}, kReady));
  EXPECT_THAT(pcs(queue, 6), testing::ElementsAre(1, 2, 3, 4, 5, 0));
}

TEST(TupleQueue, AHeadThatNobodyTakesStays) {
  TupleQueue queue(2, 4);
  queue.step(row({{0, 1}, {1, 2}}));
  for (unsigned cycle = 0; cycle < 10; ++cycle) queue.step(nothing());
  EXPECT_EQ(queue.step(nothing()).head[0], numbered(1));
  EXPECT_THAT(pcs(queue, 3), testing::ElementsAre(1, 2, 0));
}

TEST(TupleQueue, WithAHeadForEachLaneARowLeavesTogetherInItsLanesPlaces) {
  TupleQueue queue(4, 8, 4);
  queue.step(row({{1, 1}, {3, 3}}, kReady));
  queue.step(row({{0, 4}}, kReady));
  for (unsigned cycle = 2; cycle < 4; ++cycle) queue.step(nothing(kReady));
  TupleQueue::Outputs out = queue.step(nothing(kReady));
  EXPECT_THAT(std::vector<bool>(out.valid, out.valid + 4),
              testing::ElementsAre(false, true, false, true));
  EXPECT_EQ(out.head[0], Tuple{});
  EXPECT_EQ(out.head[1], numbered(1));
  EXPECT_EQ(out.head[3], numbered(3));
  out = queue.step(nothing(kReady));
  EXPECT_EQ(heads_of(out), 1u);
  EXPECT_EQ(out.head[0], numbered(4));
}

TEST(TupleQueue, ItsGroupIsTheHeadWithoutGaps) {
  TupleQueue queue(4, 8, 4);
  queue.step(row({{1, 1}, {3, 3}}));
  EXPECT_EQ(queue.group().count, 0u);
  for (unsigned cycle = 1; cycle < 4; ++cycle) queue.step(nothing());
  const TupleGroup group = queue.group();
  ASSERT_EQ(group.count, 2u);
  EXPECT_EQ(*group.tuple[0], numbered(1));
  EXPECT_EQ(*group.tuple[1], numbered(3));
}

TEST(TupleQueue, ARowThatFindsTheStoreFullIsDroppedAsAWholeAndCountedALittleLater) {
  // The store has room for two rows; further tuples are in the front register and at the head.
  TupleQueue queue(4, 8);
  queue.step(row({{0, 1}, {1, 2}}));
  queue.step(row({{0, 3}}));
  for (unsigned cycle = 0; cycle < 3; ++cycle) queue.step(nothing());
  queue.step(row({{0, 4}}));
  EXPECT_FALSE(queue.outputs().drop);
  EXPECT_EQ(arrived_in(queue.outputs()), 1u);
  // Tuple 1 is at the head, tuple 2 in the front register, tuples 3 and 4 in the store.
  queue.step(row({{1, 5}, {2, 6}, {3, 7}}));
  const TupleQueue::Outputs out = queue.outputs();
  EXPECT_TRUE(out.drop);
  EXPECT_THAT(std::vector<bool>(out.arrived, out.arrived + 4),
              testing::ElementsAre(false, true, true, true));
  EXPECT_EQ(out.dropped, 0u) << "two cycles after it was dropped";
  queue.step(nothing());
  EXPECT_FALSE(queue.outputs().drop);
  EXPECT_EQ(arrived_in(queue.outputs()), 0u);
  EXPECT_EQ(queue.outputs().dropped, 3u);
  EXPECT_THAT(pcs(queue, 6), testing::ElementsAre(1, 2, 3, 4, 0, 0));
  EXPECT_EQ(queue.outputs().dropped, 3u);
}

TEST(TupleQueue, ARowThatTheFrontTakesInTheSameCycleDoesNotMakeRoom) {
  TupleQueue queue(4, 8);
  for (uint64_t n = 1; n <= 4; ++n) {
    queue.step(row({{0, n}}));
    for (unsigned cycle = 0; cycle < 4; ++cycle) queue.step(nothing());
  }
  // Tuple 1 is at the head, tuple 2 in the front register, tuples 3 and 4 in the store; all of them
  // move.
  queue.step(row({{0, 5}}, kReady));
  EXPECT_TRUE(queue.outputs().drop);
  queue.step(row({{0, 6}}));
  EXPECT_FALSE(queue.outputs().drop) << "now there is room";
  EXPECT_THAT(pcs(queue, 5), testing::ElementsAre(2, 3, 4, 6, 0));
}

TEST(TupleQueue, ClearWinsOverARowThatComesAndAHeadThatLeaves) {
  TupleQueue queue(2, 4);
  for (uint64_t n = 1; n <= 10; ++n) queue.step(row({{0, n}, {1, n}}));
  EXPECT_TRUE(queue.outputs().drop);
  EXPECT_GT(queue.outputs().dropped, 0u);
  TupleQueue::Inputs inputs = row({{0, 20}}, kReady);
  inputs.clear = true;
  queue.step(inputs);
  const TupleQueue::Outputs out = queue.outputs();
  EXPECT_TRUE(out.empty);
  EXPECT_EQ(heads_of(out), 0u);
  EXPECT_EQ(arrived_in(out), 0u);
  EXPECT_FALSE(out.drop);
  EXPECT_EQ(out.dropped, 0u);
  EXPECT_THAT(pcs(queue, 6), testing::Each(0u));
}

TEST(TupleQueue, LanesBeyondTheParameterAreNotLookedAt) {
  TupleQueue queue(2, 4);
  queue.step(row({{1, 1}, {2, 2}}));
  EXPECT_EQ(arrived_in(queue.outputs()), 1u);
  EXPECT_THAT(pcs(queue, 5), testing::ElementsAre(0, 0, 0, 1, 0));
}

// The page's three places as containers, each told what was there at the start of the cycle.
class PlainQueue {
 public:
  PlainQueue(unsigned lanes, unsigned rows, unsigned heads)
      : lanes_(lanes), rows_(rows), heads_(heads) {}

  TupleQueue::Outputs outputs() const {
    TupleQueue::Outputs out;
    for (const auto& [lane, tuple] : head_) {
      const unsigned place = heads_ == 1 ? 0 : lane;
      out.valid[place] = true;
      out.head[place] = tuple;
    }
    out.empty = held() == 0;
    for (const auto& [lane, tuple] : came_) out.arrived[lane] = true;
    out.drop = drop_;
    out.dropped = dropped_;
    return out;
  }

  void step(const TupleQueue::Inputs& in, uint64_t cycle) {
    if (in.clear) {
      *this = PlainQueue(lanes_, rows_, heads_);
      return;
    }
    const PlainQueue now = *this;
    const bool moves = now.head_.empty() || in.ready;
    if (moves) {
      head_.clear();
      for (unsigned k = 0; k < heads_ && !front_.empty(); ++k) {
        head_.push_back(front_.front());
        front_.pop_front();
      }
    }
    if (front_.empty() && !now.store_.empty() && now.store_.front().came + 2 <= cycle) {
      front_ = now.store_.front().lanes;
      store_.pop_front();
    }
    if (now.drop_) dropped_ += static_cast<uint32_t>(now.came_.size());
    came_.clear();
    for (unsigned k = 0; k < lanes_; ++k) {
      if (in.valid[k]) came_.emplace_back(k, in.tuple[k]);
    }
    drop_ = !came_.empty() && now.store_.size() == rows_;
    if (!came_.empty() && !drop_) store_.push_back({came_, cycle});
  }

  uint64_t held() const {
    uint64_t tuples = head_.size() + front_.size();
    for (const Row& row : store_) tuples += row.lanes.size();
    return tuples;
  }

 private:
  using Lanes = std::deque<std::pair<unsigned, Tuple>>;
  struct Row {
    Lanes lanes;
    uint64_t came = 0;
  };

  unsigned lanes_, rows_, heads_;
  std::deque<Row> store_;
  Lanes front_, head_, came_;
  bool drop_ = false;
  uint32_t dropped_ = 0;
};

void expect_the_plain_queue(unsigned lanes, unsigned depth, unsigned rows, unsigned heads) {
  SCOPED_TRACE(testing::Message() << lanes << " lanes, depth " << depth << ", heads " << heads);
  RandomSource random(test_seed());
  TupleQueue queue(lanes, depth, heads);
  PlainQueue plain(lanes, rows, heads);
  uint64_t in = 0, out = 0, most_dropped = 0;  // tuples, since the last clear
  bool busy = true;
  for (uint64_t cycle = 0; cycle < 100000; ++cycle) {
    if (random.one_in(50)) busy = !busy;
    TupleQueue::Inputs inputs;
    inputs.clear = random.one_in(5000);
    inputs.ready = !random.one_in(busy ? 2 : 10);
    for (unsigned k = 0; k < kMaxRetireWidth; ++k) {
      inputs.valid[k] = random.one_in(busy ? 3 : 12);
      inputs.tuple[k] = numbered(random.below(1000));
    }
    const TupleQueue::Outputs got = queue.step(inputs), expected = plain.outputs();
    for (unsigned k = 0; k < kMaxRetireWidth; ++k) {
      ASSERT_EQ(got.valid[k], expected.valid[k]) << "cycle " << cycle << " place " << k;
      ASSERT_EQ(got.head[k], expected.head[k]) << "cycle " << cycle << " place " << k;
      ASSERT_EQ(got.arrived[k], expected.arrived[k]) << "cycle " << cycle << " lane " << k;
    }
    ASSERT_EQ(got.empty, expected.empty) << "cycle " << cycle;
    ASSERT_EQ(got.drop, expected.drop) << "cycle " << cycle;
    ASSERT_EQ(got.dropped, expected.dropped) << "cycle " << cycle;
    most_dropped = std::max<uint64_t>(most_dropped, got.dropped);
    // What was dropped in the cycle before is not in `dropped` yet.
    const uint64_t late = got.drop ? arrived_in(got) : 0;
    ASSERT_EQ(in, out + got.dropped + late + plain.held()) << "cycle " << cycle;
    plain.step(inputs, cycle);
    if (inputs.ready) out += heads_of(got);
    for (unsigned k = 0; k < lanes; ++k) in += inputs.valid[k] ? 1 : 0;
    if (inputs.clear) in = out = 0;
  }
  EXPECT_GT(most_dropped, 10u);
}

TEST(TupleQueue, EqualsThreePlacesOfContainersAndConservesOnARandomStream) {
  expect_the_plain_queue(4, 8, 2, 1);
  expect_the_plain_queue(4, 8, 2, 4);
  expect_the_plain_queue(3, 16, 4, 1);
  expect_the_plain_queue(3, 16, 4, 3);
  expect_the_plain_queue(8, 16, 2, 8);
  expect_the_plain_queue(2, 16, 8, 1);
  expect_the_plain_queue(1, 2, 2, 1);
}

TEST(TupleQueue, PutAndPlaceGiveTheStateThatStepsWouldHaveGiven) {
  // A row of two and one of one come, then one more in the last cycle.
  for (unsigned cycles = 4; cycles <= 7; ++cycles) {
    TupleQueue stepped(2, 16), placed(2, 16);
    const uint64_t first = cycles - 3;  // of 1, 2, 3, 4: how far the head is
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
      TupleQueue::Inputs inputs = nothing(kReady);
      if (cycle == 0) inputs = row({{0, 1}, {1, 2}}, kReady);
      if (cycle == 1) inputs = row({{0, 3}}, kReady);
      if (cycle == 2) inputs = row({{0, 4}}, kReady);
      if (cycle == cycles - 1) inputs = row({{1, 9}}, kReady);
      stepped.step(inputs);
    }
    for (uint64_t n = first; n <= 4; ++n) placed.put(numbered(n), n != 2 || n == first);
    placed.put(numbered(9), true);
    placed.place(true, first < 4, true);
    EXPECT_EQ(placed.arrived(), stepped.arrived()) << cycles;
    EXPECT_EQ(placed.outputs().head[0], numbered(first)) << cycles;
    EXPECT_EQ(pcs(placed, 10), pcs(stepped, 10)) << cycles;
  }
}

TEST(TupleQueue, EachParameterOutOfRangeIsRefused) {
  const auto error_of = [](unsigned lanes, unsigned depth, unsigned heads) -> std::string {
    try {
      TupleQueue(lanes, depth, heads);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of(4, 24, 1),
            "TupleQueue: depth: expected a power of two from 8 to 1024, got 24");
  EXPECT_EQ(error_of(3, 4, 1), "TupleQueue: depth: expected a power of two from 8 to 1024, got 4");
  EXPECT_EQ(error_of(1, 1, 1), "TupleQueue: depth: expected a power of two from 2 to 1024, got 1");
  EXPECT_EQ(error_of(4, 2048, 1),
            "TupleQueue: depth: expected a power of two from 8 to 1024, got 2048");
  EXPECT_EQ(error_of(9, 32, 1), "TupleQueue: lanes: expected 1 to 8, got 9");
  EXPECT_EQ(error_of(4, 16, 3), "TupleQueue: heads: expected 1 or 4, got 3");
  EXPECT_EQ(error_of(4, 16, 0), "TupleQueue: heads: expected 1 or 4, got 0");
  EXPECT_EQ(error_of(8, 16, 8), "");
}

}  // namespace
}  // namespace strobe::profiling
