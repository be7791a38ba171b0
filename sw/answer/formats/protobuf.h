// The wire format of protocol buffers, as much of it as a writer needs
// (protobuf.dev/programming-guides/encoding).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::answer {

/// A message that grows by fields, in the order of the calls.
class WireMessage {
 public:
  /// A field of an integer type; 0, which is the default, is left out.
  void number(int field, uint64_t value) {
    if (value == 0) return;
    varint(static_cast<uint64_t>(field) << 3);
    varint(value);
  }
  /// A field of type string or bytes, also when it is empty.
  void bytes(int field, const std::string& value) {
    varint(static_cast<uint64_t>(field) << 3 | 2);
    varint(value.size());
    text_ += value;
  }
  void message(int field, const WireMessage& value) { bytes(field, value.text_); }
  /// A repeated field of integers.
  void packed(int field, const std::vector<uint64_t>& values) {
    WireMessage list;
    for (const uint64_t value : values) list.varint(value);
    message(field, list);
  }
  /// The fields of another message.
  void append(const WireMessage& other) { text_ += other.text_; }

  const std::string& text() const { return text_; }

 private:
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) text_ += static_cast<char>(value | 0x80);
    text_ += static_cast<char>(value);
  }

  std::string text_;
};

}  // namespace strobe::answer
