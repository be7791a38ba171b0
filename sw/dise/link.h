// Links the entries of several files into one image: merging, order, conflicts, capacity.
#pragma once

#include <vector>

#include "sw/dise/candidate.h"

namespace strobe::dise {

/// Links the candidates. Their file numbers are the places of the files in the production set.
Image link(std::vector<Candidate> candidates, const Limits& limits, Faults& faults);

}  // namespace strobe::dise
