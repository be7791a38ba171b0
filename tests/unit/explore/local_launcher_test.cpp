// What a run on this machine may use, and how it is ended.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "sw/explore/launch/launcher.h"
#include "tests/unit/config/scratch.h"

namespace strobe::explore {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class LocalRuns : public testing::Test {
 protected:
  RunEnd end_of_run(const std::string& shell, RunLimits limits) {
    std::optional<RunEnd> last;
    local_launcher(1, limits)->run(
        {{"run", {"/bin/sh", "-c", shell}, scratch_.file("log"), {}}},
        [&](const Launch&, const RunEnd& end) { last = end; }, stop_);
    return *last;
  }

  config::Scratch scratch_;
  const std::atomic<int> stop_{0};
};

TEST_F(LocalRuns, CountTheMemoryOfTheProcessesThatTheyStart) {
  // The shell itself and one of its children hold little; the other child holds 200 MB.
  const std::string shell = "sleep 20 & head -c 200000000 /dev/zero | tail -c 200000000 | sleep 20";
  const RunEnd end = end_of_run(shell, {100'000'000, 60});
  EXPECT_EQ(end.status, "out_of_memory");
  EXPECT_THAT(end.reason, HasSubstr("limits.memory, which is 100000000 bytes"));
}

TEST_F(LocalRuns, MayCleanUpBeforeALimitEndsThem) {
  const std::string file = scratch_.file("half");
  const RunEnd end = end_of_run("trap 'rm " + file + "; exit 130' TERM; echo half > " + file +
                                    "; while :; do sleep 0.05; done",
                                {0, 1});
  EXPECT_EQ(end.status, "timeout");
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(LocalRuns, ThatDoNotEndAreKilled) {
  const RunEnd end = end_of_run("trap '' TERM; while :; do sleep 0.05; done", {0, 1});
  EXPECT_EQ(end.status, "timeout");
  EXPECT_EQ(end.signal, SIGKILL);
}

}  // namespace
}  // namespace strobe::explore
