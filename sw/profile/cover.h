// The heat threshold at which the hot streams cover as much of a trace as is asked for.
#pragma once

#include <cstdint>

#include "sw/profile/grammar.h"
#include "sw/profile/hot_streams.h"

namespace strobe::profile {

struct Threshold {
  uint64_t heat = 0;
  HotStreams streams;  // with that heat and more
  bool reached = false;
};

/// The heat at which the streams together cover `percent` % of the references ("Bursty Tracing",
/// section 5.2, has 90 %); with one more they do not. When even streams that occur twice cover too
/// little, the lowest threshold and `reached` false.
///
/// Found by dividing the heat, from the top, until the cover is reached. The subpaths of a higher
/// heat are the first of those found, so the threshold can be read off them. Symbols cover now
/// more, now less as the heat falls; their threshold is bisected from there, one of the highest
/// there are.
/// @param references  of the trace, separators not counted
Threshold symbols_covering(const Grammar& grammar, StreamLengths lengths, uint64_t references,
                           unsigned percent = 90);
Threshold subpaths_covering(const Grammar& grammar, StreamLengths lengths, uint64_t references,
                            unsigned percent = 90);

}  // namespace strobe::profile
