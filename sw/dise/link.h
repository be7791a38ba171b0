// Entries of several files to one image: merging, order, conflicts, room.
#pragma once

#include <vector>

#include "sw/dise/candidate.h"

namespace strobe::dise {

/// Of files[i] the candidates have the number i.
Image link(std::vector<Candidate> candidates, const Limits& limits, Faults& faults);

}  // namespace strobe::dise
