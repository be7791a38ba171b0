#include "sw/reproduce/ephemeral/ephemeral_limits.h"

#include <fmt/format.h>

namespace strobe::reproduce::ephemeral {

Table limits_table() {
  const auto points = [](double share) { return fmt::format("{:.0f} points", 100 * share); };
  const std::string point = "1 point";
  return {"Limits, fixed before the runs",
          {"claim about", "limit", "reason"},
          {{"cycles by the complete profile, beside the paper's", "a quarter of the saving",
            "other programs, compiler and scheduler: only the size can be alike"},
           {"overhead, beside the paper's", fmt::format("a quarter of it, at least {}", point),
            "the paper's own four persistences differ by less where nothing changes"},
           {"difference of normalized cycles or overheads", point,
            "the paper's equally good profiles differ by 0.1; moved code alone makes up to 1"},
           {"low overhead", fmt::format("at most {:.0f} %", 100 * kLowOverhead),
            "the paper's abstract: 1-5 %"},
           {"overhead of complete profiles",
            fmt::format("{:.1f} to {:.1f} %", 100 * kLeastComplete, 100 * kMostComplete),
            "the paper's introduction, of QPT and PP"},
           {"gain kept", fmt::format("at least {:.0f} %", 100 * kKept),
            "the rest, of the largest gain of the paper, is 4 points: what compress loses or less"},
           {"share of the branch in step", fmt::format("wrong by at least {}", points(kInStep)),
            "one phase alone is wrong by 50; ticks may fall at the border of two"},
           {"the same with jitter", fmt::format("wrong by at most {}", points(kMended)),
            "a random walk of 800 ticks is wrong by 7 in the mean; twice that"}}};
}

}  // namespace strobe::reproduce::ephemeral
