// Evaluates designs: writes run files, has them launched, and collects the results.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sw/explore/launch/environment.h"
#include "sw/explore/launch/launcher.h"
#include "sw/explore/launch/run_keys.h"
#include "sw/explore/space/plan.h"
#include "sw/explore/space/space.h"
#include "sw/explore/store/store.h"

namespace strobe::explore {

struct ExecutorOptions {
  bool retry_failed = false;  // also evaluates what failed before
  bool force = false;         // also evaluates what is done
  /// Called at the end of each run.
  std::function<void(size_t done, size_t all, const RunRecord&, const RunEnd&)> progress;
  /// Called with one sentence when an earlier process left something damaged.
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

struct Tally {
  size_t points = 0, runs = 0;  // requested by this call, executed by this call
  size_t reused = 0;            // the points that were done before
  double run_seconds = 0;
};

/// Thrown to stop everything: the sweep was interrupted.
struct Stopped {};

class Executor {
 public:
  Executor(const Space& space, Folder folder, Store& store, Launcher& launcher,
           Environment environment, ExecutorOptions options, const std::atomic<int>& stop);

  /// Evaluates every point of the designs that has no answer yet. Throws Stopped when it was told
  /// to stop, after the finished runs are stored.
  void evaluate(const std::vector<uint64_t>& designs, std::optional<uint64_t> budget,
                bool iterative);

  const Tally& tally() const { return tally_; }

 private:
  struct Job {
    RunRecord record;
    std::string rtl_build;
    std::string stream;  // the id of the stream that it needs or makes
    bool started = false;
  };

  void read_archive();
  /// Reads a job file of this folder; nothing, and a warning, when it is damaged.
  std::optional<RunRecord> read_job(const std::string& id) const;
  /// Drops answers to the points of a plan that come from other programs or configurations.
  void drop_predecessors(const Plan& plan);
  bool is_settled(const std::string& key) const;
  std::vector<Point> points_of(const Plan& plan, const PlannedRun& run) const;
  /// @param place  of the point in its plan, from 0
  PointRecord record_of(const Point& point, const std::string& key, uint64_t place);
  /// Numbers the designs of a plan that are new.
  void place_designs(const Plan& plan);
  /// The job of a planned run; nothing when all its points are settled or it was refused.
  std::optional<Job> prepare(const Plan& plan, const PlannedRun& run);
  void write_run(const MergedRun& merged, Job* job);
  void write_job(const Job& job) const;
  /// @return the configuration of the run file in the form that a result or a stream has
  static std::string write_run_file(const yaml::Node& root, const std::filesystem::path& file);

  /// The next command that can start. Runs are prepared one by one, when they can be started.
  std::optional<Launch> next(const Plan& plan);
  /// Adds the job's points to those of a run with its id that is open or has ended. @return whether
  /// there is one
  bool share(const Job& job);
  /// Readies a job, or what it waits for first. @return whether that readied something
  bool admit(Job job);
  void record_for(const Job& replay);
  Launch start(Job& job);
  void on_end(const Launch& launch, const RunEnd& end);
  /// Whether the stream exists and is the one that a successful recording left.
  bool is_recorded(const std::string& stream);
  void refuse(const RunRecord& record, const std::string& reason);
  /// Checks the files that the run left, and stores its result. @return the end as it was stored
  RunEnd finish(const Job& job, RunEnd end);
  RunEnd stored(const RunRecord& record, RunEnd end);
  void adopt(const Plan& plan);
  void synthesize(const Plan& plan);

  const Space& space_;
  Folder folder_;
  Store& store_;
  Launcher& launcher_;
  Environment environment_;
  ExecutorOptions options_;
  const std::atomic<int>& stop_;
  RunKeys keys_;
  std::optional<uint64_t> budget_;
  /// The runs of earlier processes that answer a point, by the point's key.
  std::unordered_map<std::string, std::vector<std::string>> archive_;
  std::unordered_set<std::string> fresh_;       // the keys of points answered in this sweep
  std::map<std::string, std::string> streams_;  // SHA-256 of the whole streams, by id
  std::map<std::string, Job> open_;             // that have not ended, by id
  std::map<std::string, RunEnd> ended_;         // the runs and replays of this process, by id
  std::deque<std::string> ready_;               // ids of open jobs
  std::map<std::string, std::vector<std::string>> waiting_;  // ids, by what they wait for
  std::set<std::string> built_;              // the RTL builds that some run has ended with
  std::map<std::string, std::string> lost_;  // why streams could not be recorded
  size_t next_run_ = 0;                      // the first one of the plan that is not prepared
  std::map<uint64_t, int64_t> design_places_;
  uint64_t places_ = 0;  // the points of the plans before this one
  Tally tally_;
  size_t planned_ = 0;
};

}  // namespace strobe::explore
