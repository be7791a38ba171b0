// What a signal that ends a command leaves: a sentence, an exit code, and nothing else.
#include "sw/process/interruption.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "sw/process/exit_code.h"
#include "sw/process/leftovers.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

class EndingSignals : public testing::TestWithParam<int> {
 protected:
  EndingSignals() {
    std::string pattern = (fs::temp_directory_path() / "strobe-signals-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~EndingSignals() override { fs::remove_all(folder_); }

  /// A process that does something, and then gets the signal. @return what waitpid says
  int in_process(const std::function<void()>& work) const {
    const pid_t child = fork();
    if (child == 0) {
      if (freopen((folder_ / "said").c_str(), "w", stderr) == nullptr) _exit(126);
      end_on_signals();
      work();
      raise(GetParam());
      _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }
  std::string said() const {
    std::ifstream stream(folder_ / "said");
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  fs::path folder_;
};

TEST_P(EndingSignals, EndAProcessWithASentenceAndRemoveWhatItWasMaking) {
  const fs::path made = folder_ / "made", file = folder_ / "file", kept = folder_ / "kept";
  const int status = in_process([&] {
    static const RemovedOnSignal folder(made.string()), single(file.string());
    fs::create_directories(made / "deep/er");
    for (int i = 0; i < 300; ++i) std::ofstream(made / "deep" / std::to_string(i)) << "half";
    fs::create_symlink(kept, made / "link");
    std::ofstream(file) << "half";
    std::ofstream(kept) << "whole";
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), kExitInterrupted);
  EXPECT_EQ(said(), "\nstrobe: interrupted; nothing was written\n");
  EXPECT_FALSE(fs::exists(made));
  EXPECT_FALSE(fs::exists(file));
  EXPECT_TRUE(fs::exists(kept));
}

TEST_P(EndingSignals, EndItsChildrenFirst) {
  const fs::path file = folder_ / "of the child";
  in_process([&] {
    const pid_t child = fork();
    if (child == 0) {
      static const RemovedOnSignal removed(file.string());
      std::ofstream(file) << "half";
      std::ofstream(folder_ / "ready") << "";
      for (;;) pause();
    }
    static const EndedOnSignal ended(child);
    while (!fs::exists(folder_ / "ready")) usleep(1000);
    std::ofstream(folder_ / "child") << child;
  });
  EXPECT_FALSE(fs::exists(file));
  pid_t child = 0;
  std::ifstream(folder_ / "child") >> child;
  EXPECT_EQ(kill(child, 0), -1);
  EXPECT_EQ(said(), "\nstrobe: interrupted; nothing was written\n") << "once";
}

TEST_P(EndingSignals, OfAChildLeaveWhatItsParentIsMaking) {
  const fs::path file = folder_ / "of the parent";
  in_process([&] {
    const RemovedOnSignal removed(file.string());
    std::ofstream(file) << "half";
    const pid_t child = fork();
    if (child == 0) {
      raise(SIGTERM);
      _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!fs::exists(file) || WEXITSTATUS(status) != kExitInterrupted) _exit(1);
    std::ofstream(folder_ / "stayed") << "";
  });
  EXPECT_TRUE(fs::exists(folder_ / "stayed"));
}

TEST_P(EndingSignals, AfterAFileIsInPlaceSayThatItIsWhole) {
  in_process([] { placing(); });
  EXPECT_EQ(said(), "\nstrobe: interrupted; what was written is whole\n");
}

INSTANTIATE_TEST_SUITE_P(All, EndingSignals, testing::Values(SIGHUP, SIGINT, SIGTERM));

TEST(IgnoredHangUp, StaysIgnored) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGHUP, SIG_IGN);  // as nohup does
    end_on_signals();
    raise(SIGHUP);
    _exit(17);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 17);
}

}  // namespace
}  // namespace strobe
