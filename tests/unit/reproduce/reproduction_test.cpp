#include "sw/reproduce/reproduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace strobe::reproduce {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Reproduction, EveryClaimHasItsVerdict) {
  Reproduction reproduction;
  reproduction.name = "n";
  reproduction.claims = {{"one", "1", true, ""}, {"two", "3", false, "because"}};
  reproduction.skipped = {"gcc (not there)"};
  EXPECT_EQ(verdict_lines(reproduction),
            "holds: one; ours: 1\ndiffers: two; ours: 3; because\nskipped: gcc (not there)\n");
  const std::string page = to_markdown(reproduction);
  EXPECT_THAT(page, HasSubstr("| one | 1 | holds |\n| two | 3 | differs |\n"));
  EXPECT_THAT(page, HasSubstr("Skipped: gcc (not there)."));
}

TEST(Reproduction, TheReasonsOfDifferencesFollowTheTableOfVerdicts) {
  Reproduction reproduction;
  reproduction.claims = {{"one", "1", true, ""},
                         {"two", "3", false, "because"},
                         {"three", "4", false, ""},
                         {"four", "5", false, "why not"}};
  EXPECT_THAT(to_markdown(reproduction),
              HasSubstr("| four | 5 | differs |\n\nWhy the others do not hold:\n\n"
                        "- **two**: because.\n- **four**: why not.\n"));
  reproduction.claims.resize(1);
  EXPECT_THAT(to_markdown(reproduction), Not(HasSubstr("Why the others do not hold")));
}

TEST(Reproduction, TextIsWrappedAndNoWrappedLineBeginsAList) {
  Reproduction reproduction;
  for (int i = 0; i < 100; ++i) reproduction.setup += "7 % - ";
  reproduction.setup += "\nThe second line.";
  std::istringstream lines(to_markdown(reproduction));
  size_t longest = 0, count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    longest = std::max(longest, line.size());
    EXPECT_THAT(line, Not(testing::ContainsRegex("^[-%]"))) << line;
  }
  EXPECT_GT(count, 10u);
  EXPECT_GT(longest, 100u);
  EXPECT_LE(longest, 124u) << "120, and signs that stay with their number";
  EXPECT_THAT(to_markdown(reproduction), HasSubstr("\nThe second line.\n"));
}

TEST(Reproduction, TheLinesOfAReasonAreInItsItem) {
  Reproduction reproduction;
  reproduction.claims = {{"two", "3", false, std::string(100, 'x') + " " + std::string(100, 'y')}};
  EXPECT_THAT(to_markdown(reproduction), HasSubstr("- **two**: " + std::string(100, 'x') + "\n  " +
                                                   std::string(100, 'y') + ".\n"));
}

TEST(Reproduction, ATableIsOneOfThePage) {
  Reproduction reproduction;
  reproduction.tables = {{"Overheads", {"program", "HPS"}, {{"gcc", "1 %"}, {"mcf", "2 %"}}}};
  EXPECT_THAT(to_markdown(reproduction),
              HasSubstr("Overheads:\n\n| program | HPS |\n|---|---|\n| gcc | 1 % |\n| mcf | "
                        "2 % |\n\n"));
}

TEST(Reproduction, ChecksOfTheSetUpHaveNoVerdict) {
  Reproduction reproduction;
  reproduction.checks = {{"4 wide", "4 wide", true}, {"no overhead", "2 cycles", false}};
  EXPECT_EQ(verdict_lines(reproduction),
            "ok: 4 wide; ours: 4 wide\nnot ok: no overhead; ours: 2 cycles\n");
  EXPECT_THAT(
      to_markdown(reproduction),
      HasSubstr("Checks of the set-up:\n\n| expected | ours | |\n|---|---|---|\n| 4 wide | 4 "
                "wide | ok |\n| no overhead | 2 cycles | not ok |\n"));
  EXPECT_FALSE(all_hold(reproduction));
  reproduction.checks.pop_back();
  EXPECT_TRUE(all_hold(reproduction));
  reproduction.claims = {{"one", "1", false, ""}};
  EXPECT_FALSE(all_hold(reproduction));
}

TEST(Reproduction, AClaimThatHoldsNeedsNoReason) {
  EXPECT_EQ(claim("s", "o", true, "because").why, "");
  EXPECT_EQ(claim("s", "o", false, "because").why, "because");
}

}  // namespace
}  // namespace strobe::reproduce
