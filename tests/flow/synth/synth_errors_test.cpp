// Does what `strobe synth` cannot do end with one sentence, an exit code and nothing on stdout?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::synth {
namespace {

using testing::HasSubstr;

class Errors : public testing::Test {
 protected:
  Errors() { setenv("STROBE_CACHE", scratch_.path().c_str(), /*overwrite=*/1); }

  /// The message of a command that must fail with this exit code.
  std::string message(int exit_code, std::vector<std::string> args) {
    args.insert(args.begin(), "synth");
    const e2e::ProcessResult result = e2e::strobe(args);
    EXPECT_EQ(result.exit_code, exit_code);
    EXPECT_EQ(result.out, "");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch_.path())) {
      EXPECT_NE(entry.path().extension(), ".v") << "something has been synthesized before";
    }
    return result.err;
  }

  e2e::ScratchDirectory scratch_;
};

TEST_F(Errors, NothingToDo) {
  EXPECT_EQ(
      message(2, {}),
      "strobe: error: synth: nothing to synthesize; give a run file, --block, --named or --all\n");
}

TEST_F(Errors, AnUnknownLibrary) {
  EXPECT_EQ(message(2, {"--block", "strobe_opclass", "--library", "osu180"}),
            "strobe: error: library: expected osu018, osu035 or a Liberty file, got 'osu180' (did "
            "you mean 'osu018'?)\n");
}

TEST_F(Errors, ALibertyFileThatIsNone) {
  const std::string file = scratch_.write("bad.lib", "library (x) {\n  cell {\n").string();
  EXPECT_EQ(message(1, {"--block", "strobe_opclass", "--library", file}),
            "strobe: error: " + file + ":2: not Liberty: expected '(', got {\n");
}

TEST_F(Errors, AMissingToolNamesItsPackage) {
  const std::string path = std::getenv("PATH");
  const std::filesystem::path folder = scratch_.path() / "bin";
  std::filesystem::create_directory(folder);
  std::filesystem::create_symlink("/usr/bin/yosys", folder / "yosys");
  setenv("PATH", folder.c_str(), 1);
  const std::string text = message(1, {"--block", "strobe_opclass"});
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(text,
            "strobe: error: synthesis needs sta, which is not in PATH; install the Debian package "
            "opensta (sudo scripts/setup installs all of them)\n");
}

TEST_F(Errors, AnUnknownBlock) {
  EXPECT_EQ(message(2, {"--block", "strobe_opclas"}),
            "strobe: error: block: expected a module of rtl/, got 'strobe_opclas' (did you mean "
            "'strobe_opclass'?)\n");
}

TEST_F(Errors, AnUnknownConfiguration) {
  EXPECT_THAT(message(2, {"--named", "periodic-257"}),
              testing::AllOf(HasSubstr("--named: expected a name of "
                                       "configs/synth/configurations.yaml, got 'periodic-257'"),
                             HasSubstr("periodic-256")));
}

TEST_F(Errors, APointThatDoesNotElaborate) {
  EXPECT_THAT(message(1, {"--block", "strobe_xor_fold Bits=33"}),
              testing::AllOf(HasSubstr("elaborating strobe_xor_fold Bits=33 failed"),
                             HasSubstr("Bits must be 0 to 32")));
}

TEST_F(Errors, ARunWithoutAnActiveProfiler) {
  EXPECT_THAT(message(2, {in_source("configs/runs/quickstart.yaml"), "--set",
                          "profilers.0.active=false", "--set", "profilers.0.fidelity=model"}),
              HasSubstr("no profiler is active"));
}

TEST_F(Errors, NetlistsOfOneModuleAtTwoPoints) {
  EXPECT_EQ(
      message(2, {"--block", "strobe_xor_fold Bits=3", "--block", "strobe_xor_fold Bits=4",
                  "--netlists", (scratch_.path() / "netlists").string()}),
      "strobe: error: netlists: strobe_xor_fold Bits=3 and strobe_xor_fold Bits=4 would be the "
      "same file; give each a folder of its own\n");
}

TEST_F(Errors, PowerOfMoreThanOneBlock) {
  EXPECT_EQ(message(2, {"--block", "strobe_opclass", "--block", "strobe_lfsr", "--power", "x.vcd"}),
            "strobe: error: power: a waveform is of one netlist, got 2 blocks; give one --block\n");
}

TEST_F(Errors, PowerWithoutItsWaveform) {
  EXPECT_EQ(message(2, {"--block", "strobe_lfsr", "--power", "/nowhere/x.vcd"}),
            "strobe: error: power: cannot read /nowhere/x.vcd: No such file or directory\n");
}

TEST_F(Errors, PowerIsNotOfAComposedBlock) {
  EXPECT_EQ(
      message(2, {"--block", "strobe_compressor", "--power", in_source("LICENSE")}),
      "strobe: error: power: strobe_compressor is composed of blocks with netlists of their own; "
      "give one of these\n");
}

TEST_F(Errors, AMemoryOfALibraryWithoutAFeatureSize) {
  EXPECT_THAT(message(2, {"--block", "strobe_message_buffer", "--library",
                          "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"}),
              HasSubstr("a memory of 164 x 256 needs the feature size"));
}

}  // namespace
}  // namespace strobe::synth
