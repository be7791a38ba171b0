#include "sw/explore/store/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

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

TEST(Csv, ATextThatASpreadsheetWouldTakeForAFormulaIsMarkedAndReadBack) {
  EXPECT_EQ(csv_field("=1+1"), "'=1+1");
  EXPECT_EQ(csv_field("=a,b"), "\"'=a,b\"");
  EXPECT_EQ(csv_field(-1), "-1");
  EXPECT_EQ(csv_field(-1.5), "-1.5");
  for (const char* text : {"=x", "+x", "-[Foo bar]", "@x", "'x", "''", "x=", ""}) {
    EXPECT_THAT(csv_fields(csv_field(text)), ElementsAre(text));
  }
}

TEST(Csv, AFieldIsOneLineOfPrintableText) {
  EXPECT_EQ(csv_field("\tx"), "\\x09x");
  EXPECT_EQ(csv_field("\rx\ny\x1b\xff,"), "\"\\x0dx\\x0ay\\x1b\\xff,\"");
}

TEST(Csv, ARecordGoesOverTheEndOfALineInsideOfAText) {
  std::istringstream stream("\"two\nlines\",1\nnext,2\n\"not closed\n");
  std::string record;
  ASSERT_TRUE(csv_record(stream, &record));
  EXPECT_THAT(csv_fields(record), ElementsAre("two\nlines", "1"));
  ASSERT_TRUE(csv_record(stream, &record));
  EXPECT_THAT(csv_fields(record), ElementsAre("next", "2"));
  EXPECT_TRUE(csv_record(stream, &record));
  EXPECT_FALSE(csv_record(stream, &record));
}

}  // namespace
}  // namespace strobe::explore
