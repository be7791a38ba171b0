// The statistics of real runs: the CPI stack and the intervals.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "tests/e2e/process/strobe_process.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const char kCountingProfiler[] =
    "[{ name: strat, kind: stratified, active: true, fidelity: model, rate: 16, strata: 256, "
    "selectors: [{ profile: edge }] }]";

json result_of_run(const fs::path& file, const fs::path& out, std::vector<std::string> more = {}) {
  std::vector<std::string> args = {"run", file.string(), "--out", out.string()};
  args.insert(args.end(), more.begin(), more.end());
  const ProcessResult process = strobe(args);
  EXPECT_EQ(process.exit_code, 0) << process.err;
  return read_json(out / "result.json");
}

uint64_t counter(const json& result, const std::string& name) {
  return result.at("counters").at(name).get<uint64_t>();
}

uint64_t sum_of_stack(const json& result) {
  uint64_t sum = 0;
  for (const auto& [name, value] : result.at("counters").items()) {
    if (name.rfind("core.cpi.", 0) == 0) sum += value.get<uint64_t>();
  }
  return sum;
}

class CpiStackOf : public testing::TestWithParam<const char*> {};

TEST_P(CpiStackOf, AddsUpToTheCyclesAndItsBaseIsTheInstructions) {
  const ScratchDirectory scratch;
  const fs::path file =
      scratch.write("run.yaml", run_file(workload(GetParam()), "[tiny]", kCountingProfiler));
  const json result = result_of_run(file, scratch.path() / "out");
  EXPECT_EQ(sum_of_stack(result), result.at("cycles").get<uint64_t>());
  EXPECT_EQ(counter(result, "core.cpi.base"), counter(result, "core.committed.user") / 4);
  // A profiled program has all of these, and every one of its interrupts costs an entry.
  for (const char* name : {"dependency", "l1", "branch", "ifetch", "handler", "syscall"}) {
    EXPECT_GT(counter(result, std::string("core.cpi.") + name), 0u) << name;
  }
  EXPECT_GE(counter(result, "core.cpi.interrupt_entry"), 10 * counter(result, "core.interrupts"));
  EXPECT_GE(4 * counter(result, "core.cpi.handler"),
            result.at("machine_instructions").get<uint64_t>());
}

INSTANTIATE_TEST_SUITE_P(Workloads, CpiStackOf, testing::Values("lz", "othello", "json", "btree"));

TEST(CpiStack, OfAnUnprofiledRunHasNoHandlerAndItsLineIsPrinted) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write("run.yaml", run_file(workload("regex"), "[tiny]", "[]"));
  const ProcessResult process =
      strobe({"run", file.string(), "--out", (scratch.path() / "out").string()});
  EXPECT_NE(process.out.find("\nCPI stack     "), std::string::npos) << process.out;
  const json result = read_json(scratch.path() / "out/result.json");
  EXPECT_EQ(sum_of_stack(result), result.at("cycles").get<uint64_t>());
  EXPECT_EQ(counter(result, "core.cpi.handler"), 0u);
  EXPECT_EQ(counter(result, "core.cpi.interrupt_entry"), 0u);
}

TEST(Intervals, AddUpToTheCountersAndChangeNoFigure) {
  const ScratchDirectory scratch;
  const fs::path file =
      scratch.write("run.yaml", run_file(workload("lz"), "[tiny]", kCountingProfiler));
  const std::vector<std::string> region = {"--set", "workload.roi.skip=100000", "--set",
                                           "workload.roi.warm=50000"};
  std::vector<std::string> divided = region;
  divided.insert(divided.end(), {"--set", "interval=10000"});
  result_of_run(file, scratch.path() / "plain", region);
  const json result = result_of_run(file, scratch.path() / "divided", divided);
  EXPECT_EQ(read_file(scratch.path() / "plain/result.json"),
            read_file(scratch.path() / "divided/result.json"));
  EXPECT_FALSE(fs::exists(scratch.path() / "plain/intervals.csv"));

  std::istringstream lines(read_file(scratch.path() / "divided/intervals.csv"));
  std::string line, field;
  std::vector<std::string> names;
  std::getline(lines, line);
  for (std::istringstream header(line); std::getline(header, field, ',');) names.push_back(field);
  std::map<std::string, uint64_t> sums;
  uint64_t rows = 0, instructions = 0;
  while (std::getline(lines, line)) {
    std::istringstream row(line);
    std::map<std::string, uint64_t> values;
    for (const std::string& name : names) {
      ASSERT_TRUE(std::getline(row, field, ','));
      values[name] = std::stoull(field);
      sums[name] += values[name];
    }
    EXPECT_EQ(values["interval"], rows++);
    uint64_t stack = 0;
    for (const auto& [name, value] : values) {
      if (name.rfind("core.cpi.", 0) == 0) stack += value;
    }
    EXPECT_EQ(stack, values["core.cycles"]);
    instructions += values["core.committed.user"];
    if (rows <= counter(result, "core.committed.user") / 10000) {
      EXPECT_GE(instructions, 10000 * rows);
      EXPECT_LT(instructions, 10000 * rows + 4);
    }
  }
  EXPECT_EQ(rows, counter(result, "core.committed.user") / 10000 + 1);
  sums.erase("interval");
  EXPECT_EQ(json(sums), result.at("counters"));
}

}  // namespace
}  // namespace strobe::e2e
