// Do the cycles of real runs add up, and does observing them change nothing?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "tests/e2e/process/strobe_process.h"
#include "tests/unit/result/documented_keys.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

const char kProfiler[] =
    "[{ name: strat, kind: stratified, active: true, fidelity: model, rate: 16, strata: 256, "
    "selectors: [{ profile: edge }] }]";

ProcessResult run(const fs::path& file, const fs::path& out, std::vector<std::string> sets = {}) {
  std::vector<std::string> args = {"run", file.string(), "--out", out.string()};
  for (const std::string& set : sets) args.insert(args.end(), {"--set", set});
  return strobe(args);
}

/// The sum of each column of truth.csv that is in 1/840.
std::map<std::string, uint64_t> sums(const fs::path& file) {
  std::istringstream lines(read_file(file));
  std::string line;
  std::getline(lines, line);
  std::vector<std::string> names;
  std::istringstream header(line.substr(line.find("cycles_840")));
  for (std::string name; std::getline(header, name, ',');) names.push_back(name);
  std::map<std::string, uint64_t> out;
  while (std::getline(lines, line)) {
    // Texts before the numbers may have commas, so the fields are counted from the end.
    for (size_t i = names.size(); i-- > 0;) {
      const size_t comma = line.rfind(',');
      out[names[i]] += std::stoull(line.substr(comma + 1));
      line.erase(comma);
    }
  }
  return out;
}

class TruthOf : public testing::TestWithParam<const char*> {};

TEST_P(TruthOf, AddsUpToTheCyclesAndChangesNoOtherFigure) {
  const ScratchDirectory scratch;
  const fs::path file =
      scratch.write("run.yaml", run_file(workload(GetParam()), "[tiny]", kProfiler));
  const fs::path with = scratch.path() / "with", without = scratch.path() / "without";
  ASSERT_EQ(run(file, without).exit_code, 0);
  ASSERT_EQ(run(file, with, {"truth.cycles=true", "truth.samplers.period=200"}).exit_code, 0);
  EXPECT_FALSE(fs::exists(without / "truth.csv"));
  json result = read_json(with / "result.json");
  const json truth = result.at("truth");
  const auto cycles = result.at("cycles").get<uint64_t>();
  result.erase("truth");
  EXPECT_EQ(result, read_json(without / "result.json"));
  EXPECT_EQ(read_file(with / "profile.strat.csv"), read_file(without / "profile.strat.csv"));

  std::map<std::string, uint64_t> sum = sums(with / "truth.csv");
  ASSERT_EQ(sum.size(), 5u);
  EXPECT_EQ(sum["cycles_840"], 840 * cycles);
  // The handler's instructions are machine mode's, and its interrupts too.
  const auto& counters = result.at("counters");
  EXPECT_GE(truth.at("machine_cycles").get<double>(),
            counters.at("core.cpi.handler").get<double>());
  // Each sampler has a sample in each period, but for those in flight at the end.
  for (const auto& [name, sampler] : truth.at("samplers").items()) {
    const auto samples = sampler.at("samples").get<uint64_t>();
    EXPECT_EQ(sum[name + "_840"], 840 * samples);
    EXPECT_LE(samples, cycles / 200 + 1);
    EXPECT_GE(samples + 3, cycles / 200);
  }
}

INSTANTIATE_TEST_SUITE_P(Workloads, TruthOf, testing::Values("lz", "json"));

TEST(TruthOfARun, SamplesOfEveryCycleInProportionToTimeHaveNoError) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write("run.yaml", run_file(program("hot_list"), "[]", "[]"));
  const ProcessResult process =
      run(file, scratch.path() / "out", {"truth.cycles=true", "truth.samplers.period=1"});
  ASSERT_EQ(process.exit_code, 0) << process.err;
  const json truth = read_json(scratch.path() / "out/result.json").at("truth");
  const json& samplers = truth.at("samplers");
  EXPECT_NEAR(samplers.at("time_proportional").at("error_by_instruction"), 0, 1e-12);
  // The others are wrong about instructions however often they sample.
  for (const char* biased : {"timer", "dispatch", "next_commit"}) {
    EXPECT_GT(samplers.at(biased).at("error_by_instruction"), 0.05) << samplers.at(biased);
  }
  // The list is walked 3000 times, 12 nodes each: that is most of the time, in a loop of its own.
  EXPECT_EQ(truth.at("functions").at(0).at("name"), "walk");
  EXPECT_GT(truth.at("functions").at(0).at("share"), 0.5);
  EXPECT_THAT(truth.at("loops").at(0).at("name").get<std::string>(), HasSubstr("walk+0x"));
  EXPECT_THAT(truth.at("lines").at(0).at("name").get<std::string>(), HasSubstr("hot_list.c:"));
  EXPECT_THAT(process.out, HasSubstr("\nwhere the cycles go "));
  EXPECT_THAT(process.out, HasSubstr("\nerror by instruction "));
}

TEST(TruthOfARun, DependsOnTheSeedOnlyInItsSamples) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write("run.yaml", run_file(workload("lz"), "[tiny]", "[]"));
  const auto sampled = [&](const std::string& name, const std::string& seed) {
    const fs::path out = scratch.path() / name;
    EXPECT_EQ(run(file, out, {"truth.cycles=true", "truth.samplers.period=500", seed}).exit_code,
              0);
    return out / "truth.csv";
  };
  const fs::path first = sampled("first", "truth.samplers.seed=1"),
                 again = sampled("again", "truth.samplers.seed=1"),
                 other = sampled("other", "truth.samplers.seed=2");
  EXPECT_EQ(read_file(first), read_file(again));
  EXPECT_NE(read_file(first), read_file(other));
  EXPECT_EQ(sums(first)["cycles_840"], sums(other)["cycles_840"]);
}

TEST(TruthOfARun, ARunThatIsCutShortAddsUpToo) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write("run.yaml", run_file(workload("lz"), "[tiny]", "[]"));
  const fs::path out = scratch.path() / "out";
  EXPECT_EQ(run(file, out, {"truth.cycles=true", "max_cycles=54321"}).exit_code, 4);
  const auto cycles = read_json(out / "result.json").at("cycles").get<uint64_t>();
  EXPECT_GT(cycles, 10000u);
  EXPECT_EQ(sums(out / "truth.csv")["cycles_840"], 840 * cycles);
}

TEST(TruthOfARun, ARegionInTheMiddleOfAProgramAddsUpToo) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write("run.yaml", run_file(workload("lz"), "[tiny]", "[]"));
  const fs::path out = scratch.path() / "out";
  ASSERT_EQ(run(file, out,
                {"truth.cycles=true", "workload.roi.skip=100001", "workload.roi.warm=5003",
                 "workload.roi.run=20011"})
                .exit_code,
            0);
  const auto cycles = read_json(out / "result.json").at("cycles").get<uint64_t>();
  EXPECT_EQ(sums(out / "truth.csv")["cycles_840"], 840 * cycles);
}

TEST(TruthOfARun, AnInstrumentedProgramAddsUpTooInItsOwnFunctions) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write(
      "run.yaml", run_file(workload("lz"), "[tiny]", "[]", "instrument: { kind: bursty }\n"));
  const fs::path out = scratch.path() / "out";
  ASSERT_EQ(run(file, out, {"truth.cycles=true"}).exit_code, 0);
  const json result = read_json(out / "result.json");
  EXPECT_EQ(sums(out / "truth.csv")["cycles_840"], 840 * result.at("cycles").get<uint64_t>());
  const std::string functions = result.at("truth").at("functions").dump();
  EXPECT_THAT(functions, HasSubstr("\"main.instrumented\""));
  EXPECT_THAT(functions, HasSubstr("\"__strobe_fold\""));
}

TEST(TruthOfARun, ItsErrorsAreObjectivesOfASweep) {
  const ScratchDirectory scratch;
  scratch.write("base.yaml", run_file(program("hot_list"), "[]", "[]",
                                      "truth: { cycles: true, samplers: { period: 100 } }\n"));
  const fs::path sweep =
      scratch.write("sweep.yaml",
                    "base: base.yaml\ngrid: { truth.samplers.period: [50, 500] }\n"
                    "objectives: [{ min: truth.samplers.dispatch.error_by_function }, { max: "
                    "truth.samplers.timer.samples }]\n");
  const ProcessResult process =
      strobe({"sweep", sweep.string(), "--out", (scratch.path() / "out").string()});
  EXPECT_EQ(process.exit_code, 0) << process.err;
  EXPECT_THAT(process.err, Not(HasSubstr("no run produced")));
}

TEST(TruthOfARun, NeedsCycles) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write(
      "run.yaml",
      run_file(workload("lz"), "[tiny]", "[]", "mode: functional\ntruth: { cycles: true }\n"));
  const ProcessResult process = run(file, scratch.path() / "out");
  EXPECT_EQ(process.exit_code, 2);
  EXPECT_THAT(process.err, HasSubstr(": error: truth.cycles: the truth about time needs mode: "
                                     "timing, which has every cycle, got functional"));
  EXPECT_FALSE(fs::exists(scratch.path() / "out"));
}

// The real timer: what its handler counted, what that costs, and how wrong it is.
TEST(Timer, SamplesTheProgramForCyclesOfItsOwn) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write("run.yaml", run_file(workload("othello"), "[tiny]", "[]"));
  const fs::path out = scratch.path() / "out", again = scratch.path() / "again";
  const std::vector<std::string> sets = {"timer.period=2000", "truth.cycles=true"};
  const ProcessResult process = run(file, out, sets);
  ASSERT_EQ(process.exit_code, 0);
  EXPECT_THAT(process.out, HasSubstr(" samples, one in 2,000 cycles; "));
  const json found = read_json(out / "result.json");
  const json& timer = found.at("timer");
  EXPECT_EQ(result::keys_of(timer), result::documented_keys("### timer"));
  const double expected = found.at("cycles").get<double>() / 2000;
  EXPECT_NEAR(timer.at("samples").get<double>(), expected, 0.02 * expected);
  EXPECT_GT(found.at("overhead_measured"), 0.05);
  EXPECT_LT(found.at("overhead_measured"), 0.25);
  EXPECT_LT(timer.at("error_by_function"), 0.2);
  EXPECT_GT(timer.at("error_by_instruction"), timer.at("error_by_function"));
  uint64_t counted = 0;
  std::istringstream lines(read_file(out / "timer.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "tag,pc,value,count,symbol");
  while (std::getline(lines, line)) {
    EXPECT_EQ(line.rfind("0,0x", 0), 0u) << line;
    counted += std::stoull(line.substr(line.find(",0x0,") + 5));
  }
  EXPECT_EQ(counted, timer.at("samples"));
  const ProcessResult top = strobe({"top", out.string(), "--profiler", "timer"});
  EXPECT_EQ(top.exit_code, 0) << top.err;
  EXPECT_THAT(top.out, HasSubstr("legal_moves"));
  ASSERT_EQ(run(file, again, sets).exit_code, 0);
  EXPECT_EQ(read_json(again / "result.json"), found);
}

TEST(Timer, CountsOnlyTheRegion) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write("run.yaml", run_file(workload("othello"), "[tiny]", "[]"));
  const fs::path out = scratch.path() / "out";
  ASSERT_EQ(
      run(file, out, {"timer.period=2000", "workload.roi.skip=500000", "workload.roi.run=400000"})
          .exit_code,
      0);
  const json found = read_json(out / "result.json");
  const double expected = found.at("cycles").get<double>() / 2000;
  EXPECT_NEAR(found.at("timer").at("samples").get<double>(), expected, 0.1 * expected);
  EXPECT_TRUE(found.at("timer").at("error_by_function").is_null()) << "without truth.cycles";
}

TEST(Timer, AHandlerThatOutlastsThePeriodIsNoResult) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write("run.yaml", run_file(workload("othello"), "[tiny]", "[]"));
  const ProcessResult done =
      run(file, scratch.path() / "out", {"timer.period=1000", "timer.jitter=0.9"});
  EXPECT_NE(done.exit_code, 0);
  EXPECT_THAT(done.err, HasSubstr("timer.period: the handler at the end of a period took"));
}

}  // namespace
}  // namespace strobe::e2e
