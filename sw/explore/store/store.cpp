#include "sw/explore/store/store.h"

#include <fmt/format.h>

#include <fstream>

#include "sw/explore/store/csv.h"
#include "sw/explore/store/schema.h"
#include "sw/result/accuracy_by_kind.h"
#include "sw/text/json_text.h"

namespace strobe::explore {

using nlohmann::json;

namespace {

Statement& bind_number(Statement& statement, const std::string& text) {
  return text.empty() ? statement.bind_null() : statement.bind(std::stod(text));
}

/// The first parameter, a place in the plan, as the id of a new row: then equal sweeps have equal
/// ids, in whatever order their runs end. Another id where there is no place, or it is taken.
std::string free_id(const std::string& table) {
  return "(SELECT CASE WHEN ?1 = 0 OR EXISTS (SELECT 1 FROM " + table +
         " WHERE id = ?1) THEN NULL ELSE ?1 END)";
}

}  // namespace

struct Store::Statements {
  explicit Statements(Database& d)
      : design(d, "INSERT INTO design (id, label) VALUES (" + free_id("design") + ", ?2)"),
        setting(d, "INSERT INTO setting VALUES (?, ?, ?)"),
        run(d, "INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        old_metrics(d, "DELETE FROM metric WHERE point = ?"),
        old_progress(d, "DELETE FROM progress WHERE point = ?"),
        point(d,
              "INSERT INTO point (id, key, design, workload, seed, budget, run, status, profilers) "
              "VALUES (" +
                  free_id("point") +
                  ", ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (key) DO UPDATE SET run = "
                  "excluded.run, status = excluded.status, profilers = excluded.profilers "
                  "RETURNING id"),
        point_id(d, "SELECT id FROM point WHERE key = ?"),
        others(d,
               "SELECT id, key FROM point WHERE design = (SELECT id FROM design WHERE label = ?) "
               "AND workload = ? AND seed = ? AND budget IS ? AND key <> ?"),
        old_point(d, "DELETE FROM point WHERE id = ?"),
        replaced_metrics(d,
                         "DELETE FROM metric WHERE point = ? AND key IN (SELECT id FROM metric_key "
                         "WHERE substr(key, 1, length(?)) = ?)"),
        metric_key(d, "INSERT INTO metric_key (key) VALUES (?)"),
        metric(d, "INSERT OR REPLACE INTO metric VALUES (?, ?, ?)"),
        counter(d, "INSERT OR REPLACE INTO counter VALUES (?, ?, ?)"),
        progress(d, "INSERT OR REPLACE INTO progress VALUES (?, ?, ?, ?, ?, ?, ?, ?)") {}

  Statement design, setting, run, old_metrics, old_progress, point, point_id, others, old_point,
      replaced_metrics, metric_key, metric, counter, progress;
};

Store::Store(const Folder& folder, StoreHeader header)
    : folder_(folder), header_(std::move(header)) {
  const std::string path = folder_.database().string();
  try {
    open();
  } catch (const DamagedDatabase&) {
    database_.reset();
    const std::string aside = path + ".damaged";
    std::filesystem::rename(path, aside);
    std::filesystem::remove(path + "-journal");
    put_aside_ = fmt::format(
        "the database {} is damaged: it was renamed to {}, and a new one is built from the runs",
        path, aside);
    open();
  }
  prepare();
}

void Store::open() {
  const std::string path = folder_.database().string();
  database_ = std::make_unique<Database>(path);
  database_->check();
  bool same = known_version(*database_, path) == kDatabaseVersion;
  if (same) {
    Statement sweep(*database_, "SELECT file FROM sweep");
    same = sweep.step() && sweep.text(0) == header_.file;
  }
  if (!same) {
    database_.reset();
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    database_ = std::make_unique<Database>(path);
    create();
  }
}

Store::~Store() = default;

void Store::prepare() {
  statements_ = std::make_unique<Statements>(*database_);
  Statement points(*database_, "SELECT key, status FROM point");
  while (points.step()) points_[points.text(0)] = points.text(1);
  Statement designs(*database_, "SELECT label, id FROM design");
  while (designs.step()) designs_[designs.text(0)] = designs.integer(1);
  Statement keys(*database_, "SELECT key, id FROM metric_key");
  while (keys.step()) metric_keys_[keys.text(0)] = keys.integer(1);
  database_->run("UPDATE sweep SET planned = 0, ended = 0");
}

void Store::plan(size_t points) {
  Statement(*database_, "UPDATE sweep SET planned = planned + ?")
      .bind(static_cast<int64_t>(points))
      .execute();
}

void Store::end() { database_->run("UPDATE sweep SET ended = 1"); }

void Store::begin() { transaction_ = std::make_unique<Transaction>(*database_); }

void Store::commit() {
  transaction_->commit();
  transaction_.reset();
}

RunEnd Store::add(const RunRecord& record, RunEnd end) {
  json result;
  if (end.status == "done") {
    const std::filesystem::path file = folder_.run(record.id) / "result.json";
    try {
      result = read_json(file);
      for (const PointRecord& point : record.points) profilers_of(result, point.observed);
      result.at("counters").get_ref<const json::object_t&>();
    } catch (const json::exception& error) {
      end.status = "failed";
      end.reason = damage_of(file, error);
      result = nullptr;
    } catch (const FolderError& error) {
      end.status = "failed";
      end.reason = error.what();
      result = nullptr;
    }
  }
  const bool done = end.status == "done";
  json profilers;
  if (done) {
    profilers = std::move(result["profilers"]);
    result.erase("profilers");
    result.erase("accuracy");  // that of all the run's profilers, of which a point has its own
    for (const auto& [name, value] : result.at("counters").items()) {
      statements_->counter.bind(std::string_view(record.id))
          .bind(std::string_view(name))
          .bind(value)
          .execute();
    }
  }
  add_run(record, end, result);
  std::map<std::string, int64_t> ids;
  for (const PointRecord& point : record.points) {
    json own;
    if (done) own = profilers_of({{"profilers", profilers}}, point.observed);
    const int64_t design = design_of(point);
    Statement& insert = statements_->point;
    insert.bind(point.place).bind(std::string_view(point.key)).bind(design);
    insert.bind(std::string_view(point.workload)).bind(json(point.seed));
    insert.bind(point.budget ? json(*point.budget) : json()).bind(std::string_view(record.id));
    insert.bind(std::string_view(end.status))
        .bind(done ? json(text::json_text(own)) : json())
        .step();
    const int64_t id = insert.integer(0);
    insert.step();
    statements_->old_metrics.bind(id).execute();
    statements_->old_progress.bind(id).execute();
    ids[point.key] = id;
    points_[point.key] = end.status;
    if (!done) continue;
    for (const auto& [name, value] : result.items()) {
      if (name != "counters") add_numbers(id, name, value);
    }
    for (const Objective& objective : header_.objectives) {
      if (objective.key.rfind("counters.", 0) != 0) continue;
      const auto counter = result.at("counters").find(objective.key.substr(9));
      if (counter != result.at("counters").end()) add_numbers(id, objective.key, *counter);
    }
    add_numbers(id, "accuracy",
                result::accuracy_by_kind(
                    {{"profile", result.value("profile", json())}, {"profilers", own}}));
    add_numbers(id, "profilers", own);
  }
  if (done) add_progress(record, ids);
  return end;
}

void Store::add_run(const RunRecord& record, const RunEnd& end, const json& result) {
  Statement& run = statements_->run;
  run.bind(std::string_view(record.id)).bind(std::string_view(record.kind));
  run.bind(std::string_view(end.status));
  run.bind(end.reason.empty() ? json() : json(end.reason)).bind(int64_t{end.exit_code});
  run.bind(end.signal == 0 ? json() : json(end.signal));
  run.bind(std::string_view(shell_text(record.command))).bind(end.seconds);
  run.bind(static_cast<int64_t>(end.peak_rss_bytes));
  run.bind(result.is_null() ? json() : json(text::json_text(result))).execute();
}

int64_t Store::design_of(const PointRecord& point) {
  const auto known = designs_.find(point.label);
  if (known != designs_.end()) return known->second;
  statements_->design.bind(point.design_place).bind(std::string_view(point.label)).execute();
  const int64_t id = database_->last_id();
  designs_[point.label] = id;
  for (size_t axis = 0; axis < point.settings.size(); ++axis) {
    statements_->setting.bind(id)
        .bind(static_cast<int64_t>(axis))
        .bind(point.settings[axis])
        .execute();
  }
  return id;
}

int64_t Store::metric_key(const std::string& key) {
  const auto known = metric_keys_.find(key);
  if (known != metric_keys_.end()) return known->second;
  statements_->metric_key.bind(std::string_view(key)).execute();
  return metric_keys_[key] = database_->last_id();
}

void Store::add_numbers(int64_t point, const std::string& path, const json& value) {
  if (value.is_number()) {
    statements_->metric.bind(point).bind(metric_key(path)).bind(value).execute();
  } else if (value.is_object()) {
    for (const auto& [key, item] : value.items()) add_numbers(point, path + "." + key, item);
  } else if (value.is_array()) {
    for (size_t i = 0; i < value.size(); ++i) {
      add_numbers(point, fmt::format("{}.{}", path, i), value[i]);
    }
  }
}

void Store::drop_predecessors(const PointRecord& point) {
  Statement& others = statements_->others;
  others.bind(std::string_view(point.label)).bind(std::string_view(point.workload));
  others.bind(json(point.seed)).bind(point.budget ? json(*point.budget) : json());
  others.bind(std::string_view(point.key));
  std::map<int64_t, std::string> found;
  while (others.step()) found[others.integer(0)] = others.text(1);
  for (const auto& [id, key] : found) {
    for (Statement* old :
         {&statements_->old_metrics, &statements_->old_progress, &statements_->old_point}) {
      old->bind(id).execute();
    }
    points_.erase(key);
  }
}

bool Store::is_done(const std::string& run) {
  Statement found(*database_, "SELECT 1 FROM run WHERE id = ? AND status = 'done'");
  found.bind(std::string_view(run));
  return found.step();
}

void Store::replace_metrics(const std::string& point_key, const std::string& prefix,
                            const std::map<std::string, double>& metrics) {
  statements_->point_id.bind(std::string_view(point_key));
  if (!statements_->point_id.step()) return;
  const int64_t point = statements_->point_id.integer(0);
  statements_->point_id.step();
  statements_->replaced_metrics.bind(point)
      .bind(std::string_view(prefix))
      .bind(std::string_view(prefix))
      .execute();
  for (const auto& [key, value] : metrics) {
    statements_->metric.bind(point).bind(metric_key(key)).bind(value).execute();
  }
}

/// Reads progress.csv of the run line by line. Each line belongs to every point that has its
/// profiler.
void Store::add_progress(const RunRecord& record, const std::map<std::string, int64_t>& points) {
  std::ifstream stream(folder_.run(record.id) / "progress.csv");
  if (!stream) return;
  struct Owner {
    int64_t point;
    size_t place;
  };
  const json config = read_json(folder_.run(record.id) / "result.json").at("profilers");
  std::map<std::string, std::vector<Owner>> owners;
  for (const PointRecord& point : record.points) {
    for (size_t i = 0; i < point.observed.profilers.size(); ++i) {
      const std::string name = config.at(point.observed.profilers[i]).at("name");
      owners[name].push_back({points.at(point.key), i});
    }
  }
  std::string line;
  csv_record(stream, &line);  // the header
  while (csv_record(stream, &line)) {
    const std::vector<std::string> columns = csv_fields(line);
    if (columns.size() != 8) continue;
    for (const Owner& owner : owners[columns[0]]) {
      Statement& insert = statements_->progress;
      insert.bind(owner.point).bind(static_cast<int64_t>(owner.place));
      for (const size_t column : {1, 2, 3, 4, 5, 7}) bind_number(insert, columns[column]);
      insert.execute();
    }
  }
}

}  // namespace strobe::explore
