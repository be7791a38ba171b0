// The fold of messages into the profile table, compiled for the host.
#include "sw/guest/handlers/fold.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>

#include "sw/guest/include/strobe/profile_reader.h"

namespace strobe::guest {
namespace {

struct Free {
  void operator()(strobe_profile_table_t* table) const { std::free(table); }
};
using Table = std::unique_ptr<strobe_profile_table_t, Free>;

Table empty_table() {
  return Table(static_cast<strobe_profile_table_t*>(std::calloc(1, kProfileTableBytes)));
}

const strobe_profile_entry_t* find(const strobe_profile_table_t& table, uint64_t pc, uint64_t value,
                                   uint64_t tag) {
  for (uint64_t i = 0; i < STROBE_PROFILE_CAPACITY; ++i) {
    const strobe_profile_entry_t& e = table.entries[i];
    if (e.pc == pc && e.value == value && e.tag_used == tag_word(tag)) return &e;
  }
  return nullptr;
}

TEST(Fold, CountsOfOneTupleAddUpInOneEntry) {
  Table table = empty_table();
  fold(*table, 0x1000, 7, 2, 256);
  fold(*table, 0x1000, 7, 2, 1);
  EXPECT_EQ(table->used, 1u);
  const strobe_profile_entry_t* entry = find(*table, 0x1000, 7, 2);
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->count, 257u);
}

TEST(Fold, TuplesThatDifferInOneFieldAreApart) {
  Table table = empty_table();
  fold(*table, 0x1000, 7, 2, 1);
  fold(*table, 0x1002, 7, 2, 10);
  fold(*table, 0x1000, 8, 2, 100);
  fold(*table, 0x1000, 7, 3, 1000);
  fold(*table, 0x1000, 7, 3, 1000);
  EXPECT_EQ(table->used, 4u);
  EXPECT_EQ(find(*table, 0x1000, 7, 2)->count, 1u);
  EXPECT_EQ(find(*table, 0x1002, 7, 2)->count, 10u);
  EXPECT_EQ(find(*table, 0x1000, 8, 2)->count, 100u);
  EXPECT_EQ(find(*table, 0x1000, 7, 3)->count, 2000u);
}

TEST(Fold, TheTupleOfZerosIsATupleAsAnyOther) {
  Table table = empty_table();
  fold(*table, 0, 0, 0, 5);
  fold(*table, 0, 0, 0, 5);
  EXPECT_EQ(table->used, 1u);
  EXPECT_EQ(find(*table, 0, 0, 0)->count, 10u);
}

TEST(Fold, AProbeGoesOnAtTheFirstEntryBehindTheLast) {
  Table table = empty_table();
  uint64_t value = 0;
  while (first_slot(0x4000, value) != STROBE_PROFILE_CAPACITY - 1) ++value;
  fold(*table, 0x4000, value, 0, 1);
  fold(*table, 0x4000, value, 1, 2);
  EXPECT_EQ(table->entries[STROBE_PROFILE_CAPACITY - 1].count, 1u);
  EXPECT_EQ(table->entries[0].count, 2u);
  EXPECT_EQ(table->entries[0].tag_used, tag_word(1));
}

TEST(Fold, AFullTableLosesNewTuplesCountsThemAndKeepsTheOldOnes) {
  Table table = empty_table();
  uint64_t value = 0;
  for (; table->used < kMaxUsed; ++value) fold(*table, 0x2000, value, 0, 1);
  fold(*table, 0x3000, 0, 0, 30);
  fold(*table, 0x3000, 1, 0, 12);
  fold(*table, 0x2000, 5, 0, 8);
  EXPECT_EQ(table->used, kMaxUsed);
  EXPECT_EQ(table->lost_messages, 2u);
  EXPECT_EQ(table->lost_count, 42u);
  EXPECT_EQ(find(*table, 0x2000, 5, 0)->count, 9u);
  EXPECT_EQ(find(*table, 0x3000, 0, 0), nullptr);
}

TEST(Fold, RandomMessagesGiveWhatAMapGives) {
  const char* given = std::getenv("STROBE_SEED");
  uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 1;
  std::cout << "seed " << seed << " (STROBE_SEED)\n";
  std::mt19937_64 random(seed);
  Table table = empty_table();
  std::map<std::tuple<uint64_t, uint64_t, unsigned>, uint64_t> expected;
  for (int i = 0; i < 200000; ++i) {
    uint64_t pc = 0x10000 + 2 * (random() % 500);
    uint64_t value = random() % 4 == 0 ? random() % 100 << 52 : random() % 40;
    auto tag = static_cast<unsigned>(random() % 3);
    uint64_t count = 1 + random() % 256;
    fold(*table, pc, value, tag, count);
    expected[{pc, value, tag}] += count;
  }
  table->capacity = STROBE_PROFILE_CAPACITY;
  decltype(expected) got;
  ProfileReader(table.get(), kProfileTableBytes)
      .for_each([&got](uint64_t pc, uint64_t value, unsigned tag, uint64_t count) {
        got[{pc, value, tag}] += count;
      });
  EXPECT_EQ(table->used, expected.size());
  EXPECT_EQ(got, expected);
}

// Most of a profile's messages must find their tuple in the first slot: the handler's cost is
// counted for that case (docs/blocks/firmware.md).
TEST(Fold, FirstSlotsOfRealisticTuplesSeldomCollide) {
  struct Stream {
    const char* name;
    uint64_t (*value)(uint64_t i);
  };
  const Stream streams[] = {
      {"small numbers", [](uint64_t i) { return i; }},
      {"pointers", [](uint64_t i) { return 0x2a000000 + i * 48; }},
      {"doubles", [](uint64_t i) { return (0x3ff0 + i) << 48; }},
      {"targets", [](uint64_t i) { return 0x10000 + i * 2; }},
  };
  for (const Stream& stream : streams) {
    Table table = empty_table();
    uint64_t collided = 0, tuples = 0;
    for (uint64_t pc = 0x10000; pc < 0x10000 + 2 * 400; pc += 2) {
      for (uint64_t i = 0; i < 100; ++i, ++tuples) {
        uint64_t value = stream.value(i);
        collided += table->entries[first_slot(pc, value)].tag_used != 0;
        fold(*table, pc, value, 0, 1);
      }
    }
    // A random placement of 40,000 in 2^20 collides in 1.9 % of the cases.
    EXPECT_LT(static_cast<double>(collided) / static_cast<double>(tuples), 0.04) << stream.name;
  }
}

}  // namespace
}  // namespace strobe::guest
