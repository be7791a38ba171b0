// Does an observer thread on another core see what the program does, and is it told apart from what
// is wrong?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "tests/e2e/process/overhead_classes.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;
namespace fs = std::filesystem;

ProcessResult run(const ScratchDirectory& scratch, const std::string& name, const std::string& shim,
                  const std::string& more = "counters: { remote: true }") {
  const fs::path file = scratch.write(
      name + ".yaml", run_file(program("signal"), "[]", "[]",
                               "mode: timing\n" + more + "\nshim: { " + shim + " }\n"));
  return strobe({"run", file.string(), "--out", (scratch.path() / name).string()});
}

json result_of(const ScratchDirectory& scratch, const std::string& name, const std::string& shim) {
  const ProcessResult process = run(scratch, name, shim);
  EXPECT_EQ(process.exit_code, 0) << process.err;
  return read_json(scratch.path() / name / "result.json");
}

/// The rows of a CSV file by their first column.
std::map<std::string, std::vector<double>> rows(const fs::path& file) {
  std::map<std::string, std::vector<double>> all;
  std::istringstream lines(read_file(file));
  std::string line, field;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::getline(fields, field, ',');
    std::vector<double>& row = all[field];
    for (std::string number; std::getline(fields, number, ',');) row.push_back(std::stod(number));
  }
  return all;
}

TEST(Shim, SeesTheRateOfEachPhaseAndTheTruthAgrees) {
  const ScratchDirectory scratch;
  const json result = result_of(scratch, "buffer",
                                "where: cmp, counters: [instructions, branch_mispredictions], "
                                "signals: [phase], analysis: buffer");
  const json& shim = result.at("shim");
  EXPECT_GT(shim.at("samples").get<uint64_t>(), 500u);
  EXPECT_EQ(shim.at("dropped"), 0);
  EXPECT_EQ(shim.at("rates").at("impossible"), 0);
  EXPECT_GT(shim.at("rates").at("kept_share").get<double>(), 0.9);
  EXPECT_LT(shim.at("truth").at("distance_kept").get<double>(), 0.05);
  EXPECT_LT(shim.at("tags").at("error").get<double>(), 0.02);
  auto tags = rows(scratch.path() / "buffer" / "shim.tags.csv");
  for (const char* phase : {"1", "2"}) {
    const std::vector<double>& row = tags.at(phase);
    const double seen = row[2] / row[1], truth = row[5] / row[4];
    EXPECT_NEAR(seen, truth, 0.1 * truth) << phase;
  }
  EXPECT_LT(tags.at("1")[5] / tags.at("1")[4], 1.0) << "dependent divisions";
  EXPECT_GT(tags.at("2")[5] / tags.at("2")[4], 2.0) << "independent additions";
}

TEST(Shim, TheObserverAnalysesAsTheHostDoes) {
  const ScratchDirectory scratch;
  const json own =
      result_of(scratch, "own", "where: cmp, counters: [instructions], signals: [phase]");
  const json& rates = own.at("shim").at("rates");
  uint64_t kept = 0;
  for (const auto& [rate, row] : rows(scratch.path() / "own" / "shim.rates.csv")) {
    kept += static_cast<uint64_t>(row[0]);
  }
  EXPECT_EQ(kept + rates.at("impossible_kept").get<uint64_t>(), rates.at("kept").get<uint64_t>());
  EXPECT_LE(rates.at("kept").get<uint64_t>(), own.at("shim").at("samples").get<uint64_t>());
  const json host = result_of(scratch, "host",
                              "where: cmp, counters: [instructions], signals: [phase], analysis: "
                              "buffer");
  const auto mean_rate = [&](const std::string& name) {
    double cycles = 0, count = 0;
    for (const auto& [rate, row] : rows(scratch.path() / name / "shim.rates.csv")) {
      cycles += row[1];
      count += row[2];
    }
    return count / cycles;
  };
  EXPECT_NEAR(mean_rate("own"), mean_rate("host"), 0.05 * mean_rate("host"));
  EXPECT_LT(own.at("shim").at("tags").at("error").get<double>(), 0.02);
}

TEST(Shim, ThePeriodIsKeptAndFewerSamplesDisturbLess) {
  const ScratchDirectory scratch;
  const json fast = result_of(scratch, "fast", "where: cmp, signals: [phase]");
  const json slow = result_of(scratch, "slow", "where: cmp, signals: [phase], period: 2000");
  EXPECT_NEAR(slow.at("shim").at("mean_period").get<double>(), 2000, 200);
  EXPECT_LT(fast.at("shim").at("mean_period").get<double>(), 60);
  EXPECT_EQ(fast.at("shim").at("rates"), nullptr);
  EXPECT_EQ(fast.at("baseline_cycles"), slow.at("baseline_cycles"));
  EXPECT_GE(fast.at("overhead_measured").get<double>(), slow.at("overhead_measured").get<double>());
  for (const json& result : {fast, slow}) expect_classes_add_up(result);
}

TEST(Shim, APeriodThatIsTooShortIsAWarningWithTheNumber) {
  const ScratchDirectory scratch;
  const ProcessResult process =
      run(scratch, "short", "where: cmp, counters: [instructions], period: 40");
  EXPECT_EQ(process.exit_code, 0);
  EXPECT_THAT(process.err, HasSubstr("warning: shim.period: expected at least "));
  EXPECT_THAT(process.err, HasSubstr("which a sample takes without idling, got 40"));
}

TEST(Shim, ASignalThatTheProgramDoesNotHaveIsRefusedWithItsPlace) {
  const ScratchDirectory scratch;
  const ProcessResult unknown = run(scratch, "unknown", "where: cmp, signals: [phase, fase]");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("shim.signals.1: the program has no symbol 'fase'"));
  EXPECT_THAT(unknown.err, HasSubstr("unknown.yaml:"));
  for (const char* symbol : {"odd_size", "main"}) {
    const ProcessResult odd =
        run(scratch, symbol, std::string("where: cmp, signals: [") + symbol + "]");
    EXPECT_EQ(odd.exit_code, 2);
    EXPECT_THAT(odd.err, HasSubstr("expected a variable of 4 or 8 bytes, aligned to its size"));
  }
}

TEST(Shim, OnTheSameCoreCountsTheProgramAloneAndFindsSkewedSamples) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write(
      "smt.yaml", run_file(program("signal"), "[]", "[]",
                           "mode: timing\nshim: { where: smt, counters: [instructions], signals: "
                           "[phase], analysis: buffer }\n"));
  const ProcessResult process = strobe({"run", file.string(), "--set", "core.threads=2", "--out",
                                        (scratch.path() / "smt").string()});
  ASSERT_EQ(process.exit_code, 0) << process.err;
  const json result = read_json(scratch.path() / "smt" / "result.json");
  const json& shim = result.at("shim");
  EXPECT_GT(result.at("overhead_measured").get<double>(), 0.01);
  expect_classes_add_up(result);
  EXPECT_GT(shim.at("truth").at("skewed").get<uint64_t>(), 0u);
  EXPECT_GT(shim.at("truth").at("dte_recall").get<double>(), 0.5);
  const auto tags = rows(scratch.path() / "smt" / "shim.tags.csv");
  for (const char* phase : {"1", "2"}) {
    const std::vector<double>& row = tags.at(phase);
    EXPECT_NEAR(row[2] / row[1], row[5] / row[4], 0.1 * row[5] / row[4]) << phase;
  }
}

/// The program clears its memory at first: its stores miss, and take every miss register.
TEST(Shim, AStreamOfMissesDoesNotStopTheObserver) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write(
      "lisp.yaml", run_file(workload("lisp"), "[small]", "[]",
                            "mode: timing\nshim: { where: smt, counters: [instructions], analysis: "
                            "buffer }\nbaseline: false\n"));
  const ProcessResult process =
      strobe({"run", file.string(), "--set",
              "core.include=" + in_source("configs/cores/haswell.yaml"), "--set", "core.threads=2",
              "--set", "workload.roi.run=100000", "--out", (scratch.path() / "lisp").string()});
  EXPECT_EQ(process.exit_code, 0) << process.err;
}

TEST(Shim, EqualRunsGiveEqualResults) {
  const ScratchDirectory scratch;
  const std::string shim = "where: cmp, counters: [instructions], signals: [phase, rounds]";
  EXPECT_EQ(result_of(scratch, "one", shim), result_of(scratch, "two", shim));
}

}  // namespace
}  // namespace strobe::e2e
