// Software signals as a user runs them: the words cost what they cost, the result says what their
// identifiers mean, and each error is one sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "tests/e2e/process/overhead_classes.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;

class SoftwareSignals : public testing::Test {
 protected:
  /// Runs lz; `instrument` are keys of that section.
  ProcessResult run(const std::string& instrument, const std::string& mode = "functional",
                    const std::string& workload = "", const std::string& extra = "") {
    const std::string elf = in_build("guest/workloads/lz.elf");
    const auto file = scratch_.write(
        "run.yaml", "mode: " + mode + "\nworkload: { elf: " + elf + ", args: [tiny]" + workload +
                        " }\ncore: { include: " + in_source("configs/cores/hps2005.yaml") +
                        " }\ninstrument: { kind: signals" + instrument + " }\n" + extra);
    return strobe({"run", file.string(), "--out", out().string(), "--force", "--quiet"});
  }
  json result(const std::string& instrument, const std::string& mode = "functional",
              const std::string& workload = "") {
    const ProcessResult process = run(instrument, mode, workload);
    EXPECT_EQ(process.exit_code, 0) << process.err;
    table_ = process.out;
    return read_json(out() / "result.json");
  }
  fs::path out() const { return scratch_.path() / "out"; }

  ScratchDirectory scratch_;
  std::string table_;
};

TEST_F(SoftwareSignals, CostInstructionsAndCycles) {
  const json found = result("", "timing"), methods = result(", signals: [methods]", "timing");
  const json &both = found.at("instrument"), &one = methods.at("instrument");
  EXPECT_EQ(both.at("kind"), "signals");
  EXPECT_GT(both.at("loop_writes"), both.at("method_writes").get<uint64_t>()) << "lz loops";
  EXPECT_EQ(one.at("method_writes"), both.at("method_writes"));
  EXPECT_TRUE(one.at("loop_writes").is_null());
  EXPECT_EQ(one.at("back_edges"), 0);
  // Each write takes two instructions or more, where it is not of 0.
  EXPECT_GT(found.at("instructions").get<uint64_t>() - methods.at("instructions").get<uint64_t>(),
            both.at("loop_writes").get<uint64_t>());
  EXPECT_GT(found.at("overhead_measured"), methods.at("overhead_measured").get<double>());
  EXPECT_GT(methods.at("overhead_measured"), 0.0);
  expect_classes_add_up(methods);
  EXPECT_TRUE(found.at("profile").is_null());
  EXPECT_THAT(table_, HasSubstr("instrumented  signals of "));
}

TEST_F(SoftwareSignals, TheResultSaysWhatTheIdentifiersMean) {
  const json found = result("");
  std::istringstream methods(read_file(out() / "instrument.methods.csv")),
      loops(read_file(out() / "instrument.loops.csv"));
  std::string line;
  uint64_t number = 0;
  bool has_main = false;
  for (std::getline(methods, line); std::getline(methods, line);) {
    EXPECT_EQ(line.substr(0, line.find(',')), std::to_string(++number));
    has_main |= line.size() > 5 && line.substr(line.size() - 5) == ",main";
  }
  EXPECT_TRUE(has_main);
  EXPECT_EQ(number, found.at("instrument").at("functions"));
  number = 0;
  for (std::getline(loops, line); std::getline(loops, line);) ++number;
  EXPECT_EQ(number, found.at("instrument").at("loops"));
}

TEST_F(SoftwareSignals, TheRegionIsTheSameInstructions) {
  const json found = result("", "functional", ", roi: { skip: 50000, run: 100000 }");
  EXPECT_EQ(found.at("end"), "region");
  EXPECT_GT(found.at("instructions"), 100000) << "of the edited program";
  EXPECT_LT(found.at("instructions"), 150000);
}

TEST_F(SoftwareSignals, TheCommandWritesAProgramThatRunsAnywhere) {
  const fs::path edited = scratch_.path() / "edited.elf";
  const ProcessResult process =
      strobe({"instrument", in_source("configs/runs/signals.yaml"), "--out", edited.string()});
  ASSERT_EQ(process.exit_code, 0) << process.err;
  EXPECT_THAT(process.out, HasSubstr(" functions and "));
  EXPECT_GT(read_json(edited.string() + ".json").at("loops").size(), 1000u);
  const auto output = [&](const std::string& program) {
    const std::string file = (scratch_.path() / "output").string();
    const int status = std::system(("qemu-riscv64 " + program + " tiny > " + file).c_str());
    return std::to_string(status) + read_file(file);
  };
  EXPECT_EQ(output(edited.string()), output(in_build("guest/workloads/lz.elf")));
}

TEST_F(SoftwareSignals, WhatIsWrongIsSaidInOneSentence) {
  const auto error = [&](const std::string& instrument, const std::string& workload = "",
                         const std::string& extra = "") {
    const ProcessResult process = run(instrument, "functional", workload, extra);
    EXPECT_EQ(process.exit_code, 2) << process.err;
    EXPECT_FALSE(fs::exists(out()));
    return process.err;
  };
  EXPECT_THAT(
      error(", signals: []"),
      HasSubstr("instrument.signals: expected at least one of methods and loops, got none"));
  EXPECT_THAT(error(", signals: [functions]"), HasSubstr("instrument.signals"));
  EXPECT_THAT(
      error(", n_check0: 5"),
      HasSubstr("instrument.n_check0: expected no such key without instrument.kind: bursty"));
  EXPECT_THAT(error(", objects: program, persistence: 5"),
              HasSubstr("expected no such key without instrument.kind: ephemeral"));
  EXPECT_THAT(error("", ", objects: nowhere.link"),
              HasSubstr("its link command is needed, to edit its objects"));
  const ProcessResult other = strobe({"config", "check", in_source("configs/runs/bursty.yaml"),
                                      "--set", "instrument.signals=[loops]"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("instrument.signals: expected no such key without "
                                   "instrument.kind: signals"));
}

}  // namespace
}  // namespace strobe::e2e
