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
            "shares of samples, which the paper gives to the point"},
           {"a difference", "more than 0", "the paper says which is more, not by how much"},
           {"the producer's overhead", "at most " + percents(kSmallCost), "the paper's own words"},
           {"similar hot methods", "at least " + percents(kSimilar), "four of five"},
           {"what coarse samples show of the rates", "at most " + percents(kHalf),
            "the paper's band is 0.3 wide, against 3.5"},
           {"samples outside of it", "at least " + percents(kOutside),
            "half of the paper's, which are other programs'"},
           {"IPC by method, from the truth", "at most " + percents(kNearTruth), "ours"},
           {"a bandwidth that does not change", "at most " + percents(kUnchanged),
            "half of what the paper calls a change"},
           {"requests of samples with a high rate", "at least " + percents(kMostRequests),
            "the paper has 95 %"},
           {"a strong correlation", fmt::format("at most {:.1f}", kCorrelated),
            "the usual word for half and more"}}};
}

}  // namespace strobe::reproduce::shim
