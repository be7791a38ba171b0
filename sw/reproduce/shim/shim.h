// "Computer Performance Microscopy with SHIM": what an observer thread costs and how right it is.
// Here are the measurements and what follows from them; shim_runs.h makes them.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// Cycles of the producer of figure 8, without and with an observer.
struct Produced {
  unsigned wait = 0;    // rounds of the producer between two writes
  uint64_t period = 0;  // cycles of the observer from read to read; 0: as fast as it goes
  uint64_t alone = 0, observed = 0;
  uint64_t writes = 0;
  uint64_t invalidations = 0;  // of lines in caches, by the producer's writes
  double overhead() const { return static_cast<double>(observed) / static_cast<double>(alone) - 1; }
  double cycles_per_write() const {
    return static_cast<double>(alone) / static_cast<double>(writes);
  }
};
inline constexpr unsigned kWaits[] = {0, 4, 16, 64, 256};
inline constexpr uint64_t kConsumerPeriods[] = {0, 50, 100, 250, 1000, 4000};

struct Producer {
  std::vector<Produced> slower_producer;  // by kWaits
  std::vector<Produced> slower_observer;  // by kConsumerPeriods
};

/// A phase of the collector, as samples see it.
struct Phase {
  std::vector<double> ipc, bandwidth;  // requests to memory in 100 cycles; by part of the run
  std::vector<double> low;             // share of the samples with a rate below kLowRate
  std::vector<uint64_t> samples, cycles, requests;  // by rate, kRates buckets
};
inline constexpr unsigned kRates = 40;  // buckets up to the width of the core
inline constexpr double kLowRate = 0.3;
inline constexpr double kHighRate = 1.2;

/// The collector on one machine.
struct Collector {
  Phase stacks, globals;
};
/// The machines of the case studies.
enum Machine { kFast, kSlow, kFastPlain, kSlowPlain, kMachines };  // plain: without prefetchers

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
/// @param smt  the observer is on the producer's core: figure 10, else 9
Reproduction producer(const Producer& measured, bool smt);
/// Figures 14 to 19. @param machines  kMachines
Reproduction phases(const std::vector<Collector>& machines);
const std::vector<Setting>& changes_settings();
Reproduction changes(const std::vector<Program>& programs);

}  // namespace strobe::reproduce::shim
