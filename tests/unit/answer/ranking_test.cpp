// Do the rows of a ranking add up, and is a profile that is not there named with the nearest one?
#include "sw/answer/ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/answer/answer_error.h"
#include "tests/unit/answer/sample.h"

namespace strobe::answer {
namespace {

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const AnswerError& error) {
    return error.what();
  }
  return "no error";
}

std::vector<std::string> names_of(const Ranking& ranking) {
  std::vector<std::string> names;
  for (const Row& row : ranking.rows) names.push_back(row.name);
  return names;
}

TEST(Ranking, FunctionsComeByTheirShareAndAddUpToOne) {
  const RunProfile run = sample_run();
  const Ranking ranking = rank(By::kFunction, {{&run, &run.series[0]}});
  EXPECT_THAT(names_of(ranking), testing::ElementsAre("main", "f;g"));
  EXPECT_DOUBLE_EQ(ranking.rows[0].cells[0].share, 0.6);
  EXPECT_DOUBLE_EQ(ranking.rows[0].cells[0].share + ranking.rows[1].cells[0].share, 1);
}

TEST(Ranking, WhatHasNoAddressIsARowOfTheTruth) {
  const RunProfile run = sample_run();
  EXPECT_THAT(names_of(rank(By::kFunction, {{&run, &run.series[3]}})),
              testing::ElementsAre("main", "[machine mode]"));
}

TEST(Ranking, ALoadSaysItsMostFrequentValue) {
  const RunProfile run = sample_run();
  const Ranking ranking = rank(By::kLoad, {{&run, &run.series[1]}});
  EXPECT_THAT(names_of(ranking), testing::ElementsAre("main", "f;g"));
  EXPECT_EQ(ranking.rows[0].note, "75.00 % is 0x7");
}

TEST(Ranking, ACallNamesBothEnds) {
  const RunProfile run = sample_run();
  EXPECT_THAT(names_of(rank(By::kCall, {{&run, &run.series[2]}})),
              testing::ElementsAre("main+0x4 -> f;g"));
}

TEST(Ranking, OfTwoProfilesHasARowForWhatOnlyTheSecondHas) {
  const RunProfile run = sample_run();
  const Ranking ranking = rank(By::kFunction, {{&run, &run.series[3]}, {&run, &run.series[0]}});
  ASSERT_THAT(names_of(ranking), testing::ElementsAre("main", "[machine mode]", "f;g"));
  EXPECT_DOUBLE_EQ(ranking.rows[2].cells[0].share, 0);
  EXPECT_DOUBLE_EQ(ranking.rows[2].cells[1].share, 0.4);
}

// Newcombe (1998, Statistics in Medicine 17, table I): 81 of 263 gives 0.2553 to 0.3662.
TEST(Ranking, TheIntervalIsWilsons) {
  EXPECT_NEAR(wilson_half_width(81.0 / 263, 263), (0.3662 - 0.2553) / 2, 1e-4);
  EXPECT_EQ(wilson_half_width(0, 0), 1);
}

TEST(Ranking, SharesDifferBeyondTheirIntervalsOnly) {
  EXPECT_TRUE(differ({1, 0.5, 0.01}, {1, 0.52, 0.01}));
  EXPECT_FALSE(differ({1, 0.5, 0.02}, {1, 0.52, 0.02}));
  EXPECT_FALSE(differ({1, 0.5, 0}, {1, 0.5, 0}));
}

TEST(Ranking, BetweenTwoExactProfilesNothingIsBeyondChance) {
  EXPECT_FALSE(differ({1, 0.5, 0}, {1, 0.50000001, 0}));
  const RunProfile run = sample_run();
  const Ranking ranking = rank(By::kFunction, {{&run, &run.series[3]}, {&run, &run.series[3]}});
  testing::internal::CaptureStdout();
  print_ranking(ranking, 10);
  EXPECT_THAT(testing::internal::GetCapturedStdout(), testing::Not(testing::HasSubstr("*")));
}

TEST(Ranking, LinesOfAProgramThatIsNotFoundAreAnError) {
  const RunProfile run = sample_run();
  EXPECT_EQ(error_of([&] {
              rank(By::kLine, {{&run, &run.series[0]}});
            }),
            "the lines of sample.elf are not known: the file with SHA-256 0123 is not at "
            "sample.elf; name it with --program FILE, or take --by function");
}

TEST(Series, TheDefaultIsTheTruthOrTheFirstThatCountsWhatIsAskedFor) {
  const RunProfile run = sample_run();
  EXPECT_EQ(series_for(run, "", {}).source, "truth");
  EXPECT_EQ(series_for(run, "", {"value"}).kind, "value");
  EXPECT_EQ(series_for(run, "p", {}).kind, "edge");
}

TEST(Series, AnUnknownProfileIsAnErrorWithTheNearestName) {
  const RunProfile run = sample_run();
  EXPECT_EQ(
      error_of([&] { series_for(run, "thruth", {}); }),
      "no profile 'thruth' in results/sample (did you mean 'truth'?); it has p, calls, truth");
}

TEST(Series, AProfileThatDoesNotCountWhatIsAskedForIsAnError) {
  const RunProfile run = sample_run();
  EXPECT_EQ(error_of([&] { series_for(run, "truth", {"value"}); }),
            "no part of 'truth' in results/sample counts what is asked for: expected a profile of "
            "value, got cycles; run it again with a selector { profile: value }");
}

TEST(Series, AnExhaustiveProfileThatTheRunDoesNotHaveSaysHowToGetIt) {
  const RunProfile run = sample_run();
  EXPECT_EQ(error_of([&] { series_beside(run, "exhaustive", run.series[0], {}); }),
            "the exhaustive profile of 'p' is not in results/sample: run it again with --set "
            "exhaustive_profiles=true");
}

TEST(Series, EveryKindOfEventHasAName) {
  const auto name = [](const std::string& kind) { return events_of(Series{"p", kind, "events"}); };
  EXPECT_EQ(name("address"), "addresses");
  EXPECT_EQ(name("call_target"), "calls");
  EXPECT_EQ(name("cycles"), "time");
  EXPECT_EQ(name("edge+value"), "edge+value events");
}

TEST(Series, TheOneBesideAnotherIsOfItsKind) {
  const RunProfile run = sample_run();
  EXPECT_EQ(&series_beside(run, "p", run.series[1], {}), &run.series[1]);
  EXPECT_EQ(&series_beside(run, "p", run.series[3], {}), &run.series[0]);
}

}  // namespace
}  // namespace strobe::answer
