#include "sw/answer/figures.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "sw/answer/answer_error.h"
#include "sw/result/number_text.h"
#include "sw/text/color.h"
#include "sw/text/diagnostic.h"
#include "sw/text/shown.h"

namespace strobe::answer {
namespace {

constexpr int kNameWidth = 22, kFigureWidth = 20;

std::string figure_text(const std::optional<double>& figure, const std::optional<double>& first) {
  if (!figure) return "-";
  const std::string text = *figure < 1000 ? fmt::format("{:.4g}", *figure)
                                          : result::compact(static_cast<uint64_t>(*figure));
  if (!first || *first == 0 || figure == first) return text;
  return fmt::format("{} ({:+.2f} %)", text, (*figure / *first - 1) * 100);
}

}  // namespace

void expect_same_events(const std::vector<Column>& columns) {
  const Column& first = columns.front();
  for (const Column& column : columns) {
    if (column.series->kind == first.series->kind) continue;
    throw AnswerError(fmt::format(
        "{} in {} counts {}, {} in {} counts {}: expected the same kind of event; name a profile "
        "that both have with --profiler",
        text::in_quotes(first.series->source), first.run->directory, first.series->kind,
        text::in_quotes(column.series->source), column.run->directory, column.series->kind));
  }
}

void print_figures(const std::vector<Column>& columns) {
  std::string head = fmt::format("{:<{}}", "", kNameWidth);
  for (size_t i = 0; i < columns.size(); ++i) {
    head += fmt::format("{:>{}}", static_cast<char>('A' + i), kFigureWidth);
  }
  text::print(text::Style::kStrong, head + "\n");
  const RunProfile& first = *columns.front().run;
  for (const auto& [name, value] : first.figures) {
    std::string line = fmt::format("{:<{}}", name, kNameWidth);
    for (const Column& column : columns) {
      line += fmt::format("{:>{}}", figure_text(column.run->figures.at(name), value), kFigureWidth);
    }
    text::print(text::Style::kPlain, line + "\n");
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    text::print(text::Style::kPlain, fmt::format("{} is {}\n", static_cast<char>('A' + i),
                                                 text::one_line(columns[i].run->directory)));
  }
  text::print(text::Style::kPlain, "\n");
}

}  // namespace strobe::answer
