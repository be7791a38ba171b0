// Figures 8 and 9: every program's errors, with the compressors of figure 7 and with tables of four
// sizes.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "sw/reproduce/isca2001/isca2001.h"
#include "sw/reproduce/verdict.h"

namespace strobe::reproduce::isca2001 {
namespace {

constexpr const Limit &kMoreAccurate = limit("isca-more-accurate"), &kTwice = limit("isca-twice"),
                      &kMost = limit("isca-most");

double median_error(const Raced& program, size_t compressor) {
  return repeated(program, compressor,
                  [&](const Window&, const Course& course) { return mean_error(program, course); })
      .median();
}

Table errors_table(const std::vector<Raced>& programs) {
  Table table{"Mean errors of a window, medians over starts and seeds", {"program"}, {}};
  for (const std::string& name : programs.front().compressors) table.header.push_back(name);
  for (const Raced& program : programs) {
    std::vector<std::string> cells = {program.program};
    for (size_t c = 0; c < program.compressors.size(); ++c) {
      cells.push_back(percent(median_error(program, c)));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

void add_figures(const std::vector<Raced>& programs, Reproduction& result) {
  for (const Raced& program : programs) {
    result.figures.push_back(error_figure(result.name + "-" + program.program,
                                          "Load values of " + program.program, program));
  }
}

/// The programs on which a rate of 512 loses nothing.
Claim half_claim(const std::vector<Raced>& programs) {
  size_t half = 0;
  const std::vector<Repeated> ratios = error_ratios(programs, kHp512, kR);
  for (const Repeated& ratio : ratios) half += kMoreAccurate.most >= ratio.median() ? 1 : 0;
  return judged("a rate can be lowered by two or more on most programs, at the accuracy of R_256",
                fmt::format("H[P_512]_2048 is no worse than R_256 in {} of {} programs", half,
                            programs.size()),
                share_interval(half, programs.size()), kMost.range(),
                "its counters hold twice as much while they fill");
}

}  // namespace

Reproduction fig8(const std::vector<Raced>& programs) {
  Reproduction result;
  result.name = "isca2001-fig8";
  result.title = "Figure 8: error against progress, every program";
  add_figures(programs, result);
  result.tables = {errors_table(programs)};
  result.claims = {
      every_claim("H[P_256]_2048 is more accurate than R_256 on every program: quotient of their "
                  "mean errors",
                  error_ratios(programs, kHp, kR), kMoreAccurate.range(),
                  "the counters start at 0 and frequent tuples are sent first, so loads look more "
                  "invariant than they are until the counters have filled"),
      half_claim(programs),
      median_claim(
          "T is more accurate than H[P_256]_2048 (section 6): quotient of their mean errors",
          error_ratios(programs, kT, kHp), kMoreAccurate.range(),
          "an early eviction leaves counts in an entry, and they go to the next tuple in it"),
      median_claim("T costs twice as much as H[P_256]_2048 or more (section 6): quotient of their "
                   "messages",
                   message_ratios(programs, kT, kHp), kTwice.range(),
                   "ShouldEvict is assumed to be half of the full counter")};
  return result;
}

Reproduction fig9(const std::vector<Raced>& programs) {
  Reproduction result;
  result.name = "isca2001-fig9";
  result.title = "Figure 9: table sizes";
  add_figures(programs, result);
  result.tables = {errors_table(programs)};
  std::vector<Repeated> late;
  size_t early = 0;
  for (const Raced& program : programs) {
    const auto last = [](const Window&, const Course& course) {
      return course.errors.back().value_or(1);
    };
    late.push_back(quotient(repeated(program, k4096, last), repeated(program, k512, last)));
    const auto first = [](const Window&, const Course& course) {
      for (const std::optional<double>& error : course.errors) {
        if (error) return *error;
      }
      return 1.0;
    };
    early += repeated(program, k512, first).median() < repeated(program, k4096, first).median();
  }
  result.claims.push_back(median_claim(
      "more entries are better after enough tuples: error of 4096 entries over that of "
      "512, at the end of a window",
      late, kMoreAccurate.range(), "windows are too short for the larger table to fill"));
  result.checks.push_back(
      {"on some programs fewer entries are better in the beginning",
       fmt::format("512 entries are better than 4096 at the first point in {} of {} programs",
                   early, programs.size()),
       early > 0});
  return result;
}

}  // namespace strobe::reproduce::isca2001
