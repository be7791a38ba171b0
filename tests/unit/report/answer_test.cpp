// The question of a sweep file, and what the results answer.
#include "sw/report/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/explore/space/sweep_file.h"
#include "sw/report/number.h"
#include "tests/unit/config/scratch.h"
#include "tests/unit/report/sample_sweep.h"

namespace strobe::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kAnswer =
    "{profilers.0.hash}, {profilers.0.rate}: {min(profilers.0.overlap)} on {programs} programs, "
    "{qualifying} of {designs}.";

std::string answered(SampleSweep sweep, const std::string& where,
                     const std::string& answer = kAnswer) {
  const config::Scratch scratch;
  sweep.question = "question:\n  ask: Which hash?\n  where: " + where +
                   "\n  best: { min: profilers.0.messages }\n  answer: \"" + answer + "\"\n";
  sweep.write(scratch.file("sweep"));
  explore::Database database(scratch.file("sweep") + "/sweep.sqlite");
  return answer_of(database)->sentence;
}

TEST(Answer, IsTheBestDesignThatQualifies) {
  EXPECT_THAT(answered({}, "min(profilers.0.overlap) > 0.85"),
              StartsWith("paper, 48: 0.852 on 2 programs, 3 of 4."));
}

TEST(Answer, SaysWhichConditionToLoosenWhenNothingQualifies) {
  EXPECT_THAT(answered({}, "min(profilers.0.overlap) > 0.99"),
              HasSubstr("None of 4 designs qualifies. Loosen 'min(profilers.0.overlap) > 0.99': "
                        "without it 4 designs would qualify, and the nearest to it is "));
}

TEST(Answer, GivesTheIntervalOverSeedsAndNoneOfWhatNoSeedTouches) {
  SampleSweep sweep;
  sweep.seeds = 3;
  EXPECT_THAT(answered(sweep, "true", "{profilers.0.overlap} for {profilers.0.messages}."),
              HasSubstr(" ± 0.025 for 20,833 ± - (no seed touches it)."));
}

TEST(Answer, OfADesignWithAFailedPointIsNotGiven) {
  SampleSweep sweep;
  sweep.failed_rate = "rate=48 hash=paper";
  EXPECT_THAT(answered(sweep, "min(profilers.0.overlap) > 0.85"),
              AllOf(StartsWith("paper, 32: "), HasSubstr("1 design is left out")));
}

TEST(Answer, OfASweepThatHasNotEndedSaysHowFarItIs) {
  SampleSweep sweep;
  sweep.ended = false;
  EXPECT_THAT(answered(sweep, "true"), StartsWith("So far, 12 of 12 points: "));
}

TEST(Question, AFaultNamesItsPlace) {
  const auto fault = [](const std::string& text) {
    const config::Scratch scratch;
    text::Diagnostics faults;
    explore::read_sweep_file(scratch.write("s.yaml", "base: b.yaml\nquestion:\n" + text), &faults);
    return faults.empty() ? std::string() : faults[0].text();
  };
  const std::string rest = "  ask: a\n  best: { min: cycles }\n";
  EXPECT_THAT(fault(rest + "  answer: '{cycles'\n"),
              AllOf(HasSubstr("s.yaml:5:11"), HasSubstr("expected a '}'")));
  EXPECT_THAT(fault(rest + "  answer: '{max(}'\n"),
              AllOf(HasSubstr("s.yaml:5:11"), HasSubstr("expected the key of a result")));
  EXPECT_THAT(fault("  ask: a\n  best: cycles\n  answer: b\n"),
              AllOf(HasSubstr("s.yaml:4:9"), HasSubstr("expected 'min: EXPRESSION'")));
}

TEST(Number, HasFourSignificantDigitsUnlessItIsACount) {
  EXPECT_EQ(rounded(37378.5), "37,380");
  EXPECT_EQ(rounded(0.872665), "0.8727");
  EXPECT_EQ(rounded(999.96), "1,000");
  EXPECT_EQ(exact_or_rounded(16384), "16,384");
}

}  // namespace
}  // namespace strobe::report
