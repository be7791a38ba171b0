// The counters of an edited program, set in its file.
#include "sw/instrument/bursty/bursts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "sw/object/file/object_file.h"

namespace strobe::instrument {
namespace {

using testing::HasSubstr;

template <typename Error>
std::string refusal(uint64_t checks, uint64_t instrumented) {
  std::vector<uint8_t> elf(16);
  try {
    set_bursts(&elf, checks, instrumented);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Bursts, NoughtAndMoreThanInfinityAreNoBursts) {
  EXPECT_EQ(refusal<std::invalid_argument>(1000, 0),
            "nInstr0: expected 1 to 2147483647, which is infinity, got 0");
  EXPECT_EQ(refusal<std::invalid_argument>(0, 1),
            "nCheck0: expected 1 to 2147483647, which is infinity, got 0");
  EXPECT_EQ(refusal<std::invalid_argument>(uint64_t{1} << 31, 1),
            "nCheck0: expected 1 to 2147483647, which is infinity, got 2147483648");
}

TEST(Bursts, AProgramWithoutTheCountersIsToldApart) {
  EXPECT_THAT(refusal<object::ObjectError>(1000, 50), HasSubstr("has no data '__strobe_ncheck'"));
}

TEST(Bursts, DistancesAreFromOneToInfinity) {
  std::vector<uint8_t> elf(16);
  EXPECT_THROW(set_distances(&elf, 7, 4, 1), std::invalid_argument);
  EXPECT_THROW(set_distances(&elf, 0x7fffffff, 1, 1), std::invalid_argument);
  EXPECT_THROW(set_distances(&elf, 8, 4, 1), object::ObjectError) << "not a program";
}

}  // namespace
}  // namespace strobe::instrument
