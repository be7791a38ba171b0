// Tables 2 to 6 of "Ephemeral Instrumentation for Lightweight Program Profiling": what a superblock
// scheduler gains from an ephemeral profile, what it gains from a complete one, and what the
// ephemeral one costs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce::ephemeral {

/// Executions of a branch that are recorded an epoch: the rows of every table.
inline constexpr std::array<unsigned, 4> kPersistences = {10, 100, 1000, 10000};

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

/// How near ours must be for a claim to hold.
inline constexpr double kOfSaving = 0.25;    // share of the paper's saving by a complete profile
inline constexpr double kOfOverhead = 0.25;  // share of the paper's overhead, at least kPoint
inline constexpr double kPoint = 0.01;       // for differences
/// The project's own aim: the geometric mean of the normalized cycles with the complete profile,
/// and the number of programs that get faster.
inline constexpr double kAim = 0.90;
inline constexpr unsigned kFaster = 6;

/// A profile with one persistence.
struct Ephemeral {
  uint64_t training_cycles = 0;  // the instrumented program, with the training input
  uint64_t test_cycles = 0;      // the program optimized by the profile, with the test input
  double bias_error = 0;         // mean difference of a branch's taken share
};

/// What was measured of a program. Cycles are those of runs on the in-order core.
struct Measured {
  std::string program;
  uint64_t training_cycles = 0;  // the program as it is, with the training input
  uint64_t local = 0;            // scheduled block by block: the test input, as the next one
  uint64_t complete = 0;         // optimized by the profile of all branches
  std::array<Ephemeral, kPersistences.size()> ephemeral;

  double normalized(uint64_t cycles) const {
    return static_cast<double>(cycles) / static_cast<double>(local);
  }
  double overhead(size_t persistence) const {
    return static_cast<double>(ephemeral[persistence].training_cycles) /
               static_cast<double>(training_cycles) -
           1;
  }
};

/// The paper's table beside ours. Takes at least one program; the caller says what ran, in `setup`.
Reproduction table(const PaperTable& paper, const std::vector<Measured>& programs);

}  // namespace strobe::reproduce::ephemeral
