// The contents of a sweep's directory, in the form in which its report shows them. docs/reports.md
// has the JSON form.
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
  std::string unit;  // given where the key does not say it
};

/// The area of the blocks of a profiler as synthesis found it, in um2.
struct Area {
  size_t profiler = 0;  // its index in the run file
  double logic = 0, flip_flops = 0, memory = 0;
};

/// A combination of values of the axes.
struct Design {
  std::string label;                              // "strata=64 rate=16"
  std::vector<nlohmann::json> settings;           // by axis: a number, a text or null
  std::vector<std::optional<double>> objectives;  // means over the points that have them
  /// The half-widths of the confidence intervals of these means over seeds. None: there is one
  /// seed, or a point has no such result.
  std::vector<std::optional<double>> half_widths;
  std::optional<bool> feasible, front;  // none: some of its points are missing
  std::vector<Area> areas;              // by index of the profiler
};

/// A design on a workload with a seed.
struct Point {
  size_t design = 0, run = 0;  // indices in SweepData
  std::string workload, status;
  uint64_t seed = 0;
  std::vector<std::optional<double>> objectives;
  TextPool::Text configuration;  // its run's effective one, without other points' profilers
};

/// The points of a design on a workload, which differ only in their seed.
struct OverSeeds {
  size_t design = 0;
  std::string workload;
  size_t seeds = 0;                                // the seeds whose points are done
  std::vector<std::optional<double>> objectives;   // means
  std::vector<std::optional<double>> half_widths;  // the intervals' of these means
};

struct Run {
  std::string id, status, reason, command;
  uint64_t instructions = 0, cycles = 0;
  std::optional<double> overhead;       // as measured
  std::map<std::string, uint64_t> cpi;  // cycles by class of the CPI stack
};

/// The accuracy of a profiler of a point over the course of the run.
struct ProgressCurve {
  size_t point = 0, profiler = 0;
  std::vector<uint64_t> events;
  std::vector<std::optional<double>> overlap, invariance_error;
};

/// The question of the sweep file, and what the results answer.
struct AnsweredQuestion {
  std::string ask, answer;
  std::optional<size_t> design;  // that answers; none: no design qualifies
};

struct SweepData {
  std::optional<AnsweredQuestion> question;
  std::string name, file, base, search, version, git_id;
  std::vector<Axis> axes;
  std::vector<Objective> objectives;
  std::vector<std::string> constraints;
  std::vector<Design> designs;
  std::vector<Point> points;
  size_t workloads = 0, seeds = 0;    // the numbers of different ones in the points
  std::vector<OverSeeds> over_seeds;  // by design and workload; empty with one seed
  std::vector<Run> runs;
  std::vector<ProgressCurve> progress;
  bool progress_of_front_only = false;  // all progress would be more than a page can hold
  TextPool configurations;
};

/// With more lines of progress than this, only the progress of designs on the front is read.
inline constexpr int64_t kMostProgress = 200'000;

/// Reads the directory of a sweep. Throws ReportError when the directory is not a sweep's, when a
/// newer Strobe wrote it, or when it has no points or no objectives. Throws explore::DatabaseError
/// when its database is damaged.
SweepData read_sweep(const std::filesystem::path& directory, int64_t most_progress = kMostProgress);

nlohmann::ordered_json to_json(const SweepData& data);

/// The designs on the front, those with the best first objective first.
std::vector<size_t> front_of(const SweepData& data);

/// The last part of each key, such as "rate", or the whole key where two keys have the same last
/// part.
std::vector<std::string> short_names(const std::vector<std::string>& keys);

/// The unit of the result with this key: "um2", "ns", "GE". Empty where the name says it or the
/// result is a plain number.
std::string unit_of(const std::string& key);

}  // namespace strobe::report
