// Does each cycle belong to the instruction that the rule of time-proportional profiling names?
#include "sc_models/watch/truth/attribution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "tests/unit/truth/commits.h"

namespace strobe::test {
namespace {

using platform::kCycleParts;
using testing::ElementsAre;

/// What take() was called with.
struct Share {
  uint64_t pc, from, cycles, parts;
  friend bool operator==(const Share& a, const Share& b) {
    return a.pc == b.pc && a.from == b.from && a.cycles == b.cycles && a.parts == b.parts;
  }
  friend std::ostream& operator<<(std::ostream& out, const Share& s) {
    return out << s.pc << " from " << s.from << ": " << s.cycles << " x " << s.parts;
  }
};

class Attributed : public testing::Test {
 protected:
  Commits hart;
  truth::Attribution attribution{hart.rob};
  std::vector<Share> shares;

  auto take() {
    return [this](const RetireRecord& record, uint64_t from, uint64_t cycles, uint64_t parts) {
      shares.push_back({record.pc_rdata, from, cycles, parts});
    };
  }
  void commit(uint64_t cycle, const std::vector<Dispatched>& instructions) {
    hart.dispatch(instructions);
    hart.commit(static_cast<unsigned>(instructions.size()));
    attribution.commit(cycle, static_cast<unsigned>(instructions.size()), take());
  }
};

TEST_F(Attributed, InstructionsThatCommitTogetherShareTheirCycleWithoutRemainder) {
  attribution.begin(5);
  for (unsigned count = 1; count <= kMaxRetireWidth; ++count) {
    shares.clear();
    commit(4 + count, std::vector<Dispatched>(count, {insn(count), 1}));
    uint64_t sum = 0;
    for (const Share& share : shares) {
      EXPECT_EQ(share.parts * count, kCycleParts);
      sum += share.parts * share.cycles;
    }
    EXPECT_EQ(shares.size(), count);
    EXPECT_EQ(sum, kCycleParts);
  }
}

TEST_F(Attributed, ACycleWithoutCommitBelongsToTheOldestDispatchedInstruction) {
  attribution.begin(10);
  commit(10, {{insn(4), 7}});
  commit(18, {{insn(8), 8}, {insn(12), 9}});
  EXPECT_THAT(shares, ElementsAre(Share{4, 10, 1, 840}, Share{8, 11, 7, 840}, Share{8, 18, 1, 420},
                                  Share{12, 18, 1, 420}));
}

TEST_F(Attributed, AnEmptyBufferBelongsToTheNextInstructionWhenTheFrontEndIsLate) {
  attribution.begin(10);
  commit(10, {{insn(4), 7}});
  commit(18, {{insn(8), 15}});
  EXPECT_THAT(shares, ElementsAre(Share{4, 10, 1, 840}, Share{8, 11, 4, 840}, Share{8, 15, 3, 840},
                                  Share{8, 18, 1, 840}));
}

TEST_F(Attributed, AnEmptyBufferBelongsToTheInstructionThatEmptiedThePipeline) {
  RetireRecord mispredicted = insn(4, kBranch), trapped = insn(4);
  mispredicted.mispredicted = 1;
  trapped.trap = 1;
  for (const RetireRecord& last : {mispredicted, trapped, insn(4, kFenceI)}) {
    attribution.begin(10);
    commit(10, {{last, 7}});
    commit(18, {{insn(8), 15}});
    // From the cycle of its dispatch on, the next instruction is the oldest.
    EXPECT_THAT(shares, ElementsAre(Share{4, 10, 1, 840}, Share{4, 11, 4, 840},
                                    Share{8, 15, 3, 840}, Share{8, 18, 1, 840}));
    shares.clear();
  }
}

TEST_F(Attributed, OnlyTheLastOfThoseThatCommittedCanHaveEmptiedThePipeline) {
  RetireRecord mispredicted = insn(4, kBranch);
  mispredicted.mispredicted = 1;
  attribution.begin(10);
  commit(10, {{mispredicted, 7}, {insn(40), 7}});
  commit(18, {{insn(44), 18}});
  EXPECT_THAT(shares, ElementsAre(Share{4, 10, 1, 420}, Share{40, 10, 1, 420},
                                  Share{44, 11, 7, 840}, Share{44, 18, 1, 840}));
}

TEST_F(Attributed, AnInterruptOwnsTheEmptyBufferBeforeItsHandler) {
  RetireRecord mispredicted = insn(4, kBranch), handler = insn(0x900);
  mispredicted.mispredicted = 1;
  handler.intr = 1;
  handler.mode = PrivilegeMode::kMachine;
  attribution.begin(10);
  commit(10, {{mispredicted, 7}});
  commit(20, {{handler, 17}});
  EXPECT_THAT(shares, ElementsAre(Share{4, 10, 1, 840}, Share{0x900, 11, 6, 840},
                                  Share{0x900, 17, 3, 840}, Share{0x900, 20, 1, 840}));
}

TEST_F(Attributed, CommitsBeforeTheBeginOnlySayWhatCommittedLast) {
  RetireRecord mispredicted = insn(4, kBranch);
  mispredicted.mispredicted = 1;
  commit(10, {{mispredicted, 7}});
  EXPECT_TRUE(shares.empty());
  attribution.begin(12);
  commit(18, {{insn(8), 15}});
  EXPECT_THAT(shares,
              ElementsAre(Share{4, 12, 3, 840}, Share{8, 15, 3, 840}, Share{8, 18, 1, 840}));
}

TEST_F(Attributed, WhatIsLeftAtTheEndBelongsToTheOldestInFlightOrToTheLastThatCommitted) {
  attribution.begin(10);
  commit(10, {{insn(4), 7}});
  hart.dispatch({{insn(8), 9}, {insn(12), 9}});
  attribution.end(15, take());
  EXPECT_THAT(shares, ElementsAre(Share{4, 10, 1, 840}, Share{8, 11, 4, 840}));
  hart.commit(2);
  attribution.begin(20);
  commit(20, {{insn(16), 18}});
  shares.clear();
  attribution.end(23, take());
  EXPECT_THAT(shares, ElementsAre(Share{16, 21, 2, 840}));
}

TEST_F(Attributed, RecordsThatLieAcrossTheEndOfTheRingAreFound) {
  attribution.begin(1);
  const uint64_t size = hart.rob.size();
  for (uint64_t cycle = 1; cycle < 3 * size; ++cycle) {
    shares.clear();
    commit(cycle, {{insn(8 * cycle), 0}, {insn(8 * cycle + 4), 0}, {insn(8 * cycle + 6), 0}});
    ASSERT_THAT(shares,
                ElementsAre(Share{8 * cycle, cycle, 1, 280}, Share{8 * cycle + 4, cycle, 1, 280},
                            Share{8 * cycle + 6, cycle, 1, 280}));
  }
}

}  // namespace
}  // namespace strobe::test
