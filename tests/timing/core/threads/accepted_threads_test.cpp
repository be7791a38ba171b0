// Every core of two harts that the configuration accepts runs two programs to their ends.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "sw/config/load.h"
#include "tests/timing/core/threads/two_harts.h"

namespace strobe::test {
namespace {

constexpr unsigned kTries = 1000;

// Loads, stores, an atomic, a loop of `rounds`, calls and unpredictable branches: 18 instructions
// and a branch or two a round. x5 counts rounds, x6 is a random word, x10 the shared counter.
std::vector<uint32_t> busy_program(int rounds) {
  return {addi(5, 0, rounds), addi(9, 0, 1),   ld(3, 2, 8),    addi(3, 3, 1),
          sd(3, 2, 8),        mul(6, 6, 7),    addi(6, 6, 77), i_type(0x13, 7, 8, 6, 32),
          beq(8, 0, 8),       addi(11, 11, 1), jal(1, 24),     amoadd(0, 10, 9),
          addi(5, 5, -1),     beq(5, 0, 20),   jal(0, -48),    nop(),
          div(12, 6, 9),      jalr(0, 1, 0),   nop()};
}

struct RandomCore {
  std::vector<std::string> settings;
  core::CoreParams params;
  bool accepted;
};

RandomCore random_core(std::mt19937& random) {
  const char* keys[] = {"fetch_width", "decode_width",         "issue_width",     "commit_width",
                        "fetch_block", "front_end_stages",     "fetch_buffer",    "rob",
                        "load_queue",  "reservation_stations", "store_queue",     "alu.count",
                        "mem.count",   "mul.latency",          "forward_latency", "trap_cycles",
                        "div.interval"};
  const unsigned values[] = {1, 2, 3, 4, 8, 12, 16, 64, 100, 128};
  const char* kinds[] = {"perfect", "static", "bimodal", "gshare", "tage"};
  RandomCore out;
  out.settings = {"core.threads=2", std::string("core.predictor.kind=") + kinds[random() % 5],
                  std::string("core.issue=") + core::kIssueNames[random() % 4 == 0 ? 1 : 0],
                  std::string("core.smt.fetch=") + core::kFetchPolicyNames[random() % 2],
                  std::string("core.smt.buffers=") + core::kBuffersNames[random() % 2]};
  for (unsigned n = 0; n < 5; ++n) {
    out.settings.push_back(std::string("core.") + keys[random() % std::size(keys)] + "=" +
                           std::to_string(values[random() % std::size(values)]));
  }
  const auto loaded = config::load_run_text("workload: { elf: x }\n", "t.yaml", out.settings);
  out.params = loaded.configuration.core;
  out.accepted = loaded.diagnostics.empty();
  return out;
}

TEST(AcceptedThreads, RunTwoProgramsToTheirEndsWhateverTheirNumbers) {
  std::mt19937 random(5);
  unsigned built = 0;
  for (unsigned i = 0; i < kTries; ++i) {
    const RandomCore tried = random_core(random);
    if (!tried.accepted) continue;
    ++built;
    TwoHarts two(tried.params);
    const unsigned slow = random() % 3 == 0 ? 150 : 3;
    two.dcache.answer = [&](const ScriptedPort::Access& a) -> uint64_t {
      if (a.cycle % 7 == 3) return 0;  // refused
      return a.cycle + (a.address % 64 == 8 ? slow : 1);
    };
    if (random() % 3 == 0) two.shares[1].set_low_priority(true);
    const int rounds[2] = {60, 20};
    for (const unsigned hart : {1u, 0u}) {
      isa::HartState& state = two.harts[hart].hart.state();
      state.x[2] = TwoHarts::kData + 1024 * hart;
      state.x[6] = i;
      state.x[7] = 1103515245;
      state.x[10] = TwoHarts::kData + 8192;
      two.start(hart, busy_program(rounds[hart]));
    }
    ASSERT_EQ(two.run(10'000'000), core::CoreStop::kHart) << testing::PrintToString(tried.settings);
    ASSERT_EQ(two.harts[0].hart.state().x[5], 0u);
    if (two.pair.is_on(1)) {  // it is slower than the first one by far
      two.start(0, {div(13, 13, 13), div(13, 13, 13), jal(0, -8)});
      while (two.pair.is_on(1) && two.core.cycle < 10'000'000) two.run(1000);
    }
    ASSERT_EQ(two.pair.stop(1), core::CoreStop::kHart) << testing::PrintToString(tried.settings);
    for (const unsigned hart : {0u, 1u}) {
      const core::PipelineStats& stats = two.harts[hart].pipeline.stats();
      ASSERT_EQ(std::accumulate(std::begin(stats.cpi), std::end(stats.cpi), uint64_t{0}),
                stats.cycles)
          << testing::PrintToString(tried.settings);
      uint64_t stored = 0;
      two.memory.read(TwoHarts::kData + 1024 * hart + 8, &stored, 8);
      ASSERT_EQ(stored, static_cast<uint64_t>(rounds[hart]));
    }
    uint64_t together = 0;
    two.memory.read(TwoHarts::kData + 8192, &together, 8);
    ASSERT_EQ(together, 80u) << testing::PrintToString(tried.settings);
  }
  EXPECT_GT(built, kTries / 20) << "the choice of values leaves too few";
}

}  // namespace
}  // namespace strobe::test
