// Bytes that were written and not yet read, first in, first out. Takes little more memory than
// they.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace strobe::isa {

class ByteQueue {
 public:
  size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  void push(const uint8_t* from, size_t size) { bytes_.insert(bytes_.end(), from, from + size); }
  /// The oldest `size` bytes, which stay.
  std::vector<uint8_t> first(size_t size) const { return {bytes_.begin(), at(size)}; }
  /// Removes the oldest `size` bytes.
  void drop(size_t size) { bytes_.erase(bytes_.begin(), at(size)); }

 private:
  std::deque<uint8_t>::const_iterator at(size_t index) const {
    return bytes_.begin() + static_cast<std::ptrdiff_t>(index);
  }

  std::deque<uint8_t> bytes_;
};

}  // namespace strobe::isa
