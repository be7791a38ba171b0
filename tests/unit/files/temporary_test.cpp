#include "sw/files/temporary.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "sw/files/advice.h"
#include "tests/unit/files/scratch.h"

namespace strobe::files {
namespace {

namespace fs = std::filesystem;

class Leftovers : public testing::Test {
 protected:
  /// What a process makes that is gone by now.
  template <class Make>
  static void in_killed_process(Make make) {
    const pid_t child = fork();
    if (child == 0) {
      make();
      kill(getpid(), SIGKILL);
    }
    waitpid(child, nullptr, 0);
  }

  Scratch scratch_;
};

TEST_F(Leftovers, WhatAKilledProcessWasMakingIsRemoved) {
  in_killed_process([&] {
    fs::create_directories(temporary_of(scratch_.path() / "out") / "deep");
    std::ofstream(temporary_of(scratch_.path() / "stream")) << "half";
  });
  ASSERT_FALSE(fs::is_empty(scratch_.path()));
  sweep_leftovers(scratch_.path());
  EXPECT_TRUE(fs::is_empty(scratch_.path()));
}

TEST_F(Leftovers, WhatALivingProcessMakesStays) {
  const fs::path mine = temporary_of(scratch_.path() / "out");
  fs::create_directory(mine);
  sweep_leftovers(scratch_.path());
  EXPECT_TRUE(fs::exists(mine));
}

TEST_F(Leftovers, AnOldResultWithoutASuccessorGetsItsNameBack) {
  in_killed_process([&] { std::ofstream(replaced_of(scratch_.path() / "out")) << "old"; });
  sweep_leftovers(scratch_.path());
  EXPECT_EQ(scratch_.read("out"), "old");
  in_killed_process([&] { std::ofstream(replaced_of(scratch_.path() / "out")) << "older"; });
  sweep_leftovers(scratch_.path());
  EXPECT_EQ(scratch_.read("out"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch_.path()), {}), 1);
}

TEST_F(Leftovers, NamesThatOnlyLookAlikeStay) {
  std::string mine;
  in_killed_process([&] { scratch_.write("name", temporary_of("/x").filename().string()); });
  mine = scratch_.read("name");                              // .x.tmp-strobe-HOST-PID
  const std::string process = mine.substr(mine.rfind('-'));  // -PID
  const char* const kOthers[] = {".thesis.tmp-1", "thesis.tmp-strobe-1", ".strobe-1"};
  for (const char* name : kOthers) scratch_.write(name, "years of work");
  scratch_.write(".x.tmp-strobe-another.host" + process, "of a node of the cluster");
  scratch_.write(mine + "x", "no number");
  scratch_.write(mine.substr(1), "not hidden");
  const auto count = std::distance(fs::directory_iterator(scratch_.path()), {});
  sweep_leftovers(scratch_.path());
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch_.path()), {}), count);
}

TEST(Advice, SaysWhatHelps) {
  EXPECT_EQ(advice_for(ENOSPC), "make room there");
  EXPECT_EQ(advice_for(EROFS), "make that place writable");
  EXPECT_EQ(advice_for(EFBIG), "raise the limit on the size of a file ('ulimit -f unlimited')");
  EXPECT_EQ(advice_for(EIO), "check that place");
}

}  // namespace
}  // namespace strobe::files
