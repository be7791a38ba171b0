#include "sw/result/warnings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/result/make_result.h"
#include "tests/unit/result/documented_keys.h"
#include "tests/unit/result/sample_run.h"

namespace strobe::result {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A run of one profiler without a doubt.
platform::RunOutcome sound() {
  platform::RunOutcome outcome = sample_outcome();
  outcome.exit_code = 0;
  outcome.profilers.resize(1);
  outcome.profilers[0].messages = kFewEvents;
  outcome.profilers[0].dropped = 20;  // of 2000
  return outcome;
}

std::vector<std::string> of(const platform::RunOutcome& outcome,
                            const config::RunConfig& configuration = sample_configuration()) {
  return warnings(make_result(configuration, outcome, kSampleBaseline));
}

std::vector<std::string> of(const json& profile) {
  return warnings(make_result(sample_configuration(), sound(), kSampleBaseline, profile));
}

TEST(Warnings, NoneOfASoundRun) { EXPECT_THAT(of(sound()), IsEmpty()); }

TEST(Warnings, OfDroppedEventsAboveOnePerCent) {
  platform::RunOutcome outcome = sound();
  outcome.profilers[0].dropped = 21;
  EXPECT_THAT(of(outcome), ElementsAre(HasSubstr("strat dropped 1.05 % of its events")));
}

TEST(Warnings, OfAPassiveProfilerBesideAnActiveOneThatDrops) {
  platform::RunOutcome outcome = sound();
  outcome.profilers.push_back(outcome.profilers[0]);
  outcome.profilers[1].name = "watch";
  outcome.profilers[1].active = false;
  outcome.profilers[1].dropped = 0;
  config::RunConfig configuration = sample_configuration();
  configuration.profilers.resize(1);
  configuration.profilers.push_back(configuration.profilers[0]);
  configuration.profilers[1].name = "watch";
  configuration.profilers[1].active = false;
  EXPECT_THAT(of(outcome, configuration), IsEmpty()) << "1 per cent is none to speak of";
  outcome.profilers[0].dropped = 612;
  EXPECT_THAT(of(outcome, configuration),
              ElementsAre(HasSubstr("strat dropped 30.60 % of its events"),
                          HasSubstr("watch has no queue and sees the events that strat dropped "
                                    "(30.60 %): the profiles are of different events")));
}

TEST(Warnings, OfFewMessages) {
  platform::RunOutcome outcome = sound();
  outcome.profilers[0].messages = kFewEvents - 1;
  EXPECT_THAT(of(outcome), ElementsAre(HasSubstr("strat has 99 messages, fewer than 100")));
  outcome.profilers[0].messages = 1;
  EXPECT_THAT(of(outcome), ElementsAre(HasSubstr("strat has 1 message, fewer than 100")));
}

TEST(Warnings, OfAProfilerThatCountedNothing) {
  platform::RunOutcome outcome = sound();
  outcome.profilers[0].events = outcome.profilers[0].messages = outcome.profilers[0].dropped = 0;
  EXPECT_THAT(of(outcome), ElementsAre(HasSubstr("strat counted no event")));
}

json in_step(double overlap, double by_chance, unsigned events = 1000) {
  return {
      {"call_pairs", {{"events", events}, {"overlap", overlap}, {"random_overlap", by_chance}}}};
}

TEST(Warnings, OfSamplesInStepWithALoop) {
  EXPECT_THAT(of(in_step(0.325, 0.96)),
              ElementsAre("the collected call pairs overlap 32.50 % with the program's, where as "
                          "many random samples would 96.00 %: the samples are in step with a loop, "
                          "or bunched in long bursts; decode.jitter: 4 lets the distance between "
                          "bursts vary"));
  EXPECT_THAT(of(in_step(0.91, 0.99)), IsEmpty()) << "near enough";
  EXPECT_THAT(of(in_step(0.8, 0.92)), IsEmpty()) << "chance";
  EXPECT_THAT(of(in_step(0.3, 0.9, 99)), ElementsAre(HasSubstr("fewer than 100")));
  json none = in_step(0, 0);
  none["call_pairs"]["overlap"] = none["call_pairs"]["random_overlap"] = nullptr;
  EXPECT_THAT(of(none), IsEmpty());
}

TEST(Warnings, OfFewCollectedEvents) {
  EXPECT_THAT(of({{"call_pairs", {{"events", 99}}}, {"methods", {{"events", 100}}}}),
              ElementsAre(HasSubstr("99 call pairs were collected, fewer than 100")));
}

TEST(Warnings, OfBurstsThatAreShorterThanAnyHotStream) {
  const auto streams = [](uint64_t references) {
    return json{{"hot_streams", {{"references", references}, {"bursts", 100}}}};
  };
  EXPECT_THAT(of(streams(1000)), IsEmpty());
  EXPECT_THAT(of(streams(990)), ElementsAre(HasSubstr("a burst has 9.9 references on average, "
                                                      "fewer than the shortest hot stream")));
}

TEST(Warnings, OfATraceInWhoseWindowNothingRan) {
  config::RunConfig configuration = sample_configuration();
  configuration.trace.pipeline = "pipeline.log";
  configuration.trace.from = 5000;
  platform::RunOutcome outcome = sound();
  outcome.end_cycle = 5001;
  EXPECT_THAT(of(outcome, configuration), IsEmpty());
  outcome.end_cycle = 5000;
  EXPECT_THAT(of(outcome, configuration),
              ElementsAre(HasSubstr("the trace is empty: its window begins at cycle 5,000 "
                                    "(trace.from), and the run ended at cycle 5,000")));
  const json result = make_result(configuration, outcome, kSampleBaseline);
  EXPECT_EQ(keys_of(result["trace"]), documented_keys("### trace"));
}

TEST(Warnings, OfATimelineThatIsEmptyOrLacksRecords) {
  config::RunConfig configuration = sample_configuration();
  configuration.trace.timeline = "timeline.csv";
  configuration.trace.to = 2000;
  platform::RunOutcome outcome = sound();
  outcome.end_cycle = 5000;
  outcome.timeline = {1999, 10, 0};
  EXPECT_THAT(of(outcome, configuration), IsEmpty());
  const json result = make_result(configuration, outcome, kSampleBaseline);
  EXPECT_EQ(keys_of(result["trace"]["timeline"]), documented_keys("### trace.timeline"));
  outcome.timeline = {2000, 1, 0};
  EXPECT_THAT(of(outcome, configuration),
              ElementsAre(HasSubstr("the timeline is empty: its window ends at cycle 2,000")));
  outcome.timeline = {1000, 10, 1234};
  EXPECT_THAT(of(outcome, configuration),
              ElementsAre(HasSubstr("the timeline lacks its last 1,234 records")));
}

}  // namespace
}  // namespace strobe::result
