// Points, their text, and which block a name of the netlist belongs to.
#include "sw/synth/design/design.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "sw/synth/library/libraries.h"
#include "sw/synth/tools/files.h"
#include "tests/tree.h"
#include "tests/unit/config/scratch.h"

namespace strobe::synth {
namespace {

std::string point_error(const std::string& text) {
  try {
    parse_point(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

Design small_design() {
  Design design;
  design.top = "top";
  design.modules["top"] = {"strobe_profiler", {}, {}, {{"u_queue", "q"}, {"u_queue_two", "q"}}};
  design.modules["q"] = {"strobe_tuple_queue",
                         {{"Depth", 8}},
                         {},
                         {{"gen_bank[0].u_ram", "r"}, {"gen_bank[1].u_ram", "r"}}};
  design.modules["r"] = {"strobe_ram_1r1w", {{"Width", 4}, {"Depth", 2}}, {}, {}};
  return design;
}

TEST(Point, IsReadAndWrittenAsText) {
  const Point point = parse_point("  strobe_tuple_queue Lanes=8  Depth=64 ");
  EXPECT_EQ(point.module, "strobe_tuple_queue");
  EXPECT_EQ(point.parameters.at("Lanes"), 8);
  EXPECT_EQ(point.text(), "strobe_tuple_queue Depth=64 Lanes=8");
  EXPECT_EQ(parse_point(point.text()), point);
}

TEST(Point, SaysWhatIsWrongWithItsText) {
  EXPECT_EQ(point_error(" "), "block: expected 'MODULE NAME=NUMBER ...', got nothing");
  for (const char* bad : {"Lanes", "Lanes=", "=4", "Lanes=4x", "Lanes=four"}) {
    EXPECT_EQ(point_error(std::string("m ") + bad),
              std::string("block 'm': expected NAME=NUMBER after the module, got '") + bad + "'");
  }
}

// Yosys numbers what it makes and names it by its file, and abc orders by names.
TEST(Point, IsReadFromItsOwnSourcesByTheirNamesInTheTree) {
  const Point point = {"strobe_tuple_queue", {{"Lanes", 8}}};
  EXPECT_EQ(read_commands(point, {"strobe_tuple_queue", "strobe_ram_1r1w"}, "/tmp/memories.sv"),
            "read_verilog -sv -Irtl/common rtl/pkg/strobe_dise_pkg.sv "
            "rtl/pkg/strobe_hash_pkg.sv rtl/pkg/strobe_pkg.sv rtl/pkg/strobe_reg_pkg.sv "
            "rtl/sampler/strobe_tuple_queue.sv /tmp/memories.sv\n"
            "chparam -set Lanes 8 strobe_tuple_queue\n"
            "hierarchy -top strobe_tuple_queue\nrename -top strobe_block\n");
}

// Set to what is no number of its own, a matrix would be zero.
TEST(Design, NamesTheParametersOfItsPointThatAreNumbers) {
  EXPECT_EQ(elaborate({"strobe_hash_linear", {}}).point().text(),
            "strobe_hash_linear IndexBits=11 Offset=0");
  EXPECT_EQ(elaborate({"strobe_increment", {{"Width", 15}}}).point().text(),
            "strobe_increment Width=15");
}

TEST(Design, NamesTheInnermostBlockOfASignal) {
  const Design design = small_design();
  EXPECT_EQ(design.resolve("u_queue.count_q[3]").block, "strobe_tuple_queue");
  EXPECT_EQ(design.resolve("u_queue.count_q[3]").signal, "count_q[3]");
  EXPECT_EQ(design.resolve("u_queue_two.count_q").signal, "count_q");
  EXPECT_EQ(design.resolve("u_queue.gen_bank[1].u_ram.we_i").block, "strobe_tuple_queue")
      << "a memory belongs to its block";
  EXPECT_EQ(design.resolve("rvfi_insn_i[4]").block, "strobe_profiler");
}

TEST(Design, CountsItsMemoriesAndListsItsBlocks) {
  const Design design = small_design();
  const auto memories = design.memories();
  ASSERT_EQ(memories.size(), 1u);
  EXPECT_EQ(memories.at({4, 2}), 4);
  std::vector<std::string> blocks;
  for (const Point& point : design.blocks()) blocks.push_back(point.text());
  EXPECT_THAT(blocks, testing::ElementsAre("strobe_tuple_queue Depth=8", "strobe_profiler"));
}

TEST(Blocks, TheListHasEveryModuleOfTheRtlButTheMemory) {
  text::Diagnostics diagnostics;
  std::vector<std::string> listed;
  for (const Point& point :
       read_blocks(in_source("configs/synth/blocks.yaml"), &diagnostics).blocks)
    listed.push_back(point.module);
  EXPECT_TRUE(diagnostics.empty()) << text::to_text(diagnostics);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(in_source("rtl"))) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() != ".sv" || path.parent_path().filename() == "pkg") continue;
    if (path.stem() == "strobe_ram_1r1w") continue;
    EXPECT_THAT(listed, testing::Contains(path.stem().string()))
        << "add it to configs/synth/blocks.yaml";
  }
}

TEST(Configurations, TheListHasEveryNamedProfiler) {
  std::string list = read_file(in_source("configs/synth/configurations.yaml"));
  for (const auto& entry : std::filesystem::directory_iterator(in_source("configs/profilers"))) {
    if (entry.path().extension() != ".yaml") continue;
    EXPECT_THAT(list, testing::HasSubstr("include: ../profilers/" +
                                         entry.path().filename().string() + " }"))
        << "add it to configs/synth/configurations.yaml";
  }
}

long memory_bits(const Point& point) {
  long bits = 0;
  for (const auto& [size, instances] : elaborate(point).memories())
    bits += long{size.width} * size.depth * instances;
  return bits;
}

// ISCA 2001, sections 3.2 and 4.2.
TEST(Memories, HoldAsManyBitsAsThePaperSays) {
  const long plain = memory_bits({"strobe_strata", {}});
  EXPECT_EQ(plain, 2048 * 8);
  EXPECT_EQ(memory_bits({"strobe_banked_sampler", {{"Banks", 4}, {"Lanes", 4}}}), plain);
  EXPECT_EQ(memory_bits({"strobe_tagged_sampler", {}}), 28672);
  EXPECT_EQ(memory_bits({"strobe_tagged_sampler", {{"TagBits", 1}}}) * 100 / plain, 162)
      << "at its smallest 62 % more";
}

TEST(Blocks, AFaultOfTheListSaysWhere) {
  const config::Scratch folder;
  text::Diagnostics diagnostics;
  read_blocks(folder.write("b.yaml",
                           "blocks:\n  - module: a\n    parameters: { Lanes: four }\n"
                           "  - module: b\n  - module: b\n"),
              &diagnostics);
  const std::string text = text::to_text(diagnostics);
  EXPECT_THAT(text, testing::HasSubstr("b.yaml:3:26: error: blocks.0.parameters.Lanes"));
  EXPECT_THAT(text, testing::HasSubstr("b is listed twice"));
}

TEST(Blocks, WhatIsComposedIsInTheList) {
  const config::Scratch folder;
  text::Diagnostics diagnostics;
  const BlockList list =
      read_blocks(folder.write("b.yaml",
                               "blocks:\n  - module: strobe_top\n  - module: b\n"
                               "composed:\n  - strobe_top\n  - strobe_tup\n  - strobe_top\n"),
                  &diagnostics);
  EXPECT_THAT(list.composed, testing::ElementsAre("strobe_top"));
  const std::string text = text::to_text(diagnostics);
  EXPECT_THAT(text, testing::HasSubstr(
                        "b.yaml:6:5: error: composed.1: expected a module of the list of blocks, "
                        "got 'strobe_tup' (did you mean 'strobe_top'?)"));
  EXPECT_THAT(text,
              testing::HasSubstr("b.yaml:7:5: error: composed.2: strobe_top is listed twice"));
}

TEST(Libraries, AnUnknownNameSaysWhichAreKnown) {
  const std::vector<LibraryEntry> known = {
      {"osu018", "/no/such/file.lib", "qflow-tech-osu018", 180}};
  const auto message = [&](const std::string& wanted) -> std::string {
    try {
      find_library(known, wanted);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("osu81"),
            "library: expected osu018 or a Liberty file, got 'osu81' (did you mean 'osu018'?)");
  EXPECT_EQ(message("osu018"),
            "library osu018: no file /no/such/file.lib; install the Debian package "
            "qflow-tech-osu018 (sudo scripts/setup)");
}

}  // namespace
}  // namespace strobe::synth
