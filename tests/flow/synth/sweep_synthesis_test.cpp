// Do areas and periods of a sweep come from synthesis, once for designs of the same hardware?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "sw/explore/store/database.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::synth {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// A small path, and two rates: a rate is a register, so both are one block.
const char kSweep[] =
    "base: base.yaml\n"
    "grid: { profilers.0.rate: [16, 64] }\n"
    "objectives:\n"
    "  - max: profilers.0.overlap\n"
    "  - min: profilers.0.synthesis.logic_area\n"
    "  - min: profilers.0.synthesis.period\n";

TEST(SweepSynthesis, GivesEveryDesignTheFiguresOfItsBlockAndMakesTheBlockOnce) {
  const e2e::ScratchDirectory scratch;
  const auto cache = scratch.path() / "cache";
  std::filesystem::copy(in_build("tests/flow/synth/yardstick"), cache,
                        std::filesystem::copy_options::recursive);
  setenv("STROBE_CACHE", cache.c_str(), /*overwrite=*/1);
  scratch.write("base.yaml", "core: { include: " + in_source("configs/cores/single-issue.yaml") +
                                 " }\n" +
                                 "mode: functional\n"
                                 "workload: { elf: " +
                                 e2e::workload("lz") +
                                 ", args: [tiny], roi: { run: 200_000 } }\n"
                                 "profilers: [{ name: small, hash: xor_fold, strata: 16, rate: 16,"
                                 " queue_depth: 8, buffer_depth: 8, watermark: 4,"
                                 " selectors: [{ profile: value }] }]\n");
  const std::string sweep = scratch.write("sweep.yaml", kSweep).string();
  const std::string out = (scratch.path() / "out").string();

  const e2e::ProcessResult plan = e2e::strobe({"sweep", sweep, "--dry-run"});
  EXPECT_THAT(plan.out, HasSubstr("2 points, 1 run, 1 synthesis\n")) << plan.err;
  const e2e::ProcessResult result = e2e::strobe({"sweep", sweep, "--out", out});
  ASSERT_EQ(result.exit_code, 0) << result.err;

  explore::Database database(out + "/sweep.sqlite");
  EXPECT_EQ(database.integer("SELECT count(*) FROM run WHERE kind = 'synth'"), 1);
  explore::Statement command(database, "SELECT command FROM run WHERE kind = 'synth'");
  ASSERT_TRUE(command.step());
  // What the command that the database names says now, from the cache.
  const std::string block = command.text(0);
  const size_t begin = block.find('\'') + 1;
  const e2e::ProcessResult alone =
      e2e::strobe({"synth", "--block", block.substr(begin, block.find('\'', begin) - begin),
                   "--library", "osu018", "--cells", "--format", "json"});
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  const json cells = json::parse(alone.out).at("blocks").at(0).at("cells");
  explore::Statement designs(database,
                             "SELECT \"profilers.0.synthesis.logic_area\", "
                             "\"profilers.0.synthesis.period\" FROM summary");
  size_t rows = 0;
  for (; designs.step(); ++rows) {
    EXPECT_DOUBLE_EQ(designs.real(0), cells.at("logic_um2").get<double>());
    EXPECT_DOUBLE_EQ(designs.real(1), cells.at("period_ns").get<double>());
  }
  EXPECT_EQ(rows, 2u);
}

}  // namespace
}  // namespace strobe::synth
