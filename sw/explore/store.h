// The results of a sweep in its database; docs/sweeps.md has the tables. One process writes it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sw/explore/database.h"
#include "sw/explore/record.h"
#include "sw/explore/sweep_file.h"

namespace strobe::explore {

struct AxisHeader {
  std::string key, unit, description;
  bool number = true;
};

/// What the database says of the sweep itself.
struct StoreHeader {
  std::string name, file, base, search;
  std::string version, git_id;  // of Strobe
  std::vector<AxisHeader> axes;
  std::vector<Objective> objectives;
  std::vector<Condition> constraints;
};

/// The mean of each objective over the points of a design; none: it has no such result.
struct DesignScore {
  std::vector<std::optional<double>> objectives;
  bool feasible = false;  // every constraint holds
};

class Store {
 public:
  /// Opens the database in a sweep's folder, or makes it. One that was made for another sweep file
  /// is made anew, and so is a damaged one, which is kept under another name. Throws
  /// DatabaseError: of a newer version, no room.
  Store(const Folder& folder, StoreHeader header);
  ~Store();

  /// Status of every point in it, by key.
  const std::map<std::string, std::string>& points() const { return points_; }

  /// Several runs at a time are faster: what is added between begin() and commit() is one change.
  void begin();
  void commit();
  /// Adds what a run answered, in place of earlier answers. A result that is there and whole makes
  /// it done; a damaged one makes the run a failed one. @return the end as it was stored
  RunEnd add(const RunRecord& record, RunEnd end);
  /// Adds a run that answers no point by itself.
  void add_run(const RunRecord& record, const RunEnd& end, const nlohmann::json& result = nullptr);
  /// Removes answers to the same design, workload, seed and budget that have another key: they are
  /// of another program or configuration.
  void drop_predecessors(const PointRecord& point);
  /// Numbers that synthesis found, of a point that is in it, in place of all whose key begins with
  /// `prefix`.
  void replace_metrics(const std::string& point_key, const std::string& prefix,
                       const std::map<std::string, double>& metrics);
  /// Whether a run is in it and is done.
  bool is_done(const std::string& run);

  /// Keys of the points that have a number of this key.
  std::set<std::string> points_with(const std::string& metric);

  /// Says for each design whether it is feasible and on the front, once all points are in.
  void rate();
  /// By label of the design; only designs that have a point with this budget that is done.
  std::map<std::string, DesignScore> scores(std::optional<uint64_t> budget);
  /// The keys of results there are.
  std::vector<std::string> metric_keys();

  /// points.csv and points.jsonl.
  void write_exports();

  Database& database() { return *database_; }
  /// A damaged database was put aside: one sentence. Empty: it was whole.
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
