#include "sw/report/sweep_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "sw/explore/store/database.h"
#include "sw/explore/store/record.h"
#include "sw/explore/store/schema.h"
#include "sw/report/answer.h"
#include "sw/report/configuration.h"
#include "sw/report/over_seeds.h"
#include "sw/text/json_text.h"

namespace strobe::report {
namespace {

using explore::Database;
using explore::Statement;
using nlohmann::json;

std::optional<bool> flag(const Statement& statement, int column) {
  if (statement.null(column)) return std::nullopt;
  return statement.integer(column) != 0;
}

std::optional<double> real(const Statement& statement, int column) {
  if (statement.null(column)) return std::nullopt;
  return statement.real(column);
}

/// Reads the tables, with one function for each. Later functions need the indices that earlier ones
/// stored.
class Reader {
 public:
  Reader(const explore::Folder& folder, SweepData* data)
      : folder_(folder),
        data_(data),
        database_(folder.database().string(), Database::Access::kRead) {}

  void read(int64_t most_progress) {
    if (explore::known_version(database_, folder_.database().string()) == 0) {
      throw ReportError(fmt::format(
          "{} is not the database of a sweep: expected its tables, got none; give the directory "
          "that 'strobe sweep' wrote",
          folder_.database().string()));
    }
    read_sweep();
    read_objectives();
    read_designs();
    read_runs();
    read_points();
    read_metrics();
    compare_seeds(data_);
    read_counters();
    read_configurations();
    read_progress(most_progress);
    read_answer();
  }

 private:
  void read_sweep() {
    Statement sweep(database_, "SELECT name, file, base, search, version, git_id FROM sweep");
    sweep.step();
    data_->name = sweep.text(0);
    data_->file = sweep.text(1);
    data_->base = sweep.text(2);
    data_->search = sweep.text(3);
    data_->version = sweep.text(4);
    if (!sweep.null(5)) data_->git_id = sweep.text(5);
    Statement axis(database_, "SELECT key, unit, description, kind FROM axis ORDER BY id");
    while (axis.step()) {
      data_->axes.push_back({axis.text(0), axis.text(1), axis.text(2), axis.text(3) == "number"});
    }
    Statement limitation(database_, "SELECT expression FROM limitation ORDER BY id");
    while (limitation.step()) data_->constraints.push_back(limitation.text(0));
  }

  void read_objectives() {
    Statement objective(database_, "SELECT key, direction FROM objective ORDER BY id");
    while (objective.step()) {
      objective_places_[objective.text(0)] = data_->objectives.size();
      data_->objectives.push_back(
          {objective.text(0), objective.text(1) == "max", unit_of(objective.text(0))});
    }
    if (!data_->objectives.empty()) return;
    throw ReportError(fmt::format(
        "the sweep {} in {} has no objectives, so it has no front: expected min or max of a "
        "result's key under 'objectives' in its file, got none; add them and run strobe sweep "
        "again, which repeats no run",
        data_->name, folder_.root.string()));
  }

  /// Reads the designs that have a point with the full budget; the rungs of a search are not shown.
  void read_designs() {
    Statement design(database_,
                     "SELECT id, label, feasible, front FROM design WHERE id IN (SELECT design "
                     "FROM point WHERE budget IS NULL) ORDER BY id");
    while (design.step()) {
      design_places_[design.integer(0)] = data_->designs.size();
      Design& added = data_->designs.emplace_back();
      added.label = design.text(1);
      added.feasible = flag(design, 2);
      added.front = flag(design, 3);
      constexpr uint64_t kValues = 32;  // of 16 bytes, about
      database_.keep(kValues + data_->axes.size() + 2 * data_->objectives.size());
      added.settings.resize(data_->axes.size());
      added.objectives.resize(data_->objectives.size());
      added.half_widths.resize(data_->objectives.size());
    }
    Statement setting(database_, "SELECT design, axis, value FROM setting");
    while (setting.step()) {
      const auto place = design_places_.find(setting.integer(0));
      if (place == design_places_.end()) continue;
      data_->designs[place->second].settings.at(static_cast<size_t>(setting.integer(1))) =
          setting.value(2);
    }
  }

  void read_runs() {
    Statement run(database_,
                  "SELECT id, status, reason, command, json_extract(result, '$.instructions'), "
                  "json_extract(result, '$.cycles'), json_extract(result, '$.overhead_measured') "
                  "FROM run WHERE id IN (SELECT run FROM point WHERE budget IS NULL) ORDER BY id");
    while (run.step()) {
      run_places_[run.text(0)] = data_->runs.size();
      Run& added = data_->runs.emplace_back();
      added.id = run.text(0);
      added.status = run.text(1);
      if (!run.null(2)) added.reason = run.text(2);
      added.command = run.text(3);
      added.instructions = run.natural(4);
      added.cycles = run.natural(5);
      if (!run.null(6)) added.overhead = run.real(6);
    }
  }

  void read_points() {
    Statement point(database_,
                    "SELECT id, design, run, workload, status, seed, key FROM point WHERE budget "
                    "IS NULL ORDER BY design, workload, length(seed), seed");
    while (point.step()) {
      point_places_[point.integer(0)] = data_->points.size();
      Point& added = data_->points.emplace_back();
      added.design = design_places_.at(point.integer(1));
      added.run = run_places_.at(point.text(2));
      added.workload = point.text(3);
      added.status = point.text(4);
      added.seed = point.natural(5);
      constexpr uint64_t kValues = 16;
      database_.keep(kValues + data_->objectives.size());
      added.objectives.resize(data_->objectives.size());
      keys_.push_back(point.text(6));
    }
    if (!data_->points.empty()) return;
    throw ReportError(fmt::format(
        "the sweep {} in {} has no points yet: expected at least one that was run, got none; "
        "start 'strobe sweep' with that --out",
        data_->name, folder_.root.string()));
  }

  /// Reads the objectives of points, their means over designs, and areas.
  void read_metrics() {
    Statement metric(database_,
                     "SELECT m.point, k.key, m.value FROM metric m JOIN metric_key k ON k.id = "
                     "m.key WHERE k.key IN (SELECT key FROM objective) OR k.key LIKE "
                     "'profilers.%.synthesis.%_area'");
    std::vector<std::vector<size_t>> counts(data_->designs.size(),
                                            std::vector<size_t>(data_->objectives.size()));
    while (metric.step()) {
      database_.keep(3);
      const auto place = point_places_.find(metric.integer(0));
      if (place == point_places_.end()) continue;
      Point& point = data_->points[place->second];
      Design& design = data_->designs[point.design];
      const std::string key = metric.text(1);
      const double value = metric.real(2);
      const auto objective = objective_places_.find(key);
      if (objective != objective_places_.end()) {
        const size_t i = objective->second;
        point.objectives[i] = value;
        design.objectives[i] = design.objectives[i].value_or(0) + value;
        ++counts[point.design][i];
      }
      set_area(key, value, &design.areas);
    }
    for (size_t i = 0; i < data_->designs.size(); ++i) {
      for (size_t k = 0; k < data_->objectives.size(); ++k) {
        auto& sum = data_->designs[i].objectives[k];
        if (sum) *sum /= static_cast<double>(counts[i][k]);
      }
    }
  }

  /// Sets an area when `key` is such as profilers.0.synthesis.logic_area; other keys have no
  /// effect.
  static void set_area(const std::string& key, double value, std::vector<Area>* areas) {
    const size_t figure = key.find(".synthesis.");
    if (figure == std::string::npos) return;
    const size_t profiler = std::stoul(key.substr(key.find('.') + 1));
    auto area = std::lower_bound(areas->begin(), areas->end(), profiler,
                                 [](const Area& a, size_t wanted) { return a.profiler < wanted; });
    if (area == areas->end() || area->profiler != profiler) {
      area = areas->insert(area, Area{profiler});
    }
    const std::string name = key.substr(figure + 11);
    if (name == "logic_area") area->logic = value;
    if (name == "flip_flop_area") area->flip_flops = value;
    if (name == "memory_area") area->memory = value;
  }

  /// Reads the CPI stack of the core that runs the program.
  void read_counters() {
    Statement counter(database_,
                      "SELECT run, name, value FROM counter WHERE name LIKE 'core.cpi.%' OR name "
                      "LIKE 'core0.cpi.%'");
    while (counter.step()) {
      database_.keep(4);
      const auto run = run_places_.find(counter.text(0));
      if (run == run_places_.end() || counter.integer(2) == 0) continue;
      const std::string name = counter.text(1);
      data_->runs[run->second].cpi[name.substr(name.rfind('.') + 1)] =
          static_cast<uint64_t>(counter.integer(2));
    }
  }

  /// Reads the configurations from jobs/, which also has those of failed runs. Only a replay has
  /// its own in its result.
  void read_configurations() {
    std::map<size_t, std::vector<size_t>> points_of;
    for (size_t i = 0; i < data_->points.size(); ++i) {
      points_of[data_->points[i].run].push_back(i);
    }
    for (const auto& [run, points] : points_of) {
      const std::string& id = data_->runs[run].id;
      std::string effective = effective_configuration(folder_.job(id, ".yaml"));
      if (effective.empty()) effective = effective_configuration(folder_.run(id) / "config.yaml");
      if (effective.empty()) continue;
      const ConfigurationPieces pieces = split_configuration(effective);
      std::map<std::string, std::vector<size_t>> observed;
      if (std::filesystem::exists(folder_.job(id, ".json"))) {
        const auto record = explore::read_record<explore::RunRecord>(folder_.job(id, ".json"));
        for (const auto& point : record.points) observed[point.key] = point.observed.profilers;
      }
      for (const size_t point : points) {
        data_->points[point].configuration =
            configuration_of(pieces, observed[keys_[point]], &data_->configurations);
      }
    }
  }

  void read_progress(int64_t most) {
    data_->progress_of_front_only = database_.integer("SELECT count(*) FROM progress") > most;
    Statement line(database_,
                   "SELECT point, profiler, events, overlap, invariance_error FROM progress ORDER "
                   "BY point, profiler, events");
    while (line.step()) {
      database_.keep(4);
      const auto place = point_places_.find(line.integer(0));
      if (place == point_places_.end()) continue;
      const Design& design = data_->designs[data_->points[place->second].design];
      if (data_->progress_of_front_only && !design.front.value_or(false)) continue;
      const auto profiler = static_cast<size_t>(line.integer(1));
      auto& curves = data_->progress;
      if (curves.empty() || curves.back().point != place->second ||
          curves.back().profiler != profiler) {
        curves.push_back({place->second, profiler, {}, {}, {}});
      }
      curves.back().events.push_back(static_cast<uint64_t>(line.integer(2)));
      curves.back().overlap.push_back(real(line, 3));
      curves.back().invariance_error.push_back(real(line, 4));
    }
  }

  void read_answer() {
    const std::optional<Answer> answer = answer_of(database_);
    if (!answer) return;
    data_->question = {answer->ask, answer->sentence, std::nullopt};
    if (answer->design) data_->question->design = design_places_.at(*answer->design);
  }

  const explore::Folder& folder_;
  SweepData* data_;
  Database database_;
  std::map<std::string, size_t> objective_places_, run_places_;
  std::map<int64_t, size_t> design_places_, point_places_;
  std::vector<std::string> keys_;  // the points' keys
};

}  // namespace

SweepData read_sweep(const std::filesystem::path& directory, int64_t most_progress) {
  const explore::Folder folder{directory};
  SweepData data;
  const auto damaged = [&folder](const char* what) {
    return ReportError(
        fmt::format("the database {} is damaged: {}; remove it and start the sweep again, which "
                    "rebuilds it from the runs",
                    folder.database().string(), what));
  };
  try {
    Reader(folder, &data).read(most_progress);
  } catch (const json::exception& error) {
    throw damaged(error.what());
  } catch (const std::out_of_range&) {
    throw damaged("a row names another one that is not there");
  } catch (const std::invalid_argument&) {
    throw damaged("the key of a metric has no number where one belongs");
  }
  return data;
}

std::vector<size_t> front_of(const SweepData& data) {
  std::vector<size_t> front;
  for (size_t i = 0; i < data.designs.size(); ++i) {
    if (data.designs[i].front.value_or(false)) front.push_back(i);
  }
  const double sign = data.objectives[0].maximize ? -1 : 1;
  std::stable_sort(front.begin(), front.end(), [&](size_t a, size_t b) {
    return sign * data.designs[a].objectives[0].value_or(0) <
           sign * data.designs[b].objectives[0].value_or(0);
  });
  return front;
}

std::vector<std::string> short_names(const std::vector<std::string>& keys) {
  const auto last_part = [](const std::string& key) { return key.substr(key.rfind('.') + 1); };
  std::map<std::string, int> uses;
  for (const std::string& key : keys) ++uses[last_part(key)];
  std::vector<std::string> names;
  for (const std::string& key : keys) {
    names.push_back(uses[last_part(key)] == 1 ? last_part(key) : key);
  }
  return names;
}

std::string unit_of(const std::string& key) {
  static const std::map<std::string, std::string> kUnits = {
      {"area", "um2"},        {"logic_area", "um2"}, {"flip_flop_area", "um2"},
      {"memory_area", "um2"}, {"gates", "GE"},       {"period", "ns"}};
  constexpr std::string_view kPart = ".synthesis.";
  const size_t part = key.rfind(kPart);
  if (part == std::string::npos) return {};
  const auto unit = kUnits.find(key.substr(part + kPart.size()));
  return unit == kUnits.end() ? std::string() : unit->second;
}

}  // namespace strobe::report
