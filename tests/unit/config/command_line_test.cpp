// Does bin/strobe, run as a user runs it, answer with the right exit code on the right stream?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "tests/tree.h"
#include "tests/unit/config/answer.h"

namespace strobe::config {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// bin/strobe-experiments has the commands reproduce, optimize, synth, sweep and explain.
TEST(CommandLine, AnExperimentWithoutItsProgramSaysWhichOneAndHowToBuildIt) {
  const Scratch scratch;
  const std::string alone = scratch.file("strobe");
  std::filesystem::copy_file(in_build("bin/strobe"), alone);
  const Answer answer = strobe({"sweep", "--help"}, {}, "", alone);
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.out, "");
  EXPECT_EQ(answer.err, "strobe: error: sweep is a command of " +
                            scratch.file("strobe-experiments") +
                            ", which cannot be started: No such file or directory; build it with "
                            "'cmake --build --preset release --target strobe-experiments'\n");
}

// After `cmake --build --preset release --target demo`, for example.
TEST(CommandLine, DoctorSaysWhichCommandsAHalfBuildCannotStartAndWhatBuildsThem) {
  const Scratch scratch;
  const std::string alone = scratch.file("strobe");
  std::filesystem::copy_file(in_build("bin/strobe"), alone);
  std::filesystem::create_directories(scratch.file("guest/workloads"));
  for (const char* file : {"firmware.elf", "workloads/othello.elf"}) {
    std::filesystem::copy_file(in_build(std::string("guest/") + file),
                               scratch.file(std::string("guest/") + file));
  }
  const Answer answer =
      strobe({"doctor"},
             {"STROBE_GUEST_DIR=" + scratch.file("guest"), "STROBE_RTL_DIR=" + in_build("rtl"),
              "STROBE_CACHE=" + scratch.file("cache")},
             "", alone);
  EXPECT_EQ(answer.code, 0) << answer.out;
  const std::string build = "; build it: cmake --build --preset release --target ";
  EXPECT_THAT(
      answer.out,
      AllOf(HasSubstr("absent   commands sweep, explain, synth, reproduce and optimize: no file " +
                      scratch.file("strobe-experiments") + build + "strobe-experiments\n"),
            HasSubstr("absent   observer of SHIM: no file " + scratch.file("guest/observer.elf") +
                      build + "guest_observer\n"),
            HasSubstr(build + "guest_bursty\n"), HasSubstr(build + "guest_ephemeral\n"),
            HasSubstr("everything that a plain run needs is there; 4 absent\n")));
}

TEST(CommandLine, AnExperimentHasTheNameDescriptionAndExitCodeThatStrobeShows) {
  const std::string all = strobe({"--help"}).out;
  for (const char* name : {"reproduce", "optimize", "synth", "sweep", "explain"}) {
    const Answer help = strobe({name, "--help"});
    EXPECT_EQ(help.code, 0) << help.err;
    const std::string description = help.out.substr(0, help.out.find('\n'));
    EXPECT_THAT(all, testing::ContainsRegex(std::string("\n  ") + name + " +" +
                                            description.substr(0, description.find(';'))));
    EXPECT_THAT(help.out, HasSubstr(std::string("bin/strobe ") + name + " [OPTIONS]"));
    EXPECT_EQ(strobe({name, "--no-such-option"}).code, 2);
  }
}

TEST(CommandLine, UsageErrorsAreExitCode2OnStderr) {
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"rnu"},
      {"run"},
      {"run", kQuickstart},
      {"run", kQuickstart, "--out"},
      {"run", kQuickstart, "--out", "x", "--bogus"},
      {"config"},
      {"config", "check"},
      {"config", "chekc", kQuickstart},
      {"doctor", "extra"},
  };
  for (const auto& arguments : wrong) {
    const Answer answer = strobe(arguments);
    EXPECT_EQ(answer.code, 2) << testing::PrintToString(arguments) << answer.err;
    EXPECT_EQ(answer.out, "") << testing::PrintToString(arguments);
    EXPECT_NE(answer.err, "") << testing::PrintToString(arguments);
  }
}

const std::vector<std::vector<std::string>> kCommands = {{},
                                                         {"run"},
                                                         {"record"},
                                                         {"replay"},
                                                         {"reproduce"},
                                                         {"dise"},
                                                         {"dise", "check"},
                                                         {"dise", "assemble"},
                                                         {"dise", "explain"},
                                                         {"config"},
                                                         {"config", "check"},
                                                         {"config", "explain"},
                                                         {"config", "schema"},
                                                         {"synth"},
                                                         {"sweep"},
                                                         {"explain"},
                                                         {"report"},
                                                         {"doctor"},
                                                         {"completion"}};

TEST(CommandLine, EveryCommandHasHelpWithAnExample) {
  for (auto arguments : kCommands) {
    arguments.push_back("--help");
    const Answer answer = strobe(arguments);
    EXPECT_EQ(answer.code, 0) << testing::PrintToString(arguments);
    EXPECT_THAT(answer.out, HasSubstr("Example: strobe ")) << testing::PrintToString(arguments);
    EXPECT_EQ(answer.err, "") << testing::PrintToString(arguments);
  }
}

TEST(CommandLine, ExamplesNameFilesThatExistAndResultsThatAnotherExampleWrites) {
  size_t files = 0;
  for (auto arguments : kCommands) {
    arguments.push_back("--help");
    const std::string help = strobe(arguments).out;
    std::istringstream example(help.substr(help.rfind("Example: ")));
    std::string word, before;
    for (; example >> word; before = word) {
      if (word.rfind("configs/", 0) == 0) {
        ++files;
        EXPECT_TRUE(std::filesystem::exists(in_source("") + word)) << word;
      } else if (word.rfind("results/", 0) == 0 && before != "--out") {
        ++files;  // strobe sweep writes results/NAME of configs/sweeps/NAME.yaml
        const std::string name = word.substr(8, word.find('/', 8) - 8);
        EXPECT_TRUE(std::filesystem::exists(in_source("configs/sweeps/") + name + ".yaml")) << word;
      }
    }
  }
  EXPECT_GE(files, kCommands.size() / 2) << "examples were read";
}

TEST(CommandLine, AMisspeltCommandIsNamedWithTheNearestOneEvenWhenHelpIsAsked) {
  EXPECT_EQ(strobe({"rnu"}).err,
            "strobe: error: no such command: 'rnu' (did you mean 'run'?); 'strobe --help' lists "
            "all\n");
  const Answer help = strobe({"recrod", "--help"});
  EXPECT_EQ(help.code, 2);
  EXPECT_EQ(help.out, "");
  EXPECT_THAT(help.err, StartsWith("strobe: error: no such command: 'recrod'"));
  EXPECT_EQ(strobe({"config", "chekc", kQuickstart}).err,
            "strobe: error: no such command: 'chekc' (did you mean 'check'?); 'strobe config "
            "--help' lists all\n");
}

TEST(CommandLine, AMisspeltOptionIsNamedBeforeAMissingOne) {
  EXPECT_EQ(strobe({"run", kQuickstart, "--otu", "x"}).err,
            "strobe: error: no such option: '--otu' (did you mean '--out'?); 'strobe run --help' "
            "lists all\n");
  EXPECT_EQ(strobe({"run", kQuickstart, "--otu=x"}).err,
            "strobe: error: no such option: '--otu' (did you mean '--out'?); 'strobe run --help' "
            "lists all\n");
}

TEST(CommandLine, AMissingArgumentIsNamedWithTheHelpThatLists) {
  EXPECT_EQ(strobe({"run", kQuickstart}).err,
            "strobe: error: --out is required; 'strobe run --help' shows how to call it\n");
}

TEST(CommandLine, TheValueOfAnOptionMayLookLikeAnOption) {
  const Answer answer = strobe({"config", "check", kQuickstart, "--set", "--core.rob=64"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("--set '--core.rob=64': error: --core: unknown key"));
}

TEST(CommandLine, AnAnswerThatCannotBeWrittenIsAnError) {
  const std::vector<std::string> short_one = {"config", "explain", kQuickstart, "core.rob"};
  const std::vector<std::string> more_than_a_buffer = {"config", "schema"};
  for (const auto& arguments : {short_one, more_than_a_buffer}) {
    const Answer answer = strobe(arguments, {}, "/dev/full");
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.err,
              "strobe: error: cannot write to the standard output: No space left on device; make "
              "room there\n");
  }
}

TEST(CommandLine, VersionNamesTheToolsItWasBuiltWithAndNoBanner) {
  const Answer answer = strobe({"--version"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.out, AllOf(StartsWith("strobe 0."), HasSubstr("\nsystemc: 2."),
                                HasSubstr("\nverilator: Verilator "), HasSubstr("\ncompiler: "),
                                Not(HasSubstr("Copyright"))));
  EXPECT_EQ(answer.err, "");
}

TEST(CommandLine, RunOfAFaultyFileIsExitCode2AndWritesNothing) {
  const Scratch scratch;
  const std::string file = scratch.write("r.yaml", "sede: 1\n");
  const Answer answer = strobe({"run", file, "--out", scratch.file("out")});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("r.yaml:1:1: error: sede: unknown key (did you mean 'seed'?)"));
  EXPECT_FALSE(std::filesystem::exists(scratch.file("out")));
}

TEST(CommandLine, DoctorSaysWhatIsMissingAndWhatToDo) {
  const Scratch scratch;
  const Answer answer =
      strobe({"doctor"}, {"STROBE_GUEST_DIR=/nowhere", "STROBE_CACHE=" + scratch.file("cache")});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(
      answer.out,
      AllOf(HasSubstr("missing  firmware: no file /nowhere/firmware.elf; build the project"),
            HasSubstr("missing  workloads: 0 programs in /nowhere/workloads"),
            HasSubstr("ok       cache: " + scratch.file("cache")),
            HasSubstr("ok       Verilator: Verilator "), HasSubstr("2 missing\n")));
}

TEST(CommandLine, DoctorChangesNothing) {
  const Scratch scratch;
  const std::string home = scratch.file("home");
  std::filesystem::create_directories(home);
  const Answer answer = strobe({"doctor"}, {"STROBE_CACHE=", "HOME=" + home});
  EXPECT_THAT(answer.out, HasSubstr("ok       cache: " + home + "/.cache/strobe"));
  EXPECT_TRUE(std::filesystem::is_empty(home));
}

TEST(CommandLine, DoctorFindsAnUnwritableCache) {
  const Answer answer = strobe({"doctor"}, {"STROBE_CACHE=/proc/none"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.out,
              HasSubstr("missing  cache: /proc/none; set STROBE_CACHE to a folder that can "
                        "be written"));
}

TEST(CommandLine, DoctorIsContentWithACompleteBuild) {
  const Scratch scratch;
  const Answer answer = strobe({"doctor"}, {"STROBE_CACHE=" + scratch.file("cache")});
  EXPECT_EQ(answer.code, 0) << answer.out;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("everything is there\n"), Not(HasSubstr("missing"))));
}

}  // namespace
}  // namespace strobe::config
