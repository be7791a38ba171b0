// Which modules may be composed, and how the netlists of the children become one.
#include "sw/synth/mapping/composition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "sw/synth/tools/files.h"
#include "tests/tree.h"
#include "tests/unit/config/scratch.h"

namespace strobe::synth {
namespace {

std::string refusal(const Point& point) {
  try {
    require_composable(elaborate(point));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Composition, EveryModuleOfTheListConnectsOthers) {
  text::Diagnostics diagnostics;
  const BlockList list = read_blocks(in_source("configs/synth/blocks.yaml"), &diagnostics);
  EXPECT_THAT(list.composed, testing::Contains("strobe_profiler"));
  for (const std::string& module : list.composed) EXPECT_EQ(refusal({module, {}}), "");
}

TEST(Composition, AModuleWithAMemoryOrWithoutChildrenIsRefused) {
  EXPECT_THAT(refusal({"strobe_sampler_pipeline", {}}),
              testing::MatchesRegex(
                  "configs/synth/blocks.yaml: composed: expected modules that connect others, got "
                  "strobe_sampler_pipeline, which has a memory of its own "
                  "\\(strobe_sampler_pipeline.sv:[0-9]+\\); take it off the list"));
  EXPECT_EQ(refusal({"strobe_opclass", {}}),
            "configs/synth/blocks.yaml: composed: expected modules that connect others, got "
            "strobe_opclass, which instantiates none; take it off the list");
}

TEST(Composition, ABlockWithAParameterThatIsNoNumberIsRefused) {
  EXPECT_EQ(refusal({"strobe_hash", {{"Hash", 2}}}),
            "configs/synth/blocks.yaml: composed: expected modules that connect blocks with "
            "numbers as parameters, got strobe_hash, whose strobe_hash_linear has the parameter "
            "Columns; take it off the list");
}

TEST(Composition, FlipFlopsAreGlue) { EXPECT_EQ(refusal({"strobe_sequence_start", {}}), ""); }

class Netlists : public testing::Test {
 protected:
  Child child(const char* module, const std::string& netlist) {
    Child result;
    result.point = {module, {{"Width", 3}}};
    result.netlist = folder_.write(std::string(module) + ".v", netlist);
    return result;
  }

  const config::Scratch folder_;
};

TEST_F(Netlists, AModuleIsThereOnceUnderANameForItsParameters) {
  const std::string shared = "module strobe_hash_1(a);\n  input a;\nendmodule\n";
  Children children;
  children["k"] = child("strobe_a",
                        "/* by a tool */\n\nmodule strobe_block(b);\n  input b;\n"
                        "  strobe_hash_1 u(.a(b));\nendmodule\n\n" +
                            shared);
  children["l"] = child("strobe_b", "module strobe_block(c);\n  input c;\nendmodule\n" + shared);
  const std::string a = children["k"].module(), b = children["l"].module();
  EXPECT_THAT(a, testing::MatchesRegex("strobe_a_[0-9a-f]+"));
  EXPECT_EQ(netlist_of(children), "\nmodule " + a +
                                      "(b);\n  input b;\n  strobe_hash_1 u(.a(b));\n"
                                      "endmodule\n\nmodule " +
                                      b + "(c);\n  input c;\nendmodule\n\n" + shared);
  Child wider = children["k"];
  wider.point.parameters["Width"] = 4;
  EXPECT_NE(wider.module(), a);
}

TEST_F(Netlists, PartsAreInstancesAndFailedRecipesNameTheirBlock) {
  Design design;
  design.top = "top";
  design.modules["top"] = {"strobe_top", {}, {}, {{"u_a", "k"}, {"u_b", "k"}}};
  Children children;
  children["k"] = child("strobe_a", "");
  children["k"].cells.logic_area = 5;
  children["k"].cells.failed_recipes = {"direct-6", "chosen-12 of strobe_deep"};
  const std::vector<Part> parts = parts_of(design, children);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1].instance, "u_b");
  EXPECT_EQ(parts[1].point, children["k"].point);
  EXPECT_EQ(parts[1].logic_area, 5);
  EXPECT_THAT(failed_recipes_of(children),
              testing::ElementsAre("chosen-12 of strobe_deep", "direct-6 of strobe_a"));
  EXPECT_TRUE(parts_of(design, {}).empty()) << "a block that is not composed has no parts";
}

}  // namespace
}  // namespace strobe::synth
