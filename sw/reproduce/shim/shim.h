// "Computer Performance Microscopy with SHIM": what an observer thread costs and how right it is.
// Here are the measurements and what follows from them; shim_runs.h makes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce::shim {

/// How the observer of a run is set up.
struct Setting {
  const char* name;
  bool smt = false;  // else on a core of its own
  std::vector<std::string> counters = {};
  bool methods = false;  // the running method is a signal
  uint64_t period = 0;   // cycles; 0: as fast as it goes
  bool buffer = false;   // each sample is held against the truth
  // The changes of hardware that the paper asks for:
  bool non_temporal = false;  // a read that takes no line
  bool small_core = false;    // a simple core for the observer
  bool low_priority = false;
  bool remote = false;  // counters can be read from another hart
};

/// A run with an observer, and the same machine without one.
struct Observed {
  uint64_t cycles = 0, baseline = 0;
  uint64_t samples = 0;
  double own_ipc = 0;  // that the observer's hart has
  /// What each class of the CPI stack adds to the overhead, as a fraction of the baseline's cycles.
  std::map<std::string, double> effect;
  // With a buffer and the counter `instructions`:
  std::optional<double> kept;     // share that double-time error correction keeps
  std::optional<double> highest;  // rate
  std::optional<double> impossible, impossible_kept;  // share of the samples
  std::optional<double> rate_error, distance;         // the kept samples' from the truth
  std::optional<double> precision, recall;            // as Correction has them
  std::optional<double> least_cpc, most_cpc;
  std::optional<double> period_p10, period_p50, period_p90;
  std::optional<double> mode, mode_share;    // the most frequent period, and how frequent it is
  std::optional<double> own_near, own_wide;  // samples whose own rate is near their median
  // With a signal:
  std::optional<double> tag_error;

  double overhead() const {
    return static_cast<double>(cycles) / static_cast<double>(baseline) - 1;
  }
  double period() const { return static_cast<double>(cycles) / static_cast<double>(samples); }
};

/// How near the observer's own rate has to be to its median, as a fraction of it: the paper's 0.48
/// to 0.51, and 0.43 to 0.54.
inline constexpr double kOwnNear = 0.03, kOwnWide = 0.11;

struct Program {
  std::string name;
  std::vector<Observed> by;  // as the settings of the figure
};

/// The settings of each figure, and what follows from their runs. Each function takes at least one
/// program; the caller says what ran, in `setup`.
const std::vector<Setting>& correction_settings();
Reproduction correction(const std::vector<Program>& programs);
const std::vector<Setting>& periods_settings();
Reproduction periods(const std::vector<Program>& programs);
Reproduction own_rate(const std::vector<Program>& programs);
const std::vector<Setting>& signals_settings();
Reproduction signals(const std::vector<Program>& programs);
const std::vector<Setting>& rates_settings();
Reproduction rates(const std::vector<Program>& programs);
const std::vector<Setting>& correlation_settings();
Reproduction correlation(const std::vector<Program>& programs);
const std::vector<Setting>& remote_settings();
Reproduction remote(const std::vector<Program>& programs);
const std::vector<Setting>& changes_settings();
Reproduction changes(const std::vector<Program>& programs);

}  // namespace strobe::reproduce::shim
