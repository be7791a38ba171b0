// The hart compared with Unicorn on seeded random instruction streams.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/unit/isa/lockstep/random_lockstep.h"

namespace strobe::isa::lockstep {
namespace {

TEST(RandomLockstep, AgreesWithUnicornAndSeesEveryInstruction) {
  const char* text = std::getenv("STROBE_SEED");
  const uint64_t seed = text != nullptr ? std::strtoull(text, nullptr, 0) : 1;
  fmt::print("seed {} (set STROBE_SEED for another)\n", seed);
  const RandomResult result = run_random(500000, seed);
  EXPECT_EQ(result.difference, "");
  EXPECT_GE(result.instructions, 500000u);
  for (unsigned op = 1; op < kOpCount; ++op) {
    const Op which = static_cast<Op>(op);
    // These four leave the stream; trap_test.cpp and the program lockstep execute them.
    if (which == Op::kEcall || which == Op::kEbreak || which == Op::kMret || which == Op::kDret ||
        which == Op::kWfi) {
      continue;
    }
    EXPECT_GT(result.seen[op], 0u) << kOps[op].mnemonic << " never ran";
  }
  // More than this would hide something.
  EXPECT_LT(result.excluded, result.instructions / 50);
}

}  // namespace
}  // namespace strobe::isa::lockstep
