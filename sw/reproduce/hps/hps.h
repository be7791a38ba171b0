// Figures 6 to 8 of HPS (hybrid profiling support) from what was measured on our programs: the
// curves, the tables and a verdict on every number the paper states (section 6).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce::hps {

/// The profiles of section 4.3; arrays of three have one place for each.
enum Profile : uint8_t { kStreams, kPairs, kMethods };
constexpr size_t kProfiles = 3;
inline constexpr std::array<const char*, kProfiles> kProfileNames = {"data streams", "call pairs",
                                                                     "methods"};
/// In names of files.
inline constexpr std::array<const char*, kProfiles> kFileNames = {"streams", "pairs", "methods"};

/// Section 5: one event in so many is in a burst; events a burst.
inline constexpr std::array<unsigned, 5> kFrequencies = {100, 500, 1000, 5000, 10000};
inline constexpr std::array<unsigned, 4> kBursts = {1, 10, 50, 100};
/// The place of 1/500, which section 6.2 recommends.
constexpr size_t kRecommended = 1;
/// Figure 7: the place of the burst length of each profile.
inline constexpr std::array<size_t, kProfiles> kUsualBurst = {3, 0, 0};

/// Events between two bursts: frequency = burst / (burst + sparsity).
constexpr uint64_t sparsity(unsigned burst, unsigned frequency) {
  return uint64_t{burst} * (frequency - 1);
}

/// Cycles of one region of a program under each way of profiling it.
struct Cycles {
  uint64_t plain_checks = 0;  // plain DISE: counting and checking, but no burst ever begins
  uint64_t plain = 0;
  uint64_t hps = 0;
  std::optional<uint64_t> random;  // branch-on-random
};

/// What figure 6 is made of, of a program.
struct Split {
  std::string program;
  uint64_t baseline = 0;     // cycles with the lookup of the decode engine off
  uint64_t framework = 0;    // with the sampling framework of HPS alone
  uint64_t plain_basic = 0;  // with that of plain DISE alone, in which no burst ever begins
  std::array<Cycles, kProfiles> of;
  uint64_t instructions = 0, references = 0, calls = 0;
  uint64_t events = 0;           // calls and backward branches
  uint64_t basic_injected = 0;   // instructions that the framework of plain DISE put in
  uint64_t checks_injected = 0;  // and with the checks of the data streams
  std::array<uint64_t, kProfiles>
      handler_bytes{};  // the size of the largest handler that a profile calls

  /// A part of the run time without profiling.
  double overhead(uint64_t cycles) const;
};

/// The parts of plain DISE's overhead, each what it adds to those before; fractions.
struct Parts {
  double basic = 0, checks = 0, profiling = 0;
  double total() const { return basic + checks + profiling; }
};
Parts parts_of(const Split& split, Profile profile);

/// How good a sampled profile is. Nothing where the program has no such profile.
struct Accuracy {
  /// The paper's, of what makes up 90 %: of streams by access signature, of calls by function.
  std::optional<double> overlap;
  /// Streams by pairs of successive accesses, calls by pc.
  std::optional<double> other;
  /// Streams as `overlap`, by the other detector.
  std::optional<double> symbols;
  uint64_t events = 0;  // collected
};

/// Cycles of a region with HPS, and without.
struct Overhead {
  uint64_t baseline = 0, cycles = 0;
  uint64_t events = 0;  // collected
  double fraction() const;
};

/// What figures 7 and 8 are made of, of a program.
struct Sampled {
  std::string program;
  /// By burst length and frequency.
  std::array<std::array<std::array<Accuracy, kFrequencies.size()>, kBursts.size()>, kProfiles>
      accuracy;
  std::array<Accuracy, kProfiles> random;  // branch-on-random, 1/128; of pairs and methods
  /// By frequency, at the usual burst length; only for figure 7.
  std::array<std::array<Overhead, kFrequencies.size()>, kProfiles> overhead;
};

/// What section 5 states of its machine; by default as it does.
struct Machine {
  unsigned width = 4, stages = 12, rob = 128, stations = 80;
  uint64_t l1i_kb = 32, l1d_kb = 32, l2_kb = 1024;
  unsigned patterns = 32, replacements = 2048;
  unsigned stall_cycles = 1;  // that a replacement takes

  std::string text() const;
};
/// Holds when ours is the paper's.
Claim machine_claim(const Machine& ours);

/// The paper says "about" so much: ours is within a quarter of it.
bool about(double paper, double ours);

/// The mean of those that there are; nothing when there is none.
std::optional<double> mean(const std::vector<std::optional<double>>& values);

/// Each takes at least one program; the caller says what ran, in `setup`, and what was skipped.
Reproduction fig6(const std::vector<Split>& splits);
Reproduction fig7(const std::vector<Sampled>& programs);
Reproduction fig8(const std::vector<Sampled>& programs);

}  // namespace strobe::reproduce::hps
