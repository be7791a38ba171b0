// Races made up so that the outcome is known.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "sw/reproduce/isca2001/isca2001.h"

namespace strobe::reproduce::isca2001 {

inline constexpr size_t kPrograms = 14;
inline constexpr size_t kStarts = 4, kSeeds = 3;

/// A compressor of the made-up races: the error is `scale` / events, and the messages are a share.
struct Made {
  std::string name;
  double scale;  // events at which the error is 100 %
  double share;  // so many of the events are sent
};

using Change = std::function<void(std::vector<Made>&, size_t program)>;

inline std::vector<Raced> races_of(const std::vector<Made>& made, const Change& change = {},
                                   size_t programs = kPrograms) {
  std::vector<Raced> races;
  for (size_t p = 0; p < programs; ++p) {
    std::vector<Made> of_program = made;
    if (change) change(of_program, p);
    Raced raced;
    raced.program = "p" + std::to_string(p);
    raced.stream = 16'000'000;
    for (double events = 10'000; events < 8e6; events *= 1.1) {
      raced.events.push_back(static_cast<uint64_t>(events));
    }
    raced.events.push_back(8'000'000);
    for (size_t start = 0; start < kStarts; ++start) {
      Window window;
      window.loads = 50;
      window.top_share = 0.05;
      for (const uint64_t events : raced.events) window.cycles.push_back(events * 7 / 2);
      for (const Made& one : of_program) {
        std::vector<Course>& seeds = window.courses.emplace_back();
        for (size_t seed = 0; seed < kSeeds; ++seed) {
          Course& course = seeds.emplace_back();
          // Starts and seeds differ a little.
          const double scale = one.scale * (1 + 0.01 * static_cast<double>(start + seed));
          for (const uint64_t events : raced.events) {
            const auto so_far = static_cast<double>(events);
            course.errors.push_back(std::min(1.0, scale / so_far));
            course.messages.push_back(static_cast<uint64_t>(one.share * so_far));
          }
        }
      }
      raced.windows.push_back(std::move(window));
    }
    for (const Made& one : of_program) raced.compressors.push_back(one.name);
    races.push_back(std::move(raced));
  }
  return races;
}

/// As in the paper: R is under 5 % at 1M events, H[P_256]_2048 at 43K.
inline std::vector<Made> as_in_the_paper() {
  return {{"R_256", 50'000, 1.0 / 256},
          {"P_256", 50'000, 1.0 / 256},
          {"H[P_256]_2048", 50'000 / 23.0, 1.0 / 257},
          {"H[P_512]_2048", 40'000, 1.0 / 512},
          {"T", 1000, 3.0 / 257}};
}
/// Half of the programs are changed.
inline Change in_half(const std::function<void(std::vector<Made>&)>& change) {
  return [=](std::vector<Made>& made, size_t program) {
    if (program % 2 == 0) change(made);
  };
}
inline Change in_all(const std::function<void(std::vector<Made>&)>& change) {
  return [=](std::vector<Made>& made, size_t) { change(made); };
}

}  // namespace strobe::reproduce::isca2001
