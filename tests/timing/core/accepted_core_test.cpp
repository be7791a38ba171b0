// Every core that the configuration accepts can be built and runs.
#include <gtest/gtest.h>

#include <random>

#include "sc_models/memory/cache.h"
#include "sw/config/load.h"
#include "tests/timing/core/machine.h"

namespace strobe::test {
namespace {

constexpr unsigned kTries = 10000;

TEST(AcceptedCore, IsBuiltAndRunsWhateverItsNumbers) {
  const char* keys[] = {"fetch_width",
                        "decode_width",
                        "issue_width",
                        "commit_width",
                        "fetch_block",
                        "front_end_stages",
                        "fetch_buffer",
                        "rob",
                        "reservation_stations",
                        "load_queue",
                        "store_queue",
                        "alu.count",
                        "mem.count",
                        "mul.latency",
                        "predictor.table_bits",
                        "predictor.history_bits",
                        "predictor.btb_entries",
                        "predictor.btb_ways",
                        "predictor.ras_entries",
                        "memory.l1i.size",
                        "memory.l1i.ways",
                        "memory.l1d.size",
                        "memory.l1d.ways",
                        "memory.l2.size",
                        "memory.l2.ways",
                        "memory.l1i.latency",
                        "memory.l1d.mshrs"};
  const char* kinds[] = {"perfect", "static", "bimodal", "gshare", "tage"};
  const unsigned values[] = {1, 2, 3, 4, 8, 12, 16, 64, 100, 128, 1024};
  std::mt19937 random(11);
  unsigned built = 0;
  for (unsigned i = 0; i < kTries; ++i) {
    std::vector<std::string> settings = {
        std::string("core.predictor.kind=") + kinds[random() % 5],
        std::string("core.issue=") + core::kIssueNames[random() % 2]};
    for (unsigned n = 0; n < 5; ++n) {
      settings.push_back(std::string("core.") + keys[random() % std::size(keys)] + "=" +
                         std::to_string(values[random() % std::size(values)]));
    }
    const auto loaded = config::load_run_text("workload: { elf: x }\n", "t.yaml", settings);
    if (!loaded.diagnostics.empty()) continue;
    ++built;
    const core::CoreParams& params = loaded.configuration.core;
    const Clock clock(params.frequency_ghz);
    for (const auto* cache : {&params.memory.l1i, &params.memory.l1d, &params.memory.l2}) {
      memory::Cache("cache", *cache, clock);
    }
    Machine machine(params);
    machine.hart.state().x[2] = Machine::kData;
    std::vector<uint32_t> program;
    for (unsigned k = 0; k < 40; ++k) {
      program.insert(program.end(), {ld(3, 2, 8), addi(3, 3, 1), sd(3, 2, 8), beq(0, 0, 8), nop()});
    }
    ASSERT_EQ(machine.run(program), core::CoreStop::kHart) << testing::PrintToString(settings);
    ASSERT_EQ(machine.pipeline.committed(), 160u) << testing::PrintToString(settings);
  }
  EXPECT_GT(built, kTries / 20) << "the choice of values leaves too few";
}

}  // namespace
}  // namespace strobe::test
