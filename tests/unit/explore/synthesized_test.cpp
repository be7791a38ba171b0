// The blocks that a sweep synthesizes.
#include "sw/explore/launch/synthesized.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/explore/search/search.h"
#include "tests/unit/config/scratch.h"

namespace strobe::explore {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Synthesized : public testing::Test {
 protected:
  Space space_of(const std::string& sweep) {
    scratch_.write("base.yaml",
                   "mode: timing\nworkload: { elf: a.elf }\n"
                   "profilers: [{ name: s, rate: 16 }, { name: r, kind: random }]\n");
    const std::string file = scratch_.write("sweep.yaml",
                                            "base: base.yaml\ngrid: { profilers.0.strata: [64, "
                                            "128], profilers.0.rate: [8, 16, 32] }\n" +
                                                sweep);
    text::Diagnostics faults;
    auto space = Space::make(read_sweep_file(file, &faults), &faults);
    EXPECT_TRUE(space && faults.empty()) << text::to_text(faults);
    return std::move(*space);
  }
  // The rate is a register and no parameter.
  static std::set<std::string> blocks_of(const Space& space) {
    return synthesized_blocks(
        space, first_designs(space), [](const config::RunConfig& run, size_t profiler) {
          return fmt::format("{} {}", profiler, run.profilers.at(profiler).strata);
        });
  }

  config::Scratch scratch_;
};

TEST_F(Synthesized, AreNoneThatNothingAsksFor) {
  const Space space = space_of("objectives: [{ max: profilers.0.overlap }]\n");
  EXPECT_THAT(synthesized_profilers(space), IsEmpty());
  EXPECT_THAT(blocks_of(space), IsEmpty());
}

TEST_F(Synthesized, AreTheDistinctBlocksOfTheProfilerThatAnObjectiveNames) {
  const Space space = space_of("objectives: [{ min: profilers.0.synthesis.area }]\n");
  EXPECT_THAT(synthesized_profilers(space), ElementsAre(0u));
  EXPECT_THAT(blocks_of(space), ElementsAre("0 128", "0 64"));
}

TEST_F(Synthesized, AreThoseOfAConstraintToo) {
  const Space space = space_of("constraints: [profilers.1.synthesis.period < 2.5]\n");
  EXPECT_THAT(synthesized_profilers(space), ElementsAre(1u));
  EXPECT_EQ(blocks_of(space).size(), 1u);
}

}  // namespace
}  // namespace strobe::explore
