// Is the SRAM model what its page says, and does it behave as a memory does?
#include "sw/synth/memory/sram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "sw/synth/library/cell_library.h"
#include "sw/synth/library/liberty.h"
#include "sw/synth/memory/real_macros.h"
#include "tests/tree.h"
#include "tests/unit/config/scratch.h"

namespace strobe::synth {
namespace {

const std::string kCoefficients = in_source("configs/synth/sram.yaml");
constexpr Technology kTechnology = {0.18, 1.8, 0.1};

SramData committed_data() {
  text::Diagnostics diagnostics;
  SramData data = read_sram(kCoefficients, &diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << text::to_text(diagnostics);
  return data;
}

SramModel committed_model() { return SramModel(committed_data().coefficients); }

std::string macros_error(const std::string& csv) {
  try {
    parse_macros(csv, "m.csv");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(SramModel, GivesTheFiguresOfThePageForTheSamplersTable) {
  const Macro macro = committed_model().estimate({8, 2048}, kTechnology);
  EXPECT_EQ(macro.source, MemorySource::kModel);
  EXPECT_EQ(macro.rows, 256);
  EXPECT_EQ(macro.columns, 64);
  EXPECT_EQ(macro.banks, 1);
  const double growth = std::sqrt(1.3);
  const double area = (64 * 14.6 * growth + 300) * (256 * 10 * growth + 600) * 0.18 * 0.18;
  EXPECT_NEAR(macro.area, area, 0.01);
  EXPECT_NEAR(macro.access, 0.1 * (1 + 14), 1e-9);
  EXPECT_NEAR(macro.setup, 0.2, 1e-9);
  const double bitlines = 64 * 256 * 8 * 0.18;
  const double wordline = 64 * 8 * 0.18;
  EXPECT_NEAR(macro.read_energy, 3.24 * (wordline + 0.1 * bitlines + 8 * 50) / 1000, 1e-9);
  EXPECT_NEAR(macro.write_energy, 3.24 * (wordline + bitlines / 8) / 1000, 1e-9);
}

TEST(SramModel, GrowsWithTheBitsAndSplitsIntoBanks) {
  const SramModel model = committed_model();
  Macro last = model.estimate({8, 128}, kTechnology);
  for (int depth = 256; depth <= 65536; depth *= 2) {
    const Macro macro = model.estimate({8, depth}, kTechnology);
    EXPECT_GT(macro.area, last.area) << depth;
    EXPECT_NEAR(macro.access - last.access, 0.1, 1e-9) << "one FO4 a doubling";
    EXPECT_LE(macro.rows, 256);
    EXPECT_GE(long{macro.rows} * macro.columns * macro.banks, macro.size.bits());
    last = macro;
  }
  EXPECT_EQ(last.banks, 32);
  EXPECT_GT(model.estimate({8, 2048}, {0.35, 1.8, 0.1}).area,
            3.7 * model.estimate({8, 2048}, kTechnology).area);
}

TEST(SramModel, LeavesSmallMemoriesToFlipFlops) {
  const SramModel model = committed_model();
  EXPECT_TRUE(model.is_flip_flops({32, 16}));
  EXPECT_FALSE(model.is_flip_flops({33, 16}));
  const Macro small = model.estimate({32, 16}, kTechnology);
  EXPECT_EQ(small.source, MemorySource::kFlipFlops);
  EXPECT_EQ(small.area, 0);
}

TEST(SramCoefficients, SayWhatIsMissingUnknownDoubledOrNoNumber) {
  const config::Scratch folder;
  const auto faults = [&](const std::string& text) {
    text::Diagnostics diagnostics;
    read_sram(folder.write("s.yaml", text), &diagnostics);
    return text::to_text(diagnostics);
  };
  const std::string rest = ", unit: F, meaning: m, source: s }\n";
  EXPECT_THAT(faults("coefficients:\n  - { name: cell_widht, value: 1" + rest),
              testing::AllOf(testing::HasSubstr("did you mean 'cell_width'?"),
                             testing::HasSubstr("the coefficient cell_width is missing")));
  EXPECT_THAT(faults("coefficients:\n  - { name: setup, value: many" + rest),
              testing::HasSubstr("coefficients.0.value"));
  EXPECT_THAT(faults("coefficients:\n  - { name: setup, value: 1" + rest +
                     "  - { name: setup, value: 1" + rest),
              testing::HasSubstr("setup is given twice"));
  EXPECT_THAT(faults("coefficients:\n  - { name: setup, value: 1, unit: F, meaning: m }\n"),
              testing::HasSubstr("source"));
}

// Width and height of their LEFs over the model's formula, each at its own feature size.
TEST(RealMacros, AreThreeToFourTimesTheModel) {
  const SramData data = committed_data();
  const SramModel model(data.coefficients);
  const double areas[] = {431.86 * 484.88, 479.78 * 397.5, 463.46 * 447.14};
  ASSERT_EQ(data.real.known.size(), std::size(areas));
  for (size_t i = 0; i < std::size(areas); ++i)
    EXPECT_NEAR(data.real.known[i].area, areas[i], 1) << data.real.known[i].name;
  const double growth = std::sqrt(1.3);
  const double gf180 = (16 * 14.6 * growth + 300) * (256 * 10 * growth + 600) * 0.18 * 0.18;
  const double openram = (32 * 14.6 * growth + 300) * (256 * 10 * growth + 600) * 0.13 * 0.13;
  const Band band = real_over_model(data.real, model);
  EXPECT_NEAR(band.low, areas[0] / gf180, 0.001);
  EXPECT_NEAR(band.high, areas[2] / openram, 0.001);
  EXPECT_NEAR(band.low, 3.24, 0.01);
  EXPECT_NEAR(band.high, 4.18, 0.01);
}

TEST(RealMacros, AreOrderedInWidthsAndDepthsThatThereAre) {
  const SramData data = committed_data();
  const SramModel model(data.coefficients);
  using Macros = std::vector<std::pair<MemorySize, int>>;
  const auto macros = [&](int width, int depth) {
    return order_of({width, depth}, data.real, model, 0.18).macros;
  };
  EXPECT_EQ(macros(528, 32), (Macros{{{128, 64}, 4}, {{32, 64}, 1}})) << "a row of the queue";
  EXPECT_EQ(macros(141, 256), (Macros{{{128, 256}, 1}, {{32, 256}, 1}}));
  EXPECT_EQ(macros(8, 2048), (Macros{{{8, 1024}, 2}}));
  EXPECT_EQ(macros(256, 4096), (Macros{{{128, 1024}, 8}}));
  EXPECT_EQ(macros(1, 1), (Macros{{{8, 64}, 1}}));
  EXPECT_EQ(macros(65, 1025), (Macros{{{128, 1024}, 2}}));
}

TEST(RealMacros, TakeTheAreaOfWhatIsOrderedTimesTheBand) {
  const SramData data = committed_data();
  const SramModel model(data.coefficients);
  const Band ratio = real_over_model(data.real, model);
  const double ordered = 4 * model.area_of({128, 64}, 0.18) + model.area_of({32, 64}, 0.18);
  const Band area = order_of({528, 32}, data.real, model, 0.18).area;
  EXPECT_NEAR(area.low, ratio.low * ordered, 0.01);
  EXPECT_NEAR(area.high, ratio.high * ordered, 0.01);
  EXPECT_GT(area.low, 3 * model.area_of({528, 32}, 0.18));
}

TEST(RealMacros, SayWhatIsMissingOrDoesNotRise) {
  const config::Scratch folder;
  const std::string committed = [] {
    std::ifstream in(kCoefficients);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }();
  const auto fault = [&](const std::string& from, const std::string& to) {
    std::string text = committed;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    text::Diagnostics diagnostics;
    read_sram(folder.write("s.yaml", text), &diagnostics);
    return text::to_text(diagnostics);
  };
  EXPECT_THAT(fault("widths: [8, 32, 64, 128]", "widths: [8, 64, 32, 128]"),
              testing::HasSubstr("orderable.widths: expected rising whole numbers, here one from "
                                 "65 to 1048576"));
  EXPECT_THAT(fault("widths: [8, 32, 64, 128]", "widths: []"),
              testing::HasSubstr("orderable.widths: expected at least one size, got none"));
  EXPECT_THAT(fault("depths: [64, 128, 256, 512, 1024]", "depth: 64"),
              testing::HasSubstr("orderable.depths"));
  EXPECT_THAT(fault("area_um2: 209400", "area_um2: small"),
              testing::HasSubstr("macros.0.area_um2"));
  EXPECT_THAT(fault("    source: LEF in Global", "    sauce: LEF in Global"),
              testing::HasSubstr("macros.0.source"));
}

TEST(Macros, AreReadFromTheUsersTable) {
  const auto macros = parse_macros(
      "width,depth,area_um2,access_ns,setup_ns,read_pj,write_pj\n8, 2048, 90000, 1.4, 0.2, 5, "
      "6\n\n",
      "m.csv");
  ASSERT_EQ(macros.size(), 1u);
  EXPECT_EQ(macros[0].source, MemorySource::kUser);
  EXPECT_EQ(macros[0].size.cell_name(), "strobe_sram_8x2048");
  EXPECT_EQ(macros[0].area, 90000);
  EXPECT_EQ(macros[0].access, 1.4);
  EXPECT_EQ(macros[0].write_energy, 6);
}

TEST(Macros, SayWhichLineAndFieldIsWrong) {
  const std::string header = "width,depth,area_um2,access_ns,setup_ns\n";
  EXPECT_THAT(macros_error("width,depth,area\n"),
              testing::HasSubstr("m.csv:1: expected the header"));
  EXPECT_EQ(macros_error(header + "8,16,1,1\n"), "m.csv:2: expected 5 fields, got 4");
  EXPECT_EQ(macros_error(header + "8,0,1,1,1\n"),
            "m.csv:2: depth: expected a whole number from 1, got '0'");
  EXPECT_EQ(macros_error(header + "8,16,1,fast,1\n"),
            "m.csv:2: access_ns: expected a number from 0, got 'fast'");
  EXPECT_EQ(macros_error(header + "8,16,1,1,1\n8,16,1,1,1\n"), "m.csv:3: 8 x 16 is given twice");
}

TEST(MacroLiberty, IsLibertyWithEveryPortOfTheMemory) {
  CellLibrary library;
  library.voltage = 1.8;
  library.flip_flop = "DFF";
  Cell flip_flop;
  flip_flop.next_state = "D";
  flip_flop.pins.push_back({"D", true, 0.01, "", false});
  library.cells["DFF"] = flip_flop;
  const Macro macro = committed_model().estimate({132, 16}, kTechnology);
  const LibertyGroup parsed = parse_liberty(macro_liberty({macro}, "", library), "macros.lib");
  const LibertyGroup* cell = parsed.group("cell");
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->name(), "strobe_sram_132x16");
  EXPECT_NEAR(std::stod(*cell->attribute("area")), macro.area, 0.01);
  std::vector<std::string> ports;
  for (const LibertyGroup& group : cell->groups) {
    if (group.type == "pin" || group.type == "bus") ports.push_back(group.name());
  }
  EXPECT_THAT(ports, testing::ElementsAre("clk_i", "we_i", "waddr_i", "wdata_i", "re_i", "raddr_i",
                                          "rdata_o"));
}

}  // namespace
}  // namespace strobe::synth
