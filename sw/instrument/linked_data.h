// Data and code of a linked program, changed in its file: what instrumentation is told without
// linking again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::instrument {

/// The bytes that an ELF64 file keeps for its addresses. Every address that the file keeps nothing
/// for is an object::ObjectError.
class LinkedData {
 public:
  /// Keeps `elf`, whose size does not change. Throws object::ObjectError when it is not a program.
  /// @param name  stands in messages
  LinkedData(std::vector<uint8_t>* elf, const std::string& name);

  /// Throws object::ObjectError when the program has no such symbol.
  uint64_t address_of(const std::string& symbol) const;
  uint32_t word(uint64_t address) const;
  void set_word(uint64_t address, uint32_t value);
  /// The two or four bytes of the instruction there.
  uint32_t instruction(uint64_t address) const;

  /// Whether a segment is both executable and writable.
  bool has_writable_code() const;
  void make_code_writable();

 private:
  struct Segment {
    uint64_t address = 0, size = 0, offset = 0;  // what the file keeps
    uint32_t flags = 0;
    uint64_t flags_at = 0;  // where they are in the file
  };
  uint8_t* at(uint64_t address, uint64_t size) const;

  std::vector<uint8_t>* elf_;
  std::string name_;
  std::vector<Segment> segments_;
};

/// Stores `value` in the 32 bits at a symbol of an ELF64 file.
/// Throws object::ObjectError when the file has no such symbol, or keeps no bytes there.
void set_word(std::vector<uint8_t>* elf, const std::string& symbol, uint32_t value);

}  // namespace strobe::instrument
