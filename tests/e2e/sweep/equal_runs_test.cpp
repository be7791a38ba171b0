// What is equal in a sweep is made once, and equal sweeps have equal bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "tests/e2e/sweep/sweep_fixture.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

const char kStratifiedEdges[] =
    "[{ name: s, kind: stratified, active: true, fidelity: model, selectors: [{ profile: edge }] "
    "}]";

class EqualRuns : public SweepTest {
 protected:
  void base(const std::string& args, const std::string& profilers) const {
    scratch_.write("base.yaml", run_file(workload("lz"), args, profilers, "mode: timing\n"));
  }
  int64_t files_in(const std::string& folder) const {
    return std::distance(fs::directory_iterator(at(folder)), fs::directory_iterator());
  }
};

TEST_F(EqualRuns, AndTheirBaselinesAreMadeOnce) {
  base("[tiny]", kStratifiedEdges);
  // The random sampler alone draws from the seed.
  const ProcessResult process = sweep(
      "seeds: [1, 2, 3]\nlist: [{ profilers.0.kind: stratified }, { profilers.0.kind: periodic }, "
      "{ profilers.0.kind: random }]\n");
  ASSERT_EQ(process.exit_code, 0) << process.err;
  EXPECT_THAT(process.out, StartsWith("9 points, 5 runs, 1 baseline\n"));
  EXPECT_THAT(process.out, HasSubstr("9 points in 5 runs, 0 reused, 0 failed"));
  EXPECT_EQ(number("SELECT count(DISTINCT run) FROM point"), 5);
  EXPECT_EQ(files_in("out/runs"), 5);
  EXPECT_EQ(files_in("out/baselines"), 1);
  expect_what_runs_give({}, 9);
  fs::remove(at("out/sweep.sqlite"));
  EXPECT_THAT(start().out, HasSubstr("9 points in 0 runs, 9 reused"));
  EXPECT_EQ(number("SELECT count(*) FROM point WHERE status = 'done'"), 9);
}

TEST_F(EqualRuns, OfALaterSeedAreTakenFromTheEarlierOnes) {
  base("[tiny]", kStratifiedEdges);
  ASSERT_EQ(sweep("seeds: [1]\ngrid: { profilers.0.strata: [64, 128] }\n").exit_code, 0);
  const ProcessResult more = sweep("seeds: [1, 2]\ngrid: { profilers.0.strata: [64, 128, 256] }\n");
  ASSERT_EQ(more.exit_code, 0) << more.err;
  EXPECT_THAT(more.out, StartsWith("6 points, 3 runs, 1 baseline\n"));
  EXPECT_THAT(more.out, HasSubstr("6 points in 1 run, 4 reused"));
}

TEST_F(EqualRuns, ShareABaselineThatIsMadeAgainWhenItIsDamaged) {
  base("[tiny]", kStratifiedEdges);
  const auto run = [this](const std::string& seed) {
    const ProcessResult process =
        strobe({"run", at("base.yaml").string(), "--out", at("one").string(), "--force", "--set",
                "seed=" + seed, "--baseline", at("baseline").string()});
    EXPECT_EQ(process.exit_code, 0) << process.err;
    return read_json(at("one/result.json"));
  };
  const nlohmann::json first = run("1");
  const fs::file_time_type made = fs::last_write_time(at("baseline"));
  EXPECT_EQ(run("2"), first);
  EXPECT_EQ(fs::last_write_time(at("baseline")), made) << "it was read";
  const std::string whole = read_file(at("baseline"));
  for (const std::string& damaged :
       {whole.substr(0, whole.size() / 2), std::string("none"), whole + "more"}) {
    std::ofstream(at("baseline")) << damaged;
    EXPECT_EQ(run("1"), first);
    EXPECT_TRUE(read_file(at("baseline")) == whole) << "it was made again";
  }
}

TEST_F(EqualRuns, OfEqualSweepsHaveTheSameBytesWhicheverEndsFirst) {
  base("[tiny]", kStratifiedEdges);
  const std::string text = "workloads: [{ name: long, elf: " + workload("lz") +
                           ", args: [small] }, { name: short, elf: " + workload("lz") +
                           ", args: [tiny] }]\ngrid: { core.rob: [96, 112] }\n";
  const auto bytes = [this] {
    return read_file(at("out/points.csv")) + read_file(at("out/points.jsonl")) +
           strobe({"report", at("out").string(), "--format", "csv"}).out;
  };
  ASSERT_EQ(sweep(text, {"--jobs", "1"}).exit_code, 0);
  const std::string one_by_one = bytes();
  fs::remove_all(at("out"));
  ASSERT_EQ(sweep(text, {"--jobs", "4"}).exit_code, 0);
  EXPECT_EQ(bytes(), one_by_one);
}

}  // namespace
}  // namespace strobe::e2e
