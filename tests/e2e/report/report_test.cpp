// Reports of a real sweep and of a real run, in every format, and what strobe report says when
// there is nothing to report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const char kProfilers[] =
    "[{ name: strat, rate: 16, strata: 256, selectors: [{ profile: edge }] }, "
    "{ name: other, kind: random, rate: 64 }]";

class Reports : public testing::Test {
 protected:
  fs::path at(const std::string& name) const { return scratch_.path() / name; }
  void sweep(
      const std::string& objectives =
          "objectives: [{ max: profilers.0.overlap }, { min: profilers.0.messages }]\n") const {
    scratch_.write("base.yaml",
                   run_file(workload("lz"), "[tiny]", kProfilers, "mode: functional\n"));
    scratch_.write("sweep.yaml",
                   "# Which rate?\nbase: base.yaml\ngrid: { profilers.0.rate: [16, 64], "
                   "profilers.0.strata: [64, 256] }\n" +
                       objectives);
    const ProcessResult process =
        strobe({"sweep", at("sweep.yaml").string(), "--out", at("out").string()});
    ASSERT_EQ(process.exit_code, 0) << process.err;
  }
  ProcessResult report(std::vector<std::string> more, const std::string& directory = "out") const {
    more.insert(more.begin(), {"report", at(directory).string()});
    return strobe(more);
  }
  std::string printed(const std::string& format, const std::string& directory = "out") const {
    const ProcessResult process = report({"--format", format}, directory);
    EXPECT_EQ(process.exit_code, 0) << process.err;
    EXPECT_EQ(process.out, report({"--format", format}, directory).out) << "not deterministic";
    return process.out;
  }

  ScratchDirectory scratch_;
};

TEST_F(Reports, OfASweepAgreeWithItsDatabaseInEveryFormat) {
  sweep();
  const json data = json::parse(printed("json"));
  ASSERT_EQ(data["designs"].size(), 4u);
  ASSERT_EQ(data["points"].size(), 4u);
  for (const json& point : data["points"]) EXPECT_EQ(point["status"], "done");
  const std::string csv = printed("csv");
  EXPECT_THAT(csv, StartsWith("design,label,workload,points,feasible,front,profilers.0.rate,"
                              "profilers.0.strata,profilers.0.overlap,profilers.0.messages,"
                              "profilers.0.overlap.half_width,profilers.0.messages.half_width\n"));
  for (const json& design : data["designs"]) {
    EXPECT_THAT(csv,
                HasSubstr(design["objectives"][0].dump() + "," + design["objectives"][1].dump()));
  }
  EXPECT_THAT(printed("text"), HasSubstr("4 points of 4 designs: 4 done"));
  EXPECT_THAT(printed("svg"), AllOf(StartsWith("<svg "), EndsWith("</svg>\n"),
                                    HasSubstr("min profilers.0.messages")));
  // What the page shows of a point is the run file of its run.
  const json& point = data["points"][0];
  std::string configuration;
  for (const size_t block : point["configuration"]) {
    for (const size_t line : data["configurations"]["blocks"][block]) {
      configuration += data["configurations"]["lines"][line].get<std::string>() + "\n";
    }
  }
  EXPECT_THAT(configuration, AllOf(HasSubstr("\nprofilers:\n  - name: "),
                                   HasSubstr("    strata: 64 "), HasSubstr("    rate: 16 ")));
  EXPECT_EQ(configuration.find("    strata: 256 "), std::string::npos);
}

TEST_F(Reports, OfSeveralSeedsHaveTheIntervalsOfTheirMeans) {
  const std::string hps = in_source("configs/profilers/hps/");
  scratch_.write("base.yaml",
                 run_file(workload("btree"), "[tiny]", "[]",
                          "mode: functional\ndecode: { productions: [" + hps + "sampling.dise, " +
                              hps + "hot-methods.dise], burst: 1, phase: random }\n"));
  scratch_.write("sweep.yaml",
                 "base: base.yaml\nseeds: [1, 2, 3]\ngrid: { decode.sparsity: [999, 4999] }\n"
                 "objectives: [max: profile.methods.overlap]\n");
  const ProcessResult process =
      strobe({"sweep", at("sweep.yaml").string(), "--out", at("out").string()});
  ASSERT_EQ(process.exit_code, 0) << process.err;
  const json data = json::parse(printed("json"));
  ASSERT_EQ(data["points"].size(), 6u);
  for (size_t i = 0; i < 2; ++i) {
    std::vector<double> overlaps;
    for (const json& point : data["points"]) {
      if (point["design"] == i) overlaps.push_back(point["objectives"][0]);
    }
    ASSERT_EQ(overlaps.size(), 3u);
    const double mean = (overlaps[0] + overlaps[1] + overlaps[2]) / 3;
    double squares = 0;
    for (const double overlap : overlaps) squares += (overlap - mean) * (overlap - mean);
    EXPECT_GT(squares, 0) << "the seed changes nothing";
    const double half_width = 4.302653 * std::sqrt(squares / 2 / 3);
    EXPECT_NEAR(data["designs"][i]["objectives"][0], mean, 1e-12);
    EXPECT_NEAR(data["designs"][i]["half_widths"][0], half_width, 1e-6);
    EXPECT_EQ(data["over_seeds"][i]["seeds"], 3);
    EXPECT_NEAR(data["over_seeds"][i]["half_widths"][0], half_width, 1e-6);
  }
  EXPECT_THAT(printed("text"), AllOf(HasSubstr(" ± 0.0"), HasSubstr("of the mean of 3 seeds")));
}

TEST_F(Reports, TheCommandOfAPointRepeatsIt) {
  sweep();
  const json data = json::parse(printed("json"));
  const std::string command = data["runs"][data["points"][0]["run"].get<size_t>()]["command"];
  fs::remove_all(at("out/runs"));
  ASSERT_EQ(std::system((command + " > /dev/null").c_str()), 0) << command;
  EXPECT_TRUE(
      fs::exists(at("out/runs") / data["runs"][0]["id"].get<std::string>() / "result.json"));
}

TEST_F(Reports, ThePageIsOneFileAndNamesItself) {
  sweep();
  const ProcessResult process = report({});
  ASSERT_EQ(process.exit_code, 0) << process.err;
  EXPECT_EQ(process.out, at("out/report.html").string() + "\n");
  EXPECT_THAT(read_file(at("out/report.html")),
              AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("<title>sweep - Strobe</title>"),
                    HasSubstr("vegaEmbed=t(")));
}

TEST_F(Reports, MarkdownComesWithItsFigures) {
  sweep();
  const ProcessResult process =
      report({"--format", "markdown", "--output", at("pages/sweep.md").string()});
  ASSERT_EQ(process.exit_code, 0) << process.err;
  EXPECT_THAT(read_file(at("pages/sweep.md")),
              AllOf(StartsWith("# sweep\n\n"), HasSubstr("\n\nWhich rate?\n"),
                    HasSubstr("(sweep-messages.svg)")));
  EXPECT_EQ(read_file(at("pages/sweep-messages.svg")), printed("svg"));
  const ProcessResult nowhere = report({"--format", "markdown"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("give --output"));
}

TEST_F(Reports, OfARunShowItsTableItsProfilesAndItsProgress) {
  scratch_.write("run.yaml", run_file(workload("lz"), "[tiny]", kProfilers,
                                      "mode: functional\nprogress: { every: 5000 }\n"));
  const ProcessResult run =
      strobe({"run", at("run.yaml").string(), "--out", at("result").string()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr(printed("text", "result")));
  EXPECT_THAT(printed("csv", "result"), HasSubstr("strat"));
  const json data = json::parse(printed("json", "result"));
  EXPECT_EQ(data["kind"], "run");
  EXPECT_EQ(data["result"], read_json(at("result/result.json")));
  EXPECT_EQ(data["configuration"], read_file(at("result/config.yaml")));
  ASSERT_GE(data["profiles"].size(), 2u);
  size_t tuples = 0;  // the first profiler has a profile for each kind of event
  for (const json& profile : data["profiles"]) {
    if (profile["profiler"] == "strat") tuples += profile["tuples"].get<size_t>();
    ASSERT_FALSE(profile["entries"].empty());
    const json& first = profile["entries"][0];
    ASSERT_EQ(first.size(), 6u);
    EXPECT_THAT(first[0].get<std::string>(), StartsWith("0x"));
    EXPECT_GE(first[2], profile["entries"].back()[2]);
    EXPECT_FALSE(first[3].get<std::string>().empty());
    EXPECT_EQ(first[4].get<std::string>().empty(), profile["kind"] == "value");
  }
  EXPECT_EQ(tuples, data["result"]["profilers"][0]["tuples"]);
  EXPECT_EQ(data["warnings"].size(), 0u);
  ASSERT_EQ(data["progress"].size(), 2u);
  EXPECT_EQ(data["progress"][0]["profiler"], "strat");
  EXPECT_EQ(data["progress"][0]["events"][0], 5000);
  EXPECT_EQ(report({}, "result").exit_code, 0);
  const ProcessResult front = report({"--format", "svg"}, "result");
  EXPECT_EQ(front.exit_code, 2);
  EXPECT_THAT(front.err, HasSubstr("which has no front"));
}

TEST_F(Reports, SayWhatIsMissing) {
  fs::create_directories(at("empty"));
  const ProcessResult nothing = report({}, "empty");
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_THAT(
      nothing.err,
      AllOf(HasSubstr("nothing to report in " + at("empty").string()),
            HasSubstr("expected sweep.sqlite of a sweep or result.json of a run, got neither")));
  sweep("");
  const ProcessResult aimless = report({});
  EXPECT_EQ(aimless.exit_code, 2);
  EXPECT_THAT(aimless.err, HasSubstr("has no objectives"));
  for (const char* name : {"damaged", "old"}) fs::create_directories(at(name));
  scratch_.write("damaged/result.json", "{ \"schema_version\"");
  const ProcessResult damaged = report({}, "damaged");
  EXPECT_EQ(damaged.exit_code, 2);
  EXPECT_THAT(damaged.err, AllOf(HasSubstr("is damaged"), HasSubstr("run it again")));
  const fs::path run = fs::directory_iterator(at("out/runs"))->path();
  std::ofstream(run / "result.json", std::ios::app) << " ";
  EXPECT_THAT(strobe({"report", run.string()}).err,
              HasSubstr("result.json is damaged: expected SHA-256 "));
  scratch_.write("old/result.json", "{ \"schema_version\": 0 }");
  scratch_.write("old/manifest.json", "{}");
  EXPECT_THAT(report({}, "old").err, HasSubstr("expected schema version 1, got 0"));
}

}  // namespace
}  // namespace strobe::e2e
