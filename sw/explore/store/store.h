// The results of a sweep in its database; docs/sweeps.md has the tables. One process writes it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sw/explore/space/sweep_file.h"
#include "sw/explore/store/database.h"
#include "sw/explore/store/record.h"

namespace strobe::explore {

struct AxisHeader {
  std::string key, unit, description;
  bool number = true;
};

/// The database's own record of the sweep.
struct StoreHeader {
  std::string name, file, base, search;
  std::string version, git_id;  // Strobe's
  std::vector<AxisHeader> axes;
  std::vector<Objective> objectives;
  std::vector<Condition> constraints;
};

/// The mean of each objective over the points of a design; none: the design has no such result.
struct DesignScore {
  std::vector<std::optional<double>> objectives;
  bool feasible = false;  // whether every constraint holds
};

class Store {
 public:
  /// Opens the database in a sweep's folder, or makes it. A database of another sweep file is made
  /// anew, and so is a damaged one, which is kept under another name. Throws DatabaseError when a
  /// newer Strobe wrote it or when there is no room.
  Store(const Folder& folder, StoreHeader header);
  ~Store();

  /// The status of every point in the database, by key.
  const std::map<std::string, std::string>& points() const { return points_; }

  /// Adds to the number of points that this sweep is to have. Rungs of a search do not count.
  void plan(size_t points);
  /// The sweep has tried everything that it was to try.
  void end();

  /// Adding several runs at a time is faster: everything between begin() and commit() is one
  /// change.
  void begin();
  void commit();
  /// Adds the answers of a run in place of earlier answers. A result that exists and is whole makes
  /// the run done; a damaged result makes it failed. @return the end as it was stored
  RunEnd add(const RunRecord& record, RunEnd end);
  /// Adds a run that answers no point by itself.
  void add_run(const RunRecord& record, const RunEnd& end, const nlohmann::json& result = nullptr);
  /// Removes answers to the same design, workload, seed and budget that have another key, because
  /// they come from another program or configuration.
  void drop_predecessors(const PointRecord& point);
  /// Stores the numbers that synthesis found for a point in the database. They replace all numbers
  /// of the point whose key begins with `prefix`.
  void replace_metrics(const std::string& point_key, const std::string& prefix,
                       const std::map<std::string, double>& metrics);
  /// Whether the database has the run and it is done.
  bool is_done(const std::string& run);

  /// The keys of the points that have a number under this key.
  std::set<std::string> points_with(const std::string& metric);

  /// Decides for each design whether it is feasible and on the front, once all points are in the
  /// database.
  void rate();
  /// The scores by label of the design. Only designs that have a point of this budget that is done
  /// have one.
  std::map<std::string, DesignScore> scores(std::optional<uint64_t> budget);
  /// The keys of all results in the database.
  std::vector<std::string> metric_keys();

  /// Writes points.csv and points.jsonl.
  void write_exports();

  Database& database() { return *database_; }
  /// One sentence when a damaged database was put aside; empty: it was whole.
  const std::string& put_aside() const { return put_aside_; }

 private:
  struct Statements;

  void open();
  void create();
  void create_views();
  int64_t design_of(const PointRecord& point);
  int64_t metric_key(const std::string& key);
  void add_numbers(int64_t point, const std::string& path, const nlohmann::json& value);
  void add_progress(const RunRecord& record, const std::map<std::string, int64_t>& points);
  void prepare();

  Folder folder_;
  StoreHeader header_;
  std::string put_aside_;
  std::unique_ptr<Database> database_;
  std::unique_ptr<Statements> statements_;
  std::unique_ptr<Transaction> transaction_;
  std::map<std::string, std::string> points_;
  std::map<std::string, int64_t> designs_, metric_keys_;
};

}  // namespace strobe::explore
