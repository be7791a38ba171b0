// Random system calls with hostile arguments touch only guest memory and nothing outside of the
// sandbox.
#include <random>

#include "tests/security/canary.h"
#include "tests/security/hostile_calls.h"
#include "tests/security/nightly.h"

namespace strobe::security {
namespace {

class RandomCalls : public HostileCallTest {
 protected:
  static constexpr uint64_t kSeed = 24;

  RandomCalls() : canary_(top_ / "secret"), random_(seed(kSeed)) {
    // The others all take the same way: ENOSYS, whatever their arguments.
    for (const isa::CallAnswer& call : isa::SystemCalls::answers()) {
      if (call.kind != isa::CallAnswer::Kind::kUnsupported) numbers_.push_back(call.number);
    }
  }

  uint64_t below(uint64_t limit) { return random_() % limit; }

  /// Paths and vectors in guest memory that pointers among the arguments may hit.
  void place_arguments() {
    const std::string top = top_.string();
    const std::vector<std::string> paths = {"hello.txt",
                                            "new",
                                            out("new"),
                                            out("folder"),
                                            out("folder/x"),
                                            top + "/secret/key",
                                            "../secret/key",
                                            "/etc/passwd",
                                            "/proc/self/mem",
                                            out("."),
                                            "/",
                                            "",
                                            "/dev/null",
                                            out("link/key")};
    pointers_.clear();
    for (unsigned i = 0; i < paths.size(); ++i) pointers_.push_back(text(paths[i], i));
    for (unsigned i = 0; i < 4; ++i) {
      const isa::abi::IoVector vector[2] = {{edge(), edge()}, {kBuffer, below(8192)}};
      const uint64_t at = kBuffer + 0x1000 * i;
      ASSERT_TRUE(user_->copy_out(at, vector, sizeof vector));
      pointers_.push_back(at);
    }
  }

  /// One of each kind of file that is inside of the program, with the lowest numbers.
  void open_descriptors() {
    constexpr uint64_t kNonblock = 04000, kUnix = 1, kAllowSealing = 2;
    call("pipe2", {kBuffer, kNonblock});
    for (const uint64_t type : {1, 2, 5}) {
      call("socketpair", {kUnix, type | kNonblock, 0, kBuffer});
    }
    call("eventfd2", {1, kNonblock});
    call("epoll_create1", {0});
    ASSERT_EQ(call("memfd_create", {text("name"), kAllowSealing}), 13);
  }

  void begin() {
    ASSERT_NO_FATAL_FAILURE(open_descriptors());
    ASSERT_NO_FATAL_FAILURE(place_arguments());
  }

  uint64_t edge() {
    static const std::vector<uint64_t> edges = edge_values();
    return edges[below(edges.size())];
  }

  uint64_t argument() {
    switch (below(6)) {
      case 0:
        return edge();
      case 1:
        return below(16);  // descriptors, counts, flags
      case 2:
        return pointers_[below(pointers_.size())];
      case 3:
        return kHere;
      case 4:
        return uint64_t{1} << below(64);
      default:
        return below(2) == 0 ? random_() : below(1u << 20);
    }
  }

  Canary canary_;
  std::mt19937_64 random_;
  std::vector<uint64_t> numbers_, pointers_;
};

TEST_F(RandomCalls, TouchNothingButGuestMemoryAndTheSandbox) {
  SCOPED_TRACE("STROBE_SEED=" + std::to_string(seed(kSeed)));
  std::filesystem::create_directory_symlink("../secret", top_ / "out/link");
  const std::string before = canary_.print();
  ASSERT_NO_FATAL_FAILURE(begin());
  const uint64_t count = rounds(20'000, 3'500'000);
  uint64_t good = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const size_t chosen = below(numbers_.size());
    const uint64_t number = numbers_[chosen];
    std::vector<uint64_t> args;
    for (unsigned k = 0; k < 6; ++k) args.push_back(argument());
    std::string what = "call " + std::to_string(i) + ": " + isa::SystemCalls::name(number);
    for (const uint64_t value : args) what += " " + std::to_string(value);
    const int64_t result = call(number, args);
    ASSERT_NO_FATAL_FAILURE(check_call(result, what));
    good += result >= 0 ? 1 : 0;
    if (calls_->stopped() || i % 1000 == 999) {
      ASSERT_NO_FATAL_FAILURE(check_memory(what));
      // What always ends a run would do so again and again; a wait depends on the descriptor.
      const std::string& error = calls_->exit().error;
      if (!error.empty() && error.find("deadlock") == std::string::npos)
        numbers_.erase(numbers_.begin() + static_cast<int64_t>(chosen));
      start();
      ASSERT_NO_FATAL_FAILURE(begin());
    }
  }
  EXPECT_GT(good, count / 10) << "the arguments are never good";
  EXPECT_EQ(canary_.print(), before);
}

}  // namespace
}  // namespace strobe::security
