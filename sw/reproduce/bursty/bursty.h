// Figures 6 to 8 of "Bursty Tracing" (Hirzel and Chilimbi, FDDO-4 2001) from what was measured on
// our programs: the bars, the tables and a verdict on what sections 3 to 5 state.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce::bursty {

/// The bars of figures 6 and 8.
inline constexpr std::array<const char*, 8> kVariants = {"orig", "EL",  "EC", "EN",
                                                         "L4",   "L10", "LN", "EC+L4"};
enum Variant : uint8_t { kOrig, kEL, kEC, kEN, kL4, kL10, kLN, kPreferred };

/// nCheck0 and nInstr0 of the bars of figure 7.
struct Setting {
  uint64_t n_check0 = 0, n_instr0 = 0;
  /// The share of the checks that is in a burst.
  double rate() const {
    return static_cast<double>(n_instr0) / static_cast<double>(n_check0 + n_instr0);
  }
  std::string text() const;
};
inline constexpr std::array<Setting, 8> kSettings = {
    {{20, 1}, {200, 10}, {1000, 50}, {100, 1}, {1000, 10}, {5000, 50}, {200, 1}, {2000, 10}}};
enum SettingPlace : uint8_t {
  k20_1,
  k200_10,
  k1000_50,
  k100_1,
  k1000_10,
  k5000_50,
  k200_1,
  k2000_10
};
inline constexpr uint64_t kInfinity = 0x7fffffff;
/// The one of figure 8.
inline constexpr Setting kUsual = kSettings[k1000_50];

/// One region of a program under one edit.
struct Cost {
  uint64_t cycles = 0, instructions = 0;
  uint64_t code_bytes = 0;  // all code
  uint64_t l1i_misses = 0;
  double overhead(const Cost& original) const;
};

/// What figure 6 is made of, of a program: nothing is ever sampled.
struct Basic {
  std::string program;
  Cost original;
  std::array<Cost, kVariants.size()> variants;
};

/// A sampled profile of hot data streams, against that of all references.
struct Quality {
  double exact = 0;    // equation 5, streams of the subpath detector
  double pairs = 0;    // the overlap of successive references
  double symbols = 0;  // equation 5, streams of the other detector
  uint64_t events = 0, exhaustive = 0;
  uint64_t bursts = 0, least = 0, p10 = 0, p50 = 0, p90 = 0, most = 0;  // events a burst
  uint64_t returns = 0, accidental = 0;
  double share() const { return static_cast<double>(events) / static_cast<double>(exhaustive); }
};

/// A profiler on the same region at the same frequency.
struct Rival {
  Quality quality;
  Cost cost;
};
inline constexpr std::array<const char*, 3> kRivals = {"HPS", "plain DISE", "bursty tracing"};

/// What figure 7 is made of, of a program.
struct Settings {
  std::string program;
  Cost original;
  Cost checking, instrumented;  // always in the one copy or the other
  std::array<Quality, kSettings.size()> quality;
  std::array<Cost, kSettings.size()> cost;
  std::array<Rival, kRivals.size()> rivals;  // one reference in a hundred, in bursts
};

/// What figure 8 is made of, of a program.
struct Variants {
  std::string program;
  std::array<Quality, kVariants.size()> quality;
};

/// Each takes at least one program; the caller says what ran, in `setup`, and what was skipped.
Reproduction fig6(const std::vector<Basic>& programs);
Reproduction fig7(const std::vector<Settings>& programs);
Reproduction fig8(const std::vector<Variants>& programs);

/// A figure with a curve for each of orig, EC, L4 and EC+L4. `of` gives a variant's value for each
/// program, as a fraction; the figure shows them in per cent.
Figure figure_of_variants(const std::string& name, const std::string& title,
                          const std::string& value, std::vector<std::string> programs,
                          const std::function<std::vector<double>(Variant)>& of);

/// One number of every program.
template <class Program, class Value>
std::vector<double> of_all(const std::vector<Program>& programs, Value value) {
  std::vector<double> values;
  for (const Program& program : programs) values.push_back(value(program));
  return values;
}

}  // namespace strobe::reproduce::bursty
