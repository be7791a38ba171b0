#include "sw/synth/mapping/recipes.h"

#include <fmt/format.h>

namespace strobe::synth {
namespace {

const Recipe kMappings[] = {
    {"direct", "strash\n&get -n\n&nf\n&put\n"},
    {"restructured",
     "strash\n&get -n\n&fraig -x\n&put\nscorr\ndc2\nstrash\n&get -n\n&dch -f\n&nf\n&put\n"},
    {"chosen", "strash\ndch\nif -g\nstrash\ndch\nmap -B 0.9\n"},
};
constexpr int kFanouts[] = {4, 6, 12};

// map may leave a gate that drives nothing, and buffer fails on such a gate.
constexpr const char* kSizing = "cleanup\nbuffer -c -N {}\ntopo\nupsize\ndnsize\n";

}  // namespace

std::vector<Recipe> cell_recipes() {
  std::vector<Recipe> recipes;
  for (const Recipe& mapping : kMappings) {
    for (const int fanout : kFanouts) {
      recipes.push_back({fmt::format("{}-{}", mapping.name, fanout),
                         mapping.script + fmt::format(kSizing, fanout)});
    }
  }
  return recipes;
}

}  // namespace strobe::synth
