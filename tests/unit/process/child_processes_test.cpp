// Work in processes of its own: what each leaves in shared memory, why it failed, how many run at
// once.
#include "sw/process/child_processes.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <stdexcept>

namespace strobe {
namespace {

using Work = std::vector<std::function<void()>>;

/// Counters that parent and children share.
class InChildren : public testing::Test {
 protected:
  void SetUp() override {
    void* const memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    shared_ = new (memory) Shared;
  }
  void TearDown() override { munmap(shared_, sizeof(Shared)); }

  struct Shared {
    std::atomic<int> running{0}, most{0}, done{0};
  };
  Shared* shared_ = nullptr;
};

TEST_F(InChildren, AFailureIsNamedAndDoesNotEndTheOthers) {
  const auto good = [this] { ++shared_->done; };
  const Work work = {good, [] { throw std::runtime_error("the second broke"); }, good,
                     [] { std::raise(SIGKILL); }, [] { _exit(7); }};
  EXPECT_EQ(in_children(work, 2),
            (std::vector<std::string>{"", "the second broke", "", "it was ended by signal 9",
                                      "it ended without a reason"}));
  EXPECT_EQ(shared_->done, 2);
}

TEST_F(InChildren, SoManyRunAtOnce) {
  const auto one = [this] {
    const int running = ++shared_->running;
    int most = shared_->most;
    while (running > most && !shared_->most.compare_exchange_weak(most, running)) {
    }
    usleep(50'000);
    --shared_->running;
  };
  std::vector<size_t> ended;
  EXPECT_EQ(in_children(Work(6, one), 2, [&](size_t done) { ended.push_back(done); }),
            std::vector<std::string>(6));
  EXPECT_EQ(ended, (std::vector<size_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(shared_->most, 2);
}

TEST_F(InChildren, ALongReasonIsCutAndNothingWaits) {
  const Work work = {[] { throw std::runtime_error(std::string(1'000'000, 'x')); }};
  const std::string reason = in_children(work, 1).at(0);
  EXPECT_GT(reason.size(), 100u);
  EXPECT_LT(reason.size(), 1'000'000u);
}

TEST_F(InChildren, NoWorkIsDoneAtOnce) { EXPECT_TRUE(in_children({}, 0).empty()); }

}  // namespace
}  // namespace strobe
