// Programs with threads, timers and handlers of faults say exactly what they say under
// qemu-riscv64. Each prints only what does not depend on the order in which its threads run.
#include "gtest/gtest.h"
#include "tests/unit/linux/program_fixture.h"

namespace strobe::isa {
namespace {

class ThreadsTest : public ProgramTest {};

TEST_F(ThreadsTest, LocksKeepThreadsApartAsUnderQemu) { expect_the_same("locks"); }

TEST_F(ThreadsTest, RobustLocksOutliveTheirOwnersAsUnderQemu) { expect_the_same("robust"); }

TEST_F(ThreadsTest, ConditionsAndSemaphoresWakeThreadsAsUnderQemu) {
  expect_the_same("conditions");
}

TEST_F(ThreadsTest, BarriersAndVariablesOfThreadsBehaveAsUnderQemu) { expect_the_same("barriers"); }

TEST_F(ThreadsTest, ThreadsEndAndAreCanceledAsUnderQemu) { expect_the_same("lifetimes"); }

TEST_F(ThreadsTest, SignalsReachTheThreadsTheyReachUnderQemu) { expect_the_same("masks"); }

TEST_F(ThreadsTest, AStormOfSignalsLosesAsLittleAsUnderQemu) { expect_the_same("storm"); }

TEST_F(ThreadsTest, HandlersOfFaultsGoOnAsUnderQemu) { expect_the_same("faults"); }

TEST_F(ThreadsTest, PipesCarryBytesBetweenThreadsAsUnderQemu) { expect_the_same("channels"); }

TEST_F(ThreadsTest, PollAndSelectWakeThreadsAsUnderQemu) { expect_the_same("polls"); }

TEST_F(ThreadsTest, MasksOfPollLetSignalsInAsUnderQemu) { expect_the_same("poll_masks"); }

TEST_F(ThreadsTest, TimersAndSleepsEndAsUnderQemu) { expect_the_same("timers"); }

TEST_F(ThreadsTest, TimersThatAreFilesExpireAsUnderQemu) { expect_the_same("timer_files"); }

TEST_F(ThreadsTest, EventsReachThreadsAsUnderQemu) { expect_the_same("events"); }

TEST_F(ThreadsTest, SocketsCarryBytesBetweenThreadsAsUnderQemu) { expect_the_same("sockets"); }

TEST_F(ThreadsTest, FilesInMemoryKeepWhatThreadsWriteAsUnderQemu) {
  expect_the_same("memory_files");
}

TEST_F(ThreadsTest, ThreadsOfTheCppLibraryBehaveAsUnderQemu) { expect_the_same("threads"); }

TEST_F(ThreadsTest, OpenMpBehavesAsUnderQemu) { expect_the_same("openmp"); }

TEST_F(ThreadsTest, TwoRunsOfThreadsExecuteTheSameInstructions) {
  for (const char* name : {"storm", "threads", "locks"}) {
    const Result first = run(name), second = run(name);
    EXPECT_EQ(first.out, second.out) << name;
    EXPECT_EQ(first.instructions, second.instructions) << name;
    EXPECT_GT(first.instructions, 100'000u) << name;
  }
}

}  // namespace
}  // namespace strobe::isa
