// What two harts on a core share, what each has for itself, and that one alone loses nothing.
#include <gtest/gtest.h>

#include "tests/timing/core/threads/two_harts.h"

namespace strobe::test {
namespace {

using core::Buffers;

constexpr size_t kBegin = 60, kEnd = 160;  // measured between these two, away from start and end

/// Cycles that each hart takes for a hundred instructions when both run `word` over and over.
std::pair<uint64_t, uint64_t> cycles_of_both(const core::CoreParams& params, uint32_t word) {
  TwoHarts two(params);
  for (HartOfTwo& side : two.harts) side.hart.state().x[2] = TwoHarts::kData;
  for (const unsigned hart : {0u, 1u}) two.start(hart, std::vector<uint32_t>(260, word));
  EXPECT_EQ(two.run(), core::CoreStop::kHart);
  return {two.cycles(0, kBegin, kEnd), two.cycles(1, kBegin, kEnd)};
}

TEST(TwoHarts, DependentChainsRunAsFastAsOnTwoCores) {
  for (const uint32_t word : {addi(1, 1, 1), mul(1, 1, 1)}) {
    const uint64_t alone = word == addi(1, 1, 1) ? 100 : 300;
    const auto [first, second] = cycles_of_both(two_threads(), word);
    EXPECT_NEAR(static_cast<double>(first), static_cast<double>(alone), 2);
    EXPECT_NEAR(static_cast<double>(second), static_cast<double>(alone), 2);
  }
}

TEST(TwoHarts, IndependentStreamsHaveHalfOfEveryWidth) {
  for (unsigned core::CoreParams::*width :
       {&core::CoreParams::fetch_width, &core::CoreParams::decode_width,
        &core::CoreParams::issue_width, &core::CoreParams::commit_width}) {
    for (const unsigned value : {2u, 4u}) {
      core::CoreParams params = two_threads();
      params.*width = value;
      const auto [first, second] = cycles_of_both(params, addi(1, 2, 1));
      EXPECT_NEAR(static_cast<double>(first), 200.0 / value, 2);
      EXPECT_NEAR(static_cast<double>(second), 200.0 / value, 2);
    }
  }
}

TEST(TwoHarts, ShareTheUnits) {
  core::CoreParams params = two_threads();
  params.alu.count = 1;
  const auto [first, second] = cycles_of_both(params, addi(1, 2, 1));
  EXPECT_NEAR(static_cast<double>(first), 200, 4);
  EXPECT_NEAR(static_cast<double>(second), 200, 4);
  const auto [divides, others] = cycles_of_both(params, div(1, 2, 3));
  EXPECT_NEAR(static_cast<double>(divides), 4000, 60);
  EXPECT_NEAR(static_cast<double>(others), 4000, 60);
}

TEST(TwoHarts, ShareThePortForStores) {
  const auto [first, second] = cycles_of_both(two_threads(), sd(1, 2, 0));
  EXPECT_NEAR(static_cast<double>(first), 200, 4);
  EXPECT_NEAR(static_cast<double>(second), 200, 4);
}

// A bit of everything, without branches.
std::vector<uint32_t> mixture() {
  std::vector<uint32_t> program;
  for (unsigned i = 0; i < 60; ++i) {
    const int at = static_cast<int>(i % 8) * 8;
    for (const uint32_t word : {ld(3, 2, at), mul(4, 3, 3), add(5, 5, 4), sd(5, 2, at + 128),
                                ld(6, 2, at + 120), div(7, 5, 6), addi(8, 8, 1), add(9, 8, 7)}) {
      program.push_back(word);
    }
  }
  return program;
}

enum class Other { kOff, kStopped, kSleeps };

class OneHartAlone : public testing::TestWithParam<Other> {};

TEST_P(OneHartAlone, IsAsFastAsOnACoreOfOneThread) {
  const auto slow_line = [](const ScriptedPort::Access& a) {
    return a.cycle + (a.address % 16 == 8 ? 30u : 2u);
  };
  core::CoreParams single = plain_core();
  Machine machine(single);
  machine.hart.state().x[2] = TwoHarts::kData;
  machine.dcache.answer = slow_line;
  machine.run(mixture());
  TwoHarts two(two_threads(Buffers::kShared));
  two.dcache.answer = slow_line;
  const uint32_t other[] = {GetParam() == Other::kStopped ? test::ecall() : wfi()};
  two.memory.write(TwoHarts::code(1), other, sizeof other);
  if (GetParam() != Other::kOff) {
    two.start_at(1, TwoHarts::code(1), PrivilegeMode::kMachine);
    two.start(0, std::vector<uint32_t>(100, nop()));
    two.run();
  }
  EXPECT_EQ(two.pair.is_on(1), GetParam() == Other::kSleeps);
  two.harts[0].hart.state().x[2] = TwoHarts::kData;
  two.start(0, mixture());
  two.run();
  const size_t count = mixture().size();
  ASSERT_EQ(two.harts[0].commits.size(), count);
  ASSERT_EQ(machine.commits.size(), count);
  const uint64_t from = two.harts[0].commits[0].cycle - machine.commits[0].cycle;
  for (size_t i = 0; i < count; ++i) {
    ASSERT_EQ(two.harts[0].commits[i].cycle - from, machine.commits[i].cycle) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(TheOther, OneHartAlone,
                         testing::Values(Other::kOff, Other::kStopped, Other::kSleeps),
                         [](const auto& other) {
                           return std::string(other.param == Other::kOff       ? "Off"
                                              : other.param == Other::kStopped ? "Stopped"
                                                                               : "Sleeps");
                         });

// Two loads of hart 0 that take 300 cycles overlap if and only if both fit into the structure.
uint64_t distance_of_misses(TwoHarts& two, size_t between, uint32_t filler) {
  two.harts[0].hart.state().x[2] = TwoHarts::kData;
  two.dcache.answer = [](const ScriptedPort::Access& a) {
    const bool slow = a.address == TwoHarts::kData || a.address == TwoHarts::kData + 64;
    return a.cycle + (slow ? 300u : 1u);
  };
  std::vector<uint32_t> program(between, filler);
  program.insert(program.begin(), ld(1, 2, 0));
  program.push_back(ld(3, 2, 64));
  two.start(0, program);
  EXPECT_EQ(two.run(), core::CoreStop::kHart);
  return two.cycles(0, 0, program.size() - 1);
}

struct SplitCase {
  const char* name;
  unsigned core::CoreParams::*size;
  unsigned fillers;  // that fit between the two loads, with a size of 40, beyond those of 0
  uint32_t filler;
};

class SplitStructure : public testing::TestWithParam<SplitCase> {};

TEST_P(SplitStructure, IsHalvedOrAllThere) {
  const SplitCase& s = GetParam();
  for (const Buffers buffers : {Buffers::kHalves, Buffers::kShared}) {
    core::CoreParams params = two_threads(buffers);
    params.*(s.size) = 40;
    const size_t fit = (buffers == Buffers::kHalves ? 20u : 40u) - s.fillers;
    TwoHarts fits(params), exceeds(params);
    EXPECT_LT(distance_of_misses(fits, fit, s.filler), 100u) << s.name;
    EXPECT_GT(distance_of_misses(exceeds, fit + 1, s.filler), 250u) << s.name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Each, SplitStructure,
    testing::Values(SplitCase{"ReorderBuffer", &core::CoreParams::rob, 2, addi(4, 5, 1)},
                    SplitCase{"LoadQueue", &core::CoreParams::load_queue, 2, ld(4, 2, 128)},
                    SplitCase{"StoreQueue", &core::CoreParams::store_queue, 0, sd(4, 2, 128)}),
    [](const auto& structure) { return std::string(structure.param.name); });

// Hart 1 holds `held` places of the reorder buffer, whose oldest is a load of 2000 cycles.
uint64_t distance_beside(core::CoreParams params, size_t held, size_t between) {
  TwoHarts two(params);
  two.harts[1].hart.state().x[2] = TwoHarts::kData + 4096;
  std::vector<uint32_t> program(held - 1, addi(4, 5, 1));
  program.insert(program.begin(), ld(1, 2, 0));
  program.push_back(0x0000100f);  // FENCE.I: nothing after it is decoded before the load is there
  two.dcache.answer = [](const ScriptedPort::Access& a) { return a.cycle + 2000; };
  two.start(1, program);
  two.start(0, std::vector<uint32_t>(100, addi(1, 1, 1)));
  EXPECT_EQ(two.run(), core::CoreStop::kHart);
  return distance_of_misses(two, between, addi(4, 5, 1));
}

TEST(SharedReorderBuffer, HoldsTheInstructionsOfBoth) {
  core::CoreParams params = two_threads(Buffers::kShared);
  params.rob = 100;
  EXPECT_LT(distance_beside(params, 30, 100 - 30 - 2), 100u);
  EXPECT_GT(distance_beside(params, 30, 100 - 30 - 1), 250u);
  params.smt.buffers = Buffers::kHalves;
  EXPECT_LT(distance_beside(params, 30, 50 - 2), 100u) << "the other half is not mine";
  EXPECT_GT(distance_beside(params, 30, 50 - 1), 250u);
}

TEST(ReservationStations, AreSharedInEitherCase) {
  for (const Buffers buffers : {Buffers::kHalves, Buffers::kShared}) {
    core::CoreParams params = two_threads(buffers);
    params.reservation_stations = 20;
    const auto distance = [&](size_t held, size_t between) {
      TwoHarts two(params);
      two.harts[1].hart.state().x[2] = TwoHarts::kData + 4096;
      std::vector<uint32_t> waiting(held, addi(4, 1, 1));  // for the load, which has issued
      waiting.insert(waiting.begin(), ld(1, 2, 0));
      waiting.push_back(0x0000100f);
      two.dcache.answer = [](const ScriptedPort::Access& a) { return a.cycle + 2000; };
      two.start(1, waiting);
      two.start(0, std::vector<uint32_t>(100, addi(1, 1, 1)));
      EXPECT_EQ(two.run(), core::CoreStop::kHart);
      return distance_of_misses(two, between, addi(4, 1, 1));
    };
    EXPECT_LT(distance(8, 20 - 8 - 1), 100u);
    EXPECT_GT(distance(8, 20 - 8), 250u);
  }
}

}  // namespace
}  // namespace strobe::test
