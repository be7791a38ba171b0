#include "sc_models/profiling/reference/sampler/associative_table.h"

#include <gtest/gtest.h>

#include <list>
#include <map>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "tests/unit/profiling/random_stream.h"

namespace strobe::profiling {
namespace {

using Inputs = AssociativeTable::Inputs;
using Outputs = AssociativeTable::Outputs;
using Messages = std::vector<Message>;

// The rules A1 to A4 as the page has them, on a list in order of last use.
class Listed {
 public:
  Listed(unsigned entries, unsigned count_width) : entries_(entries), limit_(1u << count_width) {}

  std::optional<Message> update(const Tuple& tuple, uint32_t count) {
    for (auto it = list_.begin(); it != list_.end(); ++it) {
      if (!(it->tuple == tuple)) continue;
      it->count += count;
      list_.splice(list_.begin(), list_, it);
      if (it->count < limit_) return std::nullopt;
      it->count -= limit_;
      return Message{tuple, limit_};
    }
    list_.push_front(Message{tuple, count});
    if (list_.size() <= entries_) return std::nullopt;
    const Message last = list_.back();
    list_.pop_back();
    if (last.count == 0) return std::nullopt;
    return last;
  }
  Messages list() const { return Messages(list_.begin(), list_.end()); }
  void clear() { list_.clear(); }

 private:
  size_t entries_;
  uint32_t limit_;
  std::list<Message> list_;
};

Messages list_of(const AssociativeCounters& counters) {
  Messages list;
  for (unsigned i = 0; i < counters.entries(); ++i) {
    if (const auto entry = counters.entry(i)) list.push_back(*entry);
  }
  return list;
}

Tuple numbered(uint64_t id) { return Tuple{0x1000 + 4 * id, 7 * id, 1}; }

TEST(AssociativeCounters, ACountThatFitsIsHeldAndOneThatDoesNotWrapsWithAMessage) {
  AssociativeCounters counters(4, 3);
  EXPECT_EQ(counters.update(numbered(1), 7), std::nullopt);
  EXPECT_EQ(counters.update(numbered(1), 3), (Message{numbered(1), 8}));
  EXPECT_EQ(list_of(counters), (Messages{{numbered(1), 2}}));
}

TEST(AssociativeCounters, TheLeastRecentlyUsedEntryLeavesWithItsOwnCount) {
  AssociativeCounters counters(4, 8);
  for (uint64_t id = 0; id < 4; ++id) {
    EXPECT_EQ(counters.update(numbered(id), static_cast<uint32_t>(10 + id)), std::nullopt);
  }
  counters.update(numbered(0), 5);
  EXPECT_EQ(counters.update(numbered(9), 1), (Message{numbered(1), 11}));
  EXPECT_EQ(list_of(counters),
            (Messages{{numbered(9), 1}, {numbered(0), 15}, {numbered(3), 13}, {numbered(2), 12}}));
}

TEST(AssociativeCounters, AnEntryThatHasWrappedToZeroStaysAndLeavesSilently) {
  AssociativeCounters counters(4, 2);
  counters.update(numbered(0), 2);
  EXPECT_EQ(counters.update(numbered(0), 2), (Message{numbered(0), 4}));
  EXPECT_EQ(list_of(counters), (Messages{{numbered(0), 0}}));
  for (uint64_t id = 1; id < 4; ++id) counters.update(numbered(id), 1);
  EXPECT_EQ(counters.update(numbered(4), 1), std::nullopt);
}

TEST(AssociativeCounters, TuplesThatDifferInOneFieldAreDifferent) {
  AssociativeCounters counters(4, 8);
  for (const Tuple& tuple : {Tuple{1, 2, 3}, Tuple{0, 2, 3}, Tuple{1, 0, 3}, Tuple{1, 2, 0}}) {
    EXPECT_EQ(counters.update(tuple, 1), std::nullopt);
  }
  EXPECT_EQ(list_of(counters).size(), 4u);
}

TEST(AssociativeCounters, EqualTheListOfThePageAndLoseNoCountOnRandomStreams) {
  using Key = std::tuple<uint64_t, uint64_t, uint8_t>;
  RandomSource random(test_seed());
  for (const unsigned entries : {4u, 8u, 16u, 64u}) {
    for (const unsigned width : {1u, 4u, 12u}) {
      AssociativeCounters counters(entries, width);
      Listed listed(entries, width);
      std::map<Key, int64_t> open;
      uint64_t population = entries;
      for (unsigned i = 0; i < 60000; ++i) {
        if (random.one_in(500)) population = 1 + random.below(3 * entries);
        if (random.one_in(20000)) {
          counters.clear();
          listed.clear();
          open.clear();
        }
        const Tuple tuple = random.tuple(population);
        const auto count = static_cast<uint32_t>(random.below(1u << width));
        const auto got = counters.update(tuple, count);
        ASSERT_EQ(got, listed.update(tuple, count)) << "event " << i;
        open[Key(tuple.pc, tuple.value, tuple.tag)] += count;
        if (got) open[Key(got->tuple.pc, got->tuple.value, got->tuple.tag)] -= got->count;
        if (i % 100 == 0) {
          ASSERT_EQ(list_of(counters), listed.list()) << "event " << i;
        }
      }
      uint64_t residue = 0;
      for (const Message& held : list_of(counters)) {
        open[Key(held.tuple.pc, held.tuple.value, held.tuple.tag)] -= held.count;
        residue += held.count;
      }
      EXPECT_EQ(counters.residue(), residue);
      for (const auto& [key, count] : open) EXPECT_EQ(count, 0);
    }
  }
}

Inputs offer(const Tuple& tuple, uint32_t count, bool msg_ready = true) {
  Inputs inputs;
  inputs.valid = true;
  inputs.in = Message{tuple, count};
  inputs.msg_ready = msg_ready;
  return inputs;
}

Inputs nothing(uint32_t table_index = 0) {
  Inputs inputs;
  inputs.msg_ready = true;
  inputs.table_index = table_index;
  return inputs;
}

TEST(AssociativeTable, AMessageIsVisibleFourCyclesAfterItsTupleWasAccepted) {
  AssociativeTable table(4, 3, 3);
  EXPECT_TRUE(table.step(offer(numbered(1), 7)).ready);
  EXPECT_TRUE(table.step(offer(numbered(1), 7)).ready);  // this one wraps
  for (int cycle = 0; cycle < 3; ++cycle) EXPECT_FALSE(table.step(nothing()).msg_valid);
  const Outputs out = table.step(nothing());
  EXPECT_TRUE(out.msg_valid);
  EXPECT_EQ(out.message, (Message{numbered(1), 8}));
  EXPECT_FALSE(out.idle);
  EXPECT_TRUE(table.step(nothing()).idle);
}

TEST(AssociativeTable, NothingMovesWhileAMessageWaits) {
  AssociativeTable table(4, 1, 1);
  for (int i = 0; i < 8; ++i) table.step(offer(numbered(1), 1, i < 5));
  for (int i = 0; i < 5; ++i) {
    const Outputs out = table.step(offer(numbered(2), 1, false));
    EXPECT_FALSE(out.ready);
    EXPECT_EQ(out.message, (Message{numbered(1), 2}));
  }
}

TEST(AssociativeTable, AnIdleCycleReadsTheTableForTheNextOne) {
  AssociativeTable table(4, 8, 8);
  table.step(offer(numbered(1), 5));
  table.step(offer(numbered(2), 6));
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(table.step(nothing(1)).table_valid);
  EXPECT_FALSE(table.step(nothing(1)).table_valid);  // the first idle cycle
  Outputs out = table.step(nothing(4));
  EXPECT_TRUE(out.table_valid);
  EXPECT_EQ(out.table, (Message{numbered(1), 5}));
  out = table.step(nothing(3));
  EXPECT_EQ(out.table, (Message{numbered(2), 6}));  // 4 modulo k is 0
  out = table.step(nothing());
  EXPECT_FALSE(out.table_valid);
  EXPECT_EQ(out.table, Message{});
}

TEST(AssociativeTable, ClearForgetsEverything) {
  AssociativeTable table(4, 8, 8);
  for (uint64_t id = 0; id < 6; ++id) table.step(offer(numbered(id), 9));
  Inputs clear = offer(numbered(7), 9);
  clear.clear = true;
  table.step(clear);
  EXPECT_TRUE(table.idle());
  EXPECT_EQ(table.counters().residue(), 0u);
  for (int i = 0; i < 6; ++i) EXPECT_FALSE(table.step(nothing()).msg_valid);
}

TEST(AssociativeTable, ParametersAndACountOutOfRangeAreRefused) {
  try {
    AssociativeTable table(24, 8, 8);
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "AssociativeCounters: entries: expected a power of two from 4 to 64, got 24");
  }
  EXPECT_THROW(AssociativeTable(128, 8, 8), std::invalid_argument);
  EXPECT_THROW(AssociativeTable(16, 0, 1), std::invalid_argument);
  EXPECT_THROW(AssociativeTable(16, 25, 1), std::invalid_argument);
  EXPECT_THROW(AssociativeTable(16, 8, 9), std::invalid_argument);
  EXPECT_THROW(AssociativeTable(16, 8, 0), std::invalid_argument);
  AssociativeTable table(4, 8, 2);
  EXPECT_THROW(table.step(offer(numbered(1), 4)), std::invalid_argument);
}

}  // namespace
}  // namespace strobe::profiling
