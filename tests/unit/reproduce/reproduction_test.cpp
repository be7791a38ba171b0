#include "sw/reproduce/reproduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strobe::reproduce {
namespace {

TEST(Reproduction, EveryClaimHasItsVerdict) {
  Reproduction reproduction;
  reproduction.name = "n";
  reproduction.claims = {{"one", "1", true, ""}, {"two", "3", false, "because"}};
  reproduction.skipped = {"gcc (not there)"};
  EXPECT_EQ(verdict_lines(reproduction),
            "holds: one; ours: 1\ndiffers: two; ours: 3; because\nskipped: gcc (not there)\n");
  const std::string page = to_markdown(reproduction);
  EXPECT_THAT(page, testing::HasSubstr("| two | 3 | differs: because |"));
  EXPECT_THAT(page, testing::HasSubstr("Skipped: gcc (not there)."));
}

TEST(Reproduction, ATableIsOneOfThePage) {
  Reproduction reproduction;
  reproduction.tables = {{"Overheads", {"program", "HPS"}, {{"gcc", "1 %"}, {"mcf", "2 %"}}}};
  EXPECT_THAT(
      to_markdown(reproduction),
      testing::HasSubstr("Overheads:\n\n| program | HPS |\n|---|---|\n| gcc | 1 % |\n| mcf | "
                         "2 % |\n\n"));
}

TEST(Reproduction, AClaimThatHoldsNeedsNoReason) {
  EXPECT_EQ(claim("s", "o", true, "because").why, "");
  EXPECT_EQ(claim("s", "o", false, "because").why, "because");
}

}  // namespace
}  // namespace strobe::reproduce
