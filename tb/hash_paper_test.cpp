// The hash's RTL against its reference; combinational.
#include "sc_models/profiling/reference/hash_paper.h"

#include "Vhash_b0.h"
#include "Vhash_b11.h"
#include "Vhash_b3.h"
#include "tb/compare.h"

namespace strobe::tb {
namespace {

// Words with one interesting byte, close neighbours, and anything.
uint64_t word(Random& random) {
  switch (below(random, 3)) {
    case 0:
      return below(random, 256) << (8 * below(random, 8));
    case 1:
      return 0x10000 + 4 * below(random, 4096);
    default:
      return random();
  }
}

template <class V>
std::string run(unsigned index_bits, uint64_t flip = 0) {
  const profiling::HashPaper reference(index_bits);
  VerilatedContext context;
  V rtl(&context);
  Random random(bench_seed());
  for (uint64_t k = 0; k < bench_cycles(); ++k) {
    rtl.pc_i = word(random);
    rtl.value_i = word(random);
    rtl.eval();
    Difference difference;
    difference.check("index", rtl.index_o, reference.index(rtl.pc_i ^ flip, rtl.value_i));
    if (!difference.text().empty()) {
      return fmt::format("pc {:#x}, value {:#x}: {}", rtl.pc_i, rtl.value_i, difference.text());
    }
  }
  rtl.final();
  return "";
}

TEST(HashPaperRtl, EqualsTheReferenceForTheStrataOfThePaper) { EXPECT_EQ(run<Vhash_b11>(11), ""); }

TEST(HashPaperRtl, EqualsTheReferenceWhenTheLastChunkIsPadded) { EXPECT_EQ(run<Vhash_b3>(3), ""); }

TEST(HashPaperRtl, GivesZeroForOneStratum) { EXPECT_EQ(run<Vhash_b0>(0), ""); }

TEST(HashPaperRtl, IsToldApartWhenOneBitOfThePcDiffers) { EXPECT_NE(run<Vhash_b11>(11, 1), ""); }

}  // namespace
}  // namespace strobe::tb
