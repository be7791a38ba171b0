#include "sw/report/design_results.h"

#include <algorithm>

#include "sw/report/confidence.h"

namespace strobe::report {
namespace {

using explore::Statement;
using explore::Value;

constexpr std::string_view kCounters = "counters.";

}  // namespace

SweepResults::SweepResults(explore::Database& database) : database_(database) {
  Statement design(database_,
                   "SELECT d.id, d.label, d.feasible, count(*), sum(p.status = 'done') FROM design "
                   "d JOIN point p ON p.design = d.id WHERE p.budget IS NULL GROUP BY d.id ORDER "
                   "BY d.id");
  while (design.step()) {
    places_[design.integer(0)] = designs_.size();
    DesignResults& added = designs_.emplace_back();
    added.id = design.integer(0);
    added.label = design.text(1);
    added.feasible = design.null(2) || design.integer(2) != 0;
    added.points = static_cast<size_t>(design.integer(3));
    added.done = static_cast<size_t>(design.integer(4));
    points_ += added.points;
  }
  Statement setting(database_,
                    "SELECT s.design, a.key, s.value FROM setting s JOIN axis a ON a.id = s.axis");
  while (setting.step()) {
    const auto place = places_.find(setting.integer(0));
    if (place == places_.end()) continue;
    designs_[place->second].settings[setting.text(1)] = setting.value(2);
  }
  const auto different = [&](const char* column) {
    return static_cast<size_t>(database_.integer(std::string("SELECT count(DISTINCT ") + column +
                                                 ") FROM point WHERE budget IS NULL"));
  };
  programs_ = different("workload");
  seeds_ = different("seed");
}

bool SweepResults::is_axis(const std::string& key) const {
  return !designs_.empty() && designs_[0].settings.count(key) != 0;
}

void SweepResults::read(const std::string& key) {
  const bool counter = key.rfind(kCounters, 0) == 0;
  Statement statement(
      database_, counter
                     ? "SELECT p.design, p.seed, c.value FROM counter c JOIN point p ON p.run = "
                       "c.run WHERE c.name = ? AND p.budget IS NULL"
                     : "SELECT p.design, p.seed, m.value FROM metric m JOIN metric_key k ON "
                       "k.id = m.key JOIN point p ON p.id = m.point WHERE k.key = ? AND "
                       "p.budget IS NULL");
  statement.bind(std::string_view(key).substr(counter ? kCounters.size() : 0));
  for (DesignResults& design : designs_) design.by_result[key].clear();
  while (statement.step()) {
    const auto place = places_.find(statement.integer(0));
    if (place == places_.end()) continue;
    designs_[place->second].by_result[key].push_back({statement.text(1), statement.real(2)});
  }
}

Value SweepResults::value(const DesignResults& design, const std::string& name) const {
  const explore::Statistic statistic(name);
  const auto setting = design.settings.find(statistic.key);
  if (setting != design.settings.end()) {
    const nlohmann::json& value = setting->second;
    if (value.is_string()) return Value::text(value.get_ptr<const std::string*>());
    return value.is_null() ? Value() : Value::number(value.get<double>());
  }
  const auto found = design.by_result.find(statistic.key);
  if (found == design.by_result.end() || found->second.empty()) return {};
  const auto [least, most] =
      std::minmax_element(found->second.begin(), found->second.end(),
                          [](const auto& a, const auto& b) { return a.value < b.value; });
  if (statistic.what == "min") return Value::number(least->value);
  if (statistic.what == "max") return Value::number(most->value);
  std::vector<double> values;
  for (const PointValue& point : found->second) values.push_back(point.value);
  return Value::number(*mean(values));
}

std::optional<double> SweepResults::half_width(const DesignResults& design,
                                               const std::string& key) const {
  const auto found = design.by_result.find(key);
  if (found == design.by_result.end()) return std::nullopt;
  std::map<std::string, std::vector<double>> by_seed;
  for (const PointValue& point : found->second) by_seed[point.seed].push_back(point.value);
  std::vector<double> means;
  for (const auto& [seed, values] : by_seed) {
    if (values.size() != programs_) return std::nullopt;
    means.push_back(*mean(values));
  }
  return means.size() == seeds_ ? half_width_of_repetitions(means) : std::nullopt;
}

}  // namespace strobe::report
