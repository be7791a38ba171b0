// Hot data streams: sequences of references that repeat, found in the grammar of a trace.
//
// The heat of a stream is its length times the number of its occurrences that do not overlap
// (Hirzel and Chilimbi, "Bursty Tracing", FDDO-4 2001, section 5.2). Each reference counts for one
// stream only, so the heats of a result add up to at most the trace. docs/hot-streams.md compares
// the two detectors; both throw std::invalid_argument as check_lengths does.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/profile/grammar.h"

namespace strobe::profile {

/// Lengths of streams, in references. The default is what is long enough to optimise for (same
/// section); earlier work on the stability of streams took 2 to 100.
struct StreamLengths {
  uint32_t min = 10;
  uint32_t max = 40;
};

struct HotStream {
  std::vector<uint32_t> terminals;
  uint64_t frequency = 0;  // occurrences counted for it
  uint64_t heat() const { return terminals.size() * frequency; }
};

/// Hottest first; of equal heat the longer, then by terminals.
using HotStreams = std::vector<HotStream>;
void sort_streams(HotStreams& streams);

/// Streams that are rules of the grammar (Chilimbi and Hirzel, "Dynamic Hot Data Stream
/// Prefetching", PLDI 2002): users before used, occurrences inside a hot stream do not count again.
/// One pass over the grammar; streams that Sequitur has cut elsewhere are missed.
HotStreams hot_symbols(const Grammar& grammar, StreamLengths lengths, uint64_t heat);

/// Streams anywhere in the trace, whatever rules they cross, after Larus' search for hot subpaths
/// (PLDI 1999) that Chilimbi used for data references (PLDI 2001). Hottest first; of equal heat the
/// longer, then the earlier; occurrences that touch a reference already counted do not count again.
/// At least two occurrences. Those of a higher `heat` are the first of those of a lower one.
/// Expands the trace: 9 bytes a reference, 8 more where it repeats, and 32 for each window that may
/// be hot.
HotStreams hot_subpaths(const Grammar& grammar, StreamLengths lengths, uint64_t heat);

/// Sum of the heats.
uint64_t covered_references(const HotStreams& streams);

/// Throws std::invalid_argument unless 2 <= lengths.min <= lengths.max.
void check_lengths(StreamLengths lengths);

}  // namespace strobe::profile
