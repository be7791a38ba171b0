// Static C and C++ programs on the hart say exactly what they say under qemu-riscv64.
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sc_models/isa/linux/process_environment.h"
#include "tests/tree.h"

namespace strobe::isa {
namespace {

struct Result {
  std::string out, err;
  int code = -1;
  std::string failure;
  uint64_t instructions = 0;
};

std::string content(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class ProgramTest : public testing::Test {
 protected:
  ProgramTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "strobe-XXXXXX").string();
    top_ = std::filesystem::canonical(mkdtemp(pattern.data()));
    std::filesystem::create_directory(top_ / "work");
    std::ofstream(top_ / "input") << "first line\nsecond line\n";
  }
  ~ProgramTest() override { std::filesystem::remove_all(top_); }

  static std::string program(const std::string& name) {
    return in_build("tests/unit/linux/programs/") + name;
  }

  Result run(const std::string& name, const std::vector<std::string>& args = {},
             uint64_t seed = 1) {
    ProcessOptions options;
    options.elf = program(name);
    options.args = args;
    options.env = {"STROBE_COLOR=green"};
    options.stdin_file = (top_ / "input").string();
    options.write = {(top_ / "work").string()};
    options.seed = seed;
    GuestMemory memory;
    LinuxProcess process(memory, options);
    ProcessEnvironment world(process);
    Hart hart(memory, world);
    process.set_clock([&hart] { return hart.user_instructions(); });
    hart.set_user_entry(process.entry(), process.stack_pointer());
    EXPECT_EQ(hart.run(uint64_t{200'000'000}), StopReason::kEcallStop)
        << "pc " << std::hex << hart.state().pc;
    return {process.captured_stdout(), process.captured_stderr(), process.exit().code,
            process.exit().error, hart.instructions()};
  }

  Result run_in_qemu(const std::string& name, const std::string& args = "") {
    const std::string command = "cd " + (top_ / "work").string() +
                                " && env -i STROBE_COLOR=green qemu-riscv64 " + program(name) +
                                " " + args + " < ../input > ../out 2> ../err";
    const int status = std::system(("exec 2>/dev/null; ulimit -c 0; " + command).c_str());
    return {content(top_ / "out"), content(top_ / "err"), WEXITSTATUS(status), "", 0};
  }

  void expect_the_same(const std::string& name) {
    const Result ours = run(name);
    const Result theirs = run_in_qemu(name);
    EXPECT_EQ(ours.failure, "");
    EXPECT_EQ(ours.out, theirs.out);
    EXPECT_EQ(ours.err, theirs.err);
    EXPECT_EQ(ours.code, theirs.code);
    EXPECT_FALSE(ours.out.empty());
  }

  std::filesystem::path top_;
};

TEST_F(ProgramTest, HelloPrintsItsArgumentsInputAndNumbersAsUnderQemu) {
  const Result ours = run("hello", {"one", "two words"});
  const Result theirs = run_in_qemu("hello", "one 'two words'");
  EXPECT_EQ(ours.failure, "");
  EXPECT_EQ(ours.out, theirs.out);
  EXPECT_EQ(ours.err, "to standard error\n");
  EXPECT_EQ(ours.code, 7);
  EXPECT_EQ(theirs.code, 7);
}

TEST_F(ProgramTest, FilesAndDirectoriesBehaveAsUnderQemu) {
  expect_the_same("files");
  EXPECT_TRUE(std::filesystem::is_empty(top_ / "work"));
}

TEST_F(ProgramTest, PathLibrariesFindTheirWayFromTheRootAsUnderQemu) {
  expect_the_same("paths");
  EXPECT_TRUE(std::filesystem::is_empty(top_ / "work"));
}

TEST_F(ProgramTest, HeapAndMappingsBehaveAsUnderQemu) { expect_the_same("heap"); }

TEST_F(ProgramTest, PipesBehaveAsUnderQemu) { expect_the_same("pipes"); }

TEST_F(ProgramTest, SignalsAndTheirHandlersBehaveAsUnderQemu) { expect_the_same("signals"); }

TEST_F(ProgramTest, TheCppLibraryBehavesAsUnderQemuButCannotReadTheHost) {
  const Result ours = run("library");
  Result theirs = run_in_qemu("library");
  const size_t passwd = theirs.out.rfind("1\n");
  ASSERT_EQ(passwd + 2, theirs.out.size());
  theirs.out.replace(passwd, 1, "0");
  EXPECT_EQ(ours.failure, "");
  EXPECT_EQ(ours.out, theirs.out);
  EXPECT_THAT(ours.err, testing::HasSubstr("nobody catches this"));
  EXPECT_EQ(ours.code, 128 + 6) << "an exception nobody catches aborts";
  EXPECT_EQ(content(top_ / "work/stream.txt"), "line one\nline two\n");
}

TEST_F(ProgramTest, TwoRunsExecuteTheSameInstructions) {
  const Result first = run("library"), second = run("library");
  EXPECT_EQ(first.out, second.out);
  EXPECT_EQ(first.instructions, second.instructions);
  EXPECT_GT(first.instructions, 1'000'000u);
}

// fork, system and the like are refused with the functions that led to them.
TEST_F(ProgramTest, AnotherProcessStopsTheRunWithItsCallers) {
  for (const char* way : {"fork", "vfork", "spawn", "system", "popen"}) {
    EXPECT_THAT(run("processes", {way}).failure,
                testing::MatchesRegex("clone3? at pc 0x[0-9a-f]+ \\(.*\\): starts another process, "
                                      "called by .*main; expected a program of one process.*"))
        << way;
  }
  EXPECT_THAT(run("processes", {"exec"}).failure,
              testing::MatchesRegex("execve at pc .*: starts another program, called by .*"
                                    "main; expected .*"));
  EXPECT_EQ(run("processes", {"wait"}).code, 11) << "ECHILD: there is no child";
}

}  // namespace
}  // namespace strobe::isa
