// Hot data streams: sequences of references that repeat, found in the grammar of a trace.
//
// The heat of a stream is its length times the number of its occurrences that do not overlap
// (Hirzel and Chilimbi, "Bursty Tracing", FDDO-4 2001, section 5.2). Each reference counts for one
// stream only, so the sum of the heats of a result is at most the length of the trace.
// docs/hot-streams.md compares the two detectors. Both throw std::invalid_argument as check_lengths
// does.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/profile/streams/grammar.h"

namespace strobe::profile {

/// The lengths of streams, in references. The default is the range that is long enough to optimize
/// for (same section); earlier work on the stability of streams took 2 to 100.
struct StreamLengths {
  uint32_t min = 10;
  uint32_t max = 40;
};

struct HotStream {
  std::vector<uint32_t> terminals;
  uint64_t frequency = 0;  // the occurrences that count for the stream
  uint64_t heat() const { return terminals.size() * frequency; }
};

/// Sorted with the hottest stream first; of equal heats, the longer one is first, and equal lengths
/// are ordered by terminals.
using HotStreams = std::vector<HotStream>;
void sort_streams(HotStreams& streams);

/// Streams that are rules of the grammar (Chilimbi and Hirzel, "Dynamic Hot Data Stream
/// Prefetching", PLDI 2002). Rules come before the rules that they use, and occurrences inside a
/// hot stream do not count again. One pass over the grammar suffices; streams that Sequitur has cut
/// elsewhere are missed.
HotStreams hot_symbols(const Grammar& grammar, StreamLengths lengths, uint64_t heat);

/// Streams anywhere in the trace, whatever rules they cross, after Larus' search for hot subpaths
/// (PLDI 1999) that Chilimbi used for data references (PLDI 2001). The hottest stream comes first;
/// of equal heats the longer one, then the earlier one. Occurrences that touch a reference already
/// counted do not count again. Each stream has at least two occurrences. The streams for a higher
/// `heat` are the first of those for a lower one.
/// The search expands the trace: it takes 9 bytes a reference, 8 more where the reference repeats,
/// and 32 for each window that may be hot.
HotStreams hot_subpaths(const Grammar& grammar, StreamLengths lengths, uint64_t heat);

/// The sum of the heats.
uint64_t covered_references(const HotStreams& streams);

/// Throws std::invalid_argument unless 2 <= lengths.min <= lengths.max.
void check_lengths(StreamLengths lengths);

}  // namespace strobe::profile
