// The host swaps files for links, pipes and other files while the guest opens them.
#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "tests/security/canary.h"
#include "tests/security/nightly.h"
#include "tests/unit/linux/call_fixture.h"

namespace strobe::security {
namespace {

namespace fs = std::filesystem;
namespace abi = isa::abi;

/// Exchanges two names again and again until it goes.
class Swapper {
 public:
  Swapper(fs::path one, fs::path other)
      : thread_([this, one = std::move(one), other = std::move(other)] {
          while (!stop_) {
            failed_ =
                ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) != 0 ||
                failed_;
            ++swaps_;
          }
        }) {}
  ~Swapper() {
    stop_ = true;
    thread_.join();
    EXPECT_FALSE(failed_);
  }
  Swapper(const Swapper&) = delete;
  Swapper& operator=(const Swapper&) = delete;
  uint64_t swaps() const { return swaps_; }

 private:
  std::atomic<bool> stop_{false};
  std::atomic<bool> failed_{false};
  std::atomic<uint64_t> swaps_{0};
  std::thread thread_;
};

class PathSwap : public isa::CallTest {
 protected:
  static constexpr uint64_t kRead = 1024;

  PathSwap() : canary_(top_ / "secret"), before_(canary_.print()) {}
  ~PathSwap() override { EXPECT_EQ(canary_.print(), before_) << "the outside changed"; }

  /// Opens and reads it all, as a directory or as a file. Returns the first result below 0.
  int64_t read(const std::string& path, uint64_t flags = 0) {
    const std::string empty(kRead, '\0');
    EXPECT_TRUE(user_->copy_out(kBuffer, empty.data(), kRead));
    const int64_t fd = open(path, flags);
    if (fd < 0) return fd;
    const auto file = static_cast<uint64_t>(fd);
    int64_t got = call("read", {file, kBuffer, kRead});
    if (got == -EISDIR) got = call("getdents64", {file, kBuffer, kRead});
    call("close", {file});
    return got;
  }
  bool read_the_outside() { return guest(kBuffer, kRead).find(Canary::kText) != std::string::npos; }

  /// Runs `step` for the rounds of this test, and on until both counters have risen.
  template <class Step>
  void repeat(const Swapper& swapper, const uint64_t& good, const uint64_t& refused, Step step) {
    const uint64_t count = rounds(2'000, 30'000);
    for (uint64_t i = 0; i < count || ((good == 0 || refused == 0) && i < 100 * count); ++i) {
      ASSERT_NO_FATAL_FAILURE(step());
    }
    EXPECT_GT(good, 0u) << "the name was never the file";
    EXPECT_GT(refused, 0u) << "the name was never the other thing";
    EXPECT_GT(swapper.swaps(), 100u);
  }

  Canary canary_;
  std::string before_;
};

TEST_F(PathSwap, ADirectoryThatBecomesALinkToTheOutsideShowsNothing) {
  for (const char* folder : {"in", "out"}) {
    fs::create_directory(top_ / folder / "swap");
    put_file(std::string(folder) + "/swap/key", "inside");
    fs::create_directory_symlink(top_ / "secret", top_ / folder / "other");
    const Swapper swapper(top_ / folder / "swap", top_ / folder / "other");
    const std::string swap = (top_ / folder / "swap").string();
    uint64_t good = 0, refused = 0;
    repeat(swapper, good, refused, [&] {
      const int64_t got = read(swap + "/key");
      ASSERT_FALSE(read_the_outside());
      if (got > 0) {
        ASSERT_EQ(guest(kBuffer, 6), "inside");
      }
      ++(got > 0 ? good : refused);
      read(swap);
      ASSERT_FALSE(read_the_outside());
      if (call("newfstatat", {kHere, text(swap + "/key"), kBuffer, 0}) == 0) {
        ASSERT_EQ(value<abi::Stat>(kBuffer).size, 6);
      }
    });
  }
}

TEST_F(PathSwap, ADirectoryThatBecomesALinkToTheOutsideTakesNoChange) {
  fs::create_directory(top_ / "out/swap");
  fs::create_directory_symlink(top_ / "secret", top_ / "out/other");
  const Swapper swapper(top_ / "out/swap", top_ / "out/other");
  uint64_t good = 0, refused = 0;
  repeat(swapper, good, refused, [&] {
    const std::string key = out("swap/key"), fresh = out("swap/new");
    const int64_t fd = open(fresh, abi::kWriteOnly | abi::kCreate | abi::kTruncate);
    if (fd >= 0) {
      call("write", {static_cast<uint64_t>(fd), text("x", 1), 1});
      call("close", {static_cast<uint64_t>(fd)});
    }
    ++(fd >= 0 ? good : refused);
    call("truncate", {text(key), 0});
    call("fchmodat", {kHere, text(key), 0777});
    call("mkdirat", {kHere, text(out("swap/folder")), 0755});
    call("renameat2", {kHere, text(fresh), kHere, text(key, 1), 0});
    call("renameat2", {kHere, text(key), kHere, text(out("taken"), 1), 0});
    call("unlinkat", {kHere, text(out("swap/folder")), abi::kAtRemoveDir});
    call("unlinkat", {kHere, text(key), 0});
  });
}

TEST_F(PathSwap, AFileThatBecomesALinkToTheOutsideIsNotFollowed) {
  put_file("out/swap", "inside");
  fs::create_symlink(top_ / "secret/key", top_ / "out/other");
  const Swapper swapper(top_ / "out/swap", top_ / "out/other");
  uint64_t good = 0, refused = 0;
  repeat(swapper, good, refused, [&] {
    const int64_t got = read(out("swap"));
    ASSERT_FALSE(read_the_outside());
    ++(got > 0 ? good : refused);
    call("fchmodat", {kHere, text(out("swap")), 0600});
    const int64_t fd = open(out("swap"), abi::kReadWrite);
    if (fd < 0) return;
    call("write", {static_cast<uint64_t>(fd), text("INSIDE", 1), 6});
    call("close", {static_cast<uint64_t>(fd)});
  });
}

TEST_F(PathSwap, AFileThatBecomesAPipeIsNotOpenedAndDoesNotBlock) {
  put_file("out/swap", "inside");
  ASSERT_EQ(mkfifo(out("other").c_str(), 0600), 0);
  const Swapper swapper(top_ / "out/swap", top_ / "out/other");
  uint64_t good = 0, refused = 0;
  repeat(swapper, good, refused, [&] {
    for (const uint64_t flags : {abi::kReadOnly, abi::kReadWrite, abi::kWriteOnly}) {
      const int64_t fd = open(out("swap"), flags);
      ++(fd >= 0 ? good : refused);
      if (fd < 0) continue;
      const auto file = static_cast<uint64_t>(fd);
      ASSERT_EQ(call("fstat", {file, kBuffer}), 0);
      ASSERT_TRUE(S_ISREG(value<abi::Stat>(kBuffer).mode));
      call("close", {file});
    }
  });
}

}  // namespace
}  // namespace strobe::security
