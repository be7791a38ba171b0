// Sampled runs compared with full ones: their intervals contain the true value, and the profilers
// see every event.
#include <gtest/gtest.h>

#include "tests/e2e/process/estimates.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const char kActiveProfiler[] =
    "[{ name: strat, kind: stratified, active: true, fidelity: model, rate: 64, strata: 256, "
    "selectors: [{ profile: edge }] }, { name: every16, kind: periodic, rate: 16 }]";

json run_ok(const fs::path& file, const fs::path& out, const std::string& mode) {
  const ProcessResult process =
      strobe({"run", file.string(), "--out", out.string(), "--set", "mode=" + mode});
  EXPECT_EQ(process.exit_code, 0) << process.err;
  return read_json(out / "result.json");
}

class SampledOf : public testing::TestWithParam<const char*> {};

TEST_P(SampledOf, IntervalsHoldTheFullRunAndProfilersSeeEveryEvent) {
  const ScratchDirectory scratch;
  const fs::path file =
      scratch.write("run.yaml", run_file(workload(GetParam()), "[tiny]", kActiveProfiler,
                                         "sampling: { start: 100000, interval: 5000, interrupts: 2 "
                                         "}\n"));
  const json full = run_ok(file, scratch.path() / "full", "timing");
  const json sampled = run_ok(file, scratch.path() / "sampled", "sampled");
  EXPECT_EQ(sampled.at("mode"), "sampled");
  EXPECT_EQ(sampled.at("instructions"), full.at("instructions"));
  expect_within(sampled, "cycles_half_width", full, "cycles",
                0.15 * full.at("cycles").get<double>());
  expect_within(sampled, "ipc_half_width", full, "ipc", 0.15 * full.at("ipc").get<double>());
  expect_within(sampled, "baseline_cycles_half_width", full, "baseline_cycles",
                0.15 * full.at("cycles").get<double>());
  expect_within(sampled, "overhead_half_width", full, "overhead_measured", 0.1);
  EXPECT_GT(full.at("overhead_measured").get<double>(), 0.02);
  for (const size_t i : {0u, 1u}) {
    const json &one = sampled.at("profilers").at(i), &other = full.at("profilers").at(i);
    EXPECT_EQ(one.at("events"), other.at("events"));
    EXPECT_EQ(one.at("exhaustive_tuples"), other.at("exhaustive_tuples"));
    EXPECT_EQ(one.at("overlap"), other.at("overlap"));
    EXPECT_EQ(one.at("messages"), other.at("messages"));
  }
  // The counters are those of the start, in which the region's first instruction has committed
  // before they begin, and of the units.
  const json& counters = sampled.at("counters");
  EXPECT_EQ(counters.at("core.committed.user").get<uint64_t>(),
            99999 + 1000 * sampled.at("sampling").at("units").get<uint64_t>());
}

INSTANTIATE_TEST_SUITE_P(Workloads, SampledOf, testing::Values("btree", "othello", "lz"));

TEST(Sampled, TwoRunsAreTheSameAndTheSeedMovesTheUnits) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write(
      "run.yaml",
      run_file(workload("lz"), "[tiny]", kActiveProfiler, "sampling: { interval: 10000 }\n"));
  run_ok(file, scratch.path() / "one", "sampled");
  run_ok(file, scratch.path() / "two", "sampled");
  const std::string one = read_file(scratch.path() / "one/result.json");
  EXPECT_EQ(one, read_file(scratch.path() / "two/result.json"));
  scratch.write("run.yaml", run_file(workload("lz"), "[tiny]", kActiveProfiler,
                                     "sampling: { interval: 10000 }\nseed: 2\n"));
  run_ok(file, scratch.path() / "three", "sampled");
  EXPECT_NE(read_json(scratch.path() / "one/result.json").at("cycles"),
            read_json(scratch.path() / "three/result.json").at("cycles"));
}

TEST(Sampled, EveryFidelityGivesTheSameResult) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write(
      "run.yaml",
      run_file(workload("othello"), "[tiny]", kActiveProfiler, "sampling: { interval: 10000 }\n"));
  std::vector<json> results;
  for (const char* fidelity : {"model", "rtl", "lockstep"}) {
    const fs::path out = scratch.path() / fidelity;
    const ProcessResult process =
        strobe({"run", file.string(), "--out", out.string(), "--set", "mode=sampled", "--set",
                std::string("profilers.0.fidelity=") + fidelity});
    EXPECT_EQ(process.exit_code, 0) << process.err;
    results.push_back(read_json(out / "result.json"));
    results.back().at("profilers").at(0).erase("fidelity");
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Sampled, ARegionThatEndsInItsStartHasTheCyclesOfModeTiming) {
  const ScratchDirectory scratch;
  for (const char* roi : {"{ run: 200000 }", "{ skip: 50000, warm: 10000, run: 200000 }",
                          "{ skip: 1400000, warming: functional }"}) {
    const fs::path file =
        scratch.write("run.yaml", "core: { include: " + in_source("configs/cores/hps2005.yaml") +
                                      " }\nworkload: { elf: " + workload("othello") +
                                      ", args: [tiny], roi: " + roi + " }\n");
    fs::remove_all(scratch.path() / "full");
    fs::remove_all(scratch.path() / "sampled");
    const json full = run_ok(file, scratch.path() / "full", "timing");
    const json sampled = run_ok(file, scratch.path() / "sampled", "sampled");
    EXPECT_EQ(sampled.at("cycles"), full.at("cycles")) << roi;
    EXPECT_EQ(sampled.at("counters"), full.at("counters")) << roi;
    EXPECT_EQ(sampled.at("instructions"), full.at("instructions")) << roi;
    EXPECT_EQ(sampled.at("sampling").at("units"), 0) << roi;
    EXPECT_EQ(sampled.at("sampling").at("cycles_half_width"), 0.0) << roi;
  }
}

TEST(Sampled, AColdBeginningThatNoUnitSeesIsMeasured) {
  const ScratchDirectory scratch;
  // desim's first 200,000 instructions take more than their share of the cycles.
  const fs::path file =
      scratch.write("run.yaml", run_file(workload("desim"), "[tiny]", "[]",
                                         "sampling: { start: 200000, interval: 10000 }\n"));
  const json full = run_ok(file, scratch.path() / "full", "timing");
  for (int seed = 1; seed <= 5; ++seed) {
    const fs::path out = scratch.path() / std::to_string(seed);
    const ProcessResult process = strobe({"run", file.string(), "--out", out.string(), "--set",
                                          "mode=sampled", "--set", "seed=" + std::to_string(seed)});
    ASSERT_EQ(process.exit_code, 0) << process.err;
    expect_within(read_json(out / "result.json"), "cycles_half_width", full, "cycles",
                  0.15 * full.at("cycles").get<double>());
  }
}

TEST(Sampled, ARegionWithTooFewUnitsIsSimulatedWholeAtOnce) {
  const ScratchDirectory scratch;
  for (const char* roi : {"", ", roi: { run: 700000 }", ", roi: { skip: 100000 }"}) {
    const fs::path file = scratch.write(
        "run.yaml", "core: { include: " + in_source("configs/cores/hps2005.yaml") +
                        " }\nworkload: { elf: " + workload("lz") + ", args: [tiny]" + roi +
                        " }\nprofilers: " + kActiveProfiler + "\nsampling: { interval: 50000 }\n");
    for (const char* name : {"full", "sampled"}) fs::remove_all(scratch.path() / name);
    const json full = run_ok(file, scratch.path() / "full", "timing");
    const fs::path out = scratch.path() / "sampled";
    const ProcessResult process =
        strobe({"run", file.string(), "--out", out.string(), "--set", "mode=sampled"});
    EXPECT_EQ(process.exit_code, 0) << process.err;
    EXPECT_NE(process.err.find("strobe: remark: the region has "), std::string::npos) << roi;
    json exact = read_json(out / "result.json");
    EXPECT_NE(exact.at("exact_because").get<std::string>().find(" for 60 units"),
              std::string::npos);
    exact.erase("exact_because");
    EXPECT_EQ(exact, full) << roi;
    EXPECT_NE(read_file(out / "config.yaml").find("mode: sampled"), std::string::npos);
  }
}

TEST(Sampled, ARegionWithTooFewUnitsIsAnErrorWhereTheProgramWritesFiles) {
  const ScratchDirectory scratch;
  fs::create_directory(scratch.path() / "files");
  const fs::path file =
      scratch.write("run.yaml", "core: { include: " + in_source("configs/cores/hps2005.yaml") +
                                    " }\nworkload: { elf: " + workload("lz") +
                                    ", args: [tiny], sandbox: { write: [files] } }\nprofilers: " +
                                    kActiveProfiler + "\nsampling: { interval: 50000 }\n");
  const fs::path out = scratch.path() / "out";
  const ProcessResult process =
      strobe({"run", file.string(), "--out", out.string(), "--set", "mode=sampled"});
  EXPECT_EQ(process.exit_code, 3);
  EXPECT_NE(process.err.find("too short for mode sampled: expected at least 60 units in the"),
            std::string::npos)
      << process.err;
  EXPECT_NE(process.err.find("use mode timing, or a sampling.interval of at most"),
            std::string::npos);
  EXPECT_EQ(read_json(out / "result.json").at("end"), "failed");
}

}  // namespace
}  // namespace strobe::e2e
