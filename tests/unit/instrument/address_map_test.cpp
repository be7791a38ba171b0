// Addresses of an edited program as those of the original: the instructions there are the same.
#include "sw/instrument/address_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strobe::instrument {
namespace {

using testing::ElementsAre;

const AddressMap& map() {
  // A function of two instructions with a check before it and an event before the second one of its
  // instrumented copy.
  static const AddressMap kMap({{0x118, 0x10, 2, false},
                                {0x11a, 0x12, 4, false},
                                {0x140, 0x10, 2, true},
                                {0x160, 0x12, 4, true},
                                {0x170, 0x20, 0, false}},
                               {{0x2000, 0x1000, 0x100}, {0x2180, 0x1100, 0x80}});
  return kMap;
}

TEST(AddressMap, InstructionsThatFollowOneAnotherAreOneRange) {
  ASSERT_EQ(map().code().size(), 3u) << "and what the linker deleted is none";
  EXPECT_EQ(map().code()[0].bytes, 6u);
}

TEST(AddressMap, AnInstructionThatWasPutInHasNoOriginal) {
  EXPECT_EQ(map().original_code(0x11a), 0x12u);
  EXPECT_EQ(map().original_code(0x160), 0x12u);
  EXPECT_EQ(map().original_code(0x110), std::nullopt);
  EXPECT_EQ(map().original_code(0x142), std::nullopt);
  EXPECT_EQ(map().original_code(0x170), std::nullopt);
}

TEST(AddressMap, AnInstructionIsInBothCopies) {
  EXPECT_THAT(map().edited_code(0x12), ElementsAre(0x11a, 0x160));
  EXPECT_THAT(map().edited_code(0x30), ElementsAre());
}

TEST(AddressMap, DataMovesWithItsSection) {
  EXPECT_EQ(map().original_data(0x2010), 0x1010u);
  EXPECT_EQ(map().original_data(0x2188), 0x1108u);
  EXPECT_EQ(map().original_data(0x2300), 0x1280u) << "the linker's own data";
  EXPECT_EQ(map().original_data(0x10), 0x10u);
}

}  // namespace
}  // namespace strobe::instrument
