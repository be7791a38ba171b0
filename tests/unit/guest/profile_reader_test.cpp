// The host's reader of the profile table: what it reads and what it refuses.
#include "sw/guest/include/strobe/profile_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "sw/guest/handlers/fold.h"

namespace strobe::guest {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
using ProfileEntry = std::array<uint64_t, 4>;

class ProfileReaderTest : public ::testing::Test {
 protected:
  strobe_profile_table_t& table() {
    return *reinterpret_cast<strobe_profile_table_t*>(image_.data());
  }
  void SetUp() override { table().capacity = STROBE_PROFILE_CAPACITY; }
  std::string error_of_reading() {
    try {
      ProfileReader(image_.data(), image_.size()).for_each([](auto...) {});
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }
  std::vector<unsigned char> image_ = std::vector<unsigned char>(kProfileTableBytes);
};

TEST_F(ProfileReaderTest, ShowsEveryEntryWithItsTag) {
  fold(table(), 0x1000, ~uint64_t{0}, 15, 256);
  fold(table(), 0x1000, 0, 0, 3);
  std::vector<ProfileEntry> entries;
  ProfileReader reader(image_.data(), image_.size());
  reader.for_each([&entries](uint64_t pc, uint64_t value, unsigned tag, uint64_t count) {
    entries.push_back({pc, value, tag, count});
  });
  EXPECT_EQ(reader.used(), 2u);
  EXPECT_THAT(entries, UnorderedElementsAre(ProfileEntry{0x1000, ~uint64_t{0}, 15, 256},
                                            ProfileEntry{0x1000, 0, 0, 3}));
}

TEST_F(ProfileReaderTest, PassesOnWhatTheTableLost) {
  table().lost_messages = 4;
  table().lost_count = 1024;
  ProfileReader reader(image_.data(), image_.size());
  EXPECT_EQ(reader.lost_messages(), 4u);
  EXPECT_EQ(reader.lost_count(), 1024u);
}

TEST_F(ProfileReaderTest, RefusesATableTheFirmwareNeverStarted) {
  table().capacity = 0;
  EXPECT_THAT(error_of_reading(), HasSubstr("expected a capacity of 1048576 (did the firmware "
                                            "start?), got 0"));
}

TEST_F(ProfileReaderTest, RefusesAnImageThatIsTooSmall) {
  image_.resize(100);
  EXPECT_THAT(error_of_reading(), HasSubstr("expected an image of 33554464 bytes, got 100"));
}

TEST_F(ProfileReaderTest, RefusesMoreEntriesThanTheTableHolds) {
  table().used = STROBE_PROFILE_CAPACITY + 1;
  EXPECT_THAT(error_of_reading(), HasSubstr("expected at most 1048576 entries, got 1048577"));
}

TEST_F(ProfileReaderTest, NoticesThatEntriesAreMissing) {
  fold(table(), 0x1000, 1, 0, 1);
  table().used = 2;
  EXPECT_THAT(error_of_reading(), HasSubstr("expected 2 entries, got 1"));
}

}  // namespace
}  // namespace strobe::guest
