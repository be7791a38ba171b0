// Relations between cores that must hold whatever the numbers are, on real programs.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/e2e/process/strobe_process.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
using Settings = std::vector<std::string>;

class Relations : public testing::TestWithParam<const char*> {
 protected:
  json run(const Settings& settings) {
    const ScratchDirectory scratch;
    const auto file = scratch.write("run.yaml", run_file(workload(GetParam()), "[tiny]", "[]"));
    Settings args = {"run", file.string(), "--out", (scratch.path() / "out").string()};
    for (const std::string& setting : settings) {
      args.insert(args.end(), {"--set", setting});
    }
    const ProcessResult process = strobe(args);
    EXPECT_EQ(process.exit_code, 0) << process.err;
    return read_json(scratch.path() / "out" / "result.json");
  }
  uint64_t cycles(const Settings& settings) { return run(settings).at("cycles"); }

  // Misses of `cache` with 1, 2, 4 and 8 ways of the same number of sets: LRU keeps in each set
  // what it would keep with fewer ways, and more.
  std::vector<uint64_t> misses_by_ways(const std::string& cache, unsigned way_bytes) {
    std::vector<uint64_t> misses;
    for (const unsigned ways : {1u, 2u, 4u, 8u}) {
      const std::string key = "core.memory." + cache;
      const json result = run({key + ".ways=" + std::to_string(ways),
                               key + ".size=" + std::to_string(ways * way_bytes)});
      misses.push_back(result.at("counters").at(cache + ".misses"));
    }
    return misses;
  }
};

void expect_falling(const std::vector<uint64_t>& values) {
  EXPECT_TRUE(std::is_sorted(values.rbegin(), values.rend())) << testing::PrintToString(values);
  EXPECT_GT(values.front(), values.back()) << "the relation was not put to the test";
}

TEST_P(Relations, ALargerInstructionCacheNeverMissesMoreOften) {
  expect_falling(misses_by_ways("l1i", 1024));
}

TEST_P(Relations, ALargerDataCacheNeverMissesMoreOften) {
  expect_falling(misses_by_ways("l1d", 2048));
}

TEST_P(Relations, ALargerSecondLevelNeverMissesMoreOften) {
  expect_falling(misses_by_ways("l2", 8192));
}

TEST_P(Relations, PerfectPredictionIsTheFastest) {
  const uint64_t perfect = cycles({"core.predictor.kind=perfect"});
  for (const char* kind : {"static", "bimodal", "gshare", "tage"}) {
    EXPECT_LT(perfect, cycles({std::string("core.predictor.kind=") + kind})) << kind;
  }
}

TEST_P(Relations, TageMispredictsLessThanGshareAndThatLessThanStatic) {
  std::vector<uint64_t> mispredicted;
  for (const char* kind : {"static", "gshare", "tage"}) {
    const json result = run({std::string("core.predictor.kind=") + kind});
    mispredicted.push_back(result.at("counters").at("core.branch.mispredicted"));
  }
  expect_falling(mispredicted);
}

TEST_P(Relations, AWiderCoreIsNeverSlower) {
  std::vector<uint64_t> by_width;
  for (const char* width : {"1", "2", "4", "8"}) {
    Settings settings;
    for (const char* key :
         {"fetch_width", "decode_width", "issue_width", "commit_width", "alu.count"}) {
      settings.push_back(std::string("core.") + key + "=" + width);
    }
    by_width.push_back(cycles(settings));
  }
  expect_falling(by_width);
}

TEST_P(Relations, ALargerWindowIsNeverSlower) {
  std::vector<uint64_t> by_size;
  for (const char* size : {"8", "32", "128"}) {
    by_size.push_back(cycles(
        {std::string("core.rob=") + size, std::string("core.reservation_stations=") + size}));
  }
  expect_falling(by_size);
}

TEST_P(Relations, IssueInOrderIsSlowerThanOutOfOrder) {
  const uint64_t out_of_order = cycles({"core.issue=out_of_order"});
  EXPECT_GT(cycles({"core.issue=in_order"}), out_of_order);
}

INSTANTIATE_TEST_SUITE_P(Of, Relations, testing::Values("othello", "json", "lz"),
                         [](const auto& program) { return std::string(program.param); });

}  // namespace
}  // namespace strobe::e2e
