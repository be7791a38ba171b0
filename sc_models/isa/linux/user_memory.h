// The guest's memory as a system call sees it: every pointer is checked and every write is noted.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sc_models/isa/memory/guest_memory.h"

namespace strobe::isa {

class UserMemory {
 public:
  /// Whether a range could be one of Linux's user space, which has 39-bit addresses (access_ok()).
  static bool is_address_range(uint64_t address, uint64_t size) {
    constexpr uint64_t kEnd = uint64_t{1} << 38;
    return size <= kEnd && address <= kEnd - size;
  }

  explicit UserMemory(GuestMemory& memory) : memory_(memory) {}

  GuestMemory& guest() { return memory_; }

  /// The number of bytes from `address` on that U-mode may use with all of `need`, at most `size`.
  uint64_t accessible(uint64_t address, uint64_t size, uint8_t need) const;

  /// These copy `size` bytes. They return false (EFAULT) unless U-mode may read or write all of
  /// them.
  bool copy_in(void* to, uint64_t address, uint64_t size) const;
  bool copy_out(uint64_t address, const void* from, uint64_t size);

  template <class T>
  bool get(T& value, uint64_t address) const {
    return copy_in(&value, address, sizeof value);
  }
  template <class T>
  bool put(uint64_t address, const T& value) {
    return copy_out(address, &value, sizeof value);
  }

  /// Reads a path, which is a NUL-terminated string. Returns 0, EFAULT or ENAMETOOLONG (4096 bytes
  /// and more).
  int get_path(std::string& text, uint64_t address) const;

  /// A host pointer to guest bytes. Check with accessible() first, and call wrote() after writing.
  uint8_t* at(uint64_t address) { return memory_.data() + address; }
  /// Notes that [address, address + size) changed.
  void wrote(uint64_t address, uint64_t size);
  /// Tells decode caches when there is code in [address, address + size).
  void code_changed(uint64_t address, uint64_t size);

  const std::vector<std::pair<uint64_t, uint64_t>>& written() const { return written_; }
  void forget_written() { written_.clear(); }

 private:
  GuestMemory& memory_;
  std::vector<std::pair<uint64_t, uint64_t>> written_;
};

}  // namespace strobe::isa
