// Several ranges of guest memory as one sequence of bytes: what readv, writev and messages name.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/isa/linux/abi.h"
#include "sc_models/isa/linux/user_memory.h"

namespace strobe::isa {

class GuestVector {
 public:
  static constexpr uint64_t kMostBytes = 0x7ffff000;  // limit of one call, as in the kernel

  /// Ends after kMostBytes, and before the first byte that U-mode may not use with all of `need`.
  GuestVector(UserMemory& memory, const std::vector<abi::IoVector>& parts, uint8_t need);

  uint64_t size() const { return size_; }
  /// Some of the bytes that the program named cannot be used.
  bool is_cut() const { return size_ < asked_; }
  /// None of them can (EFAULT).
  bool faults() const { return size_ == 0 && asked_ > 0; }

  /// These copy bytes [from, from + size) of the sequence, which must lie within its size.
  void copy_in(uint8_t* to, uint64_t from, uint64_t size) const;
  void copy_out(const uint8_t* data, uint64_t from, uint64_t size);

 private:
  /// Calls `copy(address, done, bytes)` for each part of a range of the sequence.
  template <class Copy>
  void for_each_part(uint64_t from, uint64_t size, const Copy& copy) const;

  UserMemory& memory_;
  std::vector<abi::IoVector> parts_;
  uint64_t size_ = 0, asked_ = 0;
};

}  // namespace strobe::isa
