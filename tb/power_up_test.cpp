// Blocks power up in a random state. Otherwise the benches would not see a missing reset.
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "Vsampler_s0_h0_n16_c4.h"
#include "tb/common/clocked.h"
#include "tb/common/tuple_lanes.h"

namespace strobe::tb {
namespace {

/// The sampler's message register, which has no reset, and its valid bit.
struct PowerUp {
  explicit PowerUp(int seed) {
    Clocked<Vsampler_s0_h0_n16_c4> block(seed);
    block.settle();
    const Tuple tuple = get_tuple(block.top().msg_tuple_o);
    values = {tuple.pc, tuple.value};
    valid = block.top().msg_valid_o;
  }
  std::array<uint64_t, 2> values{};
  unsigned valid = 0;
};

TEST(PowerUp, RegistersWithoutResetAreRandomAndOthersAreReset) {
  std::set<std::array<uint64_t, 2>> states;
  for (int seed = 1; seed <= 8; ++seed) {
    const PowerUp block(seed);
    states.insert(block.values);
    EXPECT_EQ(block.valid, 0u) << seed;
  }
  EXPECT_EQ(states.size(), 8u);
  EXPECT_EQ(PowerUp(3).values, PowerUp(3).values);
}

}  // namespace
}  // namespace strobe::tb
