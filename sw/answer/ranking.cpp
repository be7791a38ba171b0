#include "sw/answer/ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sw/answer/answer_error.h"
#include "sw/profile/reports/export.h"
#include "sw/result/number_text.h"

namespace strobe::answer {
namespace {

std::string at_line(const Place& place, const std::string& symbol) {
  return place.file.empty() ? symbol : symbol + " (" + place.where() + ")";
}

std::string name_of(By by, const RunProfile& run, const Tuple& tuple) {
  const Place place = run.place(tuple.pc);
  switch (by) {
    case By::kFunction:
      break;
    case By::kLine:
      return place.file.empty() ? "[no line]" : place.where() + " " + place.function;
    case By::kCall:
      return at_line(place, run.symbol(tuple.pc)) + " -> " + run.symbol(tuple.value);
    case By::kLoad:
      return at_line(place, run.symbol(tuple.pc));
  }
  return place.function;
}

/// The value that a load has most often, and how often it has it.
struct Invariance {
  std::map<uint64_t, uint64_t> counts;

  std::string text() const {
    uint64_t all = 0, most = 0, value = 0;
    for (const auto& [one, count] : counts) {
      all += count;
      if (count <= most) continue;
      most = count;
      value = one;
    }
    if (all == 0) return "";
    return fmt::format("{} is {}",
                       result::percent(static_cast<double>(most) / static_cast<double>(all)),
                       profile::hexadecimal(value));
  }
};

void expect_lines(const RunProfile& run, const Series& series) {
  if (run.program.elf == nullptr) {
    throw AnswerError(fmt::format(
        "the lines of {} are not known: the file with SHA-256 {} is not at {}; name it with "
        "--program FILE, or take --by function",
        run.program.name, run.program.sha256, run.program.looked_in));
  }
  const std::string fault = run.program.elf->debug_fault();
  if (!fault.empty()) {
    throw AnswerError(fmt::format("the lines of {} are not known: {}, or take --by function",
                                  run.program.name, fault));
  }
  const auto has_line = [&](const auto& entry) { return !run.place(entry.first.pc).file.empty(); };
  const profile::Entries& entries = series.counts.entries();
  if (entries.empty() || std::any_of(entries.begin(), entries.end(), has_line)) return;
  throw AnswerError(fmt::format(
      "{} has no debug lines: expected a line for at least one of its {} profiled addresses, got "
      "none; compile it with -g1 and run it again, or take --by function",
      run.program.path, entries.size()));
}

}  // namespace

const std::vector<std::string> kByNames = {"function", "line", "call", "load"};

By by_of(const std::string& name) {
  return static_cast<By>(std::find(kByNames.begin(), kByNames.end(), name) - kByNames.begin());
}

const std::vector<std::string>& kinds_for(By by) {
  static const std::vector<std::string> any, calls = {"call_target"}, loads = {"value"};
  return by == By::kCall ? calls : by == By::kLoad ? loads : any;
}

double wilson_half_width(double share, uint64_t samples) {
  if (samples == 0) return 1;
  constexpr double kZ = 1.959963984540054;  // the normal distribution's 97.5 % quantile
  const auto n = static_cast<double>(samples);
  return kZ / (1 + kZ * kZ / n) * std::sqrt(share * (1 - share) / n + kZ * kZ / (4 * n * n));
}

bool differ(const Cell& a, const Cell& b) {
  const double chance = std::hypot(a.half_width, b.half_width);
  return chance > 0 && std::abs(a.share - b.share) > chance + 1e-12;
}

Ranking rank(By by, const std::vector<Column>& columns) {
  std::map<std::string, Row> rows;
  std::map<std::string, Invariance> values;
  for (size_t i = 0; i < columns.size(); ++i) {
    const auto& [run, series] = columns[i];
    if (by == By::kLine) expect_lines(*run, *series);
    for (const auto& [tuple, count] : series->counts.entries()) {
      const std::string name = name_of(by, *run, tuple);
      Row& row = rows[name];
      row.name = name;
      row.cells.resize(columns.size());
      row.cells[i].count += count;
      if (by == By::kLoad && i == 0) values[name].counts[tuple.value] += count;
    }
  }
  Ranking ranking{by, columns, {}};
  for (auto& [name, row] : rows) {
    for (size_t i = 0; i < columns.size(); ++i) {
      const Series& series = *columns[i].series;
      Cell& cell = row.cells[i];
      const uint64_t all = series.counts.total();
      cell.share = all == 0 ? 0 : static_cast<double>(cell.count) / static_cast<double>(all);
      cell.half_width = series.samples ? wilson_half_width(cell.share, *series.samples) : 0;
    }
    row.note = values[name].text();
    ranking.rows.push_back(std::move(row));
  }
  const auto larger = [](const Cell& a, const Cell& b) { return a.share > b.share; };
  std::stable_sort(ranking.rows.begin(), ranking.rows.end(), [&](const Row& a, const Row& b) {
    return std::lexicographical_compare(a.cells.begin(), a.cells.end(), b.cells.begin(),
                                        b.cells.end(), larger);
  });
  return ranking;
}

}  // namespace strobe::answer
