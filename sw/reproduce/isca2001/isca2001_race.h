// Compressors that watch the same windows of a recorded stream, each with several seeds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/reproduce/isca2001/isca2001.h"
#include "sw/reproduce/kept_results.h"
#include "sw/reproduce/program_streams.h"

namespace strobe::isca2001 {

struct RacePlan {
  std::string name;  // in the kept results
  std::vector<Contender> contenders;
  uint64_t window;       // events of a window at most; at most half of the stream
  uint64_t least;        // events that a stream must have for a race
  unsigned starts = 10;  // windows, evenly over the stream; a window overlaps the next
  unsigned seeds = 5;
  uint64_t first_point = 10'000;  // events
  unsigned points_per_decade = 20;
};

/// The points of a window of so many events: evenly on a logarithmic scale, and its end.
std::vector<uint64_t> points_of(const RacePlan& plan, uint64_t window);

/// Every contender starts empty in every window. A seed is that of a random sampler and of the
/// hash: a word that is xored into pc and value before anything looks at them, which gives
/// `randomize` (section 3.5) another permutation at each of their lower bytes; the first seed is
/// that of the hardware, with the word 0. A stream with too few events gives no windows. Throws
/// std::runtime_error when the stream is damaged or holds a run that failed.
reproduce::isca2001::Raced race(const ProgramStream& stream, const RacePlan& plan);
/// The same from what is kept, if it is.
reproduce::isca2001::Raced kept_race(KeptResults& kept, const ProgramStream& stream,
                                     const RacePlan& plan);

}  // namespace strobe::isca2001
