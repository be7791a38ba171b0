#include "sw/explore/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strobe::explore {
namespace {

using testing::ElementsAre;

TEST(Csv, AFieldComesBackAsItWas) {
  const std::string odd = "a, \"b\"";
  EXPECT_EQ(csv_field(odd), "\"a, \"\"b\"\"\"");
  EXPECT_THAT(csv_fields(csv_field(odd) + ",1,," + csv_field(nullptr)),
              ElementsAre(odd, "1", "", ""));
}

TEST(Csv, NumbersKeepEveryDigit) {
  EXPECT_EQ(csv_field(0.1), "0.1");
  EXPECT_EQ(csv_field(uint64_t{18446744073709551615u}), "18446744073709551615");
  EXPECT_EQ(csv_field("plain"), "plain");
}

}  // namespace
}  // namespace strobe::explore
