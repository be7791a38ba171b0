// Figures 6 to 8 of HPS (hybrid profiling support) from what was measured on our programs: the
// curves, the tables and a verdict on every number the paper states (section 6).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
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

/// One region of a program under each way of profiling it for one of the profiles, in cycles.
struct Costs {
  uint64_t baseline = 0;      // with the lookup of the decode engine off
  uint64_t framework = 0;     // with the sampling framework of HPS alone
  uint64_t plain_basic = 0;   // with that of plain DISE alone, in which no burst ever begins
  uint64_t plain_checks = 0;  // plain DISE: counting and checking, but no burst ever begins
  uint64_t plain = 0;
  uint64_t hps = 0;
  std::optional<uint64_t> random;  // branch-on-random
  uint64_t instructions = 0;
  uint64_t occurrences = 0;      // references, calls, or calls and backward branches
  uint64_t collected = 0;        // by HPS
  uint64_t basic_injected = 0;   // instructions that the framework of plain DISE put in
  uint64_t checks_injected = 0;  // and with the checks of the profile
  uint64_t handler_bytes = 0;    // the size of the largest handler

  /// A part of the run time without profiling.
  double overhead(uint64_t cycles) const;
};

/// What figure 6 is made of, of a program.
struct Split {
  std::string program;
  std::array<Costs, kProfiles> of;
};

/// The parts of plain DISE's overhead, each what it adds to those before; fractions.
struct Parts {
  double basic = 0, checks = 0, profiling = 0;
  double total() const { return basic + checks + profiling; }
};
Parts parts_of(const Costs& costs);

/// One run with one setting: how good the sampled profile is, and what it cost.
struct Point {
  /// The paper's accuracy, of what makes up 90 %: of streams by access signature, of calls by
  /// function. Nothing where the program has no such profile.
  std::optional<double> overlap;
  /// Streams by pairs of successive accesses, calls by pc.
  std::optional<double> other;
  /// Streams as `overlap`, by the other detector.
  std::optional<double> symbols;
  uint64_t events = 0;  // collected
  /// A part of the cycles without HPS; nothing in a run without timing, or where no sampled unit
  /// met a handler.
  std::optional<double> overhead;
  /// How far off the overhead may be at 99.7 % confidence: 0 where all was timed.
  std::optional<double> half_width;
  uint64_t baseline = 0;  // cycles without HPS
};

/// What figures 7 and 8 are made of, of a program.
struct Sampled {
  std::string program;
  /// By burst length and frequency; with timing at the usual burst length.
  std::array<std::array<std::array<Point, kFrequencies.size()>, kBursts.size()>, kProfiles> points;
  std::array<Point, kProfiles> random;  // branch-on-random, 1/128; of pairs and methods

  const Point& usual(Profile profile, size_t frequency) const {
    return points[profile][kUsualBurst[profile]][frequency];
  }
};

/// What section 5 states of its machine; by default as it does.
struct Machine {
  unsigned width = 4, stages = 12, rob = 128, stations = 80;
  uint64_t l1i_kb = 32, l1d_kb = 32, l2_kb = 1024;
  unsigned patterns = 32, replacements = 2048;
  unsigned stall_cycles = 1;  // that a replacement takes

  std::string text() const;
};
/// Ok when ours is the paper's.
Check machine_check(const Machine& ours);

/// "call pairs: bzip2 204, paths 73" for the programs that collected fewer events than a verdict
/// needs; empty when there is none.
using Events = std::vector<std::pair<std::string, uint64_t>>;
std::string too_few(const std::string& what, const Events& by_program);
/// The claim; undecided, with the lists of too_few(), when one of them is not empty.
Claim with_enough(Claim claim, const std::vector<std::string>& lacking);

/// Each takes at least one program; the caller says what ran, in `setup`, and what was skipped.
Reproduction fig6(const std::vector<Split>& splits);
Reproduction fig7(const std::vector<Sampled>& programs);
Reproduction fig8(const std::vector<Sampled>& programs);

}  // namespace strobe::reproduce::hps
