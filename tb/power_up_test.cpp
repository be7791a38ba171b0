// That blocks power up in a random state: without it the benches would not see a missing reset.
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "Vselector_l4_s2.h"
#include "tb/clocked.h"

namespace strobe::tb {
namespace {

/// What the tuple registers hold, which have no reset, and whether any is said to be valid.
struct PowerUp {
  explicit PowerUp(int seed) {
    Clocked<Vselector_l4_s2> block(seed);
    block.settle();
    for (size_t i = 0; i < values.size(); ++i) values[i] = block.top().value_o[i];
    valid = block.top().valid_o;
  }
  std::array<uint32_t, 8> values{};
  unsigned valid = 0;
};

TEST(PowerUp, RegistersWithoutResetAreRandomAndOthersAreReset) {
  std::set<std::array<uint32_t, 8>> states;
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
