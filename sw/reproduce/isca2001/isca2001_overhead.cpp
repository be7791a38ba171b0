// Figures 10 and 11: overhead with and without a second level; edges and call targets at once.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sw/reproduce/isca2001/isca2001_points.h"
#include "sw/reproduce/isca2001/isca2001_streams.h"
#include "sw/reproduce/program_streams.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;
using namespace isca2001;
using profile::ProgressPoint;
using reproduce::Figure;
using reproduce::Reproduction;

// Each first level without and with A_16; the width of its counters is assumed.
const std::vector<Contender> kLevels = {
    kR256,
    {"R_256 + A_16", "name: R_A16, kind: random, rate: 256, second_level: {entries: 16}"},
    kHp256,
    {"H[P_256]_2048 + A_16",
     "name: HP_A16, kind: stratified, rate: 256, strata: 2048, second_level: {entries: 16}"},
    kTagged,
    {"T + A_16",
     "name: T_A16, kind: tagged, rate: 256, strata: 2048, ways: 2, tag_bits: 2, "
     "second_level: {entries: 16}"},
};
const std::vector<Contender> kSimultaneous = {kHp256};

/// Share of the events that the most frequent tuple has.
double top_share(const platform::TupleCounts& exhaustive) {
  uint64_t all = 0, most = 0;
  for (const auto& [tuple, count] : exhaustive) {
    all += count;
    most = std::max(most, count);
  }
  return static_cast<double>(most) / static_cast<double>(all);
}

/// By what factor A_16 lowers the overhead, over all programs and first levels.
struct Reduction {
  double least = 1e9, most = 0;
};

void add_claims(const std::vector<std::vector<double>>& overheads,
                const std::vector<ProgramStream>& programs, const std::vector<double>& top_shares,
                Reproduction& result) {
  size_t lower = 0;
  reproduce::Table table{"Overhead without a second level, and the factor by which A_16 lowers it",
                         {"program", "R_256", "H[P_256]_2048", "T", "R_256 + A_16",
                          "H[P_256]_2048 + A_16", "T + A_16"},
                         {}};
  Reduction reduction;
  for (size_t i = 0; i < programs.size(); ++i) {
    const std::vector<double>& of = overheads[i];
    lower += of[2] <= of[0];
    std::vector<std::string> cells = {programs[i].name, percent(of[0]), percent(of[2]),
                                      percent(of[4])};
    for (size_t first = 0; first < of.size(); first += 2) {
      const double factor = of[first] / of[first + 1];
      reduction.least = std::min(reduction.least, factor);
      reduction.most = std::max(reduction.most, factor);
      cells.push_back(fmt::format("{:.2f}", factor));
    }
    table.rows.push_back(std::move(cells));
  }
  result.tables.push_back(std::move(table));
  result.claims.push_back(claim(
      "H[P_256]_2048 costs no more than R_256", fmt::format("on {} of {}", lower, programs.size()),
      lower == programs.size(), "the number of messages of R_256 is itself random"));
  result.claims.push_back(claim("A_16 lowers the overhead of each compressor on each program",
                                fmt::format("by a factor of {:.4f} at least", reduction.least),
                                reduction.least > 1, "see the factors in the table"));
  result.claims.push_back(claim(
      "A_16 lowers it by factors between 1.15 and 2.5",
      fmt::format("between {:.2f} and {:.2f}", reduction.least, reduction.most),
      reduction.least >= 1.15 && reduction.most <= 2.5,
      fmt::format(
          "H[P] and T send a tuple again after about 1 / share messages, R at random; the most "
          "frequent tuples of our programs have {} to {} of the loads, so more than 16 other "
          "tuples are sent in between, and A_16 has 16 entries",
          percent(*std::min_element(top_shares.begin(), top_shares.end())),
          percent(*std::max_element(top_shares.begin(), top_shares.end())))));
}

}  // namespace

Reproduction isca2001_fig10(const fs::path& folder) {
  const ProgramStreams streams = record_programs(folder, "value", kValues, kValueInstructions);
  Reproduction result;
  result.name = "isca2001-fig10";
  result.title = "Figure 10: overhead with and without a second level";
  result.setup = setup_text("All programs.", kValues, kValueInstructions);
  result.skipped = streams.skipped;
  Figure figure{"isca2001-fig10",
                "Overhead by program, in the order of the table",
                "program",
                "overhead, %",
                {}};
  for (const Contender& contender : kLevels) figure.curves.push_back({contender.paper, {}});
  std::vector<std::vector<double>> overheads;
  std::vector<double> top_shares;
  for (const ProgramStream& program : streams.programs) {
    std::vector<double>& of = overheads.emplace_back();
    const auto profilers = score_contenders(folder, program, kLevels, kEvery);
    top_shares.push_back(top_share(*profilers.front().exhaustive));
    for (const platform::ProfilerOutcome& profiler : profilers) {
      of.push_back(overhead(profiler.progress.back()));
      figure.curves[of.size() - 1].points.emplace_back(static_cast<double>(overheads.size()),
                                                       100 * of.back());
    }
  }
  add_claims(overheads, streams.programs, top_shares, result);
  result.figures.push_back(std::move(figure));
  return result;
}

Reproduction isca2001_fig11(const fs::path& folder) {
  const ProgramStreams streams =
      record_programs(folder, "edge-call", kEdgesAndCalls, kEdgeInstructions);
  Reproduction result;
  result.name = "isca2001-fig11";
  result.title = "Figure 11: edges and call targets at once";
  result.setup =
      setup_text("All programs, 4M events, H[P_256]_2048.", kEdgesAndCalls, kEdgeInstructions);
  result.skipped = streams.skipped;
  Figure figure{"isca2001-fig11", "Error against progress", "events", "error, %", {}};
  double worst = 0, dearest = 0;
  size_t negligible = 0;
  reproduce::Table table{"After 4M events", {"program", "error", "overhead"}, {}};
  for (const ProgramStream& program : streams.programs) {
    const auto profilers = score_contenders(folder, program, kSimultaneous, kEvery);
    const std::vector<ProgressPoint> points = until(profilers[0], 4 * kMillion);
    Figure one = figure_of("", "", "", kSimultaneous, profilers, 4 * kMillion, error_of);
    one.curves[0].name = program.name;
    figure.curves.push_back(std::move(one.curves[0]));
    const double error = error_of(points.back()), cost = overhead(points.back());
    worst = std::max(worst, error);
    dearest = std::max(dearest, cost);
    negligible += error < 0.005;
    table.rows.push_back({program.name, percent(error), percent(cost)});
  }
  result.tables.push_back(std::move(table));
  result.claims.push_back(claim("the error is less than 3 % on all programs",
                                fmt::format("at most {}", percent(worst)), worst < 0.03,
                                "see the table"));
  result.claims.push_back(
      claim("the error is negligible on six of ten",
            fmt::format("below 0.5 % on {} of {}", negligible, streams.programs.size()),
            10 * negligible >= 6 * streams.programs.size(), "see the curves"));
  result.claims.push_back(claim("the overhead is under 4.5 % on all programs",
                                fmt::format("at most {}", percent(dearest)), dearest < 0.045,
                                "our programs branch more often, or the core is faster"));
  result.figures.push_back(std::move(figure));
  return result;
}

}  // namespace strobe
