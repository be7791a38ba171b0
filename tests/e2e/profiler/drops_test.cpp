// Does the recommended profiler see what the program does, or does its queue drop events?
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "sw/files/guest_files.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;

constexpr double kMost = 0.001;  // share

/// A program at the size of the sweep drops.
struct Program {
  std::string name;
  std::string workload;  // its keys in a run file
};

void PrintTo(const Program& program, std::ostream* out) { *out << program.name; }

/// Strobe's own programs but gengc, as the sweep has them, and the fetched ones that are there.
std::vector<Program> programs() {
  std::vector<Program> all;
  for (const char* name : {"btree", "desim", "hashjoin", "json", "lisp", "lz", "othello", "paths",
                           "raytrace", "regex"}) {
    all.push_back(
        {name, "{include: " + in_source("configs/workloads/" + std::string(name) + ".yaml") +
                   ", args: [small]"});
  }
  for (const auto& entry : fs::directory_iterator(in_source("configs/workloads/fetched"))) {
    const std::string name = entry.path().stem().string();
    if (!fs::exists(fs::path(files::fetched_directory()) / name / (name + ".elf"))) continue;
    all.push_back({name, "{include: " + in_source("configs/workloads/fetched/" + name + ".yaml")});
  }
  for (Program& program : all) {
    program.workload += ", roi: {run: 4_000_000}}";
  }
  std::sort(all.begin(), all.end(),
            [](const Program& a, const Program& b) { return a.name < b.name; });
  return all;
}

double dropped_share(const Program& program, const std::string& profiler) {
  const ScratchDirectory scratch;
  const fs::path out = scratch.path() / "out";
  const ProcessResult process =
      strobe({"run", in_source("configs/runs/drops.yaml"), "--out", out.string(), "--set",
              "workload=" + program.workload, "--set",
              "profilers.0.include=" + in_source("configs/profilers/" + profiler + ".yaml")});
  EXPECT_EQ(process.exit_code, 0) << process.err;
  const auto result = read_json(out / "result.json")["profilers"][0];
  EXPECT_GT(result["events"].get<uint64_t>(), 500'000u);
  return result["dropped_share"];
}

class RecommendedProfiler : public testing::TestWithParam<Program> {};

TEST_P(RecommendedProfiler, DropsLessThanOneEventInAThousand) {
  EXPECT_LT(dropped_share(GetParam(), "stratified-2048-crc32c"), kMost);
}

INSTANTIATE_TEST_SUITE_P(Programs, RecommendedProfiler, testing::ValuesIn(programs()),
                         [](const auto& info) { return info.param.name; });

TEST(PaperProfiler, DropsMoreThanThatWhereTwoEventsRetireInACycle) {
  const std::vector<Program> all = programs();
  const auto lz = std::find_if(all.begin(), all.end(),
                               [](const Program& program) { return program.name == "lz"; });
  ASSERT_NE(lz, all.end());
  EXPECT_GT(dropped_share(*lz, "stratified-2048"), kMost);
}

}  // namespace
}  // namespace strobe::e2e
