#include "sw/reproduce/shim/shim_limits.h"

#include <fmt/format.h>

namespace strobe::reproduce::shim {

Table limits_table() {
  const auto percents = [](double share) { return fmt::format("{:.0f} %", 100 * share); };
  return {"Limits, fixed before the runs",
          {"claim about", "limit", "reason"},
          {{"a large overhead, beside the paper's", "half of it to one and a half",
            "other programs and another core: only the size can be alike"},
           {"a small overhead, beside the paper's", fmt::format("at most {:.0f} times it", kFactor),
            "the same; less is not worse"},
           {"no overhead", "at most " + percents(kNothing), "the paper's error bars are as long"},
           {"valid samples", "at least " + percents(kValid), "the paper's own words"},
           {"valid samples at the highest rate", "at most " + percents(kHalf),
            "the paper: over half are discarded"},
           {"the most frequent period", "at most " + percents(kAnyMode) + " of the samples",
            "the paper has 1 %; a regular observer has nearly all"},
           {"the observer's own rate", fmt::format("within {:.0f} points", 100 * kFewerPoints),
            "shares of samples, which the paper gives to the point"}}};
}

}  // namespace strobe::reproduce::shim
