// The random number generator's RTL against its reference.
#include "sc_models/profiling/reference/common/lfsr.h"

#include "Vlfsr.h"
#include "tb/common/clocked.h"
#include "tb/common/compare.h"

namespace strobe::tb {
namespace {

TEST(LfsrRtl, EqualsTheReferenceThroughStepsStopsClearsAndResets) {
  constexpr uint64_t kStart = 0x9E3779B97F4A7C15;  // the seed that would give the state 0
  Clocked<Vlfsr> rtl;
  profiling::Lfsr reference;
  Random random(bench_seed());
  for (uint64_t cycle = 0; cycle < bench_cycles(); ++cycle) {
    if (below(random, 5000) == 0) {
      rtl.reset();
      reference = profiling::Lfsr(0);
    }
    const uint64_t seeds[] = {0, 1, kStart, random()};
    rtl.top().seed_i = seeds[below(random, 4)];
    rtl.top().clear_i = below(random, 100) == 0;
    rtl.top().step_i = chance(random, 70);
    rtl.settle();
    ASSERT_EQ(rtl.top().random_o, reference.number()) << "cycle " << cycle;
    if (rtl.top().step_i) reference.step();
    if (rtl.top().clear_i) reference = profiling::Lfsr(rtl.top().seed_i);
    rtl.edge();
  }
}

}  // namespace
}  // namespace strobe::tb
