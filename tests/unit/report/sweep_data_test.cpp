// What a report reads out of a sweep's directory, and what it says when there is nothing to read.
#include "sw/report/sweep_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/explore/store/database.h"
#include "sw/report/over_seeds.h"
#include "tests/unit/config/scratch.h"
#include "tests/unit/report/sample_sweep.h"

namespace strobe::report {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class SweepReports : public testing::Test {
 protected:
  SweepData read(const SampleSweep& sample = {}) const {
    sample.write(directory_);
    return read_sweep(directory_);
  }
  std::string error_of_reading() const {
    try {
      read_sweep(directory_);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
  static const Design& design(const SweepData& data, const std::string& label) {
    for (const Design& design : data.designs) {
      if (design.label == label) return design;
    }
    throw std::out_of_range(label);
  }

  config::Scratch scratch_;
  std::filesystem::path directory_ = scratch_.file("sweep");
};

TEST_F(SweepReports, ADesignHasTheMeansOfItsPoints) {
  const SweepData data = read();
  ASSERT_EQ(data.designs.size(), 6u);
  ASSERT_EQ(data.points.size(), 12u);
  const Design& one = design(data, "rate=32 hash=h3");
  EXPECT_NEAR(*one.objectives[0], 1 - 0.032 - 0.01 - 0.05, 1e-9);
  EXPECT_DOUBLE_EQ(*one.objectives[1], 31250);
  EXPECT_DOUBLE_EQ(*one.objectives[2], 1050);
  EXPECT_THAT(one.settings, ElementsAre(32, "h3"));
  EXPECT_EQ(one.feasible, true);
  EXPECT_EQ(design(data, "rate=16 hash=h3").feasible, false) << "62500 messages";
}

TEST_F(SweepReports, SeveralSeedsGiveIntervals) {
  SampleSweep sample;
  sample.seeds = 3;
  const SweepData data = read(sample);
  EXPECT_EQ(data.seeds, 3u);
  const Design& one = design(data, "rate=32 hash=h3");
  // s = 0.01 over three seeds, of every workload and so of their mean.
  const double half = 4.30265 * 0.01 / 1.7320508;
  EXPECT_NEAR(*one.objectives[0], 1 - 0.032 - 0.01 - 0.05, 1e-9);
  EXPECT_NEAR(*one.half_widths[0], half, 1e-6);
  EXPECT_EQ(one.half_widths[1], std::nullopt) << "messages, which are equal for every seed";
  ASSERT_EQ(data.over_seeds.size(), 12u);
  const OverSeeds& lisp = data.over_seeds[0];
  EXPECT_EQ(data.designs[lisp.design].label, "rate=16 hash=paper");
  EXPECT_EQ(lisp.workload, "lisp");
  EXPECT_EQ(lisp.seeds, 3u);
  EXPECT_NEAR(*lisp.objectives[0], 1 - 0.016 - 0.1, 1e-9);
  EXPECT_NEAR(*lisp.half_widths[0], half, 1e-6);
}

TEST_F(SweepReports, OneSeedGivesNoInterval) {
  const SweepData data = read();
  EXPECT_EQ(data.seeds, 1u);
  EXPECT_TRUE(data.over_seeds.empty());
  for (const Design& one : data.designs) {
    EXPECT_THAT(one.half_widths, ElementsAre(std::nullopt, std::nullopt, std::nullopt));
  }
}

TEST_F(SweepReports, TheIntervalOfADesignNeedsEveryWorkloadWithEverySeed) {
  SweepData data = [&] {
    SampleSweep sample;
    sample.seeds = 3;
    return read(sample);
  }();
  data.over_seeds.clear();
  for (Design& one : data.designs) one.half_widths.assign(3, std::nullopt);
  ASSERT_EQ(data.points[0].design, 0u);
  data.points[0].status = "timeout";
  data.points[0].objectives.assign(3, std::nullopt);
  compare_seeds(&data);
  EXPECT_EQ(data.designs[0].half_widths[0], std::nullopt);
  EXPECT_NE(data.designs[1].half_widths[0], std::nullopt);
  EXPECT_EQ(data.over_seeds[0].seeds, 2u);
  // Two values 0.01 apart: s = 0.0070711, t of one degree of freedom is 12.7062.
  EXPECT_NEAR(*data.over_seeds[0].half_widths[0], 12.7062 * 0.0070711 / 1.4142136, 1e-5);
}

TEST_F(SweepReports, TheFrontComesTheBestOfTheFirstObjectiveFirst) {
  const SweepData data = read();
  std::vector<std::string> labels;
  for (const size_t place : front_of(data)) labels.push_back(data.designs[place].label);
  EXPECT_THAT(labels, ElementsAre("rate=32 hash=paper", "rate=32 hash=h3", "rate=48 hash=paper",
                                  "rate=48 hash=h3"));
}

TEST_F(SweepReports, APointHasTheConfigurationOfItsOwnProfilersOnly) {
  const SweepData data = read();
  const Point& point = data.points[0];
  std::string text;
  for (const size_t block : point.configuration) {
    for (const size_t line : data.configurations.blocks()[block]) {
      text += data.configurations.lines()[line] + "\n";
    }
  }
  EXPECT_EQ(
      text,
      "# The effective configuration\ncore:\n  rob: 64\nprofilers:\n  - name: mine\n    rate: "
      "16\n    hash: paper\nseed: 1\n");
}

TEST_F(SweepReports, ARunHasItsStackItsOverheadAndItsCommand) {
  const SweepData data = read();
  const auto& run = data.runs[data.points[0].run];
  EXPECT_EQ(run.cpi, (std::map<std::string, uint64_t>{{"base", 600}, {"handler", 400}}));
  EXPECT_EQ(run.overhead, 0.05);
  EXPECT_EQ(run.command, "strobe run " + run.id + ".yaml");
}

TEST_F(SweepReports, AFailedRunLeavesItsReasonAndNoNumbers) {
  SampleSweep sample;
  sample.failed_rate = "rate=32 hash=h3";
  const SweepData data = read(sample);
  const Design& failed = design(data, sample.failed_rate);
  EXPECT_EQ(failed.objectives[0], std::nullopt);
  EXPECT_EQ(failed.front, std::nullopt);
  for (const Point& point : data.points) {
    if (data.designs[point.design].label != failed.label) continue;
    EXPECT_EQ(point.status, "timeout");
    EXPECT_EQ(data.runs[point.run].reason, "it took more than 5 s");
    EXPECT_FALSE(point.configuration.empty());
  }
}

TEST_F(SweepReports, ProgressIsThereUntilThereIsTooMuchAndThenOfTheFront) {
  SampleSweep sample;
  sample.progress = 4;
  SweepData data = read(sample);
  ASSERT_EQ(data.progress.size(), 12u);
  EXPECT_THAT(data.progress[0].events, ElementsAre(100, 200, 300, 400));
  EXPECT_EQ(data.progress[0].overlap[0], 0.5);
  EXPECT_EQ(data.progress[0].invariance_error[0], std::nullopt);
  data = read_sweep(directory_, 47);
  EXPECT_TRUE(data.progress_of_front_only);
  EXPECT_EQ(data.progress.size(), 2 * front_of(data).size());
}

TEST_F(SweepReports, TheSameSweepGivesTheSameBytes) {
  const std::string first = to_json(read()).dump();
  EXPECT_EQ(first, to_json(read_sweep(directory_)).dump());
  const auto json = nlohmann::json::parse(first);
  EXPECT_EQ(json["axes"][0]["name"], "rate");
  EXPECT_EQ(json["objectives"][0], (nlohmann::json{{"key", "profilers.0.overlap"},
                                                   {"name", "overlap"},
                                                   {"unit", ""},
                                                   {"direction", "max"}}));
  EXPECT_EQ(json["designs"].size(), 6u);
}

TEST_F(SweepReports, SaysThatADatabaseIsOfANewerStrobe) {
  SampleSweep().write(directory_);
  explore::Database((directory_ / "sweep.sqlite").string()).run("PRAGMA user_version = 99");
  EXPECT_THAT(error_of_reading(), AllOf(HasSubstr("written by a newer Strobe"), HasSubstr("got 99"),
                                        HasSubstr("sweep.sqlite")));
}

TEST_F(SweepReports, SaysThatADatabaseHasNoPoints) {
  SampleSweep sample;
  sample.rates = 0;
  sample.write(directory_);
  EXPECT_THAT(error_of_reading(), AllOf(HasSubstr("has no points yet"), HasSubstr("strobe sweep")));
}

TEST_F(SweepReports, SaysThatASweepHasNoObjectives) {
  SampleSweep sample;
  sample.objectives = false;
  sample.write(directory_);
  EXPECT_THAT(error_of_reading(),
              AllOf(HasSubstr("has no objectives"), HasSubstr("'objectives' in its file")));
}

TEST_F(SweepReports, SaysThatAFileIsNoDatabaseOrNoSweeps) {
  std::filesystem::create_directories(directory_);
  scratch_.write("sweep/sweep.sqlite", "not a database, though long enough to be read as one ....");
  EXPECT_THAT(error_of_reading(), HasSubstr("file is not a database"));
  scratch_.write("sweep/sweep.sqlite", "");
  EXPECT_THAT(error_of_reading(), HasSubstr("is not the database of a sweep"));
}

TEST_F(SweepReports, SaysThatAConfigurationOrTheDatabaseIsTooLarge) {
  SampleSweep().write(directory_);
  const explore::Folder folder{directory_};
  const std::filesystem::path job =
      std::filesystem::directory_iterator(folder.job("x", ".yaml").parent_path())->path();
  std::filesystem::resize_file(std::filesystem::path(job).replace_extension(".yaml"), 1 << 20);
  EXPECT_THAT(error_of_reading(),
              HasSubstr(".yaml cannot be read: it has more than 786432 bytes; run it again"));
  std::filesystem::resize_file(folder.database(), (uint64_t{1} << 30) + 4096);
  EXPECT_THAT(error_of_reading(), HasSubstr("sweep.sqlite is too large: expected at most "
                                            "1073741824 bytes, got 1073745920; make several"));
}

TEST(ShortNames, AreTheLastPartsThatTellThemApart) {
  EXPECT_THAT(short_names({"a.0.rate", "a.1.rate", "core.rob"}),
              ElementsAre("a.0.rate", "a.1.rate", "rob"));
}

TEST(Units, AreOfTheResultsWhoseNamesDoNotSayThem) {
  EXPECT_EQ(unit_of("profilers.0.synthesis.logic_area"), "um2");
  EXPECT_EQ(unit_of("profilers.12.synthesis.period"), "ns");
  EXPECT_EQ(unit_of("profilers.0.synthesis.gates"), "GE");
  EXPECT_EQ(unit_of("profilers.0.storage_bits"), "");
  EXPECT_EQ(unit_of("profilers.0.period"), "") << "that is the sampler's, in events";
}

}  // namespace
}  // namespace strobe::report
