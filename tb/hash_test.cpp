// The hashes' RTL against their reference.
#include "sc_models/profiling/reference/hash/hash.h"

#include <array>

#include "hash_points.h"
#include "multiply_shift_points.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/verilated/coverage.h"
#include "tb/common/compare.h"

namespace strobe::tb {
namespace {

using profiling::HashKind;

// Words with one nonzero byte, words close to each other, words with one bit, and any words.
uint64_t word(Random& random) {
  switch (below(random, 4)) {
    case 0:
      return below(random, 256) << (8 * below(random, 8));
    case 1:
      return 0x10000 + 4 * below(random, 4096);
    case 2:
      return uint64_t{1} << below(random, 64);
    default:
      return random();
  }
}

// 0 and each single bit, which determine a hash that is linear over xor; then any words.
constexpr uint64_t kDeciding = 129;

Tuple tuple_number(uint64_t k, Random& random) {
  if (k >= kDeciding) {
    const uint64_t pc = word(random);
    return Tuple{pc, word(random), 0};
  }
  return Tuple{1 <= k && k <= 64 ? uint64_t{1} << (k - 1) : 0,
               65 <= k ? uint64_t{1} << (k - 65) : 0, 0};
}

std::string difference(const Tuple& tuple, uint32_t rtl, uint32_t reference) {
  Difference difference;
  difference.check("index", rtl, reference);
  if (difference.text().empty()) return "";
  return fmt::format("pc {:#x}, value {:#x}: {}", tuple.pc, tuple.value, difference.text());
}

/// Compares a combinational hash.
template <class V>
std::string run(HashKind kind, unsigned index_bits, uint64_t flip = 0) {
  const profiling::Hash reference(kind, index_bits);
  VerilatedContext context;
  V rtl(&context);
  Random random(bench_seed());
  std::string different;
  for (uint64_t k = 0; k < kDeciding + bench_cycles() && different.empty(); ++k) {
    const Tuple tuple = tuple_number(k, random);
    rtl.pc_i = tuple.pc;
    rtl.value_i = tuple.value;
    rtl.eval();
    different = difference(tuple, rtl.index_o, reference.index(tuple.pc ^ flip, tuple.value));
  }
  rtl.final();
  profiling::keep_coverage(context);
  return different;
}

/// Compares a hash whose index belongs to the tuple of two advances before, with cycles without an
/// advance.
template <class V>
std::string run_stages(HashKind kind, unsigned index_bits, uint64_t flip = 0) {
  const profiling::Hash reference(kind, index_bits);
  VerilatedContext context;
  V rtl(&context);
  Random random(bench_seed());
  std::string different;
  std::array<Tuple, 2> stages;
  uint64_t advances = 0;
  while (advances < kDeciding + bench_cycles() && different.empty()) {
    const bool advance = chance(random, 75);
    const Tuple tuple = tuple_number(advance ? advances : kDeciding, random);
    rtl.pc_i = tuple.pc;
    rtl.value_i = tuple.value;
    rtl.advance_i = advance;
    rtl.clk_i = 0;
    rtl.eval();
    const Tuple& out = stages[1];
    if (advances >= stages.size())
      different = difference(out, rtl.index_o, reference.index(out.pc ^ flip, out.value));
    rtl.clk_i = 1;
    rtl.eval();
    if (!advance) continue;
    stages = {tuple, stages[0]};
    ++advances;
  }
  rtl.final();
  profiling::keep_coverage(context);
  return different;
}

struct Point {
  HashKind kind;
  unsigned bits;
  std::string (*run)(HashKind, unsigned, uint64_t);
};

class HashRtl : public testing::TestWithParam<Point> {};

TEST_P(HashRtl, EqualsTheReference) {
  const Point& point = GetParam();
  EXPECT_EQ(point.run(point.kind, point.bits, 0), "");
}

TEST_P(HashRtl, IsToldApartWhenOneBitOfThePcDiffersUnlessThereIsOneStratum) {
  const Point& point = GetParam();
  EXPECT_EQ(point.run(point.kind, point.bits, 1) == "", point.bits == 0);
}

#define STROBE_POINT(model, kind, bits) {static_cast<HashKind>(kind), bits, run<V##model>},
#define STROBE_STAGED(model, bits) {HashKind::kMultiplyShift, bits, run_stages<V##model>},
constexpr Point kPoints[] = {STROBE_POINTS_hash(STROBE_POINT)
                                 STROBE_POINTS_multiply_shift(STROBE_STAGED)};
#undef STROBE_POINT
#undef STROBE_STAGED
INSTANTIATE_TEST_SUITE_P(Points, HashRtl, testing::ValuesIn(kPoints),
                         [](const testing::TestParamInfo<Point>& point) {
                           return fmt::format(
                               "{}_{}",
                               profiling::kHashNames[static_cast<size_t>(point.param.kind)],
                               point.param.bits);
                         });

}  // namespace
}  // namespace strobe::tb
