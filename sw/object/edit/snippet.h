// New code for an edit to put somewhere.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sw/object/file/object_file.h"

namespace strobe::object {

/// Code to put somewhere. Offsets count from its first byte; `labels` are symbols that it defines.
struct Snippet {
  std::vector<uint8_t> bytes;
  std::vector<Relocation> relocations;
  std::vector<std::pair<uint32_t, uint32_t>> labels;  // symbol, offset
  std::vector<uint32_t> starts;                       // offsets of its instructions, or of its data
  std::vector<std::pair<uint32_t, uint32_t>> ends;    // symbol whose size ends there, offset

  uint32_t size() const { return static_cast<uint32_t>(bytes.size()); }
  /// Appends one instruction of four bytes, with a relocation if `type` is not 0.
  void add(uint32_t instruction, uint32_t type = 0, uint32_t symbol = 0, int64_t addend = 0);
  /// Appends another snippet.
  void add(const Snippet& other);
};

}  // namespace strobe::object
