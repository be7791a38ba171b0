#include "sw/report/by_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sw/report/confidence.h"
#include "sw/report/design_table.h"
#include "sw/report/markdown.h"
#include "sw/report/number.h"

namespace strobe::report {
namespace {

using Row = TextRow;
using Values = std::vector<double>;  // by seed

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
    text += (text.empty() ? "" : ", ") + setting_text(value);
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
  NumberColumn numbers;
  for (const auto& [workload, by_design] : results) {
    for (const Values& values : by_design) numbers.add(mean(values));
  }
  std::vector<Row> rows{{"workload"}};
  std::vector<Values> means(data.designs.size());  // by workload
  for (const Design& design : data.designs) rows[0].push_back(settings_of(design));
  for (const auto& [workload, by_design] : results) {
    Row& row = rows.emplace_back(Row{workload});
    for (size_t d = 0; d < by_design.size(); ++d) {
      const Values& values = by_design[d];
      row.push_back(numbers.text(mean(values), half_width_of_repetitions(values), data.seeds > 1));
      if (const auto value = mean(values)) means[d].push_back(*value);
    }
  }
  Row mean_row{"mean"}, worst_row{"worst"};
  for (const Values& values : means) {
    const auto middle = mean(values);
    mean_row.push_back(middle ? rounded(*middle) : "-");
    worst_row.push_back(numbers.text(worst(values, data.objectives[objective])));
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
      NumberColumn numbers;
      numbers.add(mean(values));
      row.push_back(
          numbers.text(mean(values), half_width_of_repetitions(values), values.size() > 1));
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
      "the workloads (Student's t): an interval that holds 0 cannot tell the two apart.\n"
      "There is none (-) where the differences are equal.\n\n",
      markdown_text(settings_of(data.designs[0])), 100 * kConfidence);
  return text + markdown_table(against_first(data));
}

Figure workload_figure(const SweepData& data) {
  static constexpr Stroke kStrokes[] = {Stroke::kDiamonds, Stroke::kCrosses, Stroke::kDots};
  const Objective& objective = data.objectives[0];
  Figure figure{
      "by-workload", fmt::format("{} by workload", objective.key), "workload", objective.key, {}};
  figure.y_start = Start::kLeast;
  for (size_t d = 0; d < data.designs.size(); ++d) {
    figure.curves.push_back({settings_of(data.designs[d]), {}, kStrokes[d % 3]});
  }
  for (const auto& [workload, by_design] : results_of(data, 0)) {
    figure.x_names.push_back(workload);
    for (size_t d = 0; d < by_design.size(); ++d) {
      const auto value = mean(by_design[d]);
      if (value) {
        figure.curves[d].points.emplace_back(static_cast<double>(figure.x_names.size()), *value);
      }
    }
  }
  return figure;
}

}  // namespace strobe::report
