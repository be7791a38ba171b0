// What a sweep's directory knows, as its report shows it: docs/reports.md has the JSON form.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sw/report/report_error.h"
#include "sw/report/text_pool.h"

namespace strobe::report {

/// An axis of the sweep.
struct Axis {
  std::string key, unit, description;
  bool number = true;
};

struct Objective {
  std::string key;
  bool maximize = false;
  std::string unit;  // where the key does not say it
};

/// Area of the blocks of a profiler, um2, as synthesis found it.
struct Area {
  size_t profiler = 0;  // its place in the run file
  double logic = 0, flip_flops = 0, memory = 0;
};

/// A combination of values of the axes.
struct Design {
  std::string label;                              // "strata=64 rate=16"
  std::vector<nlohmann::json> settings;           // by axis: a number, a text or null
  std::vector<std::optional<double>> objectives;  // means over the points that have them
  /// Of the intervals of these means over seeds; none: one seed, or a point has no such result.
  std::vector<std::optional<double>> half_widths;
  std::optional<bool> feasible, front;  // none: not all of its points are in
  std::vector<Area> areas;              // by place
};

/// A design on a workload with a seed.
struct Point {
  size_t design = 0, run = 0;  // in SweepData
  std::string workload, status;
  uint64_t seed = 0;
  std::vector<std::optional<double>> objectives;
  TextPool::Text configuration;  // effective, of its run, with no other point's profilers
};

/// The points of a design on a workload, which differ only in their seed.
struct OverSeeds {
  size_t design = 0;
  std::string workload;
  size_t seeds = 0;                                // done
  std::vector<std::optional<double>> objectives;   // means
  std::vector<std::optional<double>> half_widths;  // of their intervals
};

struct Run {
  std::string id, status, reason, command;
  uint64_t instructions = 0, cycles = 0;
  std::optional<double> overhead;       // measured
  std::map<std::string, uint64_t> cpi;  // cycles by class of the CPI stack
};

/// The accuracy of a profiler of a point as the run went on.
struct ProgressCurve {
  size_t point = 0, profiler = 0;
  std::vector<uint64_t> events;
  std::vector<std::optional<double>> overlap, invariance_error;
};

struct SweepData {
  std::string name, file, base, search, version, git_id;
  std::vector<Axis> axes;
  std::vector<Objective> objectives;
  std::vector<std::string> constraints;
  std::vector<Design> designs;
  std::vector<Point> points;
  size_t workloads = 0, seeds = 0;    // how many different ones the points have
  std::vector<OverSeeds> over_seeds;  // by design and workload; none in a sweep of one seed
  std::vector<Run> runs;
  std::vector<ProgressCurve> progress;
  bool progress_of_front_only = false;  // there is more than a page can hold
  TextPool configurations;
};

/// Progress beyond so many lines is read for the designs on the front alone.
inline constexpr int64_t kMostProgress = 200'000;

/// Reads the directory of a sweep. Throws ReportError when it has no points or no objectives, is of
/// a newer Strobe or no sweep's; explore::DatabaseError when its database is damaged.
SweepData read_sweep(const std::filesystem::path& directory, int64_t most_progress = kMostProgress);

nlohmann::ordered_json to_json(const SweepData& data);

/// Designs on the front, the best of the first objective first.
std::vector<size_t> front_of(const SweepData& data);

/// The last parts of keys that tell them apart: "rate" or, where two have it, all of the key.
std::vector<std::string> short_names(const std::vector<std::string>& keys);

/// Of a result with this key: "um2", "ns", "GE"; empty where the name says it or it is a number.
std::string unit_of(const std::string& key);

}  // namespace strobe::report
