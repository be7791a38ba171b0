// Does a recipe that abc fails on leave the others alone, and is the best of the others chosen?
#include "sw/synth/mapping/recipes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "sw/synth/mapping/cells.h"
#include "sw/synth/timing/calibrate.h"
#include "sw/synth/tools/files.h"
#include "tests/unit/config/scratch.h"

namespace strobe::synth {
namespace {

const Point kBlock = {"strobe_xor_fold", {{"Bits", 4}}};
const Recipe kCrash = {"crash", "!kill -SEGV $PPID\n"};  // the shell's parent is abc
const Recipe kRefused = {"refused", "no_such_command\n"};

class Recipes : public testing::Test {
 protected:
  Recipes() {
    flow_.library = load_cell_library("/usr/share/qflow/tech/osu018/osu018_stdcells.lib");
  }

  CellResult by(std::vector<Recipe> recipes) {
    flow_.recipes = std::move(recipes);
    return synthesize_cells(kBlock, elaborate(kBlock), flow_, folder_ / "netlist.v");
  }

  const ScratchFolder folder_;
  CellFlow flow_;
};

TEST_F(Recipes, OneThatCrashesAbcIsNamedAndTheOthersAreKept) {
  const Recipe direct = cell_recipes().front();
  const CellResult result = by({kCrash, direct, kRefused});
  EXPECT_THAT(result.failed_recipes, testing::ElementsAre("crash", "refused"));
  EXPECT_EQ(result.recipe, direct.name);
  const CellResult alone = by({direct});
  EXPECT_TRUE(alone.failed_recipes.empty());
  EXPECT_EQ(result.logic_area, alone.logic_area);
  EXPECT_EQ(result.period, alone.period);
}

TEST_F(Recipes, WhenAllFailTheErrorHasTheLastOnesWords) {
  try {
    by({kRefused, kCrash});
    FAIL() << "a netlist was made of nothing";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(testing::HasSubstr("no recipe is left: synthesizing strobe_xor_fold "
                                                  "Bits=4 by recipe crash failed: yosys"),
                               testing::HasSubstr("ABC")));
  }
}

TEST_F(Recipes, OfThoseThatMeetTheTargetTheSmallestIsBestAndOtherwiseTheFastest) {
  const std::vector<Tried> tried = {{"small", 2.0, 10}, {"middle", 1.5, 20}, {"fast", 1.0, 30}};
  EXPECT_EQ(best_of(tried, 2.0).recipe, "small");
  EXPECT_EQ(best_of(tried, 1.9).recipe, "middle");
  EXPECT_EQ(best_of(tried, 1.0).recipe, "fast");
  EXPECT_EQ(best_of(tried, 0.9).recipe, "fast");

  const std::vector<Recipe> recipes = cell_recipes();
  flow_.target = 100;  // ns
  const CellResult small = by(recipes);
  EXPECT_EQ(small.tried.size(), recipes.size());
  flow_.target = 0;
  const CellResult fast = by(recipes);
  for (const Tried& one : fast.tried) {
    EXPECT_LE(fast.period, one.period) << one.recipe;
    EXPECT_LE(small.area(), one.area) << one.recipe;
  }
}

// abc's mapper left one in the tuple queue, and its buffering gave up on the whole netlist.
TEST_F(Recipes, AllRemoveGatesThatDriveNothingBeforeTheyBuffer) {
  for (const Recipe& recipe : cell_recipes()) {
    EXPECT_LT(recipe.script.find("cleanup\n"), recipe.script.find("buffer -c")) << recipe.name;
  }
}

}  // namespace
}  // namespace strobe::synth
