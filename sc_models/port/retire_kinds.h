// Sets of instructions by class and privilege mode: what a listener of the retire port asks for.
#pragma once

#include <cstdint>

#include "sc_models/port/retire.h"

namespace strobe {

/// Classes and modes together; below it is every retire_kind().
inline constexpr unsigned kRetireKinds = 2 * kOpClassCount;

/// Class and mode of a record (or what has these fields) as one number.
template <class Record>
constexpr unsigned retire_kind(const Record& record) {
  return static_cast<unsigned>(record.opclass) +
         (record.mode == PrivilegeMode::kUser ? 0 : kOpClassCount);
}

class RetireKinds {
 public:
  constexpr RetireKinds() = default;
  /// @param user, machine  bit k stands for OpClass k
  constexpr RetireKinds(uint16_t user, uint16_t machine)
      : bits_(uint32_t{machine} << kOpClassCount | user) {}

  template <class Record>
  constexpr bool has(const Record& record) const {
    return (bits_ >> retire_kind(record) & 1) != 0;
  }
  /// The same of an instruction of user mode.
  constexpr bool has_user(OpClass opclass) const {
    return (bits_ >> static_cast<unsigned>(opclass) & 1) != 0;
  }
  constexpr RetireKinds operator|(RetireKinds more) const {
    return RetireKinds(bits_ | more.bits_);
  }
  constexpr bool empty() const { return bits_ == 0; }
  /// The classes, in whatever mode.
  constexpr uint16_t opclasses() const {
    return static_cast<uint16_t>(bits_ | bits_ >> kOpClassCount);
  }
  constexpr bool operator==(RetireKinds other) const { return bits_ == other.bits_; }

 private:
  constexpr explicit RetireKinds(uint32_t bits) : bits_(bits) {}

  uint32_t bits_ = 0;
};

}  // namespace strobe
