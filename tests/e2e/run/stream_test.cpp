// strobe record and strobe replay give the same results as strobe run, and name each error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const char kStreamRun[] =
    "[{ name: strat, kind: stratified, rate: 64, strata: 512, selectors: [{ profile: edge, tag: 0 "
    "}, { profile: value, tag: 1 }] }, { name: large, kind: stratified, rate: 64, strata: 2048 }, "
    "{ name: random64, kind: random, rate: 64 }, { name: periodic64, kind: periodic, rate: 64 }]";

const char kTable[] =
    "- { name: strat, kind: stratified, rate: 64, strata: 512 }\n"
    "- { name: large, kind: stratified, rate: 64, strata: 2048 }\n"
    "- { name: random64, kind: random, rate: 64 }\n"
    "- { name: periodic64, kind: periodic, rate: 64 }\n";

class Streams : public testing::Test {
 protected:
  fs::path at(const std::string& name) const { return scratch_.path() / name; }
  fs::path run_file_of(const std::string& extra) const {
    return scratch_.write("run.yaml", run_file(workload("lz"), "[tiny]", kStreamRun, extra));
  }
  void record(const fs::path& file) const {
    const ProcessResult process = strobe({"record", file.string(), "--out", at("stream").string()});
    ASSERT_EQ(process.exit_code, 0) << process.err;
  }
  ProcessResult replay(const std::string& table, std::vector<std::string> more = {}) const {
    const fs::path profilers = scratch_.write("profilers.yaml", table);
    std::vector<std::string> args = {"replay",      at("stream").string(),
                                     "--profilers", profilers.string(),
                                     "--out",       at("replayed").string()};
    args.insert(args.end(), more.begin(), more.end());
    return strobe(args);
  }
  void expect_the_same_as_a_run(const std::string& extra) const {
    const fs::path file = run_file_of(extra + "progress: { every: 10000, threshold: 0.2 }\n");
    const ProcessResult run = strobe({"run", file.string(), "--out", at("ran").string()});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    record(file);
    const ProcessResult replayed = replay(kTable);
    ASSERT_EQ(replayed.exit_code, 0) << replayed.err;
    for (const char* name :
         {"result.json", "progress.csv", "profile.strat.csv", "profile.large.csv",
          "profile.random64.csv", "profile.periodic64.csv"}) {
      EXPECT_EQ(read_file(at("replayed") / name), read_file(at("ran") / name)) << name;
    }
    EXPECT_EQ(replayed.out, run.out);
    EXPECT_GT(read_json(at("ran") / "result.json")["profilers"][0]["events"], 100000);
  }

  ScratchDirectory scratch_;
};

TEST_F(Streams, AFunctionalRunReplayedIsTheRun) { expect_the_same_as_a_run("mode: functional\n"); }

TEST_F(Streams, ATimingRunReplayedIsTheRun) {
  expect_the_same_as_a_run("mode: timing\n");
  EXPECT_GT(read_json(at("replayed") / "result.json")["profilers"][0]["overhead_analytical"], 0.0);
}

TEST_F(Streams, TheShippedTableOfSamplersIsReplayed) {
  record(run_file_of("mode: functional\n"));
  const ProcessResult replayed =
      strobe({"replay", at("stream").string(), "--profilers",
              in_source("configs/replays/samplers.yaml"), "--out", at("out").string()});
  ASSERT_EQ(replayed.exit_code, 0) << replayed.err;
  std::vector<std::string> kinds;
  const auto result = read_json(at("out") / "result.json");
  for (const auto& profiler : result.at("profilers")) {
    kinds.push_back(profiler.at("kind").get<std::string>());
    EXPECT_GT(profiler.at("messages"), 0) << profiler.at("name");
  }
  EXPECT_THAT(kinds, testing::ElementsAre("stratified", "tagged", "random", "periodic"));
}

TEST_F(Streams, TheBlockInterpreterShowsWhatEveryInstructionShows) {
  // Addresses and every kind of jump from blocks; with the ALU class the run goes step by step.
  const auto events_of = [&](const std::string& classes, const std::string& profile) {
    fs::remove(at("stream"));
    fs::remove_all(at("replayed"));
    const fs::path file = scratch_.write(
        "run.yaml",
        run_file(workload("lisp"), "[tiny]",
                 "[{ name: p, kind: periodic, rate: 1, selectors: [{ profile: " + profile +
                     ", opclasses: " + classes + ", tag: 1 }, { profile: " + profile +
                     ", opclasses: [alu], pc: [0, 1], tag: 2 }] }]",
                 "mode: functional\n"));
    std::vector<std::string> results;
    for (const char* sets : {"profilers.0.selectors.1.opclasses=[load]", "seed=1"}) {
      fs::remove(at("stream"));
      fs::remove_all(at("replayed"));
      const ProcessResult recorded =
          strobe({"record", file.string(), "--out", at("stream").string(), "--set", sets});
      EXPECT_EQ(recorded.exit_code, 0) << recorded.err;
      EXPECT_EQ(replay("- { name: p, kind: periodic, rate: 1 }\n").exit_code, 0);
      results.push_back(read_file(at("replayed") / "profile.p.csv"));
    }
    EXPECT_GT(results[0].size(), 1000u);
    EXPECT_TRUE(results[0] == results[1]) << profile;
  };
  events_of("[load, store]", "address");
  events_of("[branch, jump, jump_indirect, call, call_indirect, return]", "edge");
  events_of("[load]", "value");
}

TEST_F(Streams, ATruncatedStreamIsUsedAsFarAsItIsWhole) {
  record(run_file_of("mode: functional\n"));
  fs::resize_file(at("stream"), fs::file_size(at("stream")) - 10);
  const ProcessResult cut = replay(kTable);
  EXPECT_EQ(cut.exit_code, 1);
  EXPECT_THAT(cut.err, testing::ContainsRegex("block [0-9]+ at byte [0-9]+: the stream ends in the "
                                              "middle of it, at byte [0-9]+; the [0-9]+ events "
                                              "before it were used"));
  const nlohmann::json result = read_json(at("replayed") / "result.json");
  EXPECT_EQ(result["end"], "failed");
  EXPECT_GT(result["profilers"][0]["events"], 65536);
}

#ifndef STROBE_SANITIZED  // what would be measured is the sanitizers' own memory
// A bound on the exhaustive profile bounds the profiles of the compressors with it.
TEST_F(Streams, MemoryOfABoundedReplayDoesNotGrowWithTheStream) {
  const auto peak = [&](const std::string& instructions, const std::string& bound) {
    const fs::path file =
        scratch_.write("run.yaml", run_file(workload("lisp"), "[ref]",
                                            "[{ name: values, kind: periodic, rate: 2, "
                                            "selectors: [{ profile: value }] }]",
                                            "mode: functional\nbaseline: false\n"));
    fs::remove(at("stream"));
    const ProcessResult recorded = strobe({"record", file.string(), "--out", at("stream").string(),
                                           "--set", "workload.roi.run=" + instructions});
    EXPECT_EQ(recorded.exit_code, 0) << recorded.err;
    std::string table;
    for (int i = 0; i < 32; ++i) {
      table += "- { name: p" + std::to_string(i) +
               ", kind: periodic, rate: " + std::to_string(2 + i) + " }\n";
    }
    const ProcessResult replayed =
        replay(table, {"--set", "exhaustive_bytes=" + bound, "--no-profiles", "--force"});
    EXPECT_EQ(replayed.exit_code, 0) << replayed.err;
    return read_json(at("replayed") / "host.json").at("peak_rss_bytes").get<double>() / 1e6;
  };
  const double shorter = peak("4000000", "800000"), longer = peak("24000000", "800000");
  EXPECT_LT(longer, 100.0) << "MB";
  EXPECT_LT(longer, shorter + 5.0);
  EXPECT_GT(peak("24000000", "0"), longer + 50.0) << "without a bound the profiles show";
}
#endif

TEST_F(Streams, WhatIsNotOfTheStreamIsRefused) {
  record(run_file_of("mode: functional\n"));
  const ProcessResult others = replay(
      "- name: a\n  selectors: [{ profile: edge }]\n- { name: b, active: true }\n"
      "- { name: c, rat: 3 }\n");
  EXPECT_EQ(others.exit_code, 2);
  EXPECT_THAT(
      others.err,
      HasSubstr("profilers.yaml:2:14: error: profilers.0.selectors: a stream holds only the events "
                "that were selected when it was recorded: expected the selectors of the recorded "
                "run, got others; leave the key out, or record again with these selectors"));
  EXPECT_THAT(others.err,
              HasSubstr("profilers.yaml:3:22: error: profilers.1.active: the profilers of a replay "
                        "only observe, so none of them is active; leave the key out"));
  EXPECT_THAT(others.err, HasSubstr("profilers.2.rat: unknown key (did you mean 'rate'?)"));
  EXPECT_THAT(replay("a: 1\n").err,
              HasSubstr("profilers.yaml:1:1: error: wrong type, expected a list of profilers, as "
                        "under 'profilers' in a run file, got a map"));
  EXPECT_THAT(replay("[]\n").err, HasSubstr("expected at least one profiler, got none"));
  EXPECT_THAT(replay(kTable, {"--set", "workload.memory=1"}).err,
              HasSubstr("a replay cannot change the recorded run: expected a key of profilers, "
                        "progress, seed, exhaustive_bytes or exhaustive_profiles, got 'workload'"));
  EXPECT_FALSE(fs::exists(at("replayed")));
}

TEST_F(Streams, WhatCannotBeRecordedIsRefused) {
  const auto refusal = [&](const std::string& profilers, const std::string& mode) {
    const fs::path file =
        scratch_.write("run.yaml", run_file(workload("lz"), "[tiny]", profilers, mode));
    const ProcessResult process = strobe({"record", file.string(), "--out", at("s").string()});
    EXPECT_NE(process.exit_code, 0);
    EXPECT_FALSE(fs::exists(at("s")));
    return process.err;
  };
  EXPECT_THAT(
      refusal("[]", "mode: functional\n"),
      HasSubstr("nothing to record: expected at least one profiler, whose selectors say which "
                "instructions, got none"));
  EXPECT_THAT(refusal("[{ name: a, selectors: [{ profile: edge }] }, { name: b, selectors: [{ "
                      "profile: value }] }]",
                      "mode: functional\n"),
              HasSubstr("a stream holds one selection: expected the same selectors for every "
                        "profiler, got others for 'b' than for 'a'; record one stream for each"));
  EXPECT_THAT(
      refusal("[{ name: a }]", "mode: sampled\n"),
      HasSubstr("mode sampled has no cycles to record: expected mode functional or timing"));
}

TEST_F(Streams, AFileThatIsNoStreamIsSaid) {
  std::ofstream(at("stream")) << "not one";
  const ProcessResult process = replay(kTable);
  EXPECT_EQ(process.exit_code, 2);
  EXPECT_THAT(process.err,
              HasSubstr("not an event stream: expected a file that strobe record wrote"));
}

TEST(Reproduce, NamesWhatItKnows) {
  const ProcessResult list = strobe({"reproduce", "--list"});
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_THAT(list.out, HasSubstr("isca2001-fig4"));
  const ProcessResult unknown = strobe({"reproduce", "isca2001-fig5"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("no such reproduction: 'isca2001-fig5' (did you mean "
                                     "'isca2001-fig4'?); 'strobe reproduce --list' names them"));
}

}  // namespace
}  // namespace strobe::e2e
