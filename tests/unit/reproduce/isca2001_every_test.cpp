// The verdicts on figures 8 to 11 of ISCA 2001, from races made up so that each is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/reproduce/claims.h"
#include "tests/unit/reproduce/isca2001_made_up.h"

namespace strobe::reproduce::isca2001 {
namespace {

using look_up::check_of;
using look_up::claim_of;
using look_up::differs;
using testing::HasSubstr;

Reproduction fig8_of(const Change& change = {}) {
  return fig8(races_of(as_in_the_paper(), change));
}

TEST(IscaFig8, HoldsForProgramsOfThePaper) {
  const Reproduction found = fig8_of();
  EXPECT_EQ(found.claims.size(), 4u);
  EXPECT_EQ(found.figures.size(), kPrograms);
  for (const Claim& claim : found.claims) EXPECT_TRUE(claim.holds) << claim.statement << claim.ours;
}

TEST(IscaFig8, AClaimAboutEveryProgramFailsWithOne) {
  const char* words = "on every program";
  const auto with = [&](double scale) {
    return claim_of(fig8_of([=](std::vector<Made>& made, size_t program) {
                      if (program == 6) made[kHp].scale = scale;
                    }),
                    words);
  };
  EXPECT_TRUE(with(40'000).holds);
  const Claim worse = with(100'000);
  EXPECT_TRUE(differs(worse));
  EXPECT_THAT(worse.ours, HasSubstr("in 13 of 14 programs; not in p6 "));
  // Its starts and seeds lie on both sides.
  std::vector<Raced> races = races_of(as_in_the_paper());
  for (size_t start = 0; start < kStarts; ++start) {
    auto& courses = races[6].windows[start].courses;
    courses[kHp] = courses[start % 2 == 0 ? kR : kHp];
    if (start % 2 != 0) continue;
    for (Course& course : courses[kHp]) {
      for (auto& error : course.errors) error = *error * 1.5;
    }
  }
  const Claim open = claim_of(fig8(races), words);
  EXPECT_TRUE(open.undecided);
  EXPECT_THAT(open.ours, HasSubstr("undecided in p6 "));
}

TEST(IscaFig8, ARateCanBeLoweredOnMostProgramsOrNot) {
  const auto with = [](size_t programs) {
    return claim_of(fig8_of([=](std::vector<Made>& made, size_t program) {
                      if (program < programs) made[kHp512].scale = 60'000;
                    }),
                    "two or more on most programs");
  };
  EXPECT_TRUE(with(2).holds);
  EXPECT_TRUE(with(7).undecided);
  EXPECT_TRUE(differs(with(12)));
}

TEST(IscaFig8, TheTaggedSamplerIsBetterAndDearerOrNot) {
  const char *better = "T is more accurate than", *dearer = "T costs twice as much";
  const auto worse = [](std::vector<Made>& made) {
    made[kT].scale = 50'000;
    made[kT].share = 1.1 / 257;
  };
  EXPECT_TRUE(differs(claim_of(fig8_of(in_all(worse)), better)));
  EXPECT_TRUE(differs(claim_of(fig8_of(in_all(worse)), dearer)));
  EXPECT_TRUE(claim_of(fig8_of(in_half(worse)), better).undecided);
  EXPECT_TRUE(claim_of(fig8_of(in_half(worse)), dearer).undecided);
}

TEST(IscaFig9, LargerTablesAreBetterInTheEndOrNot) {
  const auto with = [](const Change& change) {
    return fig9(races_of(
        {{"512", 4000, 0.01}, {"1024", 3000, 0.01}, {"2048", 2500, 0.01}, {"4096", 2000, 0.01}},
        change));
  };
  const char* words = "more entries are better";
  EXPECT_TRUE(claim_of(with({}), words).holds);
  EXPECT_TRUE(differs(claim_of(with(in_all([](auto& made) { made[k4096].scale = 9000; })), words)));
  EXPECT_TRUE(
      claim_of(with(in_half([](auto& made) { made[k4096].scale = 9000; })), words).undecided);
  EXPECT_FALSE(with({}).checks.at(0).ok) << "512 entries are never better there";
  EXPECT_TRUE(with(in_half([](auto& made) { made[k4096].scale = 9000; })).checks.at(0).ok);
}

TEST(IscaFig10, ASecondLevelLowersTheOverheadByThePapersFactorsOrNot) {
  const auto with = [](const Change& change) {
    return fig10(races_of({{"R", 1, 0.004},
                           {"R + A", 1, 0.002},
                           {"H", 1, 0.0039},
                           {"H + A", 1, 0.002},
                           {"T", 1, 0.008},
                           {"T + A", 1, 0.005}},
                          change));
  };
  for (const Claim& claim : with({}).claims) EXPECT_TRUE(claim.holds) << claim.statement;
  for (const Check& check : with({}).checks) EXPECT_TRUE(check.ok) << check.statement;
  const auto small = [](std::vector<Made>& made) { made[3].share = 0.0038; };
  EXPECT_TRUE(differs(claim_of(with(in_all(small)), "2.5, H")));
  EXPECT_TRUE(claim_of(with(in_half(small)), "2.5, H").undecided);
  const auto more = [](std::vector<Made>& made) { made[3].share = 0.004; };
  EXPECT_FALSE(check_of(with(in_all(more)), "A_16 lowers").ok);
  EXPECT_FALSE(
      check_of(with(in_all([](auto& made) { made[2].share = 0.005; })), "costs no more").ok);
}

TEST(IscaFig11, ErrorsAndOverheadsAreThoseOfEveryProgramOrNot) {
  const auto with = [](const Change& change) {
    return fig11(races_of({{"H[P_256]_2048", 8000, 1.0 / 257}}, change));
  };
  for (const Claim& claim : with({}).claims) EXPECT_TRUE(claim.holds) << claim.statement;
  const auto one = [](double scale, double share) {
    return [=](std::vector<Made>& made, size_t program) {
      if (program == 1) made[0] = {"H", scale, share};
    };
  };
  EXPECT_TRUE(differs(claim_of(with(one(400'000, 0.004)), "less than 3 %")));
  EXPECT_TRUE(claim_of(with(one(237'000, 0.004)), "less than 3 %").undecided);
  EXPECT_TRUE(differs(claim_of(with(one(8000, 0.006)), "under 4.5 %")));
  const auto half = in_half([](auto& made) { made[0].scale = 80'000; });
  EXPECT_TRUE(claim_of(with(half), "six of ten").undecided);
  EXPECT_TRUE(
      differs(claim_of(with(in_all([](auto& made) { made[0].scale = 80'000; })), "six of ten")));
}

}  // namespace
}  // namespace strobe::reproduce::isca2001
