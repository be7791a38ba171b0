// The page of a report in a real browser: it draws, its views are linked, the keyboard is enough,
// and ten thousand designs stay usable.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/report/page.h"
#include "sw/report/sweep_data.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/e2e/report/browser.h"
#include "tests/unit/report/sample_sweep.h"

namespace strobe::e2e {
namespace {

using report::SampleSweep;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const char kSelected[] = "document.getElementById('selected').textContent";
/// How many pixels of a canvas are not of its background.
const char kDrawn[] =
    "[...document.querySelectorAll('canvas')].map((canvas) => { const image = "
    "canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data; let drawn = 0; "
    "for (let i = 3; i < image.length; i += 4) drawn += image[i] > 0; return drawn; })";

/// So many designs of two axes and three objectives, each a point, all of one run.
report::SweepData large_sweep(size_t designs) {
  report::SweepData data;
  data.name = "large";
  data.axes = {{"profilers.0.rate", "events", "", true}, {"profilers.0.hash", "", "", false}};
  data.objectives = {{"profilers.0.overlap", true, ""},
                     {"profilers.0.messages", false, ""},
                     {"cycles", false, ""}};
  data.runs = {{"id", "done", "", "strobe run id.yaml", 1000, 900, 0.05, {{"base", 900}}}};
  for (size_t i = 0; i < designs; ++i) {
    const double share = static_cast<double>(i * 7919 % designs) / static_cast<double>(designs);
    report::Design& design = data.designs.emplace_back();
    design.label = "design " + std::to_string(i);
    design.settings = {16 * (i + 1), i % 2 == 0 ? "paper" : "h3"};
    design.objectives = {share, 1000.0 * static_cast<double>(i), 900 - share};
    design.feasible = true;
    design.front = share > 0.99;
    report::Point& point = data.points.emplace_back();
    point.design = i;
    point.workload = "lz";
    point.status = "done";
    point.objectives = design.objectives;
  }
  return data;
}

class Pages : public testing::Test {
 protected:
  std::chrono::milliseconds show(const report::SweepData& data) {
    return browser_.open(scratch_.write("page.html", report::html_page(report::to_json(data))));
  }
  std::chrono::milliseconds show(const SampleSweep& sample) {
    sample.write(scratch_.path() / "sweep");
    return show(report::read_sweep(scratch_.path() / "sweep"));
  }
  std::string selected() { return browser_.text(kSelected); }
  /// The first column but the mark of the rows in sight.
  std::vector<std::string> rates() {
    return browser_.evaluate(
        "[...document.querySelectorAll('.grid tbody tr[id] td:nth-child(2)')].map("
        "(cell) => cell.textContent)");
  }
  void focus(const std::string& selector) {
    browser_.evaluate("document.querySelector('" + selector + "').focus()");
  }

  ScratchDirectory scratch_;
  Browser browser_;
};

TEST_F(Pages, DrawsEveryChartAndTheConsoleStaysQuiet) {
  SampleSweep sample;
  sample.progress = 5;
  show(sample);
  const auto drawn = browser_.evaluate(kDrawn).get<std::vector<int>>();
  ASSERT_EQ(drawn.size(), 4u) << "front, parallel coordinates, progress, CPI stack";
  for (const int pixels : drawn) EXPECT_GT(pixels, 1000);
  EXPECT_EQ(selected(), "6 of 6 designs selected");
  EXPECT_GT(browser_.print(), 10'000u);
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Pages, ABrushOnTheFrontSelectsInTheTableAndInTheParallelCoordinates) {
  SampleSweep sample;
  sample.rates = 20;
  show(sample);
  const std::string dimmed =
      "Chart.all.size && [...Chart.all].find((chart) => chart.name === 'Parallel "
      "coordinates').view.data('brush').length";
  EXPECT_EQ(browser_.evaluate(dimmed), 0);
  browser_.drag(".brushable canvas", 66, 12, 250, 200);
  EXPECT_TRUE(browser_.becomes(std::string("!") + kSelected + ".startsWith('40 of')"))
      << selected();
  EXPECT_EQ(browser_.evaluate(dimmed), 2) << "a range on each of the two axes";
  const int rows =
      browser_.evaluate("+document.querySelector('.grid table').getAttribute('aria-rowcount') - 1");
  EXPECT_EQ(selected(), std::to_string(rows) + " of 40 designs selected");
  EXPECT_GT(rows, 0);
  EXPECT_LT(rows, 40);
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Pages, AnAxisColorsTheFrontAndTheParallelCoordinates) {
  show(SampleSweep());
  const auto chart = [](const char* name) {
    return std::string("[...Chart.all].find((chart) => chart.name === '") + name + "').view";
  };
  const auto colors = [&](const char* name) {
    return browser_
        .evaluate("new Set(" + chart(name) + ".data('designs').map((row) => row.color)).size")
        .get<int>();
  };
  EXPECT_GT(browser_.evaluate(chart("Pareto front") + ".data('labels').length").get<int>(), 0);
  EXPECT_EQ(browser_.text("document.querySelector('.legend').textContent").find("hash:"),
            std::string::npos);
  focus("select[aria-label=Color]");
  for (const char* key : {"ArrowDown", "ArrowDown"}) browser_.press(key);
  EXPECT_TRUE(browser_.becomes("document.querySelector('.legend').textContent.includes('h3paper')"))
      << browser_.text("document.querySelector('.legend').textContent");
  for (const char* name : {"Pareto front", "Parallel coordinates"}) EXPECT_EQ(colors(name), 2);
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Pages, ThePageBeginsWithTheQuestionAndItsAnswer) {
  report::SweepData data = large_sweep(10);
  data.question = {"How <few>?", "Few: 16.", 0};
  show(data);
  EXPECT_EQ(browser_.text("document.querySelector('header .ask').textContent"), "How <few>?");
  EXPECT_EQ(browser_.text("document.querySelector('header .ask + .answer').textContent"),
            "Few: 16.");
}

TEST_F(Pages, AFilterOfTheTableSelectsInTheCharts) {
  show(SampleSweep());
  focus(".grid input[aria-label=\"Filter rate\"]");
  browser_.type(">=32");
  EXPECT_TRUE(browser_.becomes(std::string(kSelected) + " === '4 of 6 designs selected'"))
      << selected();
  focus(".grid input[aria-label=\"Filter hash\"]");
  browser_.type("h3");
  EXPECT_TRUE(browser_.becomes(std::string(kSelected) + " === '2 of 6 designs selected'"))
      << selected();
  const std::string lit =
      "[...Chart.all].find((chart) => chart.name === 'Pareto "
      "front').view.data('designs').filter((row) => row.selected).map((row) => row.label)";
  EXPECT_THAT(browser_.evaluate(lit).get<std::vector<std::string>>(),
              testing::UnorderedElementsAre("rate=32 hash=h3", "rate=48 hash=h3"));
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Pages, AHeaderSortsBothWays) {
  show(SampleSweep());
  const std::string header = ".grid th:nth-child(2) button";
  focus(header);
  browser_.press("Enter");
  EXPECT_THAT(rates(), ElementsAre("16", "16", "32", "32", "48", "48"));
  browser_.press("Enter");
  EXPECT_THAT(rates(), ElementsAre("48", "48", "32", "32", "16", "16"));
  EXPECT_EQ(
      browser_.text("document.querySelector('.grid th:nth-child(2)').getAttribute('aria-sort')"),
      "descending");
}

TEST_F(Pages, AHeaderHasTheUnitOfAResult) {
  report::SweepData data = large_sweep(10);
  data.objectives[2].unit = "ns";
  show(data);
  const std::string headers =
      "[...document.querySelectorAll('.grid th button')].map((button) => "
      "button.textContent).slice(-2)";
  EXPECT_THAT(browser_.evaluate(headers).get<std::vector<std::string>>(),
              ElementsAre("messages", "cycles [ns]"));
}

TEST_F(Pages, TheKeyboardOpensADesignAndComesBack) {
  SampleSweep sample;
  sample.workload = "<img src=x onerror=alert(1)></script>";
  show(sample);
  // Tab comes to the table by itself.
  focus("#main select");
  for (int i = 0; i < 40 && browser_.evaluate("document.activeElement.className") != "grid"; ++i) {
    browser_.press("Tab");
  }
  ASSERT_EQ(browser_.text("document.activeElement.className"), "grid");
  browser_.press("ArrowDown");
  browser_.press("Enter");
  EXPECT_TRUE(browser_.becomes("!document.getElementById('panel').hidden"));
  EXPECT_EQ(browser_.text("document.activeElement.id"), "panel");
  const std::string panel = browser_.text("document.getElementById('panel').textContent");
  EXPECT_THAT(panel, HasSubstr("rate=32 hash=h3"));
  EXPECT_THAT(panel, HasSubstr("strobe run "));
  EXPECT_THAT(panel, HasSubstr("    hash: h3\n"));
  EXPECT_THAT(panel, HasSubstr(sample.workload));
  EXPECT_EQ(browser_.evaluate("document.querySelectorAll('img').length"), 0);
  browser_.press("Escape");
  EXPECT_TRUE(browser_.becomes("document.getElementById('panel').hidden"));
  EXPECT_EQ(browser_.text("document.activeElement.className"), "grid");
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Pages, ShowsTheIntervalsOfSeveralSeeds) {
  SampleSweep sample;
  sample.seeds = 3;
  show(sample);
  const std::string cell =
      "[...document.querySelectorAll('.grid tbody tr[id] td:nth-child(4)')].map((cell) => "
      "cell.textContent)[0]";
  EXPECT_EQ(browser_.text(cell), "0.918 ± 0.025");
  // Bars on the front: the scene has a rule a design and objective, as long as the interval is
  // wide.
  const std::string bars =
      "(() => { const { view } = [...Chart.all].find((chart) => chart.name === 'Pareto front'); "
      "const found = []; const visit = (node) => { if (node.marktype === 'rule' && node.role === "
      "'mark') found.push(...node.items); (node.items || []).forEach(visit); }; "
      "visit(view.scenegraph().root); const y = view.scale('y'); return "
      "found.filter((item) => Math.abs(Math.abs(item.y2 - item.y) - (y(0) - y(0.049683))) < "
      "0.5).length; })()";
  EXPECT_EQ(browser_.evaluate(bars), 6);
  EXPECT_THAT(browser_.text("document.querySelector('.legend').textContent"),
              HasSubstr("95 % confidence intervals over 3 seeds"));
  focus(".grid");
  browser_.press("Enter");
  EXPECT_TRUE(browser_.becomes("!document.getElementById('panel').hidden"));
  const std::vector<std::string> rows = browser_.evaluate(
      "[...document.querySelectorAll('table[aria-label=\"Over seeds\"] tbody tr')].map((row) => "
      "[...row.cells].slice(0, 3).map((cell) => cell.textContent).join(' '))");
  EXPECT_THAT(rows, ElementsAre("lisp 3 0.868 ± 0.025", "lz 3 0.968 ± 0.025"));
  // A bar of the CPI stack is a run's, not the sum of those of all seeds.
  const double cycles = browser_.evaluate(
      "[...Chart.all].find((chart) => chart.name === 'CPI stack of this design').specify(500)"
      ".layer[0].data.values.reduce((sum, part) => sum + (part.bar === 'lisp' ? part.value : 0), "
      "0)");
  EXPECT_NEAR(cycles, 1000 / 1e6, 1e-9);
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Pages, OneSeedHasNoInterval) {
  show(SampleSweep());
  EXPECT_EQ(browser_.evaluate("document.getElementById('main').innerText.includes('±')"), false);
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Pages, AnAreaIsInSquareMillimetresAndItsPartsKeepTheirColours) {
  report::SweepData data = large_sweep(4);
  data.designs[0].areas = {{0, 500'000, 243'700, 570'000}};
  data.designs[1].areas = {{0, 900'000, 243'700, 600'000}};
  show(data);
  const std::string chart = "[...Chart.all].find((chart) => chart.name === 'Area')";
  const std::string bars =
      chart +
      ".specify(500).layer[0].data.values.filter((part) => part.bar.includes('16')).map((part) => "
      "part.part + ' ' + part.value)";
  const std::string note = chart + ".specify(500).layer[1].data.values[0].note";
  const std::string colours = chart + ".specify(500).layer[0].encoding.color.scale.domain";
  EXPECT_THAT(browser_.evaluate(bars).get<std::vector<std::string>>(),
              ElementsAre("logic 0.5", "flip-flops 0.2437", "memory 0.57"));
  EXPECT_EQ(browser_.text(note), "1.31 mm2");
  EXPECT_EQ(browser_.evaluate(colours), nlohmann::json({"logic", "memory", "flip-flops"}));
  focus(".grid input[aria-label=\"Filter rate\"]");
  browser_.type("<20");
  EXPECT_TRUE(browser_.becomes(std::string(kSelected) + " === '1 of 4 designs selected'"));
  EXPECT_EQ(browser_.evaluate(colours), nlohmann::json({"logic", "memory", "flip-flops"}));
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Pages, OfARunShowsWhereTheCyclesGoAndWhichSamplerIsRight) {
  const nlohmann::ordered_json row = {{"name", "walk<a>"},
                                      {"cycles", 75.5},
                                      {"share", 0.755},
                                      {"sampled", {{"timer", 0.5}, {"next_commit", nullptr}}}};
  const nlohmann::ordered_json samplers = {{"timer",
                                            {{"samples", 10},
                                             {"error_by_function", 0.25},
                                             {"error_by_instruction", 0.5},
                                             {"storage_bits", 0}}},
                                           {"next_commit",
                                            {{"samples", 0},
                                             {"error_by_function", nullptr},
                                             {"error_by_instruction", nullptr},
                                             {"storage_bits", 65}}}};
  browser_.open(scratch_.write(
      "run.html",
      report::html_page({{"kind", "run"},
                         {"name", "a run"},
                         {"command", "strobe run"},
                         {"configuration", "mode: timing"},
                         {"progress", nlohmann::ordered_json::array()},
                         {"warnings", {"the <b>first</b> doubt"}},
                         {"profiles",
                          {{{"profiler", "strat"},
                            {"kind", "edge"},
                            {"unit", "events"},
                            {"total", 200.0},
                            {"tuples", 3},
                            {"entries",
                             {{"0x10", "0x20", 120.0, "walk<a>+0x4", "walk<a>", "a.c:7"},
                              {"0x30", "0x40", 50.0, "walk<a>+0x24", "rest", "a.c:9"},
                              {"0x50", "0x60", 10.0, "rest", "rest+0x2", ""}}}}}},
                         {"result",
                          {{"workload", "p.elf"},
                           {"mode", "timing"},
                           {"core", "hps2005"},
                           {"end", "exited"},
                           {"exit_code", 0},
                           {"error", nullptr},
                           {"instructions", 200},
                           {"cycles", 100},
                           {"ipc", 2.0},
                           {"overhead_measured", 0.25},
                           {"overhead_analytical", nullptr},
                           {"overhead_by_class",
                            {{"base", {{"cycles", 0}, {"share", 0.0}}},
                             {"l1", {{"cycles", -5}, {"share", -0.0625}}},
                             {"branch", {{"cycles", 25}, {"share", 0.3125}}}}},
                           {"counters", nlohmann::ordered_json::object()},
                           {"profilers", nlohmann::ordered_json::array()},
                           {"truth",
                            {{"functions", {row}},
                             {"lines", {row}},
                             {"loops", {row}},
                             {"samplers", samplers}}}}}})));
  const auto cells = [this](const std::string& table) {
    return browser_
        .evaluate("[...document.querySelectorAll('table[aria-label=\"" + table +
                  "\"] td')].map((cell) => cell.textContent)")
        .get<std::vector<std::string>>();
  };
  for (const char* what : {"function", "line", "loop"}) {
    EXPECT_THAT(cells(std::string("Cycles by ") + what),
                ElementsAre("walk<a>", "76", "75.50 %", "50.00 %", ""));
  }
  EXPECT_THAT(cells("Overhead by class"),
              ElementsAre("branch", "25", "31.25 %", "l1", "-5", "-6.25 %"));
  EXPECT_THAT(cells("Samplers of time"), ElementsAre("timer", "10", "25.00 %", "50.00 %", "0",
                                                     "next_commit", "0", "", "", "65"));
  EXPECT_EQ(browser_.text("document.querySelector('.warnings li').textContent"),
            "the <b>first</b> doubt");
  const auto boxes = [this] {
    return browser_
        .evaluate("[...document.querySelectorAll('.flame button')].map((box) => box.textContent)")
        .get<std::vector<std::string>>();
  };
  EXPECT_THAT(boxes(),
              ElementsAre("all 100.00 %", "walk<a> 94.44 %", "rest 5.56 %", "a.c:7 66.67 %",
                          "a.c:9 27.78 %", "0x50 5.56 %", "0x10 66.67 %", "0x30 27.78 %"));
  EXPECT_EQ(browser_.text("document.querySelector('.flame .hint').textContent.slice(-62)"),
            " 10.00 % are in smaller entries, which the page does not have.");
  browser_.evaluate("document.querySelectorAll('.flame button')[1].click()");
  EXPECT_THAT(boxes(), ElementsAre("all 100.00 %", "walk<a> 94.44 %", "a.c:7 66.67 %",
                                   "a.c:9 27.78 %", "0x10 66.67 %", "0x30 27.78 %"));
  EXPECT_EQ(browser_.text("document.querySelector('#selected').textContent"), "2 of 3 tuples");
  browser_.evaluate("document.querySelectorAll('.flame button')[0].click()");
  EXPECT_EQ(boxes().size(), 8u);
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Pages, FollowsADarkScheme) {
  browser_.prefer_dark();
  show(SampleSweep());
  EXPECT_EQ(browser_.text("getComputedStyle(document.body).backgroundColor"), "rgb(20, 24, 29)");
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Pages, TenThousandDesignsStayUsable) {
  const auto drawn = show(large_sweep(10'000));
  EXPECT_EQ(selected(), "10,000 of 10,000 designs selected");
  EXPECT_LT(browser_.evaluate("document.querySelectorAll('.grid tbody tr').length"), 60);
  const double brushed = browser_.evaluate(
      "(async () => { const input = document.querySelector('input[aria-label=\"Filter "
      "overlap\"]'); "
      "const begin = performance.now(); input.value = '>=0.5'; input.dispatchEvent(new "
      "Event('input')); await new Promise(requestAnimationFrame); return performance.now() - "
      "begin; "
      "})()");
  EXPECT_NE(selected(), "10,000 of 10,000 designs selected");
  // Generous, for a busy machine.
  EXPECT_LT(drawn.count(), 40'000);
  EXPECT_LT(brushed, 5'000);
  RecordProperty("drawn_ms", static_cast<int>(drawn.count()));
  RecordProperty("brushed_ms", static_cast<int>(brushed));
  EXPECT_THAT(browser_.console(), IsEmpty());
}

}  // namespace
}  // namespace strobe::e2e
