// Branch-on-random: the RTL against its reference.
#include "sc_models/port/branch_on_random.h"

#include <array>
#include <vector>

#include "Vbranch_on_random.h"
#include "tb/common/clocked.h"
#include "tb/common/compare.h"

namespace strobe::tb {
namespace {

constexpr uint32_t kStates = 1u << 20;

void stop_inputs(Vbranch_on_random& top) { top.load_i = top.draw_i = top.frequency_i = 0; }

TEST(BranchOnRandomRtl, EqualsTheReferenceThroughDrawsLoadsAndResets) {
  Clocked<Vbranch_on_random> rtl;
  BranchOnRandom reference;
  Random random(bench_seed());
  uint32_t saved = 0;
  for (uint64_t cycle = 0; cycle < bench_cycles(); ++cycle) {
    if (below(random, 5000) == 0) {
      stop_inputs(rtl.top());
      rtl.reset();
      reference = BranchOnRandom();
    }
    if (chance(random, 5)) saved = reference.state();
    const uint32_t states[] = {0, 1, kStates - 1, saved, static_cast<uint32_t>(random()) % kStates};
    rtl.top().load_state_i = states[below(random, 5)];
    rtl.top().load_i = chance(random, 3);
    rtl.top().draw_i = chance(random, 70);
    rtl.top().frequency_i = static_cast<CData>(below(random, kRandomFrequencies));
    rtl.settle();
    ASSERT_EQ(rtl.top().state_o, reference.state()) << "cycle " << cycle;
    ASSERT_EQ(rtl.top().taken_o, reference.taken(rtl.top().frequency_i)) << "cycle " << cycle;
    if (rtl.top().draw_i) reference.draw(rtl.top().frequency_i);
    if (rtl.top().load_i) reference.load(rtl.top().load_state_i);
    rtl.edge();
  }
}

TEST(BranchOnRandomRtl, VisitsEachStateOnceAndTakesEachCodeInItsShareOfThem) {
  Clocked<Vbranch_on_random> rtl;
  stop_inputs(rtl.top());
  rtl.reset();
  std::vector<bool> seen(kStates);
  std::array<uint32_t, kRandomFrequencies> taken{};
  for (uint32_t step = 0; step < kStates - 1; ++step) {
    rtl.top().draw_i = 1;
    for (unsigned code = 0; code < kRandomFrequencies; ++code) {
      rtl.top().frequency_i = static_cast<CData>(code);
      rtl.settle();
      taken[code] += rtl.top().taken_o;
    }
    ASSERT_FALSE(seen[rtl.top().state_o]) << "after " << step << " steps";
    seen[rtl.top().state_o] = true;
    rtl.edge();
  }
  EXPECT_FALSE(seen[0]);
  for (unsigned code = 0; code < kRandomFrequencies; ++code) {
    EXPECT_EQ(taken[code], kStates >> (code + 1)) << "code " << code;
  }
}

}  // namespace
}  // namespace strobe::tb
