// The verdicts on HPS, from measurements made up so that each is known.
#include "sw/reproduce/hps/hps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "sw/reproduce/spread.h"

namespace strobe::reproduce::hps {
namespace {

using ::testing::HasSubstr;

/// The claim whose statement has `words`.
const Claim& claim_of(const Reproduction& reproduction, const std::string& words) {
  for (const Claim& claim : reproduction.claims) {
    if (claim.statement.find(words) != std::string::npos) return claim;
  }
  throw std::runtime_error("no claim says: " + words);
}

const Curve& curve_of(const Figure& figure, const std::string& name) {
  for (const Curve& curve : figure.curves) {
    if (curve.name == name) return curve;
  }
  throw std::runtime_error("no curve " + name);
}

/// A program on which all comes out as in the paper.
Split split_as_in_the_paper() {
  Split split;
  split.program = "gcc";
  split.baseline = split.framework = 100'000;
  split.plain_basic = 105'000;
  split.of[kStreams] = {200'000, 211'000, 105'000, {}};
  split.of[kPairs] = {116'000, 117'000, 101'000, 120'000};
  split.of[kMethods] = {116'000, 117'000, 101'000, 120'000};
  split.instructions = 120'000;
  split.references = 40'000;
  split.calls = 2'000;
  split.events = 10'000;
  split.basic_injected = 30'000;
  split.checks_injected = 110'000;
  split.handler_bytes = {114, 178, 154};
  return split;
}

TEST(HpsArithmetic, AboutIsWithinAQuarter) {
  EXPECT_TRUE(about(0.16, 0.121));
  EXPECT_TRUE(about(0.16, 0.199));
  EXPECT_FALSE(about(0.16, 0.119));
  EXPECT_FALSE(about(0.16, 0.201));
  EXPECT_FALSE(about(0.16, -0.16));
}

TEST(HpsArithmetic, ThePartsOfPlainDiseAreDifferencesOfOverheads) {
  const Split split = split_as_in_the_paper();
  const Parts parts = parts_of(split, kStreams);
  EXPECT_NEAR(parts.basic, 0.05, 1e-12);
  EXPECT_NEAR(parts.checks, 0.95, 1e-12);
  EXPECT_NEAR(parts.profiling, 0.11, 1e-12);
  EXPECT_NEAR(parts.total(), split.overhead(211'000), 1e-12);
}

TEST(HpsArithmetic, AnOverheadCanBeNegative) {
  EXPECT_NEAR((Overhead{1000, 990, 0}.fraction()), -0.01, 1e-12);
}

TEST(HpsArithmetic, SparsityGivesTheFrequency) {
  EXPECT_EQ(sparsity(1, 100), 99u);
  EXPECT_EQ(sparsity(100, 10000), 999'900u);
  EXPECT_LT(sparsity(kBursts.back(), kFrequencies.back()), 1u << 20) << "a counter has 20 bits";
}

TEST(HpsArithmetic, ASpreadIsMeanLeastAndMost) {
  const Spread spread = spread_of({0.02, 0.01, 0.06});
  EXPECT_EQ(spread.percents(), "3.00 % (1.00 % to 6.00 %)");
  EXPECT_THROW(spread_of({}), std::invalid_argument);
}

TEST(HpsArithmetic, AMeanIsOfTheProgramsThatHaveTheProfile) {
  EXPECT_EQ(mean({0.25, std::nullopt, 0.75}), 0.5);
  EXPECT_EQ(mean({std::nullopt}), std::nullopt);
}

TEST(HpsFig6, TheMachineIsThatOfThePaperOrDiffers) {
  EXPECT_TRUE(machine_claim({}).holds);
  Machine other;
  other.stations = 64;
  const Claim claim = machine_claim(other);
  EXPECT_FALSE(claim.holds);
  EXPECT_THAT(claim.ours, HasSubstr("64 reservation stations"));
}

TEST(HpsFig6, HoldsForAProgramOfThePaper) {
  const Reproduction found = fig6({split_as_in_the_paper()});
  EXPECT_TRUE(claim_of(found, "106 % of the run time").holds);
  EXPECT_THAT(claim_of(found, "106 % of the run time").ours, HasSubstr("106.00 %"));
  EXPECT_TRUE(claim_of(found, "16 % of the run time over plain DISE, call pairs").holds);
  EXPECT_TRUE(claim_of(found, "16 % of the run time over plain DISE, methods").holds);
  EXPECT_TRUE(claim_of(found, "no basic overhead").holds);
  EXPECT_TRUE(claim_of(found, "1 to 10 %").holds);
  EXPECT_TRUE(claim_of(found, "6 to 35 %").holds);
  EXPECT_TRUE(claim_of(found, "checks dominate").holds);
  EXPECT_TRUE(claim_of(found, "almost those for call pairs").holds);
  EXPECT_TRUE(claim_of(found, "is a memory operation").holds);
  EXPECT_TRUE(claim_of(found, "is a call").holds);
  EXPECT_TRUE(claim_of(found, "adds 2 to 5 instructions").holds);
  EXPECT_TRUE(claim_of(found, "a few hundred bytes").holds);
}

TEST(HpsFig6, ASavingThatIsAnotherDiffersAndSaysWhatAnEventCosts) {
  Split split = split_as_in_the_paper();
  split.of[kStreams].hps = 150'000;
  const Claim claim = claim_of(fig6({split}), "106 % of the run time");
  EXPECT_FALSE(claim.holds);
  EXPECT_THAT(claim.ours, HasSubstr("61.00 %"));
  // 5000 cycles for 10,000 events that come every 10; 95,000 for 40,000 checks.
  EXPECT_THAT(claim.why, HasSubstr("every 10.0 (10.0 to 10.0) cycles and costs 0.5"));
  EXPECT_THAT(claim.why, HasSubstr("its check costs 2.4"));
}

TEST(HpsFig6, OneCycleOfBasicOverheadInOneProgramIsTooMuch) {
  Split other = split_as_in_the_paper();
  other.program = "mcf";
  ++other.framework;
  const Claim claim = claim_of(fig6({split_as_in_the_paper(), other}), "no basic overhead");
  EXPECT_FALSE(claim.holds);
  EXPECT_THAT(claim.ours, HasSubstr("1 of 2 programs"));
  EXPECT_EQ(claim.why, "mcf: 100001 cycles with the framework, 100000 without");
}

TEST(HpsFig6, OneProgramOutsideTheRangeDiffers) {
  Split other = split_as_in_the_paper();
  other.program = "mcf";
  other.calls = 10'000;
  const Reproduction found = fig6({split_as_in_the_paper(), other});
  EXPECT_FALSE(claim_of(found, "is a call").holds);
  EXPECT_EQ(claim_of(found, "is a call").why, "our programs are different ones: mcf 12.0");
  EXPECT_TRUE(claim_of(found, "is a memory operation").holds);
}

TEST(HpsFig6, ATableHasEveryProgramAndTheMean) {
  Split other = split_as_in_the_paper();
  other.program = "mcf";
  other.of[kPairs].hps = 103'000;
  const Table pairs = fig6({split_as_in_the_paper(), other}).tables.at(kPairs);
  ASSERT_EQ(pairs.rows.size(), 3u);
  EXPECT_EQ(pairs.rows[1], (std::vector<std::string>{"mcf", "5.00 %", "11.00 %", "1.00 %",
                                                     "17.00 %", "3.00 %", "20.00 %"}));
  EXPECT_EQ(pairs.rows[2].at(5), "2.00 %");
}

/// Accuracies and overheads as the paper has them.
Sampled sampled_as_in_the_paper() {
  Sampled program;
  program.program = "twolf";
  for (size_t b = 0; b < kBursts.size(); ++b) {
    for (size_t f = 0; f < kFrequencies.size(); ++f) {
      const auto burst = static_cast<double>(b), sparse = static_cast<double>(f);
      const double streams = 0.3 + 0.06 * burst - 0.05 * sparse;
      program.accuracy[kStreams][b][f] = {streams, streams + 0.1, streams / 2, 1000};
      const double pairs = 0.96 - 0.02 * burst - 0.02 * sparse;
      program.accuracy[kPairs][b][f] = {pairs, pairs - 0.1, {}, 100};
      const double methods = 0.97 - 0.02 * burst - 0.01 * sparse;
      program.accuracy[kMethods][b][f] = {methods, methods - 0.1, {}, 100};
    }
  }
  for (size_t f = 0; f < kFrequencies.size(); ++f) {
    const auto cycles = [f](uint64_t at_100) {
      return 10'000'000 + at_100 * 100 / kFrequencies[f];
    };
    program.overhead[kStreams][f] = {10'000'000, cycles(500'000), 10'000};
    program.overhead[kPairs][f] = {10'000'000, cycles(105'000), 2'000};
    program.overhead[kMethods][f] = {10'000'000, cycles(105'000), 2'000};
  }
  program.random[kPairs] = program.random[kMethods] = {0.95, 0.9, {}, 80};
  return program;
}

TEST(HpsFig7, HoldsForAProgramOfThePaper) {
  for (const Claim& claim : fig7({sampled_as_in_the_paper()}).claims) {
    EXPECT_TRUE(claim.holds) << claim.statement << "; ours: " << claim.ours;
  }
}

TEST(HpsFig7, StreamsHaveAllTheirOverlaps) {
  EXPECT_EQ(
      claim_of(fig7({sampled_as_in_the_paper()}), "the profile of data streams").ours,
      "43.00 %; 53.00 % by the other overlap; streams that the symbols detector finds: 21.50 %");
}

TEST(HpsFig7, AnAccuracyThatIsStatedMustBeExceeded) {
  Sampled program = sampled_as_in_the_paper();
  program.accuracy[kPairs][0][kRecommended].overlap = 0.9;
  Claim claim = claim_of(fig7({program}), "the profile of call pairs is more than 90 %");
  EXPECT_FALSE(claim.holds);
  EXPECT_EQ(claim.why, "least 90.00 % of twolf, from 100 events collected");
  program.accuracy[kStreams][kUsualBurst[kStreams]][kRecommended].overlap = 0.4;
  claim = claim_of(fig7({program}), "the profile of data streams is more than 40 %");
  EXPECT_FALSE(claim.holds);
}

TEST(HpsFig7, AProgramWithoutHotStreamsIsNotInTheirMean) {
  Sampled none = sampled_as_in_the_paper();
  for (auto& by_frequency : none.accuracy[kStreams]) by_frequency.fill({});
  const Reproduction found = fig7({sampled_as_in_the_paper(), none});
  EXPECT_TRUE(claim_of(found, "the profile of data streams is more than 40 %").holds);
  EXPECT_THAT(found.tables.at(1).rows.at(1).at(1), HasSubstr("none"));
}

TEST(HpsFig7, OverheadsAreHeldAgainstWhatIsStated) {
  Sampled program = sampled_as_in_the_paper();
  program.overhead[kMethods][0].cycles += 200'000;  // 3.05 %
  Reproduction found = fig7({program});
  EXPECT_FALSE(claim_of(found, "methods at 1/100 cost 0 to 2.5 %").holds);
  EXPECT_FALSE(claim_of(found, "methods at 1/100 cost just over 1 %").holds);
  EXPECT_THAT(claim_of(found, "methods at 1/100 cost just over 1 %").why,
              HasSubstr("one event collected every 5000 cycles (mean) costs 152.5"));
  EXPECT_TRUE(claim_of(found, "call pairs at 1/100 cost 0 to 2.5 %").holds);
  EXPECT_TRUE(claim_of(found, "call pairs at 1/100 cost just over 1 %").holds);
  EXPECT_FALSE(claim_of(found, "proportional").holds);
  EXPECT_THAT(claim_of(found, "proportional").why, HasSubstr("methods 152 at 1/100, 10 at 1/500"));
  EXPECT_TRUE(claim_of(found, "call pairs that is 90 % accurate").holds);
  program.overhead[kPairs][kRecommended].cycles += 20'000;
  found = fig7({program});
  EXPECT_FALSE(claim_of(found, "call pairs that is 90 % accurate").holds);
  EXPECT_TRUE(claim_of(found, "methods that is 90 % accurate").holds);
}

TEST(HpsFig7, ACheapProfileThatIsNotAccurateIsNoSweetSpot) {
  Sampled program = sampled_as_in_the_paper();
  program.accuracy[kMethods][0][kRecommended].overlap = 0.89;
  EXPECT_FALSE(claim_of(fig7({program}), "methods that is 90 % accurate").holds);
}

TEST(HpsFig7, StreamsThatAreCheapestSomewhereDiffer) {
  Sampled program = sampled_as_in_the_paper();
  program.overhead[kStreams][4].cycles = 10'000'100;
  const Claim claim = claim_of(fig7({program}), "data streams are less accurate and cost more");
  EXPECT_FALSE(claim.holds);
  EXPECT_EQ(claim.ours, "less accurate at 5 of 5 frequencies, more expensive at 4");
  EXPECT_EQ(claim.why,
            "at 1/10000 data streams 28.00 % for 0.00 %, call pairs 88.00 % for 0.01 %, methods "
            "93.00 % for 0.01 %");
}

TEST(HpsFig7, CurvesAreMeansAgainstTheLogarithmOfTheFrequency) {
  Sampled other = sampled_as_in_the_paper();
  for (Accuracy& accuracy : other.accuracy[kPairs][0]) *accuracy.overlap -= 0.1;
  const Reproduction found = fig7({sampled_as_in_the_paper(), other});
  const Curve& pairs = curve_of(found.figures.at(0), "call pairs");
  ASSERT_EQ(pairs.points.size(), kFrequencies.size());
  EXPECT_DOUBLE_EQ(pairs.points[0].first, 2);
  EXPECT_NEAR(pairs.points[0].second, 91, 1e-9);
  EXPECT_DOUBLE_EQ(pairs.points[4].first, 4);
  const Curve& overhead = curve_of(found.figures.at(1), "call pairs");
  EXPECT_NEAR(overhead.points[0].second, 1.05, 1e-9);
}

TEST(HpsFig8, HoldsForAProgramOfThePaper) {
  for (const Claim& claim : fig8({sampled_as_in_the_paper()}).claims) {
    EXPECT_TRUE(claim.holds) << claim.statement << "; ours: " << claim.ours;
  }
}

TEST(HpsFig8, ABurstLengthMustBeTheBestAtEveryFrequency) {
  Sampled program = sampled_as_in_the_paper();
  program.accuracy[kStreams][1][2].overlap = 0.45;
  program.accuracy[kPairs][3][4].overlap = 0.95;
  const Reproduction found = fig8({program});
  EXPECT_FALSE(claim_of(found, "for data streams, bursts of 100").holds);
  EXPECT_THAT(claim_of(found, "for data streams, bursts of 100").ours,
              HasSubstr("at 4 of 5 frequencies"));
  EXPECT_EQ(
      claim_of(found, "for data streams, bursts of 100").why,
      "at 1/1000 bursts of 10 give 45.00 % and bursts of 100 give 38.00 %, from 1000 references "
      "of each program on average");
  EXPECT_FALSE(claim_of(found, "for call pairs, bursts of 1 ").holds);
  EXPECT_TRUE(claim_of(found, "for methods, bursts of 1 ").holds);
}

TEST(HpsFig8, BetterByAHairIsBetter) {
  Sampled program = sampled_as_in_the_paper();
  program.accuracy[kPairs][1][0].overlap = *program.accuracy[kPairs][0][0].overlap + 0.0001;
  const Claim claim = claim_of(fig8({program}), "for call pairs, bursts of 1 ");
  EXPECT_FALSE(claim.holds);
  EXPECT_THAT(claim.why,
              HasSubstr("at 1/100 bursts of 10 give 96.01 % and bursts of 1 give 96.00 %"));
}

TEST(HpsFig8, StreamsThatAreMoreThanHalfAccurateDiffer) {
  Sampled program = sampled_as_in_the_paper();
  program.accuracy[kStreams][3][0].overlap = 0.51;
  const Claim claim = claim_of(fig8({program}), "at most 50 %");
  EXPECT_FALSE(claim.holds);
  EXPECT_EQ(claim.ours, "at most 51.00 %, with bursts of 100 at 1/100");
  EXPECT_THAT(claim.why, HasSubstr("twolf 51.00 %"));
}

}  // namespace
}  // namespace strobe::reproduce::hps
