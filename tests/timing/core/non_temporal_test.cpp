// The hint ntl.all: the load right after it, in program order, is presented as non-temporal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/timing/core/machine.h"

namespace strobe::test {
namespace {

using testing::ElementsAre;

std::vector<AccessKind> kinds_of(const std::vector<uint32_t>& program,
                                 const core::CoreParams& params = plain_core()) {
  Machine machine(params);
  machine.hart.state().x[2] = Machine::kData;
  EXPECT_EQ(machine.run(program), core::CoreStop::kHart);
  std::vector<AccessKind> kinds;
  for (const ScriptedPort::Access& access : machine.dcache.log) kinds.push_back(access.kind);
  return kinds;
}

TEST(NonTemporal, IsTheLoadRightAfterTheHint) {
  EXPECT_THAT(kinds_of({ntl_all(), ld(1, 2, 0), ld(3, 2, 64)}),
              ElementsAre(AccessKind::kNonTemporalLoad, AccessKind::kLoad));
  EXPECT_THAT(kinds_of({ntl_all(), nop(), ld(1, 2, 0)}), ElementsAre(AccessKind::kLoad));
  EXPECT_THAT(kinds_of({add(0, 0, 4), ld(1, 2, 0)}), ElementsAre(AccessKind::kLoad))
      << "ntl.s1 is another hint";
}

TEST(NonTemporal, StoresAndAtomicsAreAsWithoutTheHint) {
  EXPECT_THAT(kinds_of({ntl_all(), sd(1, 2, 0), ntl_all(), amoadd(1, 2, 3)}),
              ElementsAre(AccessKind::kStore, AccessKind::kStore));
}

// The hint is the last instruction of a fetch block, the load the first of the next.
TEST(NonTemporal, HoldsAcrossFetchBlocks) {
  for (unsigned before = 0; before < 20; ++before) {
    std::vector<uint32_t> program(before, nop());
    program.push_back(ntl_all());
    program.push_back(ld(1, 2, 0));
    EXPECT_THAT(kinds_of(program), ElementsAre(AccessKind::kNonTemporalLoad)) << before;
  }
}

TEST(NonTemporal, IsNotALoadThatIsJumpedTo) {
  EXPECT_THAT(kinds_of({jal(0, 8), ntl_all(), ld(1, 2, 0)}), ElementsAre(AccessKind::kLoad));
  EXPECT_THAT(kinds_of({beq(0, 0, 12), nop(), ntl_all(), ld(1, 2, 0)}),
              ElementsAre(AccessKind::kLoad));
}

TEST(NonTemporal, TheCompressedHintIsTheSame) {
  const uint32_t c_ntl_all_and_c_nop = 0x0001'9016;
  EXPECT_THAT(kinds_of({c_ntl_all_and_c_nop, ld(1, 2, 0)}), ElementsAre(AccessKind::kLoad));
  const uint32_t c_nop_and_c_ntl_all = 0x9016'0001;
  EXPECT_THAT(kinds_of({c_nop_and_c_ntl_all, ld(1, 2, 0)}),
              ElementsAre(AccessKind::kNonTemporalLoad));
}

TEST(NonTemporal, WithIgnoreTheHintIsNothing) {
  core::CoreParams params = plain_core();
  params.memory.ntl = memory::NonTemporal::kIgnore;
  EXPECT_THAT(kinds_of({ntl_all(), ld(1, 2, 0)}, params), ElementsAre(AccessKind::kLoad));
}

}  // namespace
}  // namespace strobe::test
