// The verdicts on ISCA 2001, from races made up so that each is known.
#include "sw/reproduce/isca2001/isca2001.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stdexcept>

#include "sw/reproduce/verdict.h"

namespace strobe::reproduce::isca2001 {
namespace {

using testing::HasSubstr;

constexpr size_t kPrograms = 14;
constexpr size_t kStarts = 4, kSeeds = 3;

bool differs(const Claim& claim) { return !claim.holds && !claim.undecided; }

const Claim& claim_of(const Reproduction& reproduction, const std::string& words) {
  for (const Claim& claim : reproduction.claims) {
    if (claim.statement.find(words) != std::string::npos) return claim;
  }
  throw std::runtime_error("no claim says: " + words);
}

const Check& check_of(const Reproduction& reproduction, const std::string& words) {
  for (const Check& check : reproduction.checks) {
    if (check.statement.find(words) != std::string::npos) return check;
  }
  throw std::runtime_error("no check says: " + words);
}

/// A compressor of the made-up races: the error is `scale` / events, and the messages are a share.
struct Made {
  std::string name;
  double scale;  // events at which the error is 100 %
  double share;  // of the events, that are sent
};

using Change = std::function<void(std::vector<Made>&, size_t program)>;

std::vector<Raced> races_of(const std::vector<Made>& made, const Change& change = {},
                            size_t programs = kPrograms) {
  std::vector<Raced> races;
  for (size_t p = 0; p < programs; ++p) {
    std::vector<Made> of_program = made;
    if (change) change(of_program, p);
    Raced raced;
    raced.program = "p" + std::to_string(p);
    raced.stream = 16'000'000;
    for (double events = 10'000; events < 8e6; events *= 1.1) {
      raced.events.push_back(static_cast<uint64_t>(events));
    }
    raced.events.push_back(8'000'000);
    for (size_t start = 0; start < kStarts; ++start) {
      Window window;
      window.loads = 50;
      window.top_share = 0.05;
      for (const uint64_t events : raced.events) window.cycles.push_back(events * 7 / 2);
      for (const Made& one : of_program) {
        std::vector<Course>& seeds = window.courses.emplace_back();
        for (size_t seed = 0; seed < kSeeds; ++seed) {
          Course& course = seeds.emplace_back();
          // Starts and seeds differ a little.
          const double scale = one.scale * (1 + 0.01 * static_cast<double>(start + seed));
          for (const uint64_t events : raced.events) {
            const auto so_far = static_cast<double>(events);
            course.errors.push_back(std::min(1.0, scale / so_far));
            course.messages.push_back(static_cast<uint64_t>(one.share * so_far));
          }
        }
      }
      raced.windows.push_back(std::move(window));
    }
    for (const Made& one : of_program) raced.compressors.push_back(one.name);
    races.push_back(std::move(raced));
  }
  return races;
}

/// As in the paper: R is under 5 % at 1M events, H[P_256]_2048 at 43K.
std::vector<Made> as_in_the_paper() {
  return {{"R_256", 50'000, 1.0 / 256},
          {"P_256", 50'000, 1.0 / 256},
          {"H[P_256]_2048", 50'000 / 23.0, 1.0 / 257},
          {"H[P_512]_2048", 40'000, 1.0 / 512},
          {"T", 1000, 3.0 / 257}};
}
Reproduction fig7_of(const Change& change = {}) {
  return fig7(races_of(as_in_the_paper(), change));
}
Reproduction fig8_of(const Change& change = {}) {
  return fig8(races_of(as_in_the_paper(), change));
}

/// Half of the programs are changed.
Change in_half(const std::function<void(std::vector<Made>&)>& change) {
  return [=](std::vector<Made>& made, size_t program) {
    if (program % 2 == 0) change(made);
  };
}
Change in_all(const std::function<void(std::vector<Made>&)>& change) {
  return [=](std::vector<Made>& made, size_t) { change(made); };
}

TEST(IscaArithmetic, AMeanErrorIsOverTheEventsThatHaveOne) {
  Raced raced;
  raced.events = {10, 20, 40};
  EXPECT_DOUBLE_EQ(mean_error(raced, {{std::nullopt, 0.4, 0.1}, {}}), (10 * 0.4 + 20 * 0.1) / 30);
  EXPECT_DOUBLE_EQ(mean_error(raced, {{std::nullopt, std::nullopt, std::nullopt}, {}}), 1);
}

TEST(IscaArithmetic, ATimeLiesBetweenTwoPoints) {
  Raced raced;
  raced.events = {10, 20, 40};
  const Course dips{{0.04, 0.06, 0.03}, {}}, never{{0.9, 0.06, 0.05}, {}},
      late{{std::nullopt, 0.01, 0.01}, {}};
  EXPECT_EQ(reaches(raced, dips).after, 0);
  EXPECT_EQ(reaches(raced, dips).until, 10);
  EXPECT_EQ(stays_below(raced, dips).after, 20);
  EXPECT_EQ(stays_below(raced, dips).until, 40);
  EXPECT_EQ(reaches(raced, never).after, 40);
  EXPECT_TRUE(std::isinf(reaches(raced, never).until));
  EXPECT_TRUE(std::isinf(stays_below(raced, never).until));
  EXPECT_EQ(reaches(raced, late).after, 10) << "without a load there is no error to be small";
  EXPECT_EQ(stays_below(raced, late).until, 20);
}

TEST(IscaArithmetic, TheOverheadIsThatOfThePapersModel) {
  Window window;
  window.cycles = {1000, 1'000'000};
  // 1000 messages of 30 cycles and ten interrupts of 214.
  EXPECT_DOUBLE_EQ(overhead(window, {{}, {1, 1000}}), 0.03214);
}

TEST(IscaArithmetic, NothingOfNothingIsTheSame) {
  EXPECT_EQ(quotient({"p", {{0, 4}}}, {"p", {{0, 2}}}).by[0], (std::vector<double>{1, 2}));
}

TEST(IscaPrograms, WithTooFewEventsOrLoadsAreNamedAndLeftOut) {
  std::vector<Raced> races = races_of(as_in_the_paper(), {}, 3);
  races[0].windows[1].loads = 19;
  races[1].windows.clear();
  races[1].stream = 1234;
  std::vector<std::string> skipped;
  const std::vector<Raced> left = qualified(races, true, skipped);
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].program, "p2");
  EXPECT_THAT(skipped, testing::ElementsAre("p0 (too few loads: 19 qualify in one of its windows, "
                                            "and 20 are needed)",
                                            "p1 (too few events: its stream has 1234)"));
  skipped.clear();
  EXPECT_EQ(qualified(races, false, skipped).size(), 2u);
}

TEST(IscaFig7, HoldsForProgramsOfThePaper) {
  const Reproduction found = fig7_of();
  EXPECT_EQ(found.claims.size(), 7u);
  for (const Claim& claim : found.claims) EXPECT_TRUE(claim.holds) << claim.statement << claim.ours;
  for (const Check& check : found.checks) EXPECT_TRUE(check.ok) << check.statement << check.ours;
}

TEST(IscaFig7, FewProgramsDecideNothing) {
  for (const Claim& claim : fig7(races_of(as_in_the_paper(), {}, 4)).claims) {
    EXPECT_TRUE(claim.undecided) << claim.statement;
  }
}

TEST(IscaFig7, TheSamplersAreAlikeOrNot) {
  const char* words = "almost identical";
  EXPECT_TRUE(differs(claim_of(fig7_of(in_all([](auto& made) { made[kP].scale *= 2; })), words)));
  EXPECT_TRUE(claim_of(fig7_of(in_half([](auto& made) { made[kP].scale *= 2; })), words).undecided);
}

TEST(IscaFig7, ConvergenceIsSoonerOrNotAndNamesBothEnds) {
  const auto slower = [](double factor) {
    return [=](std::vector<Made>& made) { made[kHp].scale *= factor; };
  };
  const char *sooner = "two times as many", *much = "23 times as many";
  const Claim ten = claim_of(fig7_of(in_all(slower(10))), sooner);
  EXPECT_TRUE(ten.holds) << ten.ours;
  EXPECT_TRUE(differs(claim_of(fig7_of(in_all(slower(10))), much)));
  EXPECT_TRUE(differs(claim_of(fig7_of(in_all(slower(23))), sooner)));
  const Reproduction half = fig7_of(in_half(slower(23)));
  EXPECT_TRUE(claim_of(half, sooner).undecided) << claim_of(half, sooner).ours;
  EXPECT_TRUE(claim_of(half, much).undecided);
  const Reproduction one = fig7_of([&](std::vector<Made>& made, size_t program) {
    if (program == 3) slower(23)(made);
    if (program == 5) made[kR].scale *= 2;
  });
  EXPECT_TRUE(claim_of(one, sooner).holds);
  EXPECT_THAT(claim_of(one, sooner).ours, HasSubstr("in p3, best"));
  EXPECT_THAT(claim_of(one, sooner).ours, HasSubstr("in p5"));
}

TEST(IscaFig7, WhatAWindowDoesNotShowIsUndecided) {
  // Neither gets under 5 % in 8M events.
  const Claim claim = claim_of(fig7_of(in_all([](auto& made) {
                                 made[kR].scale = 5e6;
                                 made[kHp].scale = 1e6;
                               })),
                               "two times as many");
  EXPECT_TRUE(claim.undecided);
  EXPECT_THAT(claim.ours, HasSubstr("no bound"));
}

TEST(IscaFig7, HalfTheRateIsAsAccurateOrNot) {
  const char* words = "as accurate as R_256";
  EXPECT_TRUE(
      differs(claim_of(fig7_of(in_all([](auto& made) { made[kHp512].scale = 60'000; })), words)));
  EXPECT_TRUE(
      claim_of(fig7_of(in_half([](auto& made) { made[kHp512].scale = 60'000; })), words).undecided);
}

TEST(IscaFig7, TheAbstractNeedsBothItsNumbers) {
  const char* words = "3.5 % overhead (abstract)";
  EXPECT_TRUE(
      differs(claim_of(fig7_of(in_all([](auto& made) { made[kHp].scale = 400'000; })), words)));
  EXPECT_TRUE(
      differs(claim_of(fig7_of(in_all([](auto& made) { made[kHp].share = 0.01; })), words)));
  EXPECT_TRUE(
      claim_of(fig7_of(in_half([](auto& made) { made[kHp].scale = 400'000; })), words).undecided);
}

TEST(IscaFig7, TheTaggedSamplerIsTheBestOrNot) {
  const char* words = "best accuracy of all";
  EXPECT_TRUE(differs(claim_of(fig7_of(in_all([](auto& made) { made[kT].scale = 3000; })), words)));
  EXPECT_TRUE(
      claim_of(fig7_of(in_half([](auto& made) { made[kT].scale = 3000; })), words).undecided);
  const char* cost = "almost three times";
  EXPECT_TRUE(
      differs(claim_of(fig7_of(in_all([](auto& made) { made[kT].share = 1.2 / 257; })), cost)));
  EXPECT_TRUE(
      claim_of(fig7_of(in_half([](auto& made) { made[kT].share = 1.2 / 257; })), cost).undecided);
}

TEST(IscaFig7, AChecksOppositeIsPrinted) {
  EXPECT_FALSE(
      check_of(fig7_of(in_all([](auto& made) { made[kHp].share = 1.0 / 255; })), "fewer messages")
          .ok);
  EXPECT_FALSE(
      check_of(fig7_of(in_all([](auto& made) { made[kHp512].share = 1.0 / 256; })), "half of what")
          .ok);
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
