// The contents of a new database: the sweep's own rows, and the views with a column for each axis
// and objective.
#include <fmt/format.h>

#include "sw/explore/store/schema.h"
#include "sw/explore/store/store.h"

namespace strobe::explore {

using nlohmann::json;

void Store::create() {
  Transaction all(*database_);
  database_->run(kSchema);
  Statement(*database_, "INSERT INTO sweep VALUES (?, ?, ?, ?, ?, ?, 0, 0)")
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

/// Creates the views with a column for each axis and objective.
void Store::create_views() {
  std::string axes, objectives, means;
  for (size_t i = 0; i < header_.axes.size(); ++i) {
    axes += fmt::format(", (SELECT value FROM setting WHERE design = d.id AND axis = {}) AS {}", i,
                        quoted_name(header_.axes[i].key));
  }
  for (const Objective& objective : header_.objectives) {
    Statement find(*database_, "SELECT id FROM metric_key WHERE key = ?");
    find.bind(std::string_view(objective.key)).step();
    const int64_t key = find.integer(0);
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

}  // namespace strobe::explore
