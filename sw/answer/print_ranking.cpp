// The table of a ranking, for people.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sw/answer/ranking.h"
#include "sw/result/number_text.h"
#include "sw/text/color.h"
#include "sw/text/shown.h"

namespace strobe::answer {
namespace {

using text::Style;

constexpr double kHot = 0.1, kWarm = 0.02;  // shares from which a row is colored

/// The name of a row; both ends of a call have room.
std::string shown_name(const Ranking& ranking, const Row& row) {
  const std::string arrow = " -> ";
  const size_t call = ranking.by == By::kCall ? row.name.find(arrow) : std::string::npos;
  if (call == std::string::npos) return text::shortened(row.name, kLongestName);
  return text::shortened(row.name.substr(0, call), kLongestName) + arrow +
         text::shortened(row.name.substr(call + arrow.size()), kLongestName);
}

/// "A", "B", ...; of a single profile nothing.
std::string letter(const Ranking& ranking, size_t column) {
  return ranking.columns.size() == 1 ? "" : std::string(1, static_cast<char>('A' + column)) + " ";
}

std::string about(const Column& column) {
  const Series& series = *column.series;
  const std::string all =
      result::compact(static_cast<uint64_t>(std::llround(series.total()))) + " " + series.unit;
  const std::string what = fmt::format("{}, {} by {}", text::one_line(column.run->program.name),
                                       events_of(series), series.source);
  if (!series.samples) return fmt::format("{}: all {} counted", what, all);
  const std::string samples =
      fmt::format("{}: {} samples, one in {}", what, result::grouped(*series.samples),
                  result::grouped(series.period));
  return series.kind == "cycles" ? samples + " cycles" : samples + ", for " + all;
}

std::string head(const Ranking& ranking) {
  std::string line;
  for (size_t i = 0; i < ranking.columns.size(); ++i) {
    line += fmt::format("{:>10} {:>9} {:>9}", letter(ranking, i) + "share", "+-",
                        ranking.columns[i].series->unit);
    if (i > 0) line += fmt::format(" {:>11}", "difference");
  }
  return line + "  " + kByNames[static_cast<size_t>(ranking.by)] + "\n";
}

std::string line_of(const Ranking& ranking, const Row& row) {
  std::string line;
  for (size_t i = 0; i < row.cells.size(); ++i) {
    const Cell& cell = row.cells[i];
    const Series& series = *ranking.columns[i].series;
    const auto amount = static_cast<uint64_t>(std::llround(series.amount(cell.count)));
    line += fmt::format("{:>10} {:>9} {:>9}", result::percent(cell.share),
                        series.samples ? result::percent(cell.half_width) : "exact",
                        result::compact(amount));
    if (i == 0) continue;
    line += fmt::format(" {:>+9.2f} %", (cell.share - row.cells[0].share) * 100);
    line += differ(cell, row.cells[0]) ? "*" : " ";
  }
  line += (row.cells.size() > 1 ? " " : "  ") + shown_name(ranking, row);
  if (!row.note.empty()) line += ", " + row.note;
  return line + "\n";
}

Style style_of(const Row& row) {
  const double share = row.cells[0].share;
  return share >= kHot ? Style::kHot : share >= kWarm ? Style::kWarm : Style::kPlain;
}

}  // namespace

void print_ranking(const Ranking& ranking, size_t most) {
  for (size_t i = 0; i < ranking.columns.size(); ++i) {
    text::print(Style::kStrong, letter(ranking, i) + about(ranking.columns[i]) + "\n");
  }
  text::print(Style::kStrong, head(ranking));
  const size_t shown = std::min(most, ranking.rows.size());
  for (size_t i = 0; i < shown; ++i) {
    text::print(style_of(ranking.rows[i]), line_of(ranking, ranking.rows[i]));
  }
  if (shown < ranking.rows.size()) {
    text::print(Style::kPlain, fmt::format("{} more; --rows shows more of them\n",
                                           result::grouped(ranking.rows.size() - shown)));
  }
  const auto is_sampled = [](const Column& column) { return column.series->samples.has_value(); };
  if (std::any_of(ranking.columns.begin(), ranking.columns.end(), is_sampled) &&
      ranking.columns.size() > 1) {
    text::print(Style::kPlain, "* differs by more than chance explains (95 %)\n");
  }
}

}  // namespace strobe::answer
