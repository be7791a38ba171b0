// The addresses of a region's memory accesses as far as they can be told apart: an unknown value
// and a known distance from it.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/optimize/schedule/region.h"

namespace strobe::optimize {

/// `root` stands for a value: that of a register at the region's entry, of an operation's result,
/// or the address of a section or symbol.
struct Address {
  uint64_t root = 0;
  int64_t offset = 0;
};

class Addresses {
 public:
  explicit Addresses(const Region& region);

  /// Whether two accesses have no byte in common, whatever the roots are.
  bool disjoint(uint32_t a, uint32_t b) const;
  /// Whether they have all bytes of the smaller one in common.
  bool same_bytes(uint32_t a, uint32_t b) const;
  /// Whether the load cannot fault wherever its address is known: it is of the function's frame, or
  /// of a section.
  bool always_good(uint32_t load) const;
  /// Those of the accesses `before` after which the load cannot fault: its bytes lie between
  /// theirs, which are less than a page apart, and it is aligned as they are. Empty when there are
  /// none.
  std::vector<uint32_t> make_good(uint32_t load, const std::vector<uint32_t>& before) const;

 private:
  const Region& region_;
  std::vector<Address> access_;  // by operation, where it accesses memory
};

}  // namespace strobe::optimize
