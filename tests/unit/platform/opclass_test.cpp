// The core and the selector decode the opcode classes separately, from one page
// (docs/blocks/selector.md). Do they agree?
#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "sc_models/isa/decode/decoded.h"
#include "sc_models/profiling/reference/selection/selector.h"

namespace strobe {
namespace {

void expect_same_class(uint32_t bits) {
  const isa::DecodedInsn decoded = isa::decode(bits);
  if (decoded.op == 0) return;
  EXPECT_EQ(decoded.opclass, profiling::op_class(decoded.insn)) << std::hex << bits;
}

TEST(OpClass, IsTheSameInCoreAndSelectorForEveryCompressedInstruction) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    if ((bits & 3) != 3) expect_same_class(bits);
  }
}

TEST(OpClass, IsTheSameInCoreAndSelectorForRandomInstructionWords) {
  constexpr uint32_t kSeed = 20011;
  RecordProperty("seed", static_cast<int>(kSeed));
  std::mt19937 random(kSeed);
  for (int i = 0; i < 2'000'000; ++i) expect_same_class(static_cast<uint32_t>(random()) | 3);
}

TEST(OpClass, IsTheSameInCoreAndSelectorForEveryJumpRegisterPair) {
  for (uint32_t rd = 0; rd < 32; ++rd) {
    expect_same_class(rd << 7 | 0x6f);
    for (uint32_t rs1 = 0; rs1 < 32; ++rs1) expect_same_class(rs1 << 15 | rd << 7 | 0x67);
  }
}

}  // namespace
}  // namespace strobe
