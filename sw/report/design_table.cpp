#include "sw/report/design_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sw/report/number.h"

namespace strobe::report {
namespace {

using OptionalValues = std::vector<std::optional<double>>;

/// Rows of settings and results. The texts of a column of results are made together.
class DesignTable {
 public:
  explicit DesignTable(const SweepData& data, const TextRow& first = {})
      : columns_(data.objectives.size()), has_intervals_(data.seeds > 1) {
    std::vector<std::string> keys;
    for (const Axis& axis : data.axes) keys.push_back(axis.key);
    for (const Objective& objective : data.objectives) keys.push_back(objective.key);
    header_ = short_names(keys);
    for (size_t i = 0; i < data.objectives.size(); ++i) {
      header_[data.axes.size() + i] += bracketed(data.objectives[i].unit);
    }
    header_.insert(header_.begin(), first.begin(), first.end());
  }

  void add(TextRow row, const Design& design, const OptionalValues& values,
           const OptionalValues& half_widths) {
    for (const nlohmann::json& value : design.settings) row.push_back(setting_text(value));
    for (size_t i = 0; i < columns_.size(); ++i) columns_[i].add(values[i]);
    rows_.push_back({std::move(row), values, half_widths});
  }

  std::vector<TextRow> texts() const {
    std::vector<TextRow> texts{header_};
    for (const Row& row : rows_) {
      TextRow& text = texts.emplace_back(row.begin);
      for (size_t i = 0; i < columns_.size(); ++i) {
        text.push_back(columns_[i].text(row.values[i], row.half_widths[i], has_intervals_));
      }
    }
    return texts;
  }

 private:
  struct Row {
    TextRow begin;
    OptionalValues values, half_widths;
  };

  TextRow header_;
  std::vector<NumberColumn> columns_;  // by objective
  bool has_intervals_;
  std::vector<Row> rows_;
};

std::vector<size_t> shown_front(const SweepData& data) {
  std::vector<size_t> front = front_of(data);
  front.resize(std::min(front.size(), kMostRows));
  return front;
}

}  // namespace

std::string setting_text(const nlohmann::json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  return fmt::format("{:.15g}", value.get<double>());
}

std::string bracketed(const std::string& unit) { return unit.empty() ? unit : " [" + unit + "]"; }

std::vector<TextRow> front_rows(const SweepData& data) {
  DesignTable table(data);
  for (const size_t place : shown_front(data)) {
    const Design& design = data.designs[place];
    table.add({}, design, design.objectives, design.half_widths);
  }
  return table.texts();
}

std::vector<TextRow> workload_rows(const SweepData& data) {
  std::map<std::string, std::map<size_t, const OverSeeds*>> groups;
  for (const OverSeeds& group : data.over_seeds) groups[group.workload][group.design] = &group;
  DesignTable table(data, {"workload", "seeds"});
  for (const auto& [workload, by_design] : groups) {
    for (const size_t place : shown_front(data)) {
      const auto group = by_design.find(place);
      if (group == by_design.end()) continue;
      const OverSeeds& values = *group->second;
      table.add({workload, std::to_string(values.seeds)}, data.designs[place], values.objectives,
                values.half_widths);
    }
  }
  return table.texts();
}

}  // namespace strobe::report
