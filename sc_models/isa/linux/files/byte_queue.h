// Bytes that were written and not yet read, first in, first out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::isa {

class ByteQueue {
 public:
  size_t size() const { return bytes_.size() - head_; }
  bool empty() const { return size() == 0; }
  /// The oldest byte; the others follow it.
  const uint8_t* front() const { return bytes_.data() + head_; }
  void push(const uint8_t* from, size_t size) { bytes_.insert(bytes_.end(), from, from + size); }
  /// Removes the oldest `size` bytes. The memory of removed bytes is at most that of the others.
  void drop(size_t size) {
    head_ += size;
    if (head_ < bytes_.size() - head_) return;
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
  }

 private:
  std::vector<uint8_t> bytes_;
  size_t head_ = 0;
};

}  // namespace strobe::isa
