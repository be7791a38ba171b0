// A sweep as text, CSV, figure, page of docs/explorations and page of HTML.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sw/report/page.h"
#include "sw/report/sweep_views.h"
#include "tests/unit/config/scratch.h"
#include "tests/unit/report/sample_sweep.h"

namespace strobe::report {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

SweepData sample(const SampleSweep& sweep = {}) {
  const config::Scratch scratch;
  sweep.write(scratch.file("sweep"));
  return read_sweep(scratch.file("sweep"));
}

size_t times(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST(SweepText, SaysWhatWasAskedAndWhatIsOnTheFront) {
  EXPECT_EQ(sweep_text(sample()),
            "sweep       sample of base.yaml, exhaustive\n"
            "points      12 points of 6 designs: 12 done\n"
            "objectives  max profilers.0.overlap, min profilers.0.messages, min cycles\n"
            "constraint  profilers.0.messages < 50000\n"
            "front       4 on the front, 4 feasible\n"
            "\n"
            "rate   hash  overlap  messages  cycles\n"
            "  32  paper    0.918    31,250   1,051\n"
            "  32     h3    0.908    31,250   1,050\n"
            "  48  paper    0.902    20,833   1,051\n"
            "  48     h3    0.892    20,833   1,050\n");
}

TEST(SweepText, HasIntervalsOfSeveralSeedsAndTheFrontByWorkload) {
  SampleSweep sweep;
  sweep.rates = 2;
  sweep.seeds = 3;
  // Overlaps of a design are 0.01 apart: s = 0.01, t of 2 degrees of freedom is 4.3027.
  EXPECT_THAT(
      sweep_text(sample(sweep)),
      EndsWith(
          "front       2 on the front, 2 feasible\n"
          "\n"
          "rate   hash        overlap    messages     cycles\n"
          "  32  paper  0.918 ± 0.025  31,250 ± -  1,051 ± -\n"
          "  32     h3  0.908 ± 0.025  31,250 ± -  1,050 ± -\n"
          "\n"
          "±: half of the 95 % confidence interval (Student's t) of the mean of 3 seeds;\n"
          "none (-) where a seed has no result, or all give the same value: no seed touches it\n"
          "\n"
          "workload  seeds  rate   hash        overlap    messages     cycles\n"
          "    lisp      3    32  paper  0.868 ± 0.025  31,250 ± -  1,101 ± -\n"
          "    lisp      3    32     h3  0.858 ± 0.025  31,250 ± -  1,100 ± -\n"
          "      lz      3    32  paper  0.968 ± 0.025  31,250 ± -  1,001 ± -\n"
          "      lz      3    32     h3  0.958 ± 0.025  31,250 ± -  1,000 ± -\n"));
}

TEST(SweepText, HasTheUnitsOfResultsBesideTheirNames) {
  SweepData data = sample();
  data.objectives[2].unit = "ns";
  const std::string text = sweep_text(data);
  EXPECT_THAT(text, HasSubstr("min cycles [ns]\n"));
  EXPECT_THAT(text, HasSubstr("messages  cycles [ns]\n"));
  EXPECT_EQ(front_figure(data, 2, 0).x_label, "min cycles [ns]");
  EXPECT_THAT(sweep_csv(data), HasSubstr("profilers.0.messages,cycles,"));
}

TEST(SweepCsv, HasALineADesignAndKeepsEveryDigit) {
  SweepData data = sample();
  data.designs[0].label = "a, \"b\"";
  const std::string text = sweep_csv(data);
  EXPECT_THAT(text, StartsWith("design,label,workload,points,feasible,front,profilers.0.rate,"
                               "profilers.0.hash,profilers.0.overlap,profilers.0.messages,cycles,"
                               "profilers.0.overlap.half_width,profilers.0.messages.half_width,"
                               "cycles.half_width\n"
                               "0,\"a, \"\"b\"\"\",,2,0,0,16,paper,"));
  EXPECT_THAT(text, HasSubstr(",62500.0,1051.0,,,\n"));
  EXPECT_EQ(times(text, "\n"), 7u);
}

TEST(SweepCsv, HasALineADesignAndWorkloadOfSeveralSeeds) {
  SampleSweep sweep;
  sweep.seeds = 3;
  const std::string text = sweep_csv(sample(sweep));
  EXPECT_EQ(times(text, "\n"), 1u + 6 + 12);
  EXPECT_THAT(text, HasSubstr("\n2,rate=32 hash=paper,,6,1,1,32,paper,"));
  EXPECT_THAT(text, HasSubstr("\n2,rate=32 hash=paper,lisp,3,1,1,32,paper,"));
  EXPECT_EQ(times(text, ",,\n"), 18u) << "messages and cycles do not vary: they have no interval";
}

TEST(FrontFigure, HasAFileOfItsOwnForEachObjective) {
  SweepData data = sample();
  data.objectives.push_back(data.objectives[1]);
  for (size_t i = 1; i < data.objectives.size(); ++i) {
    data.objectives[i].key = "profilers." + std::to_string(i) + ".overlap";
  }
  for (auto& design : data.designs) design.objectives.push_back(design.objectives[1]);
  std::vector<std::string> names;
  for (const Figure& figure : front_figures(data)) names.push_back(figure.name);
  EXPECT_THAT(names,
              testing::ElementsAre("sample-overlap", "sample-overlap-1", "sample-overlap-2"));
}

TEST(FrontFigure, MarksTheFrontTheOthersAndTheInfeasible) {
  const SweepData data = sample();
  const std::vector<Figure> figures = front_figures(data);
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[0].name, "sample-messages");
  EXPECT_EQ(figures[1].name, "sample-cycles");
  const std::string svg = to_svg(figures[0]);
  EXPECT_EQ(svg, to_svg(front_figures(data)[0]));
  EXPECT_THAT(svg, HasSubstr("max profilers.0.overlap"));
  // Four designs and one in the legend; two and one.
  EXPECT_EQ(times(svg, "l5,5l-5,5l-5,-5z"), 5u);
  EXPECT_EQ(times(svg, "l6,6m0,-6l-6,6"), 3u);
}

TEST(SweepMarkdown, AsksWithTheFilesHeadAndAnswersWithTheFront) {
  const std::string page = sweep_markdown(sample());
  EXPECT_THAT(page, StartsWith("# sample\n\nWhich hash?\n"));
  EXPECT_THAT(page, HasSubstr("](sample-messages.svg)"));
  EXPECT_THAT(page,
              HasSubstr("| rate | hash | overlap | messages | cycles |\n|---|---|---|---|---|\n"
                        "| 32 | paper | 0.918 | 31,250 | 1,051 |\n"));
  EXPECT_THAT(page, HasSubstr("strobe sweep configs/sweeps/sample.yaml"));
  EXPECT_THAT(page, HasSubstr("```yaml\n# Which hash?\n"));
}

TEST(SweepMarkdown, SaysAtItsHeadThatTheBuildHadUncommittedChanges) {
  SweepData data = sample();
  EXPECT_THAT(sweep_markdown(data), Not(HasSubstr("uncommitted")));
  data.git_id = "0c5b60c748f8-dirty";
  EXPECT_THAT(
      sweep_markdown(data),
      StartsWith("# sample\n\n> **Made by a build with uncommitted changes** on top of commit "
                 "0c5b60c748f8: that commit"));
  data.git_id = "dirty";
  EXPECT_THAT(sweep_markdown(data), Not(HasSubstr("uncommitted")));
}

TEST(SweepMarkdown, HasTheFrontByWorkloadOfSeveralSeeds) {
  SampleSweep sweep;
  sweep.seeds = 3;
  const std::string page = sweep_markdown(sample(sweep));
  EXPECT_THAT(page, HasSubstr("| 32 | paper | 0.918 ± 0.025 | 31,250 ± - | 1,051 ± - |\n"));
  EXPECT_THAT(page,
              HasSubstr("no seed touches it.\n\n## By workload\n\n| workload | seeds | rate |"));
  EXPECT_THAT(page, HasSubstr("| lisp | 3 | 32 | paper | 0.868 ± 0.025 |"));
}

TEST(HtmlPage, KeepsWhatTextsSayAsData) {
  SampleSweep sweep;
  sweep.workload = "</script><script>alert(1)</script><!--";
  SweepData data = sample(sweep);
  data.name = "<b>\"&";
  const std::string page = html_page(to_json(data));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, HasSubstr("\\u003c/script>\\u003cscript>alert(1)"));
  EXPECT_THAT(page, HasSubstr("<title>&lt;b&gt;&quot;&amp; - Strobe</title>"));
  EXPECT_EQ(times(page, "<script"), times(html_page(to_json(sample())), "<script"));
  const size_t begin = page.find(">", page.find("id=\"data\"")) + 1;
  const auto json =
      nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  EXPECT_EQ(json["points"][1]["workload"], "lisp");
  EXPECT_EQ(json["points"][0]["workload"], sweep.workload);
}

TEST(HtmlPage, NeedsNothingBesideItself) {
  const std::string page = html_page(to_json(sample()));
  EXPECT_THAT(page, Not(HasSubstr("{{style.css}}")));
  EXPECT_THAT(page, Not(HasSubstr("<link")));
  EXPECT_THAT(page, Not(HasSubstr("<script src")));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(SweepMarkdown, NamesAreNoHtmlAndNoLinkAndCloseNoFence) {
  SweepData data = sample();
  data.name = "../<b>x";
  data.designs[2].settings[1] = "a|b<script>[x](javascript:y)\nz";
  data.designs[2].front = true;
  data.constraints = {"a ` b"};
  data.file = "# <img src=x>\nbase: x\n```\n<script>\n";
  const std::string text = sweep_markdown(data);
  EXPECT_THAT(text, HasSubstr("# ../&lt;b&gt;x\n\n&lt;img src=x&gt;\n"));
  EXPECT_THAT(text, HasSubstr("| a\\|b&lt;script&gt;[x]\\(javascript:y) z |"));
  EXPECT_THAT(text, HasSubstr("subject to `` a ` b ``"));
  EXPECT_THAT(text, EndsWith("````yaml\n# <img src=x>\nbase: x\n```\n<script>\n````\n"));
  EXPECT_EQ(times(text, "<script>"), 1u) << "only inside of the fence";
  EXPECT_THAT(front_figures(data)[0].name, StartsWith("_.__b_x-"));
}

TEST(Page, ItsPolicyForbidsToCompileTextsAndToLeaveThePage) {
  const std::string page = html_page(to_json(sample()));
  const size_t begin = page.find("Content-Security-Policy");
  const std::string policy = page.substr(begin, page.find('>', begin) - begin);
  EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(policy, HasSubstr("base-uri 'none'; form-action 'none'"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe-eval")));
}

}  // namespace
}  // namespace strobe::report
