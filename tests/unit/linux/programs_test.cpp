// Static C and C++ programs on the hart say exactly what they say under qemu-riscv64.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/linux/program_fixture.h"

namespace strobe::isa {
namespace {

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

TEST_F(ProgramTest, FramesOfHandlersWithoutRoomEndTheProgramAsUnderQemu) {
  for (const auto& [way, code] : {std::pair("stack_ends", 128 + 11), {"handled", 5}}) {
    const Result ours = run("signal_stacks", {way}), theirs = run_in_qemu("signal_stacks", way);
    EXPECT_EQ(ours.failure, "") << way;
    EXPECT_EQ(ours.out, theirs.out) << way;
    EXPECT_EQ(ours.code, theirs.code) << way;
    EXPECT_EQ(ours.code, code) << way;
  }
}

// As Linux does. qemu-riscv64 7.2 enters the handler again and again.
TEST_F(ProgramTest, AFrameThatDoesNotFitItsAlternateStackEndsTheProgram) {
  for (const char* way : {"small", "small_with_handler"}) {
    const Result ours = run("signal_stacks", {way});
    EXPECT_EQ(ours.failure, "") << way;
    EXPECT_EQ(ours.out, "begins\n") << way;
    EXPECT_EQ(ours.code, 128 + 11) << way;
  }
}

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
