// Reads the wire format of protocol buffers (protobuf.dev/programming-guides/encoding).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace strobe::answer {

/// Says what was expected.
class WireError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Goes through the fields of one message, whose bytes must live as long. Members throw WireError
/// where the bytes are not as expected.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  /// @return whether there is another field
  bool next() {
    if (rest_.empty()) return false;
    const uint64_t key = varint(&rest_);
    field_ = key >> 3;
    type_ = key & 7;
    switch (type_) {
      case 0:
        number_ = varint(&rest_);
        return true;
      case 1:
        bytes_ = take(8);
        return true;
      case 2:
        bytes_ = take(varint(&rest_));
        return true;
      case 5:
        bytes_ = take(4);
        return true;
      default:
        throw WireError("a field of a known type");
    }
  }

  uint64_t field() const { return field_; }
  uint64_t number() const {
    if (type_ != 0) throw WireError("a number");
    return number_;
  }
  std::string_view bytes() const {
    if (type_ != 2) throw WireError("a string or a message");
    return bytes_;
  }
  /// Calls `take` with each number of a repeated field, packed or one by one.
  template <class Take>
  void each_number(const Take& take) const {
    if (type_ == 0) return take(number_);
    for (std::string_view rest = bytes(); !rest.empty();) take(varint(&rest));
  }
  /// The number of bytes that are left.
  size_t left() const { return rest_.size(); }

 private:
  static uint64_t varint(std::string_view* rest) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (rest->empty()) throw WireError("a whole number");
      const auto byte = static_cast<uint8_t>(rest->front());
      rest->remove_prefix(1);
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw WireError("a number of at most ten bytes");
  }

  std::string_view take(uint64_t size) {
    if (size > rest_.size()) throw WireError("a whole field");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_, bytes_;
  uint64_t field_ = 0, type_ = 0, number_ = 0;
};

}  // namespace strobe::answer
