#include "sw/explore/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "sw/explore/pareto.h"
#include "sw/explore/schema.h"

namespace strobe::explore {

using nlohmann::json;

namespace {

std::string quoted_name(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  std::istringstream stream(line);
  for (std::string column; std::getline(stream, column, ',');) columns.push_back(column);
  if (!line.empty() && line.back() == ',') columns.emplace_back();
  return columns;
}

Statement& bind_number(Statement& statement, const std::string& text) {
  return text.empty() ? statement.bind_null() : statement.bind(std::stod(text));
}

}  // namespace

struct Store::Statements {
  explicit Statements(Database& d)
      : design(d, "INSERT INTO design (label) VALUES (?)"),
        setting(d, "INSERT INTO setting VALUES (?, ?, ?)"),
        run(d, "INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        old_metrics(d, "DELETE FROM metric WHERE point = ?"),
        old_progress(d, "DELETE FROM progress WHERE point = ?"),
        point(d,
              "INSERT INTO point (key, design, workload, seed, budget, run, status, profilers) "
              "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET run = excluded.run, "
              "status = excluded.status, profilers = excluded.profilers RETURNING id"),
        point_id(d, "SELECT id FROM point WHERE key = ?"),
        metric_key(d, "INSERT INTO metric_key (key) VALUES (?)"),
        metric(d, "INSERT OR REPLACE INTO metric VALUES (?, ?, ?)"),
        counter(d, "INSERT OR REPLACE INTO counter VALUES (?, ?, ?)"),
        progress(d, "INSERT OR REPLACE INTO progress VALUES (?, ?, ?, ?, ?, ?, ?, ?)") {}

  Statement design, setting, run, old_metrics, old_progress, point, point_id, metric_key, metric,
      counter, progress;
};

Store::Store(const Folder& folder, StoreHeader header)
    : folder_(folder), header_(std::move(header)) {
  const std::string path = folder_.database().string();
  database_ = std::make_unique<Database>(path);
  const int64_t version = database_->integer("PRAGMA user_version");
  if (version > kDatabaseVersion) {
    throw DatabaseError(fmt::format(
        "the database {} is of a newer Strobe: expected schema version {} or older, got {}; use "
        "that Strobe or another --out",
        path, kDatabaseVersion, version));
  }
  bool same = version == kDatabaseVersion;
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
  prepare();
}

Store::~Store() = default;

void Store::create() {
  Transaction all(*database_);
  database_->run(kSchema);
  Statement(*database_, "INSERT INTO sweep VALUES (?, ?, ?, ?, ?, ?)")
      .bind(std::string_view(header_.name))
      .bind(std::string_view(header_.file))
      .bind(std::string_view(header_.base))
      .bind(std::string_view(header_.search))
      .bind(std::string_view(header_.version))
      .bind(header_.git_id.empty() ? json() : json(header_.git_id))
      .execute();
  Statement axis(*database_, "INSERT INTO axis VALUES (?, ?, ?, ?, ?)");
  for (size_t i = 0; i < header_.axes.size(); ++i) {
    const AxisHeader& a = header_.axes[i];
    axis.bind(static_cast<int64_t>(i))
        .bind(std::string_view(a.key))
        .bind(std::string_view(a.number ? "number" : "text"))
        .bind(std::string_view(a.unit))
        .bind(std::string_view(a.description))
        .execute();
  }
  Statement objective(*database_, "INSERT INTO objective VALUES (?, ?, ?)");
  Statement key(*database_, "INSERT INTO metric_key (key) VALUES (?)");
  for (size_t i = 0; i < header_.objectives.size(); ++i) {
    const Objective& o = header_.objectives[i];
    objective.bind(static_cast<int64_t>(i))
        .bind(std::string_view(o.key))
        .bind(std::string_view(o.maximize ? "max" : "min"))
        .execute();
    key.bind(std::string_view(o.key)).execute();
  }
  Statement limitation(*database_, "INSERT INTO limitation VALUES (?, ?)");
  for (size_t i = 0; i < header_.constraints.size(); ++i) {
    limitation.bind(static_cast<int64_t>(i))
        .bind(std::string_view(header_.constraints[i].expression.source()))
        .execute();
  }
  create_views();
  database_->run(fmt::format("PRAGMA user_version = {}", kDatabaseVersion));
  all.commit();
}

/// The views with a column an axis and an objective.
void Store::create_views() {
  std::string axes, objectives, means;
  for (size_t i = 0; i < header_.axes.size(); ++i) {
    axes += fmt::format(", (SELECT value FROM setting WHERE design = d.id AND axis = {}) AS {}", i,
                        quoted_name(header_.axes[i].key));
  }
  for (const Objective& objective : header_.objectives) {
    const int64_t key = database_->integer("SELECT id FROM metric_key WHERE key = '" + [&] {
      std::string text;
      for (const char c : objective.key) text += c == '\'' ? std::string("''") : std::string(1, c);
      return text;
    }() + "'");
    objectives += fmt::format(", (SELECT value FROM metric WHERE point = p.id AND key = {}) AS {}",
                              key, quoted_name(objective.key));
    means += fmt::format(
        ", (SELECT avg(value) FROM metric WHERE key = {} AND point IN (SELECT id FROM point WHERE "
        "design = d.id AND budget IS NULL)) AS {}",
        key, quoted_name(objective.key));
  }
  database_->run(
      "CREATE VIEW result AS SELECT p.id AS point, p.design, p.workload, p.seed, p.status" + axes +
      objectives + " FROM point p JOIN design d ON d.id = p.design WHERE p.budget IS NULL;" +
      "CREATE VIEW summary AS SELECT d.id AS design, d.label, (SELECT count(*) FROM point WHERE "
      "design = d.id AND status = 'done' AND budget IS NULL) AS points, d.feasible, d.front" +
      axes + means + " FROM design d;" +
      "CREATE VIEW front AS SELECT * FROM summary WHERE front = 1;");
}

void Store::prepare() {
  statements_ = std::make_unique<Statements>(*database_);
  Statement points(*database_, "SELECT key, status FROM point");
  while (points.step()) points_[points.text(0)] = points.text(1);
  Statement designs(*database_, "SELECT label, id FROM design");
  while (designs.step()) designs_[designs.text(0)] = designs.integer(1);
  Statement keys(*database_, "SELECT key, id FROM metric_key");
  while (keys.step()) metric_keys_[keys.text(0)] = keys.integer(1);
}

void Store::begin() { transaction_ = std::make_unique<Transaction>(*database_); }

void Store::commit() {
  transaction_->commit();
  transaction_.reset();
}

RunEnd Store::add(const RunRecord& record, RunEnd end) {
  json result;
  if (end.status == "done") {
    try {
      result = read_json(folder_.run(record.id) / "result.json");
      for (const PointRecord& point : record.points) profilers_of(result, point.observed);
    } catch (const std::exception& error) {
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
    insert.bind(std::string_view(point.key)).bind(design);
    insert.bind(std::string_view(point.workload)).bind(static_cast<int64_t>(point.seed));
    insert.bind(point.budget ? json(*point.budget) : json()).bind(std::string_view(record.id));
    insert.bind(std::string_view(end.status)).bind(done ? json(own.dump()) : json()).step();
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
  run.bind(result.is_null() ? json() : json(result.dump())).execute();
}

int64_t Store::design_of(const PointRecord& point) {
  const auto known = designs_.find(point.label);
  if (known != designs_.end()) return known->second;
  statements_->design.bind(std::string_view(point.label)).execute();
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

void Store::add_metrics(const std::string& point_key,
                        const std::map<std::string, double>& metrics) {
  statements_->point_id.bind(std::string_view(point_key));
  if (!statements_->point_id.step()) return;
  const int64_t point = statements_->point_id.integer(0);
  statements_->point_id.step();
  for (const auto& [key, value] : metrics) {
    statements_->metric.bind(point).bind(metric_key(key)).bind(value).execute();
  }
}

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

/// progress.csv of the run, line by line: each belongs to every point that has its profiler.
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
  std::getline(stream, line);  // the header
  while (std::getline(stream, line)) {
    const std::vector<std::string> columns = columns_of(line);
    if (columns.size() != 8) continue;
    for (const Owner& owner : owners[columns[0]]) {
      Statement& insert = statements_->progress;
      insert.bind(owner.point).bind(static_cast<int64_t>(owner.place));
      for (const size_t column : {1, 2, 3, 4, 5, 7}) bind_number(insert, columns[column]);
      insert.execute();
    }
  }
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
      "DELETE FROM run WHERE status <> 'done' AND id NOT IN (SELECT run FROM point) AND kind IN "
      "('run', 'replay')");
  Statement update(*database_, "UPDATE design SET feasible = ?, front = ? WHERE label = ?");
  for (const auto& [label, score] : all) {
    const auto place = std::find(labels.begin(), labels.end(), label) - labels.begin();
    const bool on_front = static_cast<size_t>(place) < labels.size() && front[place];
    update.bind(int64_t{score.feasible}).bind(int64_t{on_front}).bind(std::string_view(label));
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
