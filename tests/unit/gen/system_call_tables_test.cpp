// Do the tables of system calls show every answer, the useful ones first, in rows of bounded width?
#include "sw/gen/system_call_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strobe::gen {
namespace {

using isa::CallAnswer;
using Group = CallAnswer::Group;
using Kind = CallAnswer::Kind;

TEST(SystemCallTables, HaveARowForTheCallsOfAGroupWithTheSameAnswer) {
  EXPECT_EQ(system_call_tables({{1, "stops", Group::kTime, Kind::kStopsTheRun, ""},
                                {2, "half", Group::kFiles, Kind::kPartial, "without `X`"},
                                {3, "none", Group::kFiles, Kind::kNoSuchCall, ""},
                                {4, "one", Group::kFiles, Kind::kWhole, ""},
                                {5, "denied", Group::kFiles, Kind::kNotPermitted, ""},
                                {6, "nothing", Group::kTime, Kind::kNoEffect, ""},
                                {7, "two", Group::kFiles, Kind::kWhole, ""},
                                {8, "missed", Group::kFiles, Kind::kUnsupported, ""}}),
            "\n### Files\n\n| calls | answer |\n|---|---|\n"
            "| `one` `two` | whole |\n"
            "| `half` | partial: without `X` |\n"
            "| `none` | `ENOSYS` |\n"
            "| `denied` | `EPERM` |\n"
            "| `missed` | `ENOSYS`, counted |\n"
            "\n### Time\n\n| calls | answer |\n|---|---|\n"
            "| `nothing` | no effect |\n"
            "| `stops` | **the run stops** |\n");
}

TEST(SystemCallTables, BreakARowWhoseNamesAreLong) {
  std::vector<CallAnswer> many;
  for (uint64_t i = 0; i < 40; ++i) {
    many.push_back({i, "call_" + std::to_string(i), Group::kSystem, Kind::kWhole, ""});
  }
  const std::string text = system_call_tables(many);
  size_t rows = 0;
  for (size_t at = text.find("\n| `"); at != std::string::npos; at = text.find("\n| `", at + 1)) {
    EXPECT_LT(text.find('\n', at + 1) - at, 130u);
    ++rows;
  }
  EXPECT_EQ(rows, 4u);
  for (const CallAnswer& one : many) {
    EXPECT_THAT(text, testing::HasSubstr("`" + one.name + "`"));
  }
}

}  // namespace
}  // namespace strobe::gen
