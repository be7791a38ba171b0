#include "sw/report/by_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sw/report/confidence.h"
#include "sw/report/markdown.h"

namespace strobe::report {
namespace {

using Row = std::vector<std::string>;
using Values = std::vector<double>;  // by seed

/// A mean, and half of the width of its interval if it has one; "-" without a value.
std::string text_of(const std::optional<double>& value, const std::optional<double>& width = {}) {
  if (!value) return "-";
  return width ? fmt::format("{:.4g} ± {:.2g}", *value, *width) : fmt::format("{:.4g}", *value);
}

/// The least of the values of an objective to be maximized, the most of one to be minimized.
std::optional<double> worst(const Values& values, const Objective& objective) {
  if (values.empty()) return std::nullopt;
  return objective.maximize ? *std::min_element(values.begin(), values.end())
                            : *std::max_element(values.begin(), values.end());
}

/// The results of one objective: by workload, then by design, those of its seeds.
using Results = std::map<std::string, std::vector<Values>>;

Results results_of(const SweepData& data, size_t objective) {
  Results results;
  for (const Point& point : data.points) {
    std::vector<Values>& of = results[point.workload];
    of.resize(data.designs.size());
    if (point.objectives[objective]) of[point.design].push_back(*point.objectives[objective]);
  }
  return results;
}

/// The settings of a design, such as "h3, 4".
std::string settings_of(const Design& design) {
  std::string text;
  for (const nlohmann::json& value : design.settings) {
    text += text.empty() ? "" : ", ";
    text += value.is_null()     ? "-"
            : value.is_string() ? value.get<std::string>()
                                : fmt::format("{:.6g}", value.get<double>());
  }
  return text;
}

/// The names of the axes whose values settings_of() lists.
std::string axes_of(const SweepData& data) {
  std::vector<std::string> keys;
  for (const Axis& axis : data.axes) keys.push_back(axis.key);
  std::string text;
  for (const std::string& name : short_names(keys)) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<Row> table_of(const SweepData& data, size_t objective) {
  const Results results = results_of(data, objective);
  std::vector<Row> rows{{"workload"}};
  std::vector<Values> means(data.designs.size());  // by workload
  for (const Design& design : data.designs) rows[0].push_back(settings_of(design));
  for (const auto& [workload, by_design] : results) {
    Row& row = rows.emplace_back(Row{workload});
    for (size_t d = 0; d < by_design.size(); ++d) {
      const Values& values = by_design[d];
      row.push_back(text_of(mean(values), half_width(values)));
      if (const auto value = mean(values)) means[d].push_back(*value);
    }
  }
  Row mean_row{"mean"}, worst_row{"worst"};
  for (const Values& values : means) {
    mean_row.push_back(text_of(mean(values)));
    worst_row.push_back(text_of(worst(values, data.objectives[objective])));
  }
  rows.push_back(std::move(mean_row));
  rows.push_back(std::move(worst_row));
  return rows;
}

/// The differences of a design from the first one, one for each workload that both have.
Values differences(const Results& results, size_t design) {
  Values values;
  for (const auto& [workload, by_design] : results) {
    if (by_design[0].empty() || by_design[design].empty()) continue;
    values.push_back(*mean(by_design[design]) - *mean(by_design[0]));
  }
  return values;
}

std::vector<Row> against_first(const SweepData& data) {
  std::vector<std::string> keys;
  for (const Objective& objective : data.objectives) keys.push_back(objective.key);
  std::vector<Row> rows{{"design"}};
  for (const std::string& name : short_names(keys)) rows[0].push_back(name);
  for (size_t d = 1; d < data.designs.size(); ++d) {
    Row& row = rows.emplace_back(Row{settings_of(data.designs[d])});
    for (size_t i = 0; i < data.objectives.size(); ++i) {
      const Values values = differences(results_of(data, i), d);
      row.push_back(text_of(mean(values), half_width(values)));
    }
  }
  return rows;
}

}  // namespace

bool about_workloads(const SweepData& data) { return data.workloads > data.designs.size(); }

std::string by_workload(const SweepData& data) {
  std::string text =
      fmt::format("\n## By workload\n\nA column is a design: {}.\n", markdown_text(axes_of(data)));
  for (size_t i = 0; i < data.objectives.size(); ++i) {
    const Objective& objective = data.objectives[i];
    text += fmt::format("\n### {}\n\n", markdown_text(objective.key));
    text += markdown_table(table_of(data, i));
  }
  if (data.designs.size() < 2) return text;
  text += fmt::format(
      "\n## Differences from {}\n\n"
      "The mean of the differences on each workload ± half of its {:g} % confidence interval over\n"
      "the workloads (Student's t): an interval that holds 0 cannot tell the two apart.\n\n",
      markdown_text(settings_of(data.designs[0])), 100 * kConfidence);
  return text + markdown_table(against_first(data));
}

}  // namespace strobe::report
