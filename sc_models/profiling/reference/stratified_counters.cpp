#include "sc_models/profiling/reference/stratified_counters.h"

#include <numeric>

#include "sc_models/profiling/reference/check.h"

namespace strobe::profiling {
namespace {

unsigned checked_log2(unsigned strata) {
  check_power_of_two("StratifiedCounters: strata", strata, 1, 4096);
  unsigned bits = 0;
  while ((1u << bits) < strata) ++bits;
  return bits;
}

}  // namespace

StratifiedCounters::StratifiedCounters(unsigned strata)
    : hash_(checked_log2(strata)), counters_(strata) {}

uint64_t StratifiedCounters::residue() const {
  return std::accumulate(counters_.begin(), counters_.end(), uint64_t{0});
}

}  // namespace strobe::profiling
