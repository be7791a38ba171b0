// The heat threshold at which the hot streams cover a given percentage of a trace.
#pragma once

#include <cstdint>

#include "sw/profile/streams/grammar.h"
#include "sw/profile/streams/hot_streams.h"

namespace strobe::profile {

struct Threshold {
  uint64_t heat = 0;
  HotStreams streams;  // those of that heat or more
  bool reached = false;
};

/// The heat at which the streams together cover `percent` % of the references
/// ("Bursty Tracing", section 5.2, has 90 %); at a heat of one more they do not. When even streams
/// that occur twice cover too little, returns the lowest threshold and `reached` false.
///
/// The search divides the heat, from the top, until the cover is reached. The subpaths of a higher
/// heat are the first of those found, so the threshold can be read off them. The cover by symbols
/// does not rise steadily as the heat falls. Their threshold is bisected from there. The result is
/// one of the highest possible thresholds.
/// @param references  those of the trace, without separators
Threshold symbols_covering(const Grammar& grammar, StreamLengths lengths, uint64_t references,
                           unsigned percent = 90);
Threshold subpaths_covering(const Grammar& grammar, StreamLengths lengths, uint64_t references,
                            unsigned percent = 90);

}  // namespace strobe::profile
