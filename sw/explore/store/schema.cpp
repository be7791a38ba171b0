#include "sw/explore/store/schema.h"

#include <fmt/format.h>

namespace strobe::explore {

int64_t known_version(Database& database, const std::string& path) {
  const int64_t version = database.integer("PRAGMA user_version");
  if (version <= kDatabaseVersion) return version;
  throw DatabaseError(
      fmt::format("the database {} was written by a newer Strobe: expected schema version {} or "
                  "older, got {}; use "
                  "that Strobe or another directory",
                  path, kDatabaseVersion, version));
}

const char* const kSchema = R"sql(
CREATE TABLE sweep (
  name TEXT NOT NULL,
  file TEXT NOT NULL,
  base TEXT NOT NULL,
  search TEXT NOT NULL,
  version TEXT NOT NULL,
  git_id TEXT,
  planned INTEGER NOT NULL,
  ended INTEGER NOT NULL
);
CREATE TABLE axis (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('number', 'text')),
  unit TEXT NOT NULL,
  description TEXT NOT NULL
);
CREATE TABLE objective (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  direction TEXT NOT NULL CHECK (direction IN ('min', 'max'))
);
CREATE TABLE limitation (
  id INTEGER PRIMARY KEY,
  expression TEXT NOT NULL
);
CREATE TABLE design (
  id INTEGER PRIMARY KEY,
  label TEXT NOT NULL,
  feasible INTEGER,
  front INTEGER
);
CREATE TABLE setting (
  design INTEGER NOT NULL REFERENCES design (id),
  axis INTEGER NOT NULL REFERENCES axis (id),
  value,
  PRIMARY KEY (design, axis)
) WITHOUT ROWID;
CREATE TABLE run (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('run', 'record', 'replay', 'synth')),
  status TEXT NOT NULL CHECK (status IN ('done', 'failed', 'timeout', 'out_of_memory', 'lost')),
  reason TEXT,
  exit_code INTEGER,
  signal INTEGER,
  command TEXT NOT NULL,
  seconds REAL,
  peak_rss_bytes INTEGER,
  result TEXT
) WITHOUT ROWID;
CREATE TABLE point (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  design INTEGER NOT NULL REFERENCES design (id),
  workload TEXT NOT NULL,
  seed NOT NULL,
  budget INTEGER,
  run TEXT NOT NULL REFERENCES run (id),
  status TEXT NOT NULL,
  profilers TEXT
);
CREATE INDEX point_design ON point (design);
CREATE INDEX point_run ON point (run);
CREATE TABLE metric_key (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE
);
CREATE TABLE metric (
  point INTEGER NOT NULL REFERENCES point (id),
  key INTEGER NOT NULL REFERENCES metric_key (id),
  value NUMERIC NOT NULL,
  PRIMARY KEY (point, key)
) WITHOUT ROWID;
CREATE TABLE counter (
  run TEXT NOT NULL REFERENCES run (id),
  name TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (run, name)
) WITHOUT ROWID;
CREATE TABLE progress (
  point INTEGER NOT NULL REFERENCES point (id),
  profiler INTEGER NOT NULL,
  events INTEGER NOT NULL,
  cycles INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  invariance_error REAL,
  overlap REAL,
  overhead_analytical REAL,
  PRIMARY KEY (point, profiler, events)
) WITHOUT ROWID;

CREATE VIEW point_metric AS
  SELECT point.id AS point, point.design, point.workload, point.seed, metric_key.key, metric.value
  FROM metric JOIN metric_key ON metric_key.id = metric.key JOIN point ON point.id = metric.point;
CREATE VIEW design_metric AS
  SELECT design, key, avg(value) AS mean, min(value) AS least, max(value) AS most,
         count(*) AS points
  FROM point_metric GROUP BY design, key;
CREATE VIEW failure AS
  SELECT run.id AS run, run.kind, run.status, run.reason, run.command, count(point.id) AS points
  FROM run LEFT JOIN point ON point.run = run.id
  WHERE run.status <> 'done' GROUP BY run.id;
CREATE VIEW cpi_stack AS
  SELECT point.id AS point, point.design, point.workload, substr(counter.name, 10) AS class,
         counter.value AS cycles
  FROM point JOIN counter ON counter.run = point.run WHERE counter.name LIKE 'core.cpi.%';
)sql";

}  // namespace strobe::explore
