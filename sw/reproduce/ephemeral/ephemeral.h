// "Ephemeral Instrumentation for Lightweight Program Profiling": what a superblock scheduler gains
// from an ephemeral profile and from others, and what these profiles cost. Here are the
// measurements and what follows from them; ephemeral_runs.h makes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce::ephemeral {

/// Executions of a branch that are recorded an epoch: the rows of every table of the paper.
inline constexpr std::array<unsigned, 4> kPersistences = {10, 100, 1000, 10000};
inline constexpr uint64_t kUsualEpoch = 1'000'000;  // cycles
inline constexpr unsigned kUsualPersistence = 100;
inline constexpr std::array<uint64_t, 3> kEpochs = {100'000, kUsualEpoch, 10'000'000};
inline constexpr double kJitter = 0.1;  // share of an epoch, as in configs/runs/ephemeral.yaml

/// A table as the paper prints it, as fractions; empty: the cell is lost.
struct PaperTable {
  const char* name;
  const char* program;
  double complete;  // cycles of local scheduling = 1
  std::array<std::optional<double>, kPersistences.size()> ephemeral;
  std::array<double, kPersistences.size()> overhead;
};
inline const std::array<PaperTable, 5> kTables = {{
    {"ephemeral-table2", "wc", 0.723, {0.723, 0.723, 0.723, 0.723}, {0.039, 0.040, 0.038, 0.066}},
    {"ephemeral-table3",
     "compress",
     0.708,
     {0.789, 0.789, 0.789, 0.789},
     {0.007, 0.009, 0.009, 0.039}},
    {"ephemeral-table4", "eqntott", 0.611, {0.590, {}, {}, 0.603}, {0.000, 0.006, 0.005, 0.032}},
    {"ephemeral-table5", "espresso", 0.722, {}, {0.034, 0.040, 0.080, 0.234}},
    {"ephemeral-table6", "vortex", 0.681, {0.681, 0.682, 0.681, 0.682}, {0.0, 0.049, 0.226, 0.583}},
}};

/// A profile of the training input, and what it is worth.
struct Trained {
  uint64_t training_cycles = 0;      // cycles of the profiled run
  uint64_t test_cycles = 0;          // the program optimized by the profile, with the test input
  double overlap = 0;                // with the profile of all branches
  std::optional<double> bias_error;  // mean error of a branch's taken share, of ephemeral ones
};

/// A program. Cycles are those of runs on the in-order core.
struct Program {
  std::string name;
  uint64_t training_cycles = 0;  // as it is, with the training input
  uint64_t original = 0;         // as it is, with the test input, as the next ones
  uint64_t local = 0;            // scheduled block by block
  uint64_t complete = 0;         // optimized by the profile of all branches

  double normalized(uint64_t cycles) const {
    return static_cast<double>(cycles) / static_cast<double>(local);
  }
  /// The share of the cycles of local scheduling that an optimized program saves.
  double gain(uint64_t cycles) const { return 1 - normalized(cycles); }
  double overhead(const Trained& profile) const {
    return static_cast<double>(profile.training_cycles) / static_cast<double>(training_cycles) - 1;
  }
};

struct Persistences : Program {
  std::array<Trained, kPersistences.size()> by;
  uint64_t own_input = 0;  // optimized by the profile of all branches of the test input itself
  /// Laid out by BOLT, by the profile of all branches; empty: BOLT fails on the program.
  std::optional<uint64_t> bolt;
};

struct EpochLengths : Program {
  std::array<Trained, kEpochs.size()> by;  // with kUsualPersistence
  Trained jittered;                        // kUsualEpoch, kJitter
};

/// Every profiler of the platform, as a source of branch edges for the same optimizer.
struct ProfilerKind {
  const char* name;
  const char* what;
  const char* configuration;  // whose gates configs/synth/measured.json has; null: no hardware
};
enum ProfilerIndex { kComplete, kStratified, kGated, kBursty, kEphemeral, kRandom, kProfilers };
inline constexpr std::array<ProfilerKind, kProfilers> kProfilerKinds = {{
    {"complete", "every branch, by stubs that stay", nullptr},
    {"stratified", "H[P_256]_2048", "stratified-2048"},
    {"HPS-gated", "H[P_16]_2048 in bursts of ten, one branch in ten", "hps-gated-stratified"},
    {"bursty", "EC, 5000:50", nullptr},
    {"ephemeral", "persistence 100, epochs of 1 M cycles, jitter 0.1", nullptr},
    {"random", "R_256", "random-256"},
}};

struct Profilers : Program {
  std::array<Trained, kProfilers> by;
};

/// A program of which every branch but one is easy: that one is taken in one half of its period
/// only. Each value is the error of its taken share, of one place in the period where it starts.
struct Aliasing {
  double period = 0;      // cycles, of the instrumented program
  uint64_t epoch = 0;     // the nearest number of cycles
  double periods = 0;     // in each run
  double true_share = 0;  // in all its executions
  std::vector<double> in_step, jittered;
};

/// The paper's table beside ours. Each function takes at least one program; the caller says what
/// ran, in `setup`.
Reproduction table(const PaperTable& paper, const std::vector<Persistences>& programs);
/// The same program by program, and the project's own aims.
Reproduction programs(const std::vector<Persistences>& programs);
Reproduction epochs(const std::vector<EpochLengths>& programs);
Reproduction aliasing(const Aliasing& measured);
/// @param areas  gate equivalents by configuration
Reproduction profilers(const std::vector<Profilers>& programs,
                       const std::map<std::string, double>& areas);

}  // namespace strobe::reproduce::ephemeral
