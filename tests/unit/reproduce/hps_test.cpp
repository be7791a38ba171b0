// The verdicts on HPS, from measurements made up so that each is known.
#include "sw/reproduce/hps/hps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
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

const Check& check_of(const Reproduction& reproduction, const std::string& words) {
  for (const Check& check : reproduction.checks) {
    if (check.statement.find(words) != std::string::npos) return check;
  }
  throw std::runtime_error("no check says: " + words);
}

const Curve& curve_of(const Figure& figure, const std::string& name) {
  for (const Curve& curve : figure.curves) {
    if (curve.name == name) return curve;
  }
  throw std::runtime_error("no curve " + name);
}

bool differs(const Claim& claim) { return !claim.holds && !claim.undecided; }

constexpr size_t kPrograms = 14;

/// So many programs, each after `change`, which is told the program's place.
template <class Program>
std::vector<Program> programs_of(const Program& program,
                                 const std::function<void(Program&, size_t)>& change = {}) {
  std::vector<Program> programs;
  for (size_t i = 0; i < kPrograms; ++i) {
    programs.push_back(program);
    programs.back().program += std::to_string(i);
    if (change) change(programs.back(), i);
  }
  return programs;
}

/// A program on which all comes out as in the paper.
Split split_as_in_the_paper() {
  Split split;
  split.program = "gcc";
  Costs all;
  all.baseline = all.framework = 100'000;
  all.plain_basic = 105'000;
  all.instructions = 120'000;
  all.collected = 1000;
  all.basic_injected = 30'000;
  split.of = {all, all, all};
  const auto set = [](Costs& of, uint64_t checks, uint64_t plain, uint64_t hps, uint64_t there) {
    of.plain_checks = checks;
    of.plain = plain;
    of.hps = hps;
    of.occurrences = there;
  };
  set(split.of[kStreams], 200'000, 211'000, 105'000, 40'000);
  set(split.of[kPairs], 116'000, 117'000, 101'000, 2'000);
  set(split.of[kMethods], 116'000, 117'000, 101'000, 10'000);
  split.of[kStreams].checks_injected = 110'000;
  split.of[kStreams].handler_bytes = 114;
  split.of[kPairs].handler_bytes = 178;
  split.of[kMethods].handler_bytes = 154;
  split.of[kPairs].random = split.of[kMethods].random = 120'000;
  return split;
}

Reproduction fig6_of(const std::function<void(Split&, size_t)>& change = {}) {
  return fig6(programs_of(split_as_in_the_paper(), change));
}

TEST(HpsArithmetic, ThePartsOfPlainDiseAreDifferencesOfOverheads) {
  const Costs costs = split_as_in_the_paper().of[kStreams];
  const Parts parts = parts_of(costs);
  EXPECT_NEAR(parts.basic, 0.05, 1e-12);
  EXPECT_NEAR(parts.checks, 0.95, 1e-12);
  EXPECT_NEAR(parts.profiling, 0.11, 1e-12);
  EXPECT_NEAR(parts.total(), costs.overhead(211'000), 1e-12);
}

TEST(HpsArithmetic, AnOverheadCanBeNegative) {
  Point point;
  point.baseline = 1000;
  point.cycles = 990;
  EXPECT_NEAR(point.overhead(), -0.01, 1e-12);
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

TEST(HpsFig6, TheMachineIsThatOfThePaperOrTheCheckFails) {
  EXPECT_TRUE(machine_check({}).ok);
  Machine other;
  other.stations = 64;
  EXPECT_FALSE(machine_check(other).ok);
  EXPECT_THAT(machine_check(other).ours, HasSubstr("64 reservation stations"));
}

TEST(HpsFig6, HoldsForProgramsOfThePaper) {
  const Reproduction found = fig6_of();
  for (const Claim& claim : found.claims) EXPECT_TRUE(claim.holds) << claim.statement << claim.ours;
  for (const Check& check : found.checks) EXPECT_TRUE(check.ok) << check.statement << check.ours;
  EXPECT_EQ(found.claims.size(), 7u);
  EXPECT_EQ(found.checks.size(), 4u);
}

TEST(HpsFig6, ASavingThatIsAnotherDiffersAndSaysWhatAnEventCosts) {
  const Claim claim =
      claim_of(fig6_of([](Split& split, size_t) { split.of[kStreams].hps = 150'000; }), "106 %");
  EXPECT_TRUE(differs(claim));
  EXPECT_THAT(claim.ours, HasSubstr("61.00 %"));
  // 5000 cycles for 10,000 events that come every 10; 95,000 for 40,000 checks.
  EXPECT_THAT(claim.why, HasSubstr("every 10.0 (10.0 to 10.0) cycles and costs 0.5"));
  EXPECT_THAT(claim.why, HasSubstr("its check costs 2.4"));
}

TEST(HpsFig6, ASavingOfTheRightMeanIsUndecidedWhereProgramsDisagree) {
  const Reproduction found = fig6_of([](Split& split, size_t i) {
    split.of[kStreams].plain += i % 2 == 0 ? 90'000 : -90'000;
    split.of[kPairs].plain += i % 2 == 0 ? 9'000 : -9'000;
  });
  EXPECT_TRUE(claim_of(found, "106 %").undecided);
  EXPECT_THAT(claim_of(found, "106 %").ours, HasSubstr("106.00 % ("));
  EXPECT_TRUE(claim_of(found, "call pairs").undecided);
}

TEST(HpsFig6, ASavingFromTooFewEventsIsUndecided) {
  const Claim claim = claim_of(fig6_of([](Split& split, size_t i) {
                                 if (i == 3) split.of[kPairs].collected = 499;
                               }),
                               "16 % of the run time over plain DISE, call pairs");
  EXPECT_TRUE(claim.undecided);
  EXPECT_EQ(claim.why, "fewer than 500 events were collected of call pairs: gcc3 499");
}

TEST(HpsFig6, FewProgramsDecideNothing) {
  for (const Claim& claim : fig6({split_as_in_the_paper()}).claims) {
    EXPECT_TRUE(claim.undecided) << claim.statement;
    EXPECT_THAT(claim.why, HasSubstr("needs 5 programs"));
  }
}

TEST(HpsFig6, ChecksOfTheDataStreamsDominateOrNot) {
  const auto with = [](const std::function<uint64_t(size_t)>& checks) {
    return claim_of(
        fig6_of([&](Split& split, size_t i) { split.of[kStreams].plain_checks = checks(i); }),
        "checks dominate");
  };
  EXPECT_TRUE(with([](size_t) { return 200'000; }).holds);
  EXPECT_TRUE(differs(with([](size_t) { return 120'000; })));
  EXPECT_TRUE(with([](size_t i) { return i % 2 == 0 ? 200'000 : 110'000; }).undecided);
}

TEST(HpsFig6, MethodsAreLikePairsInBothSystemsOrDiffer) {
  const auto with = [](const std::function<uint64_t(size_t)>& hps) {
    return claim_of(fig6_of([&](Split& split, size_t i) { split.of[kMethods].hps = hps(i); }),
                    "almost those for call pairs");
  };
  EXPECT_TRUE(with([](size_t) { return 101'100; }).holds);
  const Claim more = with([](size_t) { return 105'000; });
  EXPECT_TRUE(differs(more));
  EXPECT_THAT(more.ours,
              HasSubstr("plain DISE: 1.00 (1.00 to 1.00) times that of pairs; HPS: 5.00"));
  EXPECT_TRUE(with([](size_t i) { return i % 2 == 0 ? 100'000 : 102'000; }).undecided);
}

TEST(HpsFig6, DensitiesAreThoseOfTheMedianProgram) {
  const auto with = [](const std::function<uint64_t(size_t)>& calls) {
    return claim_of(
        fig6_of([&](Split& split, size_t i) { split.of[kPairs].occurrences = calls(i); }),
        "is a call");
  };
  EXPECT_TRUE(with([](size_t i) { return i == 0 ? 100 : 2'000; }).holds)
      << "one program is not all";
  EXPECT_TRUE(differs(with([](size_t) { return 400; })));
  EXPECT_TRUE(with([](size_t i) { return i % 2 == 0 ? 400 : 2'000; }).undecided);
}

TEST(HpsFig6, OneCycleOfBasicOverheadInOneProgramIsTooMuch) {
  const Check check = check_of(fig6_of([](Split& split, size_t i) {
                                 if (i == 1) ++split.of[kStreams].framework;
                               }),
                               "no basic overhead");
  EXPECT_FALSE(check.ok);
  EXPECT_EQ(check.ours,
            "the same cycles in 13 of 14 programs; gcc1: 100001 cycles with the framework, 100000 "
            "without");
}

TEST(HpsFig6, OtherChecksFailToo) {
  EXPECT_FALSE(
      check_of(fig6_of([](Split& split, size_t) { split.of[kStreams].plain_basic = 140'000; }),
               "1 to 35 %")
          .ok);
  EXPECT_FALSE(
      check_of(fig6_of([](Split& split, size_t) { split.of[kStreams].checks_injected = 70'000; }),
               "adds 2 to 5")
          .ok);
  EXPECT_FALSE(
      check_of(fig6_of([](Split& split, size_t) { split.of[kPairs].handler_bytes = 4000; }),
               "few hundred bytes")
          .ok);
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
      const auto point = [&](double overlap, uint64_t cycles_at_100) {
        Point result{overlap, overlap - 0.1, {}, 1000, 0, 0};
        result.baseline = 10'000'000;
        result.cycles = result.baseline + cycles_at_100 * 100 / kFrequencies[f];
        return result;
      };
      program.points[kStreams][b][f] = point(0.3 + 0.06 * burst - 0.05 * sparse, 500'000);
      program.points[kStreams][b][f].symbols = 0.2;
      program.points[kPairs][b][f] = point(0.96 - 0.02 * burst - 0.02 * sparse, 105'000);
      program.points[kMethods][b][f] = point(0.97 - 0.02 * burst - 0.01 * sparse, 105'000);
    }
  }
  program.random[kPairs] = program.random[kMethods] = program.points[kPairs][0][0];
  return program;
}

using Change = std::function<void(Sampled&, size_t)>;
Reproduction fig7_of(const Change& change = {}) {
  return fig7(programs_of(sampled_as_in_the_paper(), change));
}
Reproduction fig8_of(const Change& change = {}) {
  return fig8(programs_of(sampled_as_in_the_paper(), change));
}

Point& usual(Sampled& program, Profile profile, size_t f) {
  return program.points[profile][kUsualBurst[profile]][f];
}

TEST(HpsFig7, HoldsForProgramsOfThePaper) {
  const Reproduction found = fig7_of();
  EXPECT_EQ(found.claims.size(), 13u);
  for (const Claim& claim : found.claims) {
    EXPECT_TRUE(claim.holds) << claim.statement << "; ours: " << claim.ours << claim.why;
  }
}

TEST(HpsFig7, FewProgramsDecideNothing) {
  for (const Claim& claim : fig7({sampled_as_in_the_paper()}).claims) {
    EXPECT_TRUE(claim.undecided) << claim.statement;
  }
}

TEST(HpsFig7, StreamsHaveAllTheirOverlaps) {
  EXPECT_EQ(claim_of(fig7_of(), "the profile of data streams").ours,
            "43.00 % (43.00 % to 43.00 %); 33.00 % by the other overlap; streams that the symbols "
            "detector finds: 20.00 %");
}

TEST(HpsFig7, AnAccuracyIsHeldAgainstItsWholeInterval) {
  const auto with = [](const std::function<double(size_t)>& overlap) {
    return claim_of(fig7_of([&](Sampled& program, size_t i) {
                      usual(program, kPairs, kRecommended).overlap = overlap(i);
                    }),
                    "the profile of call pairs is more than 90 %");
  };
  EXPECT_TRUE(with([](size_t i) { return i == 0 ? 0.89 : 0.96; }).holds);
  EXPECT_TRUE(with([](size_t i) { return i % 2 == 0 ? 0.80 : 0.99; }).undecided);
  const Claim low = with([](size_t i) { return i == 2 ? 0.8 : 0.85; });
  EXPECT_TRUE(differs(low));
  EXPECT_EQ(low.why, "least 80.00 % of twolf2, from 1000 events collected");
}

TEST(HpsFig7, AProgramWithoutHotStreamsIsNotInTheirMean) {
  const Reproduction found = fig7_of([](Sampled& program, size_t i) {
    if (i != 0) return;
    for (auto& by_frequency : program.points[kStreams]) {
      for (Point& point : by_frequency) point.overlap = point.other = point.symbols = std::nullopt;
    }
  });
  EXPECT_TRUE(claim_of(found, "the profile of data streams is more than 40 %").holds);
  EXPECT_THAT(found.tables.at(1).rows.at(0).at(1), HasSubstr("none"));
}

TEST(HpsFig7, AnOverheadIsHeldAgainstWhatIsStated) {
  const auto with = [](const std::function<uint64_t(size_t)>& cycles) {
    return fig7_of([&](Sampled& program, size_t i) {
      usual(program, kMethods, 0).cycles = 10'000'000 + cycles(i);
    });
  };
  const char* range = "methods at 1/100 cost 0 to 2.5 %";
  const char* mean = "methods at 1/100 cost just over 1 %";
  const Reproduction much = with([](size_t) { return 305'000; });
  EXPECT_TRUE(differs(claim_of(much, range)));
  EXPECT_TRUE(differs(claim_of(much, mean)));
  EXPECT_THAT(claim_of(much, mean).why,
              HasSubstr("at 1/100 one event collected every 10000 cycles (mean) costs 305.0"));
  EXPECT_TRUE(differs(claim_of(much, "proportional")));
  EXPECT_TRUE(claim_of(much, "call pairs at 1/100 cost just over 1 %").holds);
  const Reproduction mixed = with([](size_t i) { return i % 2 == 0 ? 10'000 : 280'000; });
  EXPECT_TRUE(claim_of(mixed, range).undecided);
  EXPECT_TRUE(claim_of(mixed, mean).undecided);
  EXPECT_TRUE(claim_of(mixed, "proportional").undecided);
}

TEST(HpsFig7, AProfileIsCheapOnlyWhereItIsAccurate) {
  const char* sweet = "methods that is 90 % accurate costs about 0.2 %";
  EXPECT_TRUE(differs(claim_of(fig7_of([](Sampled& program, size_t) {
                                 usual(program, kMethods, kRecommended).overlap = 0.89;
                               }),
                               sweet)));
  EXPECT_TRUE(differs(claim_of(fig7_of([](Sampled& program, size_t) {
                                 usual(program, kMethods, kRecommended).cycles += 20'000;
                               }),
                               sweet)));
  EXPECT_TRUE(claim_of(fig7_of([](Sampled& program, size_t i) {
                         usual(program, kMethods, kRecommended).cycles += i % 2 == 0 ? 15'000 : 0;
                       }),
                       sweet)
                  .undecided);
}

TEST(HpsFig7, TooFewEventsAreNoVerdict) {
  const Reproduction found = fig7_of([](Sampled& program, size_t i) {
    usual(program, kPairs, kRecommended).events = i == 0 ? 204 : 500;
    usual(program, kPairs, 4).events = 20;
  });
  const Claim& accurate = claim_of(found, "the profile of call pairs is more than 90 %");
  EXPECT_TRUE(accurate.undecided);
  EXPECT_EQ(
      accurate.why,
      "fewer than 500 events were collected of call pairs at 1/500 in bursts of 1: twolf0 204");
  EXPECT_TRUE(claim_of(found, "call pairs that is 90 % accurate").undecided);
  EXPECT_TRUE(claim_of(found, "call pairs at 1/100 cost just over").holds);
  EXPECT_TRUE(claim_of(found, "less sensitive").undecided);
  EXPECT_TRUE(claim_of(found, "negligible").undecided);
  EXPECT_TRUE(claim_of(found, "cost more than the other two").undecided);
}

TEST(HpsFig7, ASmallStepIsNegligibleAndALargeOneIsNot) {
  const auto with = [](const std::function<uint64_t(size_t)>& more) {
    return claim_of(
        fig7_of([&](Sampled& program, size_t i) { usual(program, kStreams, 3).cycles += more(i); }),
        "negligible");
  };
  EXPECT_TRUE(with([](size_t) { return 1000; }).holds);
  EXPECT_TRUE(differs(with([](size_t) { return 30'000; })));
  EXPECT_TRUE(with([](size_t i) { return i % 2 == 0 ? 0 : 20'000; }).undecided);
}

TEST(HpsFig7, StreamsAreWorseThanBothOthersOrDiffer) {
  const auto with = [](const std::function<double(size_t)>& overlap) {
    return claim_of(fig7_of([&](Sampled& program, size_t i) {
                      usual(program, kStreams, kRecommended).overlap = overlap(i);
                    }),
                    "data streams are less accurate and cost more");
  };
  EXPECT_TRUE(with([](size_t) { return 0.5; }).holds);
  EXPECT_TRUE(differs(with([](size_t) { return 0.99; })));
  EXPECT_TRUE(with([](size_t i) { return i % 2 == 0 ? 0.5 : 1.5; }).undecided);
}

TEST(HpsFig7, MethodsAreLessSensitiveThanBothOthersOrDiffer) {
  const auto with = [](const std::function<double(size_t)>& overlap) {
    return claim_of(fig7_of([&](Sampled& program, size_t i) {
                      usual(program, kMethods, 4).overlap = overlap(i);
                    }),
                    "methods are less sensitive");
  };
  EXPECT_TRUE(with([](size_t) { return 0.95; }).holds);
  EXPECT_TRUE(differs(with([](size_t) { return 0.85; })));
  EXPECT_TRUE(with([](size_t i) { return i % 2 == 0 ? 0.8 : 0.97; }).undecided);
}

TEST(HpsFig7, CurvesAreMeansAgainstTheLogarithmOfTheFrequency) {
  const Reproduction found = fig7_of([](Sampled& program, size_t i) {
    for (Point& point : program.points[kPairs][0]) *point.overlap -= i % 2 == 0 ? 0.1 : 0;
  });
  const Curve& pairs = curve_of(found.figures.at(0), "call pairs");
  ASSERT_EQ(pairs.points.size(), kFrequencies.size());
  EXPECT_DOUBLE_EQ(pairs.points[0].first, 2);
  EXPECT_NEAR(pairs.points[0].second, 91, 1e-9);
  EXPECT_DOUBLE_EQ(pairs.points[4].first, 4);
  const Curve& overhead = curve_of(found.figures.at(1), "call pairs");
  EXPECT_NEAR(overhead.points[0].second, 1.05, 1e-9);
}

TEST(HpsFig8, HoldsForProgramsOfThePaper) {
  const Reproduction found = fig8_of();
  EXPECT_EQ(found.claims.size(), 3u);
  for (const Claim& claim : found.claims) {
    EXPECT_TRUE(claim.holds) << claim.statement << "; ours: " << claim.ours;
  }
}

TEST(HpsFig8, ABurstLengthIsBetterOnAverageOrNot) {
  const auto with = [](const std::function<double(size_t)>& overlap) {
    return claim_of(fig8_of([&](Sampled& program, size_t i) {
                      for (Point& point : program.points[kMethods].back())
                        point.overlap = overlap(i);
                    }),
                    "for methods, bursts of 1 are more accurate than bursts of 100");
  };
  EXPECT_TRUE(with([](size_t) { return 0.9; }).holds);
  EXPECT_TRUE(differs(with([](size_t) { return 0.99; })));
  EXPECT_TRUE(with([](size_t i) { return i % 2 == 0 ? 0.9 : 0.99; }).undecided);
}

TEST(HpsFig8, FrequenciesWithTooFewEventsAreLeftOut) {
  const auto with = [](size_t first) {
    return claim_of(fig8_of([=](Sampled& program, size_t i) {
                      for (size_t f = first; f < kFrequencies.size(); ++f) {
                        if (i == 1) program.points[kPairs][0][f].events = 7;
                      }
                    }),
                    "for call pairs");
  };
  EXPECT_THAT(with(2).ours, HasSubstr("mean of 1/100, 1/500"));
  EXPECT_TRUE(with(2).holds);
  EXPECT_TRUE(with(0).undecided);
  EXPECT_EQ(with(0).why,
            "fewer than 500 events were collected of call pairs at 1/100 in bursts of 1: twolf1 7");
}

}  // namespace
}  // namespace strobe::reproduce::hps
