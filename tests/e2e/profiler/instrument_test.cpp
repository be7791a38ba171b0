// Bursty tracing as a user runs it: the edited program runs in place of the original, its profile
// has the original's addresses, and each error is one sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "sw/files/sha256.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;

constexpr const char* kAlways = "n_check0: 1, n_instr0: 2147483647";
constexpr const char* kNever = "n_check0: 2147483647, n_instr0: 1";

class Instrument : public testing::Test {
 protected:
  /// Runs lz; `instrument` are keys of that section.
  ProcessResult run(const std::string& instrument, const std::string& mode,
                    const std::string& workload = "", const std::string& extra = "") {
    const std::string elf = in_build("guest/workloads/lz.elf");
    const auto file = scratch_.write(
        "run.yaml", "mode: " + mode + "\nworkload: { elf: " + elf + ", args: [tiny]" + workload +
                        " }\ncore: { include: " + in_source("configs/cores/hps2005.yaml") +
                        " }\ninstrument: { kind: bursty, " + instrument + " }\n" + extra);
    return strobe({"run", file.string(), "--out", out().string(), "--force", "--quiet"});
  }
  json result(const std::string& instrument, const std::string& mode,
              const std::string& workload = "", const std::string& extra = "") {
    const ProcessResult process = run(instrument, mode, workload, extra);
    EXPECT_EQ(process.exit_code, 0) << process.err;
    table_ = process.out;
    return read_json(out() / "result.json");
  }
  fs::path out() const { return scratch_.path() / "out"; }

  ScratchDirectory scratch_;
  std::string table_;
};

TEST_F(Instrument, EverythingInTheInstrumentedCopyIsTheProfileOfTheOriginal) {
  // Every check leads into the instrumented copy, and with every check in place no loop is left
  // out.
  const json found = result(std::string("variant: orig, events: [data, call, edge, value], "
                                        "trace_records: 16777216, ") +
                                kAlways,
                            "functional");
  const json& instrument = found.at("instrument");
  EXPECT_GT(instrument.at("share"), 0.99);
  EXPECT_LE(instrument.at("share"), 1.0);
  EXPECT_EQ(instrument.at("dropped"), 0);
  EXPECT_EQ(instrument.at("bursts"), 1);
  const json& profile = found.at("profile");
  for (const char* kind : {"call_pairs", "edges", "methods"}) {
    EXPECT_GT(profile.at(kind).at("overlap"), 0.99) << kind;
    EXPECT_LE(profile.at(kind).at("events"), profile.at(kind).at("exhaustive_events")) << kind;
  }
  EXPECT_GT(profile.at("call_pairs").at("functions").at("overlap"), 0.99);
  // A pointer to static data is another number in the edited program.
  EXPECT_GT(profile.at("values").at("overlap"), 0.8);
  EXPECT_GT(profile.at("hot_streams").at("subpaths").at("exact_overlap"), 0.99);
  EXPECT_THAT(table_, HasSubstr("instrumented  bursty orig, 1:2147483647"));
  EXPECT_THAT(read_file(out() / "instrument.call_pairs.csv"), HasSubstr("main"));
}

TEST_F(Instrument, TheRegionIsTheSameInstructions) {
  const std::string roi = ", roi: { skip: 50000, run: 100000 }";
  const json found =
      result(std::string("variant: orig, events: [data], ") + kAlways, "functional", roi);
  EXPECT_EQ(found.at("end"), "region");
  EXPECT_GT(found.at("instructions"), 100000) << "of the edited program";
  EXPECT_GT(found.at("instrument").at("share"), 0.999);
  EXPECT_LE(found.at("instrument").at("share"), 1.0);
}

// The original ends before `run` does; the edited program executes more, and is not cut there.
TEST_F(Instrument, ARegionThatIsLongerThanTheProgramIsTheWholeProgram) {
  const json found = result(std::string("variant: orig, events: [data], ") + kAlways, "functional",
                            ", roi: { run: 2500000 }");
  EXPECT_EQ(found.at("end"), "exited");
  EXPECT_GT(found.at("instructions"), 2500000) << "of the edited program";
  EXPECT_GT(found.at("instrument").at("share"), 0.999);
}

TEST_F(Instrument, SamplesAtTheRateOfItsChecks) {
  const json found = result("n_check0: 90, n_instr0: 10", "functional");
  const json& instrument = found.at("instrument");
  EXPECT_NEAR(instrument.at("expected_share"), 0.1, 1e-9);
  EXPECT_GT(instrument.at("share"), 0.02);
  EXPECT_LT(instrument.at("share"), 0.3);
  EXPECT_GT(instrument.at("bursts"), 10);
  EXPECT_LE(instrument.at("burst_events").at("least"), instrument.at("burst_events").at("p50"));
  EXPECT_GT(found.at("profile").at("hot_streams").at("subpaths").at("overlap"), 0.01);
}

// Four checks a round, one at each of three calls and one at the branch back: every 400 checks the
// same one begins a burst of one check, and jitter helps.
TEST_F(Instrument, JitterHelpsWhereBurstsAreInStepWithALoop) {
  scratch_.write("in_step.link", "riscv64-linux-gnu-gcc\n-static\nin_step.o\n");
  const std::string compile = "cd " + scratch_.path().string() +
                              " && riscv64-linux-gnu-gcc -O2 -c " +
                              in_source("tests/e2e/programs/in_step.c") +
                              " && riscv64-linux-gnu-gcc -static in_step.o -o in_step.elf";
  ASSERT_EQ(std::system(compile.c_str()), 0);
  const auto run_of = [&](const std::string& more) {
    const auto file = scratch_.write(
        "in_step.yaml",
        "mode: functional\nworkload: { elf: in_step.elf }\ninstrument: { kind: bursty, "
        "variant: orig, objects: program, events: [call], n_check0: 399, n_instr0: 1" +
            more + " }\n");
    const ProcessResult process =
        strobe({"run", file.string(), "--out", out().string(), "--force", "--quiet"});
    EXPECT_EQ(process.exit_code, 0) << process.err;
    return read_json(out() / "result.json");
  };
  const auto overlap = [](const json& found) {
    return found.at("profile").at("call_pairs").at("overlap").get<double>();
  };
  EXPECT_LT(overlap(run_of("")), 0.4);
  const json varied = run_of(", jitter: 4");
  EXPECT_GT(overlap(varied), 0.9);
  EXPECT_EQ(varied.at("instrument").at("jitter"), 4);
  // 200,000 checks, one burst in 400.5 on average.
  EXPECT_NEAR(varied.at("instrument").at("bursts").get<double>(), 499, 5);
  const std::string profile = read_file(out() / "instrument.call_pairs.csv");
  run_of(", jitter: 4");
  EXPECT_EQ(read_file(out() / "instrument.call_pairs.csv"), profile);
  run_of(", jitter: 4 }\nseed: 2\n#");
  EXPECT_NE(read_file(out() / "instrument.call_pairs.csv"), profile);
}

TEST_F(Instrument, FoldsWhatNeedsNoOrder) {
  const std::string events = "variant: orig, events: [call, edge], ";
  const json folded = result(events + kAlways, "functional");
  EXPECT_GT(folded.at("instrument").at("share"), 0.99);
  EXPECT_TRUE(folded.at("instrument").at("burst_events").is_null());
  EXPECT_GT(folded.at("profile").at("edges").at("overlap"), 0.99);
  // The command writes the program that ran.
  const std::string edited = (scratch_.path() / "edited.elf").string();
  ASSERT_EQ(
      strobe({"instrument", (scratch_.path() / "run.yaml").string(), "--out", edited}).exit_code,
      0);
  EXPECT_EQ(read_json(out() / "manifest.json").at("instrumented").at("sha256"),
            files::sha256_of_file(edited));
}

TEST_F(Instrument, WithoutBurstsOnlyTheChecksCost) {
  const json basic = result(kNever, "timing");
  EXPECT_EQ(basic.at("instrument").at("events"), 0);
  EXPECT_EQ(basic.at("instrument").at("accidental_transitions"), 0);
  EXPECT_GT(basic.at("overhead_measured"), 0.001);
  const std::string output = read_file(out() / "stdout.txt");
  const json all = result(kNever + std::string(", variant: orig"), "timing");
  EXPECT_GT(all.at("overhead_measured"), basic.at("overhead_measured"));
  EXPECT_EQ(read_file(out() / "stdout.txt"), output);
  EXPECT_EQ(all.at("baseline_cycles"), basic.at("baseline_cycles"));
  const json manifest = read_json(out() / "manifest.json");
  EXPECT_EQ(manifest.at("elf").at("name"), "lz.elf");
  EXPECT_NE(manifest.at("instrumented").at("sha256"), manifest.at("elf").at("sha256"));
}

TEST_F(Instrument, TheCommandWritesAProgramThatRunsAnywhere) {
  const fs::path edited = scratch_.path() / "edited.elf";
  const ProcessResult process =
      strobe({"instrument", in_source("configs/runs/bursty.yaml"), "--out", edited.string()});
  ASSERT_EQ(process.exit_code, 0) << process.err;
  EXPECT_THAT(process.out, HasSubstr(" in two copies, "));
  EXPECT_GT(read_json(edited.string() + ".json").at("sites").size(), 1000u);
  const auto output = [&](const std::string& program) {
    const std::string file = (scratch_.path() / "output").string();
    const int status = std::system(("qemu-riscv64 " + program + " tiny > " + file).c_str());
    return std::to_string(status) + read_file(file);
  };
  EXPECT_EQ(output(edited.string()), output(in_build("guest/workloads/lz.elf")));
}

TEST_F(Instrument, WhatIsWrongIsSaidInOneSentence) {
  const auto error = [&](const std::string& instrument, const std::string& workload = "",
                         const std::string& extra = "") {
    const ProcessResult process = run(instrument, "functional", workload, extra);
    EXPECT_EQ(process.exit_code, 2) << process.err;
    EXPECT_FALSE(fs::exists(out()));
    return process.err;
  };
  EXPECT_THAT(error("n_instr0: 0"), HasSubstr("instrument.n_instr0"));
  EXPECT_THAT(error("buffer_records: 100"), HasSubstr("expected a power of two, got 100"));
  EXPECT_THAT(error("buffer_records: 8"), HasSubstr("instrument.buffer_records"));
  EXPECT_THAT(error("n_check0: 7, jitter: 4"),
              HasSubstr("expected 8 to 2147483639, from which 4 bits of jitter can take 7 and to "
                        "which they can add as many, got 7"));
  EXPECT_THAT(error("n_check0: 2147483647, jitter: 1"), HasSubstr("instrument.n_check0"));
  EXPECT_THAT(error("events: []"),
              HasSubstr("expected at least one of data, edge, call and value"));
  EXPECT_THAT(error("events: [data]", "", "profilers: [{ name: p, kind: periodic }]\n"),
              HasSubstr("set profilers=[]"));
  EXPECT_THAT(error("events: [data]", ", roi: { warm: 10 }"), HasSubstr("workload.roi.warm"));
  EXPECT_THAT(error("events: [data]", ", objects: nowhere.link"),
              HasSubstr("its link command is needed, to edit its objects"));

  // A command that links another program, one that fails, and one whose linker is not there.
  const std::string object = in_build("guest/objects/workloads/");
  const auto record = [&](const std::string& text) {
    return ", objects: " + scratch_.write("own.link", text).string();
  };
  const std::string driver = "riscv64-linux-gnu-gcc\n-static\n";
  EXPECT_THAT(error("events: [data]", record(driver + object + "btree.o\n-lm\n")),
              HasSubstr("links another program; build the program again with that command"));
  EXPECT_THAT(error("events: [data]", record(driver + "missing.o\n")),
              testing::AllOf(HasSubstr("missing.o: expected an object of RISC-V"),
                             HasSubstr("No such file or directory; build the program again")));
  EXPECT_THAT(error("events: [data]", record("riscv64-no-such-gcc\n" + object + "lz.o\n")),
              HasSubstr("the linker 'riscv64-no-such-gcc' cannot be started"));
  const ProcessResult none = strobe({"instrument", in_source("configs/runs/quickstart.yaml"),
                                     "--out", (scratch_.path() / "edited.elf").string()});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err,
              HasSubstr("instrument.kind: expected bursty, ephemeral or signals, got none"));
  EXPECT_FALSE(fs::exists(scratch_.path() / "edited.elf"));
}

}  // namespace
}  // namespace strobe::e2e
