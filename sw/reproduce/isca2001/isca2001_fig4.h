// Figure 4 of ISCA 2001: how well six samplers estimate the count of one tuple (section 3.3).
#pragma once

#include <cstdint>
#include <vector>

#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce {

struct Fig4Params {
  unsigned trials = 2500;  // random permutations a length
  unsigned batches = 25;   // of them, as many in each: what the confidence intervals are from
  uint64_t seed = 1;
  std::vector<unsigned> lengths;  // N, rising; empty: the paper's 1000 to 20000 in steps of 1000
};

/// Streams of N tuples, 0.3 N of them the tuple p and the others drawn from 1000 more, permuted
/// anew for each trial; every sampler watches the same ones with a rate of 10 and starts empty.
/// Throws std::invalid_argument with fewer trials than batches.
Reproduction isca2001_fig4(const Fig4Params& params);

}  // namespace strobe::reproduce
