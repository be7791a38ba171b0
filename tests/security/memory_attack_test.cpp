// System calls that map memory or move bytes, with addresses and lengths at every edge.
#include "tests/security/hostile_calls.h"
#include "tests/security/nightly.h"

namespace strobe::security {
namespace {

using isa::abi::IoVector;

class MemoryAttack : public HostileCallTest {
 protected:
  /// Makes one call in a process that has mappings of all kinds, and checks it afterwards.
  void attack(const char* name, const std::vector<uint64_t>& args) {
    std::string what = name;
    for (const uint64_t value : args) what += " " + std::to_string(value);
    const int64_t result = call(name, args);
    ASSERT_NO_FATAL_FAILURE(check_call(result, what));
    ++attacks_;
    if (result < 0 && result > -4096) return;
    ASSERT_NO_FATAL_FAILURE(check_memory(what));
    // A good call may have unmapped anything.
    if (++good_ % 16 == 0 && may_restart_) start();
  }

  /// Every `step`th of the edges: all of them in the nightly run.
  static std::vector<uint64_t> edges(size_t step) {
    const std::vector<uint64_t> all = edge_values();
    std::vector<uint64_t> some;
    step = rounds(step, 1);
    for (size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
    return some;
  }

  uint64_t attacks_ = 0, good_ = 0;
  bool may_restart_ = true;  // the test has no open files
};

TEST_F(MemoryAttack, MappingsStayInsideTheUserAddresses) {
  for (const uint64_t address : edges(1)) {
    for (const uint64_t size : edges(2)) {
      for (const uint64_t flags : {0x22, 0x32, 0x100022, 0x21}) {
        ASSERT_NO_FATAL_FAILURE(attack("mmap", {address, size, 3, flags, ~uint64_t{0}, 0}));
      }
      ASSERT_NO_FATAL_FAILURE(attack("munmap", {address, size}));
      ASSERT_NO_FATAL_FAILURE(attack("mprotect", {address, size, 7}));
      ASSERT_NO_FATAL_FAILURE(attack("madvise", {address, size, 4}));
    }
    ASSERT_NO_FATAL_FAILURE(attack("brk", {address}));
  }
  EXPECT_GT(attacks_, 8000u);
  EXPECT_GT(good_, 100u);
}

TEST_F(MemoryAttack, FileMappingsCopyTheFileAndNothingElse) {
  may_restart_ = false;
  const int64_t fd = open("hello.txt");
  for (const uint64_t address : edges(3)) {
    for (const uint64_t size : edges(3)) {
      for (const uint64_t offset :
           {uint64_t{0}, uint64_t{4096}, uint64_t{1} << 63, ~uint64_t{4095}}) {
        ASSERT_NO_FATAL_FAILURE(
            attack("mmap", {address, size, 3, 2, static_cast<uint64_t>(fd), offset}));
      }
    }
  }
  EXPECT_GT(attacks_, 1000u);
}

TEST_F(MemoryAttack, RemappingStaysInsideTheUserAddresses) {
  const uint64_t old = 0x2000'0000;
  for (const uint64_t old_size : edges(4)) {
    for (const uint64_t new_size : edges(4)) {
      for (const uint64_t address : edges(4)) {
        call("mmap", {old, 0x10000, 3, 0x32, ~uint64_t{0}, 0});
        ASSERT_NO_FATAL_FAILURE(attack("mremap", {old, old_size, new_size, 3, address}));
        ASSERT_NO_FATAL_FAILURE(attack("mremap", {address, old_size, new_size, 1, 0}));
      }
    }
  }
  for (const uint64_t pages : {1, 2, 15, 16}) {
    for (const uint64_t address : edges(1)) {
      call("mmap", {old, 0x10000, 3, 0x32, ~uint64_t{0}, 0});
      ASSERT_NO_FATAL_FAILURE(attack("mremap", {old, 0x10000, pages << 12, 3, address}));
    }
  }
  EXPECT_GT(attacks_, 5000u);
  EXPECT_GT(good_, 10u);
}

TEST_F(MemoryAttack, VectorsMoveBytesOfGuestMemoryOnly) {
  may_restart_ = false;
  const auto file = static_cast<uint64_t>(open("hello.txt"));
  const auto target =
      static_cast<uint64_t>(open(out("t"), isa::abi::kReadWrite | isa::abi::kCreate));
  for (const uint64_t base : edges(1)) {
    for (const uint64_t size : edges(2)) {
      const IoVector vector[3] = {{kBuffer, 4}, {base, size}, {kBuffer, size}};
      ASSERT_TRUE(user_->copy_out(kScratch, vector, sizeof vector));
      for (const uint64_t first : {kScratch, kScratch + sizeof(IoVector)}) {
        ASSERT_NO_FATAL_FAILURE(attack("readv", {file, first, 2}));
        ASSERT_NO_FATAL_FAILURE(attack("preadv", {file, first, 2, 0}));
        call("ftruncate", {target, 0});
        ASSERT_NO_FATAL_FAILURE(attack("pwritev", {target, first, 2, 0}));
        ASSERT_NO_FATAL_FAILURE(attack("writev", {1, first, 2}));
      }
    }
    for (const char* name : {"readv", "writev"}) {
      ASSERT_NO_FATAL_FAILURE(attack(name, {file, kScratch, base}));
      ASSERT_NO_FATAL_FAILURE(attack(name, {file, base, 3}));
    }
  }
  EXPECT_GT(attacks_, 8000u);
}

}  // namespace
}  // namespace strobe::security
