// Which of two harts fetches, and what prediction they share.
#include <gtest/gtest.h>

#include "tests/timing/core/threads/two_harts.h"

namespace strobe::test {
namespace {

double ratio(uint64_t a, uint64_t b) { return static_cast<double>(a) / static_cast<double>(b); }

// Hart 0 runs independent adds, hart 1 a chain of multiplications, which fills the stations.
uint64_t adds_beside_a_chain(core::FetchPolicy policy) {
  core::CoreParams params = two_threads(core::Buffers::kShared);
  params.smt.fetch = policy;
  params.reservation_stations = 48;
  TwoHarts two(params);
  two.start(1, std::vector<uint32_t>(1200, mul(1, 1, 1)));
  two.start(0, std::vector<uint32_t>(1200, addi(1, 2, 1)));
  EXPECT_EQ(two.run(), core::CoreStop::kHart);
  return two.cycles(0, 300, 1100);
}

TEST(Icount, FavoursTheHartThatDrains) {
  const uint64_t round_robin = adds_beside_a_chain(core::FetchPolicy::kRoundRobin);
  const uint64_t icount = adds_beside_a_chain(core::FetchPolicy::kIcount);
  EXPECT_LT(ratio(icount, round_robin), 0.8);
  EXPECT_GE(icount, 200u) << "four a cycle at most";
}

TEST(Icount, IsFairToHartsThatAreAlike) {
  core::CoreParams params = two_threads();
  params.smt.fetch = core::FetchPolicy::kIcount;
  TwoHarts two(params);
  for (const unsigned hart : {0u, 1u}) {
    two.start(hart, std::vector<uint32_t>(600, addi(1, 2, 1)));
  }
  two.run();
  EXPECT_NEAR(ratio(two.cycles(0, 100, 500), two.cycles(1, 100, 500)), 1, 0.03);
}

// A loop of x5 rounds, whose first branch is taken every second time.
std::vector<uint32_t> alternating() {
  return {i_type(0x13, 7, 6, 5, 1),
          beq(6, 0, 8),
          addi(7, 7, 1),
          addi(5, 5, -1),
          beq(5, 0, 8),
          jal(0, -20),
          nop()};
}

core::CoreParams predicting(const char* kind) {
  core::CoreParams params = two_threads();
  params.predictor.kind = kind;
  return params;
}

class TrainedPredictor : public testing::TestWithParam<const char*> {};

// Both harts run the same code at the same place, one after the other.
TEST_P(TrainedPredictor, HelpsTheOtherHart) {
  const auto mispredicted = [](bool trained) {
    TwoHarts two(predicting(GetParam()));
    if (trained) {
      two.harts[0].hart.state().x[5] = 400;
      two.start(0, alternating());
      EXPECT_EQ(two.run(), core::CoreStop::kHart);
    }
    // Hart 1 goes through the code of hart 0, which has other things to do meanwhile.
    two.start(0, alternating());
    const std::vector<uint32_t> chain(3000, mul(1, 1, 1));
    two.memory.write(TwoHarts::code(1), chain.data(), chain.size() * 4);
    two.start_at(0, TwoHarts::code(1), PrivilegeMode::kUser);
    two.harts[1].hart.state().x[5] = 40;
    two.start_at(1, TwoHarts::code(0), PrivilegeMode::kUser);
    two.run(5000);
    EXPECT_EQ(two.pair.stop(1), core::CoreStop::kHart);
    return two.harts[1].pipeline.stats().mispredicted;
  };
  EXPECT_LT(mispredicted(true), mispredicted(false));
}

INSTANTIATE_TEST_SUITE_P(OfKind, TrainedPredictor, testing::Values("bimodal", "gshare", "tage"),
                         [](const auto& kind) { return std::string(kind.param); });

TEST(SharedTables, TheTrainingOfOneHartHurtsTheOtherWhereTheyDisagree) {
  // A branch of each hart has the same counter, and they go opposite ways.
  const auto loop = [](uint32_t condition) {
    std::vector<uint32_t> program = {addi(5, 0, 200), beq(condition, 0, 8), nop(), addi(5, 5, -1)};
    program.insert(program.end(), 6, nop());
    program.insert(program.end(), {beq(5, 0, 8), jal(0, -40), nop()});
    return program;
  };
  const auto mispredicted = [&](const std::vector<uint32_t>& beside) {
    core::CoreParams params = predicting("bimodal");
    params.predictor.table_bits = 2;
    TwoHarts two(params);
    two.harts[1].hart.state().x[9] = 1;
    two.start(1, loop(9));
    two.start(0, beside);
    two.run();
    return two.harts[1].pipeline.stats().mispredicted;
  };
  EXPECT_GT(mispredicted(loop(0)), mispredicted(std::vector<uint32_t>(3000, mul(1, 1, 1))) + 50);
}

TEST(ReturnStack, OfOneHartIsNotDisturbedByTheCallsOfTheOther) {
  // Hart 0 calls and returns, while hart 1 only calls: with one stack no return would be right.
  core::CoreParams params = predicting("static");
  params.predictor.ras_entries = 2;
  TwoHarts two(params);
  std::vector<uint32_t> calls;
  for (unsigned i = 0; i < 300; ++i) calls.push_back(jal(1, 4));
  two.start(1, calls);
  std::vector<uint32_t> program = {addi(5, 0, 50), jal(1, 16),    addi(5, 5, -1), beq(5, 0, 16),
                                   jal(0, -12),    jalr(0, 1, 0), nop(),          nop()};
  two.start(0, program);
  two.run();
  // The loop's own branch is forward and not taken but once.
  EXPECT_EQ(two.harts[0].pipeline.stats().mispredicted, 1u);
}

TEST(Histories, AreEachHartsOwn) {
  // Alone, gshare learns the alternation of hart 0. It still does when hart 1 has branches without
  // any pattern at other counters.
  const auto mispredicted = [](bool other_runs) {
    TwoHarts two(predicting("gshare"));
    if (other_runs) {
      std::vector<uint32_t> noise;
      uint32_t bits = 0x2f6e2b1;
      for (unsigned i = 0; i < 2000; ++i) {
        bits = bits >> 1 ^ ((bits & 1) != 0 ? 0x48000000u : 0u);
        noise.push_back(beq((bits & 1) != 0 ? 0 : 9, 0, 4));
      }
      two.harts[1].hart.state().x[9] = 1;
      two.start(1, noise);
    }
    two.harts[0].hart.state().x[5] = 600;
    two.start(0, alternating());
    two.run(1000000);
    return two.harts[0].pipeline.stats().mispredicted;
  };
  const uint64_t alone = mispredicted(false);
  EXPECT_LT(alone, 60u);
  EXPECT_LT(mispredicted(true), alone + 60);
}

}  // namespace
}  // namespace strobe::test
