// Does a damaged file of a result end in a sentence that names it?
#include "sw/answer/csv_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/answer/answer_error.h"
#include "sw/files/scratch_folder.h"

namespace strobe::answer {
namespace {

class CsvTableTest : public testing::Test {
 protected:
  CsvTable table_of(const std::string& text) const {
    const auto file = folder_ / "t.csv";
    std::ofstream(file) << text;
    return CsvTable(file);
  }
  /// What the error says when all records of a text are read with their column `pc` as a number.
  std::string fault_of(const std::string& text) const {
    try {
      for (CsvTable table = table_of(text); table.next();) table.number("pc");
    } catch (const AnswerError& error) {
      return error.what();
    }
    return "no error";
  }

  files::ScratchFolder folder_;
};

TEST_F(CsvTableTest, ReadsNumbersAndQuotedNamesByColumn) {
  CsvTable table = table_of("pc,symbol\n0x10,\"f(a, b)\"\n12,\"two\nlines\"\n");
  ASSERT_TRUE(table.next());
  EXPECT_EQ(table.number("pc"), 0x10u);
  EXPECT_EQ(table.text("symbol"), "f(a, b)");
  ASSERT_TRUE(table.next());
  EXPECT_EQ(table.number("pc"), 12u);
  EXPECT_EQ(table.text("symbol"), "two\nlines");
  EXPECT_FALSE(table.next());
}

TEST_F(CsvTableTest, SaysWhatIsWrongWithARecord) {
  using testing::HasSubstr;
  EXPECT_THAT(fault_of("pc,count\n0x10\n"),
              HasSubstr("t.csv is damaged: expected a field for each column, got '0x10'; run it "
                        "again"));
  EXPECT_THAT(fault_of("pc\n0xzz\n"), HasSubstr("expected a number in column pc, got '0xzz'"));
  EXPECT_THAT(fault_of("pc\n-1\n"), HasSubstr("expected a number in column pc, got '-1'"));
  EXPECT_THAT(fault_of("pc\n18446744073709551616\n"), HasSubstr("expected a number in column pc"));
  EXPECT_THAT(fault_of("pc\n0x\n"), HasSubstr("expected a number in column pc"));
  EXPECT_THAT(fault_of("count\n1\n"), HasSubstr("expected a column pc, got '1'"));
}

TEST_F(CsvTableTest, HasNoRecordsWithoutAFileOrInAnEmptyOne) {
  EXPECT_EQ(fault_of(""), "no error");
  CsvTable missing(folder_ / "no.csv");
  EXPECT_FALSE(missing.next());
  EXPECT_FALSE(missing.has("pc"));
}

TEST_F(CsvTableTest, ARecordThatIsTooLongIsNamedByItsNumber) {
  EXPECT_THAT(fault_of("pc\n1\n" + std::string((1 << 20) + 1, '2') + "\n"),
              testing::HasSubstr("t.csv is damaged: record 3: the record that begins with '222"));
}

}  // namespace
}  // namespace strobe::answer
