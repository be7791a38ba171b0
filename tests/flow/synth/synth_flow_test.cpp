// Does `strobe synth` find areas, periods, paths and proofs that hold together?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "sw/files/sealed.h"
#include "sw/synth/mapping/cells.h"
#include "sw/synth/proof/equivalence.h"
#include "sw/synth/timing/calibrate.h"
#include "sw/synth/tools/files.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::synth {
namespace {

using nlohmann::json;

const std::string kOsu018 = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";

/// A cache of this test alone, with the yardstick in it.
class Flow : public testing::Test {
 protected:
  Flow() {
    std::filesystem::copy(in_build("tests/flow/synth/yardstick"), scratch_.path(),
                          std::filesystem::copy_options::recursive);
    setenv("STROBE_CACHE", scratch_.path().c_str(), /*overwrite=*/1);
  }

  static std::string text_of(std::vector<std::string> args) {
    args.insert(args.begin(), "synth");
    const e2e::ProcessResult result = e2e::strobe(args);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
  static json report_of(std::vector<std::string> args) {
    args.insert(args.end(), {"--format", "json"});
    const std::string text = text_of(std::move(args));
    return text.empty() ? json() : json::parse(text);
  }

  e2e::ScratchDirectory scratch_;
};

double seconds_of(const std::function<void()>& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST_F(Flow, ABlockGetsItsAreaPeriodPathAndProofAndTheSecondRunIsInstant) {
  std::string first, second;
  const std::vector<std::string> args = {"--block", "strobe_opclass", "--format", "json"};
  const double cold = seconds_of([&] { first = text_of(args); });
  const double warm = seconds_of([&] { second = text_of(args); });
  EXPECT_EQ(first, second);
  EXPECT_LT(warm, cold / 4);

  const json report = json::parse(first);
  EXPECT_EQ(report["library"]["name"], "osu018");
  EXPECT_NEAR(report["yardstick_ns"], 2.4, 0.3);
  EXPECT_NEAR(report["calibration"]["fo4_ns"], 0.1, 0.03);
  const json& block = report["blocks"][0];
  const json& cells = block["cells"];
  EXPECT_GT(cells["logic_ge"], 30);
  EXPECT_EQ(cells["flip_flops"], 0);
  EXPECT_GT(cells["period_ns"], 0.4);
  EXPECT_EQ(cells["meets_yardstick"], true);
  EXPECT_NEAR(cells["setup_slack_ns"], 0, 0.001) << "the period is the smallest";
  EXPECT_EQ(cells["from"]["block"], "strobe_opclass");
  EXPECT_THAT(cells["from"]["signal"].get<std::string>(), testing::StartsWith("insn_i["));
  EXPECT_THAT(cells["to"]["signal"].get<std::string>(), testing::StartsWith("class_o["));
  EXPECT_EQ(block["equivalence"], "proved");
  const auto sources = block["sources"].get<std::vector<std::string>>();
  EXPECT_THAT(sources, testing::Contains("rtl/sampler/strobe_opclass.sv"));
  EXPECT_THAT(sources, testing::Contains("rtl/pkg/strobe_pkg.sv"));
  EXPECT_THAT(sources, testing::Not(testing::Contains("rtl/sampler/strobe_strata.sv")));
  EXPECT_GT(block["ice40_hx8k"]["luts"], 10);
  EXPECT_GT(block["ice40_hx8k"]["fmax_mhz"], 50);
}

TEST_F(Flow, APointIsOneResultWhicheverOfItsParametersAreNamed) {
  const auto netlists = [&] {
    size_t count = 0;
    for (const auto& file : std::filesystem::directory_iterator(scratch_.path() / "synth"))
      count += file.path().extension() == ".v";
    return count;
  };
  const json all_default = report_of({"--block", "strobe_at_least", "--cells"});
  const size_t before = netlists();
  const json named = report_of({"--block", "strobe_at_least Width=64", "--cells"});
  EXPECT_EQ(netlists(), before);
  EXPECT_EQ(all_default["blocks"][0]["cells"], named["blocks"][0]["cells"]);
}

TEST_F(Flow, AnotherLibraryIsAKeyOrAFile) {
  const std::vector<std::string> block = {"--block", "strobe_opclass", "--library"};
  const auto with = [&](const std::string& library) {
    std::vector<std::string> args = block;
    args.push_back(library);
    return report_of(args);
  };
  const json named = with("osu018"), file = with(kOsu018), larger = with("osu035");
  EXPECT_EQ(named["library"]["sha256"], file["library"]["sha256"]);
  EXPECT_EQ(named["blocks"][0]["cells"], file["blocks"][0]["cells"]);
  EXPECT_GT(larger["calibration"]["fo4_ns"], named["calibration"]["fo4_ns"]);
  EXPECT_GT(larger["blocks"][0]["cells"]["area_um2"],
            3 * named["blocks"][0]["cells"]["area_um2"].get<double>());
}

TEST_F(Flow, AMemoryIsAMacroOnThePathFromTheModelOrTheUser) {
  const std::vector<std::string> block = {"--block", "strobe_message_buffer Depth=4 CountWidth=1"};
  const json modelled = report_of(block)["blocks"][0]["cells"];
  ASSERT_EQ(modelled["memories"].size(), 1u);
  EXPECT_EQ(modelled["memories"][0]["source"], "model");
  EXPECT_EQ(modelled["memories"][0]["width"], 133);
  EXPECT_DOUBLE_EQ(modelled["memory_um2"], modelled["memories"][0]["area_um2"]);
  EXPECT_GT(modelled["flip_flops"], 133) << "the bypass register at least";
  EXPECT_THAT(modelled["to"]["signal"].get<std::string>(), testing::Not(testing::StartsWith("_")));

  const auto csv =
      scratch_.write("macros.csv", "width,depth,area_um2,access_ns,setup_ns\n133,4,12345,10,0.5\n");
  std::vector<std::string> args = block;
  args.insert(args.end(), {"--macros", csv.string()});
  const json given = report_of(args)["blocks"][0]["cells"];
  EXPECT_EQ(given["memories"][0]["source"], "user");
  EXPECT_DOUBLE_EQ(given["memory_um2"], 12345);
  EXPECT_GT(given["period_ns"], 10) << "the path starts at the macro";
  EXPECT_EQ(given["from"]["signal"].get<std::string>().rfind("u_ram.rdata_o[", 0), 0u);
}

TEST_F(Flow, ANetlistIsWrittenAsItsModuleAndNothingElseIsDone) {
  const std::filesystem::path folder = scratch_.path() / "netlists";
  const std::vector<std::string> args = {"--block", "strobe_opclass", "--netlists",
                                         folder.string()};
  const json block = report_of(args)["blocks"][0];
  EXPECT_FALSE(block.contains("equivalence"));
  EXPECT_THAT(read_file(folder / "strobe_opclass.sv"),
              testing::AllOf(testing::HasSubstr("module strobe_opclass ("),
                             testing::HasSubstr("module NAND2X1 (input A, input B, output Y);")));

  for (const auto& entry : std::filesystem::directory_iterator(cache_directory())) {
    if (entry.path().extension() == ".v") std::filesystem::remove(entry.path());
  }
  const e2e::ProcessResult lost = e2e::strobe({"synth", args[0], args[1], args[2], args[3]});
  EXPECT_EQ(lost.exit_code, 1);
  EXPECT_EQ(lost.out, "");
  EXPECT_THAT(lost.err,
              testing::ContainsRegex("strobe_opclass: [0-9a-f]+ is in the cache without "
                                     "its netlist; remove .*json to synthesize it again"));
}

TEST_F(Flow, CellsAloneAreTheSameWithoutTheOtherSteps) {
  const std::vector<std::string> block = {"--block", "strobe_opclass"};
  const json whole = report_of(block)["blocks"][0];
  std::vector<std::string> args = block;
  args.push_back("--cells");
  const json alone = report_of(args)["blocks"][0];
  EXPECT_EQ(alone["cells"], whole["cells"]);
  EXPECT_TRUE(whole.contains("ice40_hx8k") && whole.contains("equivalence"));
  EXPECT_FALSE(alone.contains("ice40_hx8k") || alone.contains("equivalence"));
}

TEST_F(Flow, WhatChangesDuringTheSynthesisIsAnError) {
  const auto library = scratch_.path() / "own.lib";
  std::filesystem::copy_file(kOsu018, library);
  const auto macros =
      scratch_.write("macros.csv", "width,depth,area_um2,access_ns,setup_ns\n133,4,12345,10,0.5\n");
  const std::string path = std::getenv("PATH");
  for (const auto& changed : {library, macros}) {
    std::filesystem::create_directories(scratch_.path() / "bin");
    const auto yosys =
        scratch_.write("bin/yosys", "#!/bin/sh\n/usr/bin/yosys \"$@\"\ncode=$?\necho >> " +
                                        changed.string() + "\nexit $code\n");
    std::filesystem::permissions(yosys, std::filesystem::perms::owner_all);
    setenv("PATH", (yosys.parent_path().string() + ":" + path).c_str(), 1);
    const e2e::ProcessResult result =
        e2e::strobe({"synth", "--block", "strobe_opclass", "--cells", "--library", library.string(),
                     "--feature", "180", "--macros", macros.string()});
    setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(result.exit_code, 1) << changed;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, testing::HasSubstr("changed during the synthesis: start it again"));
    std::filesystem::copy_file(kOsu018, library, std::filesystem::copy_options::overwrite_existing);
  }
}

TEST_F(Flow, ASmallMemoryIsFlipFlops) {
  const json cells =
      report_of({"--block", "strobe_ram_1r1w Width=4 Depth=3"})["blocks"][0]["cells"];
  EXPECT_EQ(cells["memories"][0]["source"], "flip-flops");
  EXPECT_EQ(cells["flip_flops"], 4 * 3 + 4);
  EXPECT_EQ(cells["memory_um2"], 0);
}

// The hash of a random sampler is a constant: it has neither area nor a path.
TEST_F(Flow, AComposedBlockIsItsPartsAndTheSecondRunIsInstant) {
  const std::vector<std::string> args = {"--block", "strobe_compressor Sampler=1"};
  json report, again;
  const double cold = seconds_of([&] { report = report_of(args); });
  const double warm = seconds_of([&] { again = report_of(args); });
  EXPECT_EQ(report, again);
  EXPECT_LT(warm, cold / 4);

  const json& whole = report["blocks"][0]["cells"];
  EXPECT_THAT(whole["recipe"].get<std::string>(), testing::StartsWith("composed-"));
  ASSERT_EQ(whole["parts"].size(), 1u);
  const json& sampler = whole["parts"][0];
  EXPECT_EQ(sampler["module"], "strobe_stratified_sampler");
  EXPECT_EQ(sampler["parameters"]["Sampler"], 1);
  for (const char* area : {"flip_flop_um2", "memory_um2"}) EXPECT_EQ(whole[area], sampler[area]);
  const double between = whole["logic_um2"].get<double>() - sampler["logic_um2"].get<double>();
  EXPECT_GT(between, 0) << "the choice of the level that is read";
  EXPECT_LT(between, sampler["logic_um2"].get<double>() / 10);
  EXPECT_GT(whole["flip_flops"], 64);
  EXPECT_GT(sampler["period_ns"], 0.5);
  EXPECT_GE(whole["period_ns"], sampler["period_ns"].get<double>() - 0.001);
  EXPECT_NE(whole["to"]["block"], "strobe_compressor") << "it ends in a block below";
  EXPECT_EQ(whole["child_share"], 1) << "it meets the yardstick at once";
  EXPECT_EQ(report["blocks"][0]["equivalence"], "proved") << "the netlist stands alone";
}

// Proves the netlist of a block, and again with the text between the first `begin` and `end`
// changed.
void expect_seen(const Point& point, const std::filesystem::path& netlist, const std::string& begin,
                 const std::string& end, const std::string& by,
                 const std::map<MemorySize, Macro>& macros = {}) {
  const Design design = elaborate(point);
  CellFlow flow;
  flow.macros = macros;
  flow.library = load_cell_library(kOsu018);
  flow.calibration = calibrate(flow.library);
  synthesize_cells(point, design, flow, netlist);
  EXPECT_EQ(check_equivalence(point, design, flow, netlist), "proved");

  std::string text = read_file(netlist);
  const size_t at = text.find(begin);
  ASSERT_NE(at, std::string::npos);
  write_file(netlist, text.replace(at, text.find(end, at) - at, by));
  EXPECT_THAT(check_equivalence(point, design, flow, netlist), testing::StartsWith("NOT EQUAL"));
}

TEST_F(Flow, TheProofSeesASingleWrongGate) {
  expect_seen({"strobe_opclass", {}}, scratch_.path() / "netlist.v", "NAND2X1 ", " ", "AND2X1");
}

TEST_F(Flow, TheProofSeesAClockGateThatIsAlwaysOpen) {
  expect_seen({"strobe_axi_writer", {}}, scratch_.path() / "netlist.v", ".enable_i(", ")\n",
              ".enable_i(1'h1");
}

TEST_F(Flow, TheProofSeesAMemoryThatIsAlwaysWritten) {
  Macro macro;
  macro.size = {8, 2048};
  macro.area = 1000;
  macro.access = 1;
  macro.setup = 0.2;
  expect_seen({"strobe_strata", {}}, scratch_.path() / "netlist.v", ".we_i(", ")\n", ".we_i(1'h1",
              {{macro.size, macro}});
}

// A hash with its tuples beside it, a block in a composed one: its proof when the text `from` of
// the netlists that have the hash is `to`.
std::string proof_with(const std::filesystem::path& cache, const std::string& from,
                       const std::string& to) {
  const auto report = [](const char* steps) {
    const e2e::ProcessResult result = e2e::strobe(
        {"synth", "--block", "strobe_hash_pipeline Hash=1 IndexBits=3", "--format", "json", steps});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out)["blocks"][0];
  };
  report("--cells");
  int changed = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(cache)) {
    if (entry.path().extension() != ".v") continue;
    std::string text = read_file(entry.path());
    const size_t at = text.find(from);
    if (text.find("index_o") == std::string::npos || at == std::string::npos) continue;
    write_file(entry.path(), text.replace(at, from.size(), to));
    files::seal(entry.path());  // an unsealed netlist would be made again
    ++changed;
  }
  EXPECT_GE(changed, 1);
  return report("--library=osu018")["equivalence"];
}

TEST_F(Flow, TheProofOfAComposedBlockSeesAWrongConnectionBetweenItsParts) {
  EXPECT_THAT(proof_with(scratch_.path(), ".pc_i(pc_i", ".pc_i(value_i"),
              testing::AllOf(testing::StartsWith("NOT EQUAL"), testing::HasSubstr("u_hash.pc_i")));
}

TEST_F(Flow, TheProofOfAComposedBlockNamesThePartThatIsNotItsRtl) {
  EXPECT_THAT(
      proof_with(scratch_.path(), "XOR2X1 ", "AND2X1 "),
      testing::AllOf(testing::StartsWith("NOT EQUAL"), testing::EndsWith("in strobe_hash")));
}

}  // namespace
}  // namespace strobe::synth
