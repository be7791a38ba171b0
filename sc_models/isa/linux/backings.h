// What is beneath the mappings of a program that are not its private, anonymous memory: what its
// pages hold again after MADV_DONTNEED.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

namespace strobe::isa {

/// Where the bytes of a mapping come from.
struct Backing {
  /// Copies up to `size` bytes of the file from `offset` on; returns how many there are.
  using Source = std::function<uint64_t(uint64_t offset, uint8_t* to, uint64_t size)>;

  std::shared_ptr<const Source> source;  // null: the memory itself, which is shared
  uint64_t offset = 0;                   // in the file, for the first byte
};

/// Ranges of addresses with a backing. Addresses and sizes are whole pages.
class Backings {
 public:
  static constexpr size_t kMost = 4096;  // ranges; those after them have none

  void add(uint64_t address, uint64_t size, const Backing& backing) {
    forget(address, size);
    if (ranges_.size() < kMost) ranges_[address] = {address + size, backing};
  }
  void forget(uint64_t address, uint64_t size);
  /// The backings of [from, from + size) are those of `size` bytes at `to` now, too.
  void copy(uint64_t from, uint64_t to, uint64_t size);

  /// Calls act(address, size, backing) for each part of a range, in the order of the addresses;
  /// `backing` is nullptr for a part without one.
  using Act = std::function<void(uint64_t address, uint64_t size, const Backing* backing)>;
  void for_each(uint64_t address, uint64_t size, const Act& act) const;

 private:
  struct Range {
    uint64_t end = 0;
    Backing backing;
  };

  std::map<uint64_t, Range> ranges_;  // by the first address
};

}  // namespace strobe::isa
