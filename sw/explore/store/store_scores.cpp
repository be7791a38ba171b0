// Queries of the database: the mean of a design's points, and the designs on the front.
#include <fmt/format.h>

#include <algorithm>

#include "sw/explore/store/pareto.h"
#include "sw/explore/store/store.h"

namespace strobe::explore {

std::set<std::string> Store::points_with(const std::string& metric) {
  std::set<std::string> keys;
  Statement statement(
      *database_,
      "SELECT p.key FROM metric m JOIN metric_key k ON k.id = m.key JOIN point p ON "
      "p.id = m.point WHERE k.key = ?");
  statement.bind(std::string_view(metric));
  while (statement.step()) keys.insert(statement.text(0));
  return keys;
}

std::map<std::string, DesignScore> Store::scores(std::optional<uint64_t> budget) {
  std::map<std::string, DesignScore> result;
  const std::string of_budget =
      budget ? fmt::format("p.budget = {}", *budget) : std::string("p.budget IS NULL");
  Statement designs(*database_,
                    "SELECT d.label FROM design d WHERE EXISTS (SELECT 1 FROM point p WHERE "
                    "p.design = d.id AND p.status = 'done' AND " +
                        of_budget + ")");
  while (designs.step()) {
    result[designs.text(0)].objectives.resize(header_.objectives.size());
    result[designs.text(0)].feasible = true;
  }
  const auto means = [&](const std::string& key, const auto& take) {
    Statement statement(*database_,
                        "SELECT d.label, avg(m.value) FROM metric m JOIN metric_key k ON k.id = "
                        "m.key JOIN point p ON p.id = m.point JOIN design d ON d.id = p.design "
                        "WHERE k.key = ? AND " +
                            of_budget + " GROUP BY d.id");
    statement.bind(std::string_view(key));
    while (statement.step()) take(statement.text(0), statement.real(1));
  };
  for (size_t i = 0; i < header_.objectives.size(); ++i) {
    means(header_.objectives[i].key,
          [&](const std::string& label, double mean) { result[label].objectives[i] = mean; });
  }
  for (const Condition& condition : header_.constraints) {
    const auto& names = condition.expression.names();
    std::map<std::string, std::vector<Value>> values;
    for (const auto& entry : result) values[entry.first].resize(names.size());
    for (size_t i = 0; i < names.size(); ++i) {
      means(names[i],
            [&](const std::string& label, double mean) { values[label][i] = Value::number(mean); });
    }
    for (auto& [label, score] : result) {
      score.feasible = score.feasible && condition.expression.holds(values[label]);
    }
  }
  return result;
}

void Store::rate() {
  const std::map<std::string, DesignScore> all = scores(std::nullopt);
  std::vector<std::string> labels;
  std::vector<std::vector<double>> costs;
  for (const auto& [label, score] : all) {
    const bool whole = std::all_of(score.objectives.begin(), score.objectives.end(),
                                   [](const auto& objective) { return objective.has_value(); });
    if (!score.feasible || !whole || header_.objectives.empty()) continue;
    labels.push_back(label);
    auto& cost = costs.emplace_back();
    for (size_t i = 0; i < score.objectives.size(); ++i) {
      cost.push_back(header_.objectives[i].maximize ? -*score.objectives[i] : *score.objectives[i]);
    }
  }
  const std::vector<bool> front = pareto_front(costs);
  begin();
  database_->run("UPDATE design SET feasible = NULL, front = NULL");
  database_->run(
      "DELETE FROM run WHERE id NOT IN (SELECT run FROM point) AND kind IN ('run', 'replay');"
      "DELETE FROM counter WHERE run NOT IN (SELECT id FROM run)");
  Statement update(*database_, "UPDATE design SET feasible = ?, front = ? WHERE id = ?");
  size_t next = 0;  // the next label; the labels are some of these designs in the same order
  for (const auto& [label, score] : all) {
    const bool rated = next < labels.size() && labels[next] == label;
    const bool on_front = rated && front[next];
    if (rated) ++next;
    update.bind(int64_t{score.feasible}).bind(int64_t{on_front}).bind(designs_.at(label));
    update.execute();
  }
  commit();
}

std::vector<std::string> Store::metric_keys() {
  std::vector<std::string> keys;
  Statement statement(
      *database_, "SELECT key FROM metric_key WHERE id IN (SELECT key FROM metric) ORDER BY key");
  while (statement.step()) keys.push_back(statement.text(0));
  return keys;
}

}  // namespace strobe::explore
