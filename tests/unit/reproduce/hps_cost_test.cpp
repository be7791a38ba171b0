// The verdicts on what a collected event costs, from measurements made up so that each is known.
#include "sw/reproduce/hps/hps_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "tests/unit/reproduce/claims.h"

namespace strobe::reproduce::hps {
namespace {

using look_up::claim_of;
using look_up::differs;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr size_t kSome = 26;

/// 100 events of 20 cycles in a million: 0.2 %.
EventCost as_in_the_paper() {
  EventCost one{1'000'000, 1'002'000, 100, 6000, 50, {}};
  one.added.handler = 1500;
  one.added.branches = 500;
  return one;
}

/// What differs from the paper, by program and setting.
using CostChange = std::function<void(EventCost&, size_t program, const CostSetting&, Profile)>;

Reproduction costs_of(const CostChange& change = {}, size_t programs = kSome) {
  std::vector<Costed> all;
  for (size_t i = 0; i < programs; ++i) {
    Costed program{"p" + std::to_string(i), {}};
    for (const CostSetting& setting : cost_settings()) {
      auto& of_setting = program.by.emplace_back();
      for (const Profile profile : kOfCalls) {
        EventCost& one = of_setting[profile - kPairs] = as_in_the_paper();
        if (change) change(one, i, setting, profile);
      }
    }
    all.push_back(std::move(program));
  }
  return cost(all);
}

/// Takes so many cycles more.
CostChange costing(const std::function<uint64_t(size_t)>& cycles) {
  return [=](EventCost& one, size_t program, const CostSetting&, Profile) {
    one.cycles = one.baseline + cycles(program);
    one.added = {};
    one.added.handler = static_cast<double>(cycles(program));
  };
}

TEST(HpsCost, EverySettingHasAPlaceAndNoOtherHas) {
  const std::vector<CostSetting> settings = cost_settings();
  EXPECT_EQ(settings.size(), 14u);
  for (size_t i = 0; i < settings.size(); ++i) EXPECT_EQ(place_of(settings[i]), i);
  EXPECT_THROW(place_of({kTage, 5, 500}), std::invalid_argument);
  EXPECT_THROW(place_of({kShared, 1, 100}), std::invalid_argument);
}

TEST(HpsCost, HoldsForProgramsOfThePaper) {
  const Reproduction found = costs_of();
  EXPECT_EQ(found.claims.size(), 2u + 5u + 2 * 11u);
  for (const Claim& claim : found.claims) EXPECT_TRUE(claim.holds) << claim.statement << claim.ours;
}

TEST(HpsCost, AnOverheadIsAboutThePapersOrAnotherOrUndecided) {
  const std::string words = "about 0.2 %: call pairs, gshare, frozen, 3 stages";
  const Claim dear = claim_of(costs_of(costing([](size_t) { return 4000; })), words);
  EXPECT_TRUE(differs(dear));
  EXPECT_EQ(dear.ours, "0.40 % (0.40 % to 0.40 %)");
  EXPECT_EQ(dear.why, "an event costs 40 (40 to 40) cycles, and 0.2 % are 20 cycles an event");
  EXPECT_TRUE(differs(claim_of(costs_of(costing([](size_t) { return 1000; })), words)));
  EXPECT_TRUE(claim_of(costs_of(costing([](size_t i) { return i % 2 == 0 ? 500 : 3500; })), words)
                  .undecided);
}

TEST(HpsCost, EachSettingHasItsOwnVerdict) {
  const Reproduction found =
      costs_of([](EventCost& one, size_t, const CostSetting& setting, Profile profile) {
        if (setting.prediction != kTage || profile != kMethods) one.cycles += 2000;
      });
  size_t holding = 0;
  for (const Claim& claim : found.claims) {
    if (claim.statement.find("about 0.2 %") == std::string::npos) continue;
    if (claim.holds) ++holding;
    EXPECT_EQ(claim.holds, claim.statement.find("methods, tage") != std::string::npos)
        << claim.statement;
  }
  EXPECT_EQ(holding, 1u);
}

TEST(HpsCost, AnEventCostsWhatThePaperImpliesOrMoreOrIsUndecided) {
  const std::string words = "an event costs 15 to 59 cycles: call pairs, perfect";
  EXPECT_TRUE(claim_of(costs_of(costing([](size_t) { return 5800; })), words).holds);
  const Claim dear = claim_of(costs_of(costing([](size_t) { return 6000; })), words);
  EXPECT_TRUE(differs(dear));
  EXPECT_THAT(dear.why,
              AllOf(HasSubstr("60.0: 0.0, 60.0, 0.0, 0.0, 0.0 cycles, all: entry, handler"),
                    HasSubstr("the handler executes 60 instructions")));
  EXPECT_TRUE(claim_of(costs_of(costing([](size_t i) { return i % 2 == 0 ? 3000 : 9000; })), words)
                  .undecided);
}

TEST(HpsCost, AProgramCountsAsOftenAsItHasEvents) {
  const Reproduction found = costs_of([](EventCost& one, size_t i, const CostSetting&, Profile) {
    one.events = i == 0 ? 10'000 : 1;
    one.added = {};
    one.added.handler = i == 0 ? 200'000 : 1000;
  });
  // (200,000 + 25 * 1000) / (10,000 + 25)
  EXPECT_THAT(claim_of(found, "15 to 59 cycles: call pairs, gshare, shared").ours,
              HasSubstr("22 ("));
}

TEST(HpsCost, ADeeperEngineCostsTheCoreNothingOrSomethingOrIsUndecided) {
  const std::string words = "no basic overhead (section 6.1), an engine of 5 stages";
  const auto deeper = [&](const std::function<uint64_t(size_t)>& more) {
    return claim_of(costs_of([&](EventCost& one, size_t i, const CostSetting& setting, Profile) {
                      if (setting.stages == 5) one.baseline += more(i);
                    }),
                    words);
  };
  EXPECT_TRUE(deeper([](size_t) { return 900; }).holds);
  const Claim dear = deeper([](size_t) { return 130'000; });
  EXPECT_TRUE(differs(dear));
  EXPECT_EQ(dear.ours, "13.00 % (13.00 % to 13.00 %)");
  EXPECT_THAT(dear.why, HasSubstr("costs 4 cycles more"));
  EXPECT_TRUE(deeper([](size_t i) { return i % 2 == 0 ? 0 : 2000; }).undecided);
}

TEST(HpsCost, WithoutEventsOrProgramsNothingIsSaidOfThem) {
  const Reproduction none =
      costs_of([](EventCost& one, size_t, const CostSetting&, Profile profile) {
        if (profile == kPairs) one.events = 0;
      });
  EXPECT_TRUE(claim_of(none, "15 to 59 cycles: call pairs, gshare, banked").undecided);
  EXPECT_EQ(none.tables[0].rows[0][1], "none");
  for (const Claim& claim : costs_of({}, 4).claims) {
    EXPECT_TRUE(claim.undecided) << claim.statement;
    EXPECT_THAT(claim.why, HasSubstr("needs 5 programs"));
  }
}

TEST(HpsCost, TheTablesSayWhereTheCyclesGoAndWhatColdHandlersCost) {
  const Reproduction found =
      costs_of([](EventCost& one, size_t, const CostSetting& setting, Profile) {
        if (setting.frequency != 5000) return;
        one.events = 10;
        one.added.caches = 1000;
      });
  ASSERT_EQ(found.tables.size(), 4u);
  EXPECT_THAT(found.tables[1].rows[4],
              ElementsAre("perfect", "20.0: 0.0, 15.0, 5.0, 0.0, 0.0; 0.50",
                          "20.0: 0.0, 15.0, 5.0, 0.0, 0.0; 0.50"));
  EXPECT_THAT(found.tables[2].rows[0],
              ElementsAre("gshare, shared", "20 (20 to 20); 2600", "300 (300 to 300); 260",
                          "20 (20 to 20); 2600", "300 (300 to 300); 260"));
  EXPECT_EQ(found.tables[3].rows.size(), kSome);
  ASSERT_EQ(found.figures.size(), 2u);
  EXPECT_EQ(found.figures[0].curves[0].points.size(), 3u);
  EXPECT_EQ(found.figures[0].curves[3].points.size(), 1u) << "a bound is measured with one stage";
}

}  // namespace
}  // namespace strobe::reproduce::hps
