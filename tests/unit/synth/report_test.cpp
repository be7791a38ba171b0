// Do the table and the JSON say what was found, and does a result survive the cache?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/synth/netlist/result.h"

namespace strobe::synth {
namespace {

Report sample_report() {
  Report report;
  report.library = "osu018";
  report.library_sha256 = std::string(64, 'a');
  report.tools = {{"yosys", "0.23-6"}};
  report.calibration = {0.1, 0.16, 0.17};
  report.yardstick = 2.5;
  BlockResult block;
  block.subject.point = {"strobe_tuple_queue", {{"Lanes", 4}}};
  block.cells.logic_area = 240;
  block.cells.flip_flop_area = 480;
  block.cells.memory_area = 2400;
  block.cells.gate_area = 24;
  block.cells.flip_flops = 5;
  block.cells.period = 3.0;
  block.cells.hold_slack = 0.05;
  block.cells.path = {{"strobe_tuple_queue", "valid_i[0]"}, {"strobe_tuple_queue", "count_q[2]"}};
  block.cells.recipe = "direct-6";
  block.cells.failed_recipes = {"chosen-6"};
  Macro macro;
  macro.size = {132, 16};
  macro.area = 600;
  block.cells.memories.push_back({macro, 4});
  block.cells.parts = {{"u_ram", {"strobe_ram", {{"Width", 132}}}, 168, 480, 2400, 2.9}};
  block.fpga.emplace();
  block.fpga->luts = 700;
  block.fpga->block_rams = 36;
  block.fpga->why_not = "36 block RAMs, the HX8K has 32";
  block.equivalence = "has memories";
  report.blocks.push_back(block);
  block.subject = {{"strobe_opclass", {}}};
  block.cells.period = 2.5;
  block.cells.failed_recipes.clear();
  block.cells.memories.clear();
  block.cells.parts.clear();
  block.fpga->why_not.clear();
  block.fpga->fmax = 214.4;
  block.equivalence = "proved";
  report.blocks.push_back(block);
  block.subject = {{"strobe_profiler", {{"Strata", 512}}}, "stratified-512", 4096};
  block.equivalence = "has memories";
  report.blocks.push_back(block);
  return report;
}

TEST(Report, JsonHasAreaInGatesTheRatioAndThePath) {
  const nlohmann::json json = report_json(sample_report());
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["tools"]["yosys"], "0.23-6");
  EXPECT_EQ(json["library"]["sha256"], std::string(64, 'a'));
  const nlohmann::json& block = json["blocks"][0];
  EXPECT_EQ(block["parameters"]["Lanes"], 4);
  EXPECT_EQ(block["cells"]["logic_ge"], 10);
  EXPECT_EQ(block["cells"]["flip_flop_ge"], 20);
  EXPECT_EQ(block["cells"]["memory_ge"], 100);
  EXPECT_DOUBLE_EQ(block["cells"]["period_fo4"], 30);
  EXPECT_DOUBLE_EQ(block["cells"]["of_yardstick"], 1.2);
  EXPECT_EQ(block["cells"]["meets_yardstick"], false);
  EXPECT_EQ(block["cells"]["to"]["signal"], "count_q[2]");
  EXPECT_EQ(block["cells"]["memories"][0]["source"], "model");
  EXPECT_EQ(block["ice40_hx8k"]["fmax_mhz"], nullptr);
  EXPECT_EQ(block["cells"]["failed_recipes"], nlohmann::json({"chosen-6"}));
  EXPECT_EQ(json["blocks"][1]["cells"]["meets_yardstick"], true);
  EXPECT_FALSE(json["blocks"][1].contains("configuration"));
  EXPECT_EQ(json["blocks"][2]["configuration"], "stratified-512");
  EXPECT_EQ(json["blocks"][2]["storage_bits"], 4096);
}

TEST(Report, HasTheMemoriesAsMacrosThatCanBeOrderedBesideTheModel) {
  Report report = sample_report();
  report.orders[{132, 16}] = {{{{128, 64}, 1}, {{8, 64}, 1}}, {1800, 2400}};
  report.real_over_model = {3, 4};
  const nlohmann::json cells = report_json(report)["blocks"][0]["cells"];
  EXPECT_EQ(cells["memories"][0]["orderable"],
            nlohmann::json({{{"width", 128}, {"depth", 64}, {"number", 1}},
                            {{"width", 8}, {"depth", 64}, {"number", 1}}}));
  EXPECT_EQ(cells["memories"][0]["orderable_um2"], nlohmann::json({1800.0, 2400.0}));
  EXPECT_EQ(cells["memory_orderable_ge"], nlohmann::json({300.0, 400.0}));
  const std::string text = report_text(report);
  EXPECT_THAT(text, testing::HasSubstr("to be ordered as 1 of 128 x 64 and 1 of 8 x 64, 1800 to "
                                       "2400 um2\n"));
  EXPECT_THAT(text, testing::HasSubstr("published ones have 3.0 to 4.0 times the model's area\n"
                                       "  strobe_tuple_queue Lanes=4: 300 to 400 GE, by the model "
                                       "100\n"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("strobe_opclass: 0 to"))) << "no memory";
}

TEST(Report, TakesTheUsersMacrosAsTheyAre) {
  Report report = sample_report();
  report.blocks[0].cells.memories[0].macro.source = MemorySource::kUser;
  const nlohmann::json cells = report_json(report)["blocks"][0]["cells"];
  EXPECT_FALSE(cells["memories"][0].contains("orderable"));
  EXPECT_EQ(cells["memory_orderable_ge"], nlohmann::json({100.0, 100.0}));
  EXPECT_THAT(report_text(report), testing::Not(testing::HasSubstr("can be ordered")));
}

TEST(Report, HasThePartsOfAComposedBlockAndTheLogicBetweenThem) {
  const Report report = sample_report();
  EXPECT_THAT(report_text(report),
              testing::HasSubstr("\nparts of strobe_tuple_queue Lanes=4\n"
                                 "instance           block  logic GE  flop GE  memory GE\n"
                                 "u_ram         strobe_ram         7       20        100\n"
                                 "between them                     3        0          0\n"));
  const nlohmann::json json = report_json(report)["blocks"];
  ASSERT_EQ(json[0]["cells"]["parts"].size(), 1u);
  EXPECT_EQ(json[0]["cells"]["parts"][0], nlohmann::json({{"instance", "u_ram"},
                                                          {"module", "strobe_ram"},
                                                          {"parameters", {{"Width", 132}}},
                                                          {"logic_um2", 168.0},
                                                          {"flip_flop_um2", 480.0},
                                                          {"memory_um2", 2400.0},
                                                          {"period_ns", 2.9}}));
  EXPECT_FALSE(json[1]["cells"].contains("parts")) << "kept results have none";
}

TEST(Report, NamesTheRecipesThatFailed) {
  EXPECT_EQ(failed_recipes_text(sample_report()),
            "strobe: warning: strobe_tuple_queue Lanes=4: abc failed on recipe chosen-6, which is "
            "left out\n");
}

TEST(Report, TextNamesTheBlocksThatMissAndWhatDoesNotFit) {
  const std::string text = report_text(sample_report());
  EXPECT_THAT(text,
              testing::HasSubstr("strobe_tuple_queue Lanes=4: strobe_tuple_queue valid_i[0] to "
                                 "strobe_tuple_queue count_q[2]  MISSES THE YARDSTICK\n"));
  EXPECT_THAT(text, testing::HasSubstr("count_q[2]\n")) << "the other one does not miss";
  EXPECT_THAT(text, testing::HasSubstr("on an iCE40 HX8K: 36 block RAMs"));
  EXPECT_THAT(text, testing::HasSubstr("132 x 16: model, 600 um2"));
  EXPECT_THAT(text, testing::HasSubstr("strobe_opclass: proved"));
}

TEST(Report, SaysNothingOfWhatWasNotAskedFor) {
  Report report = sample_report();
  report.blocks.resize(1);
  report.blocks[0].fpga.reset();
  report.blocks[0].equivalence.clear();
  const nlohmann::json block = report_json(report)["blocks"][0];
  EXPECT_FALSE(block.contains("ice40_hx8k"));
  EXPECT_FALSE(block.contains("equivalence"));
  const std::string text = report_text(report);
  EXPECT_THAT(text, testing::ContainsRegex("0.05 +- +- +- +-\n"));
  EXPECT_THAT(text, testing::HasSubstr("strobe_tuple_queue Lanes=4: not asked for\n"));
}

TEST(Report, HasThePowerAsAnEstimateWithWhereItIsFrom) {
  Report report = sample_report();
  report.blocks.resize(1);
  PowerEstimate power;
  power.internal = 1;
  power.switching = 2;
  power.memory = 3;
  power.leakage = 0.5;
  power.period = 3;
  power.cycles = 2000;
  power.source = "queue.vcd";
  report.blocks[0].power = power;
  const nlohmann::json json = report_json(report)["blocks"][0]["power"];
  EXPECT_EQ(json["estimate"], "before layout: no wires, no glitches, no clock tree");
  EXPECT_DOUBLE_EQ(json["total_mw"], 2.5);
  EXPECT_EQ(json["activity"]["source"], "queue.vcd");
  const std::string text = report_text(report);
  EXPECT_THAT(text, testing::HasSubstr("power, an estimate before layout: osu018 tables, 2000 "
                                       "cycles of queue.vcd"));
  EXPECT_THAT(text, testing::HasSubstr("strobe_tuple_queue Lanes=4: 6.00 pJ a cycle (cells 1.00, "
                                       "nets 2.00, memories 3.00), 2.50 mW at 3.00 ns"));
}

TEST(Report, ThePageHasARowABlockAndTheOnesThatMissOrDoNotFitApart) {
  const std::string page = report_markdown(sample_report());
  EXPECT_THAT(page,
              testing::HasSubstr("| strobe_tuple_queue Lanes=4 | 10 | 20 | 100 | 3.00 | **1.20** |"
                                 " has memories |\n"));
  EXPECT_THAT(page, testing::HasSubstr("| strobe_tuple_queue Lanes=4 | 700 | 0 | 36 | - |\n"));
  EXPECT_THAT(page, testing::ContainsRegex("\\| strobe_opclass \\| .* \\| proved \\|"));
  EXPECT_THAT(page, testing::Not(testing::HasSubstr("**1.00**"))) << "these meet the yardstick";
  const std::string named = page.substr(page.find("## Named profiler configurations"));
  EXPECT_THAT(named, testing::ContainsRegex("\\| stratified-512 \\| .* \\|"));
  const std::string misses = page.substr(page.find("## Blocks that miss the yardstick"));
  EXPECT_THAT(misses, testing::HasSubstr("| strobe_tuple_queue Lanes=4 | 1.20 | strobe_tuple_queue "
                                         "`valid_i[0]` | strobe_tuple_queue `count_q[2]` |\n"));
  EXPECT_THAT(misses, testing::Not(testing::HasSubstr("strobe_opclass")));
  EXPECT_THAT(misses, testing::HasSubstr("- strobe_tuple_queue Lanes=4: 36 block RAMs"));
}

TEST(Report, AResultSurvivesTheCache) {
  const BlockResult block = sample_report().blocks[0];
  const CellResult cells = nlohmann::json::parse(nlohmann::json(block.cells).dump());
  EXPECT_EQ(nlohmann::json(cells), nlohmann::json(block.cells));
  EXPECT_EQ(cells.memories.front().macro.size, (MemorySize{132, 16}));
  const FpgaResult fpga = nlohmann::json::parse(nlohmann::json(*block.fpga).dump());
  EXPECT_EQ(nlohmann::json(fpga), nlohmann::json(*block.fpga));
}

}  // namespace
}  // namespace strobe::synth
