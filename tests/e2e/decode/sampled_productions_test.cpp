// Productions in mode sampled: they see and collect exactly what they do in a functional run, and
// the intervals of the cycles that they cost hold those of mode timing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/process/estimates.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::string productions_of(const std::string& name) {
  return in_source("configs/profilers/hps/") + name + ".dise";
}

constexpr double kInFlight = 200;  // instructions, where a region ends in mode timing

struct SampledSet {
  const char* name;
  const char* run;                 // workload.roi.run
  std::vector<std::string> files;  // of configs/profilers/hps
  const char* keys;                // further keys of the section decode
  std::vector<std::string> collected;
};

class SampledProductions : public testing::TestWithParam<SampledSet> {
 protected:
  json run(const std::string& mode) {
    std::string files;
    for (const std::string& name : GetParam().files) {
      files += (files.empty() ? "" : ", ") + productions_of(name);
    }
    const fs::path file = scratch_.write(
        mode + ".yaml",
        run_file(workload("btree"), "[tiny]", "[]",
                 "mode: " + mode + "\nsampling: { start: 100000, interval: 5000 }\ndecode: { " +
                     "productions: [" + files + "], " + GetParam().keys + " }\n"));
    const ProcessResult process =
        strobe({"run", file.string(), "--out", (scratch_.path() / mode).string(), "--set",
                std::string("workload.roi.run=") + GetParam().run});
    EXPECT_EQ(process.exit_code, 0) << process.err;
    return read_json(scratch_.path() / mode / "result.json");
  }
  std::string collected(const std::string& mode, const std::string& file) const {
    return read_file(scratch_.path() / mode / file);
  }

  ScratchDirectory scratch_;
};

TEST_P(SampledProductions, CollectWhatAFunctionalRunDoesAndCostWhatATimedOneDoes) {
  const json functional = run("functional"), sampled = run("sampled"), timing = run("timing");
  EXPECT_EQ(sampled.at("profile"), functional.at("profile"));
  for (const std::string& file : GetParam().collected) {
    EXPECT_EQ(collected("sampled", file), collected("functional", file)) << file;
    EXPECT_GT(collected("sampled", file).size(), 300u) << file;
  }
  EXPECT_EQ(sampled.at("instructions"), timing.at("instructions"));
  EXPECT_NEAR(sampled.at("machine_instructions").get<double>(),
              timing.at("machine_instructions").get<double>(), kInFlight);
  EXPECT_GT(timing.at("overhead_measured").get<double>(), 0.01);
  const double cycles = timing.at("cycles").get<double>();
  const double overhead = timing.at("overhead_measured").get<double>();
  expect_within(sampled, "cycles_half_width", timing, "cycles", 0.1 * cycles);
  expect_within(sampled, "baseline_cycles_half_width", timing, "baseline_cycles", 0.1 * cycles);
  expect_within(sampled, "overhead_half_width", timing, "overhead_measured", 0.7 * overhead);
}

const SampledSet kSampledSets[] = {
    {"calls",
     "0",
     {"sampling", "hot-call-pairs", "hot-methods"},
     "sparsity: 99, burst: 1",
     {"handlers.call_pairs.csv", "handlers.methods.csv"}},
    {"phase",
     "0",
     {"sampling", "hot-methods"},
     "sparsity: 99, burst: 1, phase: random",
     {"handlers.methods.csv"}},
    {"streams",
     "700000",
     {"sampling", "hot-data-streams"},
     "sparsity: 900, burst: 100",
     {"handlers.streams.symbols.json", "handlers.streams.subpaths.json"}},
    {"plain", "0", {"plain-hot-methods"}, "sparsity: 99, burst: 1", {"handlers.methods.csv"}},
    {"random", "0", {"random-hot-methods"}, "stages: 2", {"handlers.methods.csv"}},
};
INSTANTIATE_TEST_SUITE_P(Sets, SampledProductions, testing::ValuesIn(kSampledSets),
                         [](const auto& set) { return std::string(set.param.name); });

TEST(SampledProductionsOf, AnActiveProfilerSeesEveryEventOfTheBursts) {
  const ScratchDirectory scratch;
  std::vector<json> results;
  for (const char* mode : {"timing", "sampled"}) {
    const fs::path file = scratch.write(
        "run.yaml",
        run_file(
            workload("btree"), "[tiny]",
            "[{ name: p, include: " + in_source("configs/profilers/hps-gated-stratified.yaml") +
                ", active: true, fidelity: model }]",
            std::string("mode: ") + mode +
                "\nsampling: { start: 100000, interval: 5000, interrupts: 1 }\ndecode: { " +
                "productions: [" + productions_of("sampling") + "], sparsity: 30, burst: 10 }\n"));
    const ProcessResult process =
        strobe({"run", file.string(), "--out", (scratch.path() / mode).string()});
    ASSERT_EQ(process.exit_code, 0) << process.err;
    results.push_back(read_json(scratch.path() / mode / "result.json"));
  }
  const json &full = results[0].at("profilers").at(0), &sampled = results[1].at("profilers").at(0);
  EXPECT_GT(full.at("events"), 10'000);
  for (const char* key : {"events", "exhaustive_tuples", "messages", "overlap"}) {
    EXPECT_EQ(sampled.at(key), full.at(key)) << key;
  }
  expect_within(results[1], "cycles_half_width", results[0], "cycles",
                0.1 * results[0].at("cycles").get<double>());
}

TEST(SampledProductionsOf, HandlersBesideAnActiveProfilerAreRefused) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write(
      "run.yaml",
      run_file(workload("btree"), "[tiny]",
               "[{ name: strat, kind: stratified, active: true, fidelity: model, selectors: [{ "
               "profile: edge, tag: 9 }] }]",
               "mode: sampled\ndecode: { productions: [" + productions_of("sampling") + ", " +
                   productions_of("hot-methods") + "], sparsity: 99, burst: 1 }\n"));
  const ProcessResult process =
      strobe({"run", file.string(), "--out", (scratch.path() / "out").string()});
  EXPECT_EQ(process.exit_code, 2);
  EXPECT_THAT(
      process.err,
      HasSubstr("profilers: mode sampled cannot tell the cycles of the interrupts of the "
                "active profiler 'strat' from those of the handler strobe_hot_method, which "
                "productions call: expected one of the two, got both; set mode to timing"));
}

}  // namespace
}  // namespace strobe::e2e
