// Hot data streams: sequences of references that repeat, found in the grammar of a trace.
//
// The heat of a stream is its length times the number of its occurrences that do not overlap
// (Hirzel and Chilimbi, "Bursty Tracing", FDDO-4 2001, section 5.2). Each reference counts for one
// stream only, so the heats of a result add up to at most the trace. docs/hot-streams.md compares
// the two detectors.
#pragma once

#include <cstdint>
#include <functional>
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
/// (PLDI 1999) that Chilimbi used for data references (PLDI 2001). Longest first, of one length the
/// hottest first, occurrences that touch a reference already counted do not count again. At least
/// two occurrences. Expands the trace: four bytes a reference.
HotStreams hot_subpaths(const Grammar& grammar, StreamLengths lengths, uint64_t heat);

/// Sum of the heats.
uint64_t covered_references(const HotStreams& streams);

struct Threshold {
  uint64_t heat = 0;
  HotStreams streams;  // with that heat
  bool reached = false;
};

/// The heat at which the hot streams together cover `percent` % of the references: halved from the
/// top until they do, then bisected, so that one more would be too much. Cover does not fall
/// steadily with the threshold; of several such heats this is one of the highest. When even streams
/// that occur twice cover too little, the lowest threshold and `reached` false.
/// @param detect  the streams of at least a heat
/// @param references  of the trace, separators not counted
Threshold threshold_for_cover(const std::function<HotStreams(uint64_t heat)>& detect,
                              StreamLengths lengths, uint64_t references, unsigned percent = 90);

}  // namespace strobe::profile
