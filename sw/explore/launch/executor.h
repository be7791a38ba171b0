// Evaluates designs: writes run files, has them launched, and collects the results.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sw/explore/launch/launcher.h"
#include "sw/explore/launch/synthesized.h"
#include "sw/explore/space/plan.h"
#include "sw/explore/space/space.h"
#include "sw/explore/store/store.h"

namespace strobe::explore {

/// What the executor has to know of the rest of Strobe.
struct Environment {
  std::string strobe;  // the path of the program
  /// The hash of everything that a result depends on except the configuration and the files that it
  /// names.
  std::string identity;
  std::string firmware;  // the path of the image that every run loads
  /// The identity of the RTL that a run simulates, as its manifest has it; null when it simulates
  /// none.
  std::function<nlohmann::json(const config::RunConfig&)> rtl;
  /// The files that syntheses read, by the keys that their report has under `inputs`; null when
  /// there are no syntheses.
  nlohmann::json synthesis_inputs;
  /// The RTL of a run's active profiler as text, which is the same for the same build; "" without
  /// RTL.
  std::function<std::string(const config::RunConfig&)> rtl_build;
  BlockOf block;
};

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

  /// The key of a point: the hash of everything that decides its result.
  std::string key_of(const Point& point);

 private:
  struct Job {
    RunRecord record;
    Launch launch;
    std::string rtl_build;
    std::string stream;  // the id of the stream that it needs or makes
  };

  void read_archive();
  /// Reads a job file of this folder; nothing, and a warning, when it is damaged.
  std::optional<RunRecord> read_job(const std::string& id) const;
  /// Drops answers to the points of a plan that come from other programs or configurations.
  void drop_predecessors(const Plan& plan);
  bool is_settled(const std::string& key) const;
  const std::string& workload_identity(size_t workload);
  Point point_of(const PlannedRun& run, const Plan& plan, size_t i) const;
  PointRecord record_of(const Point& point, const std::string& key);
  /// The job of a planned run; nothing when all its points are settled.
  std::optional<Job> prepare(const Plan& plan, const PlannedRun& run);
  void write_job(const Job& job) const;
  /// @return the configuration of the run file in the form that a result or a stream has
  static std::string write_run_file(const yaml::Node& root, const std::filesystem::path& file);
  std::string configuration_identity(const config::LoadResult& loaded, bool with_profilers);
  /// Whether an axis can name a file that runs read: the program's standard input, or productions.
  static bool names_inputs(const Space& space);
  /// The identities of what a run reads, as it was when this sweep first looked at it.
  nlohmann::json inputs_of(const config::RunConfig& configuration);
  const nlohmann::json& input(const std::string& path);
  /// Whether the stream exists and is the one that a successful recording left.
  bool is_recorded(const std::string& stream);
  void refuse(const RunRecord& record, const std::string& reason);
  void launch(std::vector<Job>& jobs);
  /// Checks the files that the run left, and stores its result. @return the end as it was stored
  RunEnd finish(const Job& job, RunEnd end);
  void adopt(const Plan& plan);
  void synthesize(const Plan& plan);

  const Space& space_;
  Folder folder_;
  Store& store_;
  Launcher& launcher_;
  Environment environment_;
  ExecutorOptions options_;
  const std::atomic<int>& stop_;
  bool inputs_vary_;  // with the design
  std::optional<uint64_t> budget_;
  std::map<size_t, std::string> workload_identities_;
  /// The runs of earlier processes that answer a point, by the point's key.
  std::unordered_map<std::string, std::vector<std::string>> archive_;
  std::unordered_set<std::string> fresh_;         // the keys of points answered in this sweep
  std::map<std::string, nlohmann::json> inputs_;  // identities of files, by path
  std::map<std::string, std::string> streams_;    // SHA-256 of the whole streams, by id
  Tally tally_;
  size_t planned_ = 0;
};

}  // namespace strobe::explore
