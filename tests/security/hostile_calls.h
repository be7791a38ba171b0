// Values that a hostile program passes in system calls, and the properties that must hold for all
// of them.
#pragma once

#include <sys/resource.h>

#include <csignal>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "sc_models/port/address_map.h"
#include "tests/unit/linux/call_fixture.h"

namespace strobe::security {

/// Edges of the guest's address space, of integers and of pages.
inline std::vector<uint64_t> edge_values() {
  std::vector<uint64_t> values;
  for (const uint64_t edge :
       {uint64_t{0}, uint64_t{4096}, uint64_t{isa::AddressSpace::kLowestMapping},
        uint64_t{isa::AddressSpace::kLowestStack}, uint64_t{STROBE_USER_TOP},
        uint64_t{STROBE_FIRMWARE_BASE}, uint64_t{STROBE_MEMORY_SPAN}, uint64_t{1} << 31,
        uint64_t{1} << 32, uint64_t{1} << 60, uint64_t{1} << 63}) {
    for (const uint64_t near : {edge - 4096, edge - 1, edge, edge + 1, edge + 4096}) {
      values.push_back(near);
    }
  }
  return values;
}

/// System calls on guest memory whose other parts hold a pattern that no call may touch.
class HostileCallTest : public isa::CallTest {
 protected:
  static constexpr uint64_t kPatternSize = 1 << 16;

  HostileCallTest() {
    // What the program writes to files need not wear out the disk.
    getrlimit(RLIMIT_FSIZE, &file_size_);
    rlimit small = file_size_;
    small.rlim_cur = 1u << 16;
    setrlimit(RLIMIT_FSIZE, &small);
    std::signal(SIGXFSZ, SIG_IGN);
    start();
  }
  ~HostileCallTest() override {
    setrlimit(RLIMIT_FSIZE, &file_size_);
    std::signal(SIGXFSZ, SIG_DFL);
  }

  /// A new process; what it prints is dropped.
  void start() {
    restart();
    calls_->set_output([](int, const char*, size_t) {});
    for (const uint64_t address : pattern_addresses()) {
      const std::string pattern(kPatternSize, '\x5a');
      memory_->write(address, pattern.data(), pattern.size());
      memory_->protect(address, kPatternSize, 0, isa::GuestMemory::kRead);
    }
    const uint8_t* permissions = memory_->permissions();
    machine_.assign(permissions + kUserPages,
                    permissions + STROBE_MEMORY_SPAN / isa::GuestMemory::kPageSize);
  }

  /// What the last call told the outside about itself.
  void check_call(int64_t result, const std::string& what) {
    if (!calls_->stopped() && result < 0) {
      ASSERT_GT(result, -4096) << what << ": no error number";
    }
    for (const auto& [address, size] : user_->written()) {
      ASSERT_LT(address, uint64_t{STROBE_USER_TOP}) << what;
      ASSERT_LE(size, STROBE_USER_TOP - address) << what;
    }
    ASSERT_LE(space_->used(), kLimit) << what;
  }

  /// All of guest memory: costs a good part of a millisecond.
  void check_memory(const std::string& what) {
    const uint8_t* permissions = memory_->permissions();
    uint64_t mapped = 0;
    for (uint64_t page = 0; page < kUserPages; ++page) mapped += permissions[page] != 0 ? 1 : 0;
    ASSERT_LE(mapped * isa::GuestMemory::kPageSize, space_->used())
        << what << ": pages that are not counted";
    for (uint64_t page = 0; page < isa::AddressSpace::kLowestMapping / 4096; ++page) {
      ASSERT_EQ(permissions[page], 0) << what << ": a page at address " << page * 4096;
    }
    ASSERT_EQ(std::memcmp(permissions + kUserPages, machine_.data(), machine_.size()), 0)
        << what << ": permissions above the user addresses changed";
    std::string pattern(kPatternSize, '\0');
    for (const uint64_t address : pattern_addresses()) {
      ASSERT_TRUE(memory_->read(address, pattern.data(), pattern.size()));
      ASSERT_EQ(pattern.find_first_not_of('\x5a'), std::string::npos)
          << what << ": memory above the user addresses changed";
    }
  }

 private:
  static constexpr uint64_t kUserPages = STROBE_USER_TOP / isa::GuestMemory::kPageSize;

  /// The first and the last memory that is not the program's.
  static std::vector<uint64_t> pattern_addresses() {
    return {STROBE_USER_TOP, STROBE_MEMORY_SPAN - kPatternSize};
  }

  std::vector<uint8_t> machine_;
  rlimit file_size_{};
};

}  // namespace strobe::security
