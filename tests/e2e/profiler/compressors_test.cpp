// Does every named profiler give the same profile whatever computes it, watching or active?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/blocks_generated.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::vector<std::string> named_profilers() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(in_source("configs/profilers"))) {
    if (entry.path().extension() != ".yaml") continue;  // productions
    names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool draws(const std::string& name) { return name.rfind("random", 0) == 0; }

/// In place of those of the file, which may ask for more than this run has.
constexpr const char* kSelectors =
    ", selectors: [{ profile: edge, tag: 0 }, { profile: value, tag: 1 }]";

/// The profiler twice, active and watching; both draw the same numbers.
std::string twice(const std::string& name) {
  const std::string seed = draws(name) ? ", seed: 7" : "";
  const std::string include = "include: " + in_source("configs/profilers/") + name + ".yaml" + seed;
  return "[{ name: active, " + include + ", active: true" + kSelectors + " }, { name: watch, " +
         include + kSelectors + " }]";
}

json result_of(const fs::path& file, const fs::path& out, const std::vector<std::string>& sets) {
  std::vector<std::string> args = {"run", file.string(), "--out", out.string()};
  for (const std::string& set : sets) args.insert(args.end(), {"--set", set});
  const ProcessResult process = strobe(args);
  EXPECT_EQ(process.exit_code, 0) << process.err;
  return process.exit_code == 0 ? read_json(out / "result.json") : json();
}

class NamedProfiler : public testing::TestWithParam<std::string> {};

TEST_P(NamedProfiler, IsTheSameInRtlAndModelAndTheirLockstep) {
  const ScratchDirectory scratch;
  const fs::path file =
      scratch.write("run.yaml", run_file(workload("othello"), "[tiny]", twice(GetParam())));
  std::vector<json> results;
  for (const char* fidelity : {"rtl", "model", "lockstep"}) {
    json result = result_of(file, scratch.path() / fidelity,
                            {std::string("profilers.0.fidelity=") + fidelity, "baseline=false"});
    ASSERT_TRUE(result.is_object());
    EXPECT_EQ(result["profilers"][0]["fidelity"], fidelity);
    // Messages come by interrupts or through a ring in memory.
    const json& profiler = result["profilers"][0];
    EXPECT_EQ(profiler["interrupts"] == 0, profiler.contains("ring"));
    EXPECT_GT(profiler["messages"], 0);
    result["profilers"][0].erase("fidelity");
    results.push_back(result);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST_P(NamedProfiler, ReportsWatchingWhatItReportsActive) {
  const ScratchDirectory scratch;
  const fs::path file =
      scratch.write("run.yaml", run_file(workload("othello"), "[tiny]", twice(GetParam())));
  const json result = result_of(file, scratch.path() / "out", {});
  ASSERT_TRUE(result.is_object());
  const json& active = result["profilers"][0];
  const json& watch = result["profilers"][1];
  ASSERT_EQ(active["dropped"], 0);
  for (const char* key : {"events", "messages", "message_counts", "residue", "conserved",
                          "storage_bits", "overlap", "tags"}) {
    EXPECT_EQ(active[key], watch[key]) << key;
  }
  EXPECT_EQ(active["conserved"], draws(GetParam()) ? json() : json(true));
  EXPECT_EQ(read_file(scratch.path() / "out/profile.active.csv"),
            read_file(scratch.path() / "out/profile.watch.csv"));
}

INSTANTIATE_TEST_SUITE_P(Configs, NamedProfiler, testing::ValuesIn(named_profilers()),
                         [](const auto& profiler) {
                           std::string name = profiler.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// The kinds that have no named profiler, and keys that those do not set.
class AnyCompressor : public testing::TestWithParam<const char*> {};

TEST_P(AnyCompressor, ReportsWatchingWhatItReportsActive) {
  const ScratchDirectory scratch;
  const std::string compressor = GetParam();
  const fs::path file = scratch.write(
      "run.yaml", run_file(workload("othello"), "[tiny]",
                           "[{ name: active, active: true, fidelity: model, " + compressor +
                               ", selectors: [{ profile: call_target }] }, { name: watch, " +
                               compressor + " }]",
                           "baseline: false\n"));
  const json result = result_of(file, scratch.path() / "out", {});
  ASSERT_TRUE(result.is_object());
  ASSERT_EQ(result["profilers"][0]["dropped"], 0);
  EXPECT_GT(result["profilers"][0]["messages"], 50);
  for (const char* key : {"events", "messages", "message_counts", "residue", "conserved"}) {
    EXPECT_EQ(result["profilers"][0][key], result["profilers"][1][key]) << key;
  }
  EXPECT_EQ(read_file(scratch.path() / "out/profile.active.csv"),
            read_file(scratch.path() / "out/profile.watch.csv"));
}

INSTANTIATE_TEST_SUITE_P(Keys, AnyCompressor, testing::ValuesIn(kCompressorRuns));

}  // namespace
}  // namespace strobe::e2e
