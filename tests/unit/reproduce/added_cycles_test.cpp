// Where the cycles go that profiling adds.
#include "sw/reproduce/added_cycles.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace strobe::reproduce {
namespace {

TEST(AddedCycles, AreTheDifferencesOfTheClassesInFiveParts) {
  const result::CpiStack baseline = {{"base", 100}, {"branch", 50}, {"l1", 20}};
  const result::CpiStack run = {
      {"base", 101},     {"branch", 47}, {"l1", 22},      {"ifetch", 4},
      {"dram", 8},       {"l2", 16},     {"handler", 32}, {"interrupt_entry", 64},
      {"expansion", 128}};
  const AddedCycles added = added_cycles(run, baseline);
  EXPECT_EQ(added.entry, 64 + 128);
  EXPECT_EQ(added.handler, 32);
  EXPECT_EQ(added.branches, -3);
  EXPECT_EQ(added.caches, 2 + 4 + 8 + 16);
  EXPECT_EQ(added.rest, 1);
  EXPECT_EQ(added.all(), 252) << "no cycle is left out";
  EXPECT_EQ(parts_text(added, 10), "25.2: 19.2, 3.2, -0.3, 3.0, 0.1");
}

TEST(AddedCycles, AddUp) {
  AddedCycles sum{1, 2, 3, 4, 5};
  sum += AddedCycles{10, 20, 30, 40, -5};
  EXPECT_EQ(parts_text(sum, 1), "110.0: 11.0, 22.0, 33.0, 44.0, 0.0");
}

TEST(AddedCycles, NeedTwoRunsWithTiming) {
  EXPECT_THROW(added_cycles({{"base", 1}}, {}), std::invalid_argument);
}

}  // namespace
}  // namespace strobe::reproduce
