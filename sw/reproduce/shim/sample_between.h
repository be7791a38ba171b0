// A sample of SHIM from two entries of the observer's buffer, which need not follow each other.
#pragma once

#include "sc_models/machine/outcome/outcome.h"
#include "sw/profile/rates/rate_samples.h"

namespace strobe::shim {

/// With the first two counters, the true count of instructions, and no gap.
inline profile::RateSample sample_between(const platform::ObservedSample& last,
                                          const platform::ObservedSample& now) {
  profile::RateSample sample;
  sample.cycles = now.begin - last.begin;
  sample.at_end = now.end - last.end;
  sample.count = now.counter[0] - last.counter[0];
  sample.second = now.counter[1] - last.counter[1];
  sample.truth = now.instructions - last.instructions;
  return sample;
}

}  // namespace strobe::shim
