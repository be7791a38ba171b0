// Has each instruction a value of its own, and is the memory bounded?
#include "sc_models/watch/truth/code_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace strobe::truth {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::vector<std::pair<uint64_t, int>> values(const CodeMap<int>& map) {
  std::vector<std::pair<uint64_t, int>> out;
  map.for_each([&out](uint64_t pc, int value) {
    if (value != 0) out.emplace_back(pc, value);
  });
  return out;
}

TEST(CodeMap, KeepsAValueForEachHalfwordInTheOrderOfAddresses) {
  CodeMap<int> map;
  map[0x20000] = 1;
  map[0x10ffe] = 2;
  map[0x11000] = 3;
  map[0x20002] = 4;
  map[0x20000] += 10;
  map[0] = 5;
  EXPECT_THAT(values(map), ElementsAre(Pair(0, 5), Pair(0x10ffe, 2), Pair(0x11000, 3),
                                       Pair(0x20000, 11), Pair(0x20002, 4)));
  EXPECT_EQ(*map.find(0x20002), 4);
  EXPECT_EQ(*map.find(0x20004), 0);
  EXPECT_EQ(map.find(0x30000), nullptr);
}

TEST(CodeMap, WhatFindsNoPageSharesAValue) {
  CodeMap<int> map(2);
  map[0x1000] = 1;
  map[0x2000] = 2;
  map[0x3000] += 3;
  map[0x4002] += 4;
  map[0x1000] += 10;
  map[0x3000] += 5;
  EXPECT_THAT(values(map), ElementsAre(Pair(0x1000, 11), Pair(0x2000, 2)));
  EXPECT_EQ(map.beyond(), 12);
}

}  // namespace
}  // namespace strobe::truth
