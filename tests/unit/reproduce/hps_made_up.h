// Programs on which HPS measures what its paper does.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sw/reproduce/hps/hps.h"

namespace strobe::reproduce::hps {

inline constexpr size_t kPrograms = 14;

/// So many programs, each after `change`, which is told the program's place.
template <class Program>
std::vector<Program> programs_of(const Program& program,
                                 const std::function<void(Program&, size_t)>& change = {}) {
  std::vector<Program> programs;
  for (size_t i = 0; i < kPrograms; ++i) {
    programs.push_back(program);
    programs.back().program += std::to_string(i);
    if (change) change(programs.back(), i);
  }
  return programs;
}

/// A program on which all comes out as in the paper.
inline Split split_as_in_the_paper() {
  Split split;
  split.program = "gcc";
  Costs all;
  all.baseline = all.framework = 100'000;
  all.plain_basic = 105'000;
  all.instructions = 120'000;
  all.collected = 1000;
  all.basic_injected = 30'000;
  split.of = {all, all, all};
  const auto set = [](Costs& of, uint64_t checks, uint64_t plain, uint64_t hps, uint64_t there) {
    of.plain_checks = checks;
    of.plain = plain;
    of.hps = hps;
    of.occurrences = there;
  };
  set(split.of[kStreams], 200'000, 211'000, 105'000, 40'000);
  set(split.of[kPairs], 116'000, 117'000, 101'000, 2'000);
  set(split.of[kMethods], 116'000, 117'000, 101'000, 10'000);
  split.of[kStreams].checks_injected = 110'000;
  split.of[kStreams].handler_bytes = 114;
  split.of[kPairs].handler_bytes = 178;
  split.of[kMethods].handler_bytes = 154;
  split.of[kPairs].random = split.of[kMethods].random = 120'000;
  return split;
}

/// Accuracies and overheads as the paper has them.
inline Sampled sampled_as_in_the_paper() {
  Sampled program;
  program.program = "twolf";
  for (size_t b = 0; b < kBursts.size(); ++b) {
    for (size_t f = 0; f < kFrequencies.size(); ++f) {
      const auto burst = static_cast<double>(b), sparse = static_cast<double>(f);
      const auto point = [&](double overlap, double overhead_at_100) {
        Point result{overlap, overlap - 0.1, {}, 1000, {}, {}, 10'000'000};
        result.overhead = overhead_at_100 * 100 / kFrequencies[f];
        result.half_width = 0;
        return result;
      };
      program.points[kStreams][b][f] = point(0.3 + 0.06 * burst - 0.05 * sparse, 0.05);
      program.points[kStreams][b][f].symbols = 0.2;
      program.points[kPairs][b][f] = point(0.96 - 0.02 * burst - 0.02 * sparse, 0.0105);
      program.points[kMethods][b][f] = point(0.97 - 0.02 * burst - 0.01 * sparse, 0.0105);
    }
  }
  program.random[kPairs] = program.random[kMethods] = program.points[kPairs][0][0];
  return program;
}

}  // namespace strobe::reproduce::hps
