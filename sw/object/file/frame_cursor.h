// Reads the bytes of .eh_frame and .gcc_except_table: what the files of this folder that know their
// formats share.
#pragma once

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "sw/object/file/object_file.h"

namespace strobe::object {

/// Bytes of a section, read from front to back. Throws ObjectError at its end.
class Cursor {
 public:
  Cursor(const ObjectFile& file, const Section& section, uint64_t position, uint64_t end)
      : file_(file),
        section_(section),
        position_(position),
        end_(std::min<uint64_t>(end, section.bytes.size())) {}

  uint64_t position() const { return position_; }
  bool at_end() const { return position_ >= end_; }

  void skip(uint64_t count) {
    if (count > end_ - std::min(end_, position_)) {
      throw ObjectError(fmt::format("{}: {}+{:#x}: the entry is cut off; compile the file again",
                                    file_.name, section_.name, position_));
    }
    position_ += count;
  }

  template <typename T>
  T read() {
    const uint64_t at = position_;
    skip(sizeof(T));
    T value;
    std::memcpy(&value, section_.bytes.data() + at, sizeof value);
    return value;
  }

  uint64_t uleb128() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = read<uint8_t>();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) return value;
    }
  }

  std::string text() {
    std::string value;
    for (char c = static_cast<char>(read<uint8_t>()); c != '\0';
         c = static_cast<char>(read<uint8_t>())) {
      value += c;
    }
    return value;
  }

 private:
  const ObjectFile& file_;
  const Section& section_;
  uint64_t position_, end_;
};

/// The relocation at `offset` whose value is added or stored, not the one that is subtracted;
/// nullptr if none.
inline const Relocation* relocation_at(const Section& section, uint64_t offset) {
  auto found = std::lower_bound(section.relocations.begin(), section.relocations.end(), offset,
                                [](const Relocation& r, uint64_t at) { return r.offset < at; });
  for (; found != section.relocations.end() && found->offset == offset; ++found) {
    if (found->type != R_RISCV_SUB32 && found->type != R_RISCV_SUB64) return &*found;
  }
  return nullptr;
}

/// Skips the operands of one operation of a description, DWARF 5 section 6.4.2, that is no advance.
/// Throws ObjectError for an operation that DWARF 5 does not know.
void skip_operands(const ObjectFile& file, uint8_t opcode, Cursor* at);

}  // namespace strobe::object
