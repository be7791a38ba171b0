// What each design of a sweep does on each workload.
#include "sw/report/by_workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/report/sweep_views.h"

namespace strobe::report {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Two hashes on three workloads: h3 is 0.01, 0.02 and 0.03 worse, of 0.9, 0.8 and 0.7.
SweepData three_workloads(uint64_t seeds = 1) {
  SweepData data;
  data.name = "sample";
  data.axes = {{"profilers.0.hash", "", "", false}, {"profilers.0.banks", "", "", true}};
  data.objectives = {{"profilers.0.overlap", true, ""}};
  for (const auto& [hash, banks] : {std::pair("paper", 1), std::pair("h3", 4)}) {
    Design& design = data.designs.emplace_back();
    design.settings = {hash, banks};
    design.objectives = design.half_widths = {std::nullopt};
    design.feasible = design.front = true;
  }
  for (size_t design = 0; design < 2; ++design) {
    for (int place = 0; place < 3; ++place) {
      for (uint64_t seed = 1; seed <= seeds; ++seed) {
        Point& point = data.points.emplace_back();
        point.design = design;
        point.workload = std::string(1, static_cast<char>('a' + place));
        point.status = "done";
        point.seed = seed;
        const double middle = static_cast<double>(seed) - static_cast<double>(seeds + 1) / 2;
        point.objectives = {0.9 - 0.1 * place - (design == 1 ? 0.01 * (place + 1) : 0) +
                            0.001 * middle};
      }
    }
  }
  data.workloads = 3;
  data.seeds = seeds;
  return data;
}

TEST(ByWorkload, HasARowForEachWorkloadAndAColumnForEachDesign) {
  const SweepData data = three_workloads();
  EXPECT_TRUE(about_workloads(data));
  const std::string text = by_workload(data);
  EXPECT_THAT(text, HasSubstr("A column is a design: hash, banks.\n"));
  EXPECT_THAT(text,
              HasSubstr("### profilers.0.overlap\n\n| workload | paper, 1 | h3, 4 |\n"
                        "|---|---|---|\n| a | 0.9 | 0.89 |\n| b | 0.8 | 0.78 |\n"
                        "| c | 0.7 | 0.67 |\n| mean | 0.8 | 0.78 |\n| worst | 0.7 | 0.67 |\n"));
  EXPECT_THAT(sweep_markdown(data), HasSubstr(text));
}

// The differences are 0.01, 0.02 and 0.03: mean 0.02, s = 0.01, t = 4.303 with 2 degrees.
TEST(ByWorkload, TakesTheDifferencesOnEachWorkloadAndTheirIntervalOverThem) {
  EXPECT_THAT(by_workload(three_workloads()), HasSubstr("## Differences from paper, 1\n"));
  EXPECT_THAT(by_workload(three_workloads()),
              HasSubstr("| design | overlap |\n|---|---|\n| h3, 4 | -0.02 ± 0.025 |\n"));
  EXPECT_THAT(by_workload(three_workloads(3)), HasSubstr("| h3, 4 | -0.02 ± 0.025 |\n"))
      << "the seeds move both designs alike";
  EXPECT_THAT(by_workload(three_workloads(3)), HasSubstr("| a | 0.9 ± 0.0025 | 0.89 ± 0.0025 |\n"));
}

TEST(ByWorkload, LeavesOutWhatHasNoResult) {
  SweepData data = three_workloads();
  data.points[2].objectives = {std::nullopt};  // c of the first design
  const std::string text = by_workload(data);
  EXPECT_THAT(text, HasSubstr("| c | - | 0.67 |\n| mean | 0.85 | 0.78 |\n"));
  EXPECT_THAT(text, HasSubstr("| h3, 4 | -0.015 ± 0.064 |\n"));
}

TEST(ByWorkload, IsForSweepsWithMoreWorkloadsThanDesigns) {
  SweepData data = three_workloads();
  data.workloads = 2;
  EXPECT_FALSE(about_workloads(data));
  EXPECT_THAT(sweep_markdown(data), Not(HasSubstr("## By workload")));
}

}  // namespace
}  // namespace strobe::report
