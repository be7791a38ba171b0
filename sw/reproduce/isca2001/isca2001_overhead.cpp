// Figures 10 and 11: overhead with and without a second level; edges and call targets at once.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sw/reproduce/by_program.h"
#include "sw/reproduce/isca2001/isca2001.h"
#include "sw/reproduce/verdict.h"

namespace strobe::reproduce::isca2001 {
namespace {

constexpr const Limit &kSecondLevel = limit("isca-second-level"), &kAllErrors = limit("isca-error"),
                      &kNegligible = limit("isca-negligible"),
                      &kSixOfTen = limit("isca-six-of-ten"),
                      &kEdgeOverhead = limit("isca-edge-overhead");

Figure overhead_figure(const std::vector<Raced>& programs) {
  Figure figure = by_program("isca2001-fig10", "Overhead by program", "overhead, %",
                             names_of(programs, &Raced::program));
  for (size_t c = 0; c < programs.front().compressors.size(); ++c) {
    std::vector<double> overheads;
    for (const Raced& program : programs) {
      overheads.push_back(repeated(program, c, overhead).median());
    }
    figure.curves.push_back(percents_by_program(programs.front().compressors[c], overheads));
  }
  return figure;
}

/// By what factor A_16 lowers the overhead of a first level.
std::vector<Repeated> factors(const std::vector<Raced>& programs, size_t first) {
  return message_ratios(programs, first, first + 1);
}

Table levels_table(const std::vector<Raced>& programs) {
  Table table{"Overhead without a second level, and the factor by which A_16 lowers the messages",
              {"program"},
              {}};
  for (const size_t first : {kOnlyR, kOnlyHp, kOnlyT}) {
    table.header.push_back(programs.front().compressors[first]);
    table.header.push_back(programs.front().compressors[first + 1]);
  }
  for (const Raced& program : programs) {
    std::vector<std::string> cells = {program.program};
    for (const size_t first : {kOnlyR, kOnlyHp, kOnlyT}) {
      cells.push_back(percent(repeated(program, first, overhead).median()));
      cells.push_back(number_text(factors({program}, first).front().median(), std::nullopt));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string shares(const std::vector<Raced>& programs) {
  double least = 1, most = 0;
  for (const Raced& program : programs) {
    for (const Window& window : program.windows) {
      least = std::min(least, window.top_share);
      most = std::max(most, window.top_share);
    }
  }
  return fmt::format("{} to {}", percent(least), percent(most));
}

/// What holds of every window because a table that merges messages sends no more of them.
std::vector<Check> level_checks(const std::vector<Raced>& programs) {
  double least = kUnbounded;
  for (const size_t first : {kOnlyR, kOnlyHp, kOnlyT}) {
    for (const Repeated& factor : factors(programs, first)) {
      for (const std::vector<double>& of_start : factor.by) {
        least = std::min(least, *std::min_element(of_start.begin(), of_start.end()));
      }
    }
  }
  size_t lower = 0;
  for (const Raced& program : programs) {
    lower += repeated(program, kOnlyHp, overhead).median() <=
             repeated(program, kOnlyR, overhead).median();
  }
  return {{"A_16 lowers the overhead of each compressor on each program",
           fmt::format("by a factor of {:.4f} at least", least), least >= 1},
          {"H[P_256]_2048 costs no more than R_256",
           fmt::format("in {} of {} programs", lower, programs.size()), lower == programs.size()}};
}

/// The last error of each window.
Repeated last_errors(const Raced& program) {
  return repeated(program, 0, [](const Window&, const Course& course) {
    return course.errors.back().value_or(1);
  });
}

}  // namespace

Reproduction fig10(const std::vector<Raced>& programs) {
  Reproduction result;
  result.name = "isca2001-fig10";
  result.title = "Figure 10: overhead with and without a second level";
  result.figures = {overhead_figure(programs)};
  result.tables = {levels_table(programs)};
  for (const size_t first : {kOnlyR, kOnlyHp, kOnlyT}) {
    result.claims.push_back(median_claim(
        fmt::format("A_16 lowers the overhead by factors between 1.15 and 2.5, {}",
                    programs.front().compressors[first]),
        factors(programs, first), kSecondLevel.range(),
        fmt::format(
            "H[P] and T send a tuple again after about 1 / share messages, R at random; the "
            "most frequent tuples of the programs have {} of the loads, so more than 16 "
            "other tuples are sent in between, and A_16 has 16 entries",
            shares(programs))));
  }
  result.checks = level_checks(programs);
  return result;
}

Reproduction fig11(const std::vector<Raced>& programs) {
  Reproduction result;
  result.name = "isca2001-fig11";
  result.title = "Figure 11: edges and call targets at once";
  Figure figure{"isca2001-fig11", "Error against progress", "events", "error, %", {}};
  Table table{"At the end of a window, medians over starts and seeds",
              {"program", "error", "overhead"},
              {}};
  std::vector<Repeated> errors, overheads;
  size_t negligible = 0;
  for (const Raced& program : programs) {
    Figure one = error_figure("", "", program);
    one.curves[0].name = program.program;
    figure.curves.push_back(std::move(one.curves[0]));
    errors.push_back(last_errors(program));
    overheads.push_back(repeated(program, 0, overhead));
    negligible += errors.back().median() <= kNegligible.most ? 1 : 0;
    table.rows.push_back(
        {program.program, percent(errors.back().median()), percent(overheads.back().median())});
  }
  result.figures = {std::move(figure)};
  result.tables = {std::move(table)};
  result.claims = {
      every_claim("the error is less than 3 % on all programs", errors, kAllErrors.range(),
                  "large programs have more branches than the table has entries"),
      judged("the error is negligible on six of ten",
             fmt::format("below 0.5 % in {} of {} programs", negligible, programs.size()),
             share_interval(negligible, programs.size()), kSixOfTen.range(), "see the table"),
      every_claim("the overhead is under 4.5 % on all programs (analytical)", overheads,
                  kEdgeOverhead.range(), "the programs branch more often, or the core is faster")};
  return result;
}

}  // namespace strobe::reproduce::isca2001
