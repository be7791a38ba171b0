// Are the handlers' profiles scored against all events, and is every key documented?
#include "sw/result/handler_report.h"

#include <gmock/gmock.h>

#include "sw/profile/reports/call_profiles.h"
#include "tests/unit/result/documented_keys.h"

namespace strobe::result {
namespace {

using nlohmann::json;
using profile::call_pair;
using profile::method_entry;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint64_t kMain = 0x1000, kHelper = 0x2000;

profile::ProgramNames names() {
  return {[](uint64_t pc) { return pc >= kHelper ? "helper" : "main"; },
          [](uint64_t) { return std::string("a.c:1"); }};
}

uint64_t function_of(uint64_t pc) { return pc >= kHelper ? kHelper : kMain; }

/// Ten references in a row, twelve times, and one that comes once.
void fill(profile::ReferenceTrace& trace, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (uint64_t i = 0; i < 10; ++i) trace.add({kMain + 4 * i, 0x8000 + 8 * i});
    trace.separate();
  }
  trace.add({kHelper, 0x9000});
}

platform::HandlersOutcome sample() {
  platform::HandlersOutcome outcome;
  outcome.handlers = {{"strobe_call_pair", 178}, {"strobe_data_stream", 114}};
  outcome.lost = 3;
  outcome.streams.emplace();
  fill(outcome.streams->exhaustive, 12);
  fill(outcome.streams->collected, 4);
  outcome.streams->bursts = 4;
  outcome.streams->dropped = 2;
  // Two sites of main call the helper: a quarter each way round, but one pair of functions.
  outcome.call_pairs = {
      profile::Profile({{call_pair(kMain, kHelper), 1}, {call_pair(kMain + 8, kHelper), 3}}),
      profile::Profile({{call_pair(kMain, kHelper), 300}, {call_pair(kMain + 8, kHelper), 100}})};
  outcome.methods = {
      profile::Profile({{method_entry(kHelper), 4}}),
      profile::Profile({{method_entry(kHelper), 300}, {method_entry(kHelper + 8), 100}})};
  outcome.sandbox = profile::Profile({{Tuple{kMain, 0x9000, 3}, 5}});
  outcome.watchpoint =
      profile::Profile({{Tuple{kMain, 0x8000, 4}, 2}, {Tuple{kMain + 4, 0x8000, 4}, 1}});
  outcome.registers = {{"taken", 7}};
  outcome.edges = {profile::Profile({{Tuple{kMain, kMain + 8, 0}, 1}}),
                   profile::Profile({{Tuple{kMain, kMain + 8, 0}, 30}})};
  outcome.values = {profile::Profile({{Tuple{kMain, 7, 0}, 2}}),
                    profile::Profile({{Tuple{kMain, 7, 0}, 10}, {Tuple{kMain, 8, 0}, 10}})};
  return outcome;
}

json report(const platform::HandlersOutcome& outcome) {
  return HandlerReport(outcome, function_of).json();
}

TEST(HandlerReport, HasExactlyTheDocumentedKeys) {
  const json profile = report(sample());
  EXPECT_EQ(keys_of(profile), documented_keys("### profile"));
  EXPECT_EQ(keys_of(profile["hot_streams"]), documented_keys("### profile.hot_streams"));
  for (const char* detector : {"symbols", "subpaths"}) {
    EXPECT_EQ(keys_of(profile["hot_streams"][detector]),
              documented_keys("### profile.hot_streams.subpaths"));
  }
  for (const char* kind : {"call_pairs", "methods"}) {
    EXPECT_EQ(keys_of(profile[kind]), documented_keys("### profile.call_pairs"));
    EXPECT_EQ(keys_of(profile[kind]["functions"]),
              documented_keys("### profile.call_pairs.functions"));
  }
}

TEST(HandlerReport, ScoresEdgesAndValuesWithoutFunctions) {
  const json profile = report(sample());
  std::set<std::string> documented = documented_keys("### profile.call_pairs");
  documented.erase("functions");
  EXPECT_EQ(keys_of(profile["edges"]), documented);
  EXPECT_EQ(keys_of(profile["values"]), documented);
  EXPECT_EQ(profile["edges"]["overlap"], 1.0);
  EXPECT_EQ(profile["values"]["overlap"], 0.5);
  EXPECT_EQ(profile["values"]["exhaustive_events"], 20);
}

TEST(HandlerReport, CountsTheStoresThatWereFound) {
  const json profile = report(sample());
  EXPECT_EQ(profile["sandbox"], json({{"events", 5}, {"tuples", 1}}));
  EXPECT_EQ(profile["watchpoint"], json({{"events", 3}, {"tuples", 2}}));
  EXPECT_EQ(keys_of(profile["sandbox"]), documented_keys("### profile.sandbox"));
}

TEST(HandlerReport, NamesTheHandlersAndWhatTheyLost) {
  const json profile = report(sample());
  EXPECT_EQ(profile["handlers"], json({{"strobe_call_pair", 178}, {"strobe_data_stream", 114}}));
  EXPECT_EQ(profile["lost"], 3);
  EXPECT_EQ(profile["registers"], json({{"taken", 7}}));
}

TEST(HandlerReport, HasNoProfileThatNoHandlerMakes) {
  platform::HandlersOutcome outcome;
  outcome.handlers = {{"watch", 40}};
  EXPECT_EQ(report(outcome),
            json({{"handlers", {{"watch", 40}}}, {"lost", 0}, {"registers", json::object()}}));
  EXPECT_TRUE(
      HandlerReport(outcome, function_of).files(names(), /*with_exhaustive=*/false).empty());
}

TEST(HandlerReport, ScoresCallsBySiteAndByFunction) {
  const json profile = report(sample()), pairs = profile["call_pairs"],
             methods = profile["methods"];
  EXPECT_EQ(pairs["events"], 4);
  EXPECT_EQ(pairs["exhaustive_events"], 400);
  EXPECT_EQ(pairs["tuples"], 2);
  EXPECT_DOUBLE_EQ(pairs["overlap"], 0.5);
  EXPECT_EQ(pairs["functions"]["tuples"], 1);
  EXPECT_DOUBLE_EQ(pairs["functions"]["overlap"], 1.0);
  EXPECT_DOUBLE_EQ(methods["overlap"], 0.75);
  EXPECT_DOUBLE_EQ(methods["overlap_90"], 0.75);
  EXPECT_DOUBLE_EQ(methods["functions"]["overlap_90"], 1.0);
}

TEST(HandlerReport, ScoresStreamsWithBothDetectors) {
  const json streams = report(sample())["hot_streams"];
  EXPECT_EQ(streams["references"], 41);
  EXPECT_EQ(streams["exhaustive_references"], 121);
  EXPECT_EQ(streams["bursts"], 4);
  EXPECT_EQ(streams["dropped"], 2);
  EXPECT_EQ(streams["exhaustive_dropped"], 0);
  for (const char* detector : {"symbols", "subpaths"}) {
    EXPECT_EQ(streams[detector]["streams"], 1);
    EXPECT_EQ(streams[detector]["exhaustive_streams"], 1);
    EXPECT_DOUBLE_EQ(streams[detector]["coverage"], 40.0 / 41);
    EXPECT_DOUBLE_EQ(streams[detector]["exhaustive_coverage"], 120.0 / 121);
    EXPECT_DOUBLE_EQ(streams[detector]["overlap"], 1.0);
    EXPECT_DOUBLE_EQ(streams[detector]["exact_overlap"], 1.0);
  }
}

TEST(HandlerReport, HasNoScoreWhereThereWasNothing) {
  platform::HandlersOutcome outcome;
  outcome.streams.emplace();
  outcome.methods.emplace();
  const json profile = report(outcome);
  EXPECT_EQ(profile["methods"]["overlap"], json());
  EXPECT_EQ(profile["hot_streams"]["subpaths"]["overlap"], json());
  EXPECT_EQ(profile["hot_streams"]["symbols"]["coverage"], json());
}

TEST(HandlerReport, WritesEveryProfileWithTheNamesOfTheProgram) {
  const platform::HandlersOutcome outcome = sample();
  std::vector<std::string> files;
  for (const auto& [name, text] :
       HandlerReport(outcome, function_of).files(names(), /*with_exhaustive=*/false)) {
    files.push_back(name);
    EXPECT_THAT(text, HasSubstr(name.find("methods") != std::string::npos ? "helper" : "main"))
        << name;
  }
  EXPECT_THAT(
      files, ElementsAre("handlers.streams.subpaths.txt", "handlers.streams.subpaths.json",
                         "handlers.streams.symbols.txt", "handlers.streams.symbols.json",
                         "handlers.call_pairs.csv", "handlers.call_pairs.json",
                         "handlers.methods.csv", "handlers.methods.json", "handlers.edges.csv",
                         "handlers.values.csv", "handlers.sandbox.csv", "handlers.watchpoint.csv"));
}

TEST(HandlerReport, PutsTheExhaustiveProfileBesideEachOneThatIsScored) {
  const platform::HandlersOutcome outcome = sample();
  std::vector<std::string> files;
  for (const auto& [name, text] : HandlerReport(outcome, function_of).files(names(), true)) {
    if (name.rfind("exhaustive.", 0) == 0) files.push_back(name);
  }
  EXPECT_THAT(files,
              ElementsAre("exhaustive.handlers.call_pairs.csv", "exhaustive.handlers.methods.csv",
                          "exhaustive.handlers.edges.csv", "exhaustive.handlers.values.csv"));
}

}  // namespace
}  // namespace strobe::result
