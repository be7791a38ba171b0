// Do the cycles of all instructions add up to the region's, whatever commits?
#include "sc_models/watch/truth/truth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "tests/unit/truth/commits.h"

namespace strobe::test {
namespace {

using platform::kCycleParts;
using platform::TruthOutcome;

uint64_t all_cycles(const TruthOutcome& outcome) {
  uint64_t sum = outcome.machine.cycles + outcome.beyond.cycles;
  for (const platform::TimeParts& parts : outcome.parts) sum += parts.cycles;
  return sum;
}

uint64_t all_samples(const TruthOutcome& outcome, size_t sampler) {
  uint64_t sum = outcome.machine.samples[sampler] + outcome.beyond.samples[sampler];
  for (const platform::TimeParts& parts : outcome.parts) sum += parts.samples[sampler];
  return sum;
}

/// A random instruction of eight pages of code and of firmware.
RetireRecord random_insn(std::mt19937_64& random) {
  RetireRecord record = insn(0x10000 + 4 * (random() % 8192), random() % 8 == 0 ? kFenceI : kNop);
  if (random() % 6 == 0) record.mode = PrivilegeMode::kMachine;
  record.mispredicted = random() % 5 == 0 ? 1 : 0;
  record.trap = random() % 20 == 0 ? 1 : 0;
  record.intr = random() % 20 == 0 ? 1 : 0;
  if (random() % 3 == 0) record.pc_wdata = 0x10000 + 4 * (random() % 8192);
  return record;
}

/// What is known of an instruction after the run.
struct Life {
  RetireRecord record;
  uint64_t dispatched, committed;
};

/// The rule once more, cycle by cycle, from the lives of all instructions in program order. Machine
/// mode is at address 0.
std::map<uint64_t, uint64_t> reference(const std::vector<Life>& lives, uint64_t begin,
                                       uint64_t end) {
  std::map<uint64_t, uint64_t> parts;
  const auto give = [&parts](const RetireRecord& record, uint64_t share) {
    parts[record.mode == PrivilegeMode::kMachine ? 0 : record.pc_rdata] += share;
  };
  size_t oldest = 0;  // the first that has not committed before the cycle
  for (uint64_t cycle = begin; cycle < end; ++cycle) {
    while (oldest < lives.size() && lives[oldest].committed < cycle) ++oldest;
    size_t last = oldest;
    while (last < lives.size() && lives[last].committed == cycle) ++last;
    for (size_t i = oldest; i < last; ++i) give(lives[i].record, kCycleParts / (last - oldest));
    if (last != oldest) continue;
    const bool none = oldest == lives.size();
    const bool empty = none || lives[oldest].dispatched > cycle;
    if (!empty) {
      give(lives[oldest].record, kCycleParts);
      continue;
    }
    const RetireRecord* const before = oldest > 0 ? &lives[oldest - 1].record : nullptr;
    const bool refills = before != nullptr && (before->mispredicted != 0 || before->trap != 0 ||
                                               before->insn == kFenceI);
    const bool interrupted = !none && lives[oldest].record.intr != 0;
    give(none || (refills && !interrupted) ? *before : lives[oldest].record, kCycleParts);
  }
  return parts;
}

/// Fills in the lives of what is dispatched, if not null. Cycles beyond the run's end stand for
/// what has not committed.
TruthOutcome random_run(uint64_t seed, uint64_t period, std::vector<Life>* lives = nullptr,
                        uint64_t* first = nullptr) {
  std::mt19937_64 random(seed);
  Commits hart;
  truth::Truth truth(hart.rob, {period, seed});
  uint64_t dispatched = 0;
  size_t committed = 0;
  const uint64_t begin = random() % 100, end = begin + 500 + random() % 500;
  for (uint64_t cycle = 0; cycle < end; ++cycle) {
    while (hart.rob.in_flight() < 20 && random() % 3 != 0) {
      dispatched = std::max(dispatched, cycle + random() % 3);
      const RetireRecord record = random_insn(random);
      hart.dispatch({{record, dispatched}});
      if (lives != nullptr) lives->push_back({record, dispatched, ~uint64_t{0}});
    }
    if (cycle == begin) truth.begin(cycle);
    unsigned count = 0;
    while (count < 8 && count < hart.rob.in_flight() && random() % 3 != 0 &&
           hart.rob.renamed(hart.rob.head() + count) < cycle) {
      ++count;
    }
    hart.commit(count);
    for (unsigned i = 0; lives != nullptr && i < count; ++i)
      (*lives)[committed++].committed = cycle;
    truth.cycle(cycle, count);
  }
  truth.end(end);
  if (first != nullptr) *first = begin;
  // The firmware that runs after the region.
  hart.dispatch({{insn(0x10000), end}});
  hart.commit(1);
  truth.cycle(end + 5, 1);
  TruthOutcome outcome;
  truth.fill_in(&outcome);
  EXPECT_EQ(outcome.cycles, end - begin) << "seed " << seed;
  return outcome;
}

TEST(Truth, CyclesOfAllInstructionsAddUpToTheRegionsExactly) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const TruthOutcome outcome = random_run(seed, 0);
    ASSERT_EQ(all_cycles(outcome), outcome.cycles * kCycleParts) << "seed " << seed;
    ASSERT_EQ(outcome.instructions.size(), outcome.parts.size());
    ASSERT_GT(outcome.machine.cycles, 0u) << "seed " << seed;
  }
}

TEST(Truth, EqualsTheRuleAppliedCycleByCycle) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::vector<Life> lives;
    uint64_t begin = 0;
    const TruthOutcome outcome = random_run(seed, 0, &lives, &begin);
    std::map<uint64_t, uint64_t> parts;
    for (size_t i = 0; i < outcome.parts.size(); ++i) {
      parts[outcome.instructions[i].pc] = outcome.parts[i].cycles;
    }
    if (outcome.machine.cycles != 0) parts[0] = outcome.machine.cycles;
    ASSERT_EQ(parts, reference(lives, begin, begin + outcome.cycles)) << "seed " << seed;
  }
}

TEST(Truth, SamplesOfEveryCycleInProportionToTimeAreTheTruthItself) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const TruthOutcome outcome = random_run(seed, 1);
    const auto sampler = static_cast<size_t>(platform::TimeSampler::kTimeProportional);
    EXPECT_EQ(outcome.machine.samples[sampler], outcome.machine.cycles);
    for (const platform::TimeParts& parts : outcome.parts) {
      ASSERT_EQ(parts.samples[sampler], parts.cycles) << "seed " << seed;
    }
  }
}

TEST(Truth, EverySamplerHasASampleInEachPeriodButThoseInFlightAtTheEnd) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const TruthOutcome outcome = random_run(seed, 10);
    for (size_t sampler = 0; sampler < platform::kTimeSamplers; ++sampler) {
      const uint64_t samples = all_samples(outcome, sampler);
      EXPECT_EQ(samples % kCycleParts, 0u);
      EXPECT_LE(samples / kCycleParts, outcome.cycles / 10 + 1);
      EXPECT_GE(samples / kCycleParts + 10, outcome.cycles / 10) << "seed " << seed;
    }
  }
}

TEST(Truth, NotesHowControlGoesOnAfterAnInstruction) {
  Commits hart;
  truth::Truth truth(hart.rob, {});
  truth.begin(0);
  constexpr uint32_t kJal = 0x6f, kCall = 0xef, kReturn = 0x8067, kJumpRegister = 0x50067;
  const auto jump = [](uint64_t pc, uint32_t bits, uint64_t to) {
    RetireRecord record = insn(pc, bits);
    record.pc_wdata = to;
    return record;
  };
  const std::vector<RetireRecord> path = {
      insn(0x100),
      insn(0x104, kBranch),         // not taken
      jump(0x108, kCall, 0x200),    // goes on at 0x10c, where it returns to
      jump(0x200, kReturn, 0x10c),  // is no jump
      jump(0x10c, kJal, 0x104),
      jump(0x104, kBranch, 0x110),  // taken
      jump(0x110, kJumpRegister, 0x100),
      jump(0x110, kJumpRegister, 0x120),
      jump(0x110, kJumpRegister, 0x100),
  };
  uint64_t cycle = 0;
  for (const RetireRecord& record : path) {
    hart.dispatch({{record, cycle}});
    hart.commit(1);
    truth.cycle(cycle++, 1);
  }
  truth.end(cycle);
  TruthOutcome outcome;
  truth.fill_in(&outcome);
  std::vector<std::pair<uint64_t, unsigned>> falls;
  for (const profile::ExecutedInsn& one : outcome.instructions)
    falls.emplace_back(one.pc, one.falls);
  std::vector<std::pair<uint64_t, uint64_t>> jumps;
  for (const profile::ExecutedJump& one : outcome.jumps) jumps.emplace_back(one.from, one.to);
  using testing::ElementsAre;
  using testing::Pair;
  EXPECT_THAT(falls, ElementsAre(Pair(0x100, 4), Pair(0x104, 4), Pair(0x108, 4), Pair(0x10c, 0),
                                 Pair(0x110, 0), Pair(0x200, 0)));
  EXPECT_THAT(jumps, ElementsAre(Pair(0x104, 0x110), Pair(0x10c, 0x104), Pair(0x110, 0x100),
                                 Pair(0x110, 0x120)));
}

}  // namespace
}  // namespace strobe::test
