// A relocatable ELF file of RISC-V as plain data: what an edit changes, and nothing that a writer
// can derive.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace strobe::object {

/// "FILE: what is wrong, expected, got; what to do": one sentence.
class ObjectError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `type` is one of R_RISCV_*; the value is that of `symbol` plus `addend`, stored at `offset`.
struct Relocation {
  uint64_t offset = 0;
  uint32_t type = 0;
  uint32_t symbol = 0;  // index into ObjectFile::symbols
  int64_t addend = 0;
};

/// Values of Symbol::section that are no index.
inline constexpr uint32_t kUndefined = 0, kAbsolute = 0xfff1, kCommon = 0xfff2;

struct Symbol {
  std::string name;
  uint64_t value = 0, size = 0;
  uint32_t section = kUndefined;  // index into ObjectFile::sections
  uint8_t binding = 0, type = 0, other = 0;

  bool local() const { return binding == 0; }
};

struct Section {
  std::string name;
  uint32_t type = 0;
  uint64_t flags = 0, alignment = 1, entry_size = 0;
  std::vector<uint8_t> bytes;
  uint64_t size = 0;                    // when it has no bytes (SHT_NOBITS)
  std::vector<Relocation> relocations;  // by offset
  std::vector<uint32_t> members;        // in a group: the indices of its sections
  uint32_t group_flags = 0;
  uint32_t link = 0;  // of SHF_LINK_ORDER: the section that it follows; of a group: its symbol

  bool is_code() const;
};

/// By offset; those of one place stay in their order.
void sort_relocations(Section* section);

/// Sections and symbols keep their index; 0 of each is ELF's empty one. Symbol tables, string
/// tables and sections of relocations are no sections here: they are written from the data.
struct ObjectFile {
  std::string name;  // in messages: FILE, or ARCHIVE(MEMBER)
  uint32_t elf_flags = 0;
  std::vector<Section> sections;
  std::vector<Symbol> symbols;

  /// Reads and checks: ELF64, little-endian, RISC-V, relocatable, tables whole, no bitcode of a
  /// link-time optimizer. Throws ObjectError. The fuzz target's entry.
  static ObjectFile parse(std::vector<uint8_t> bytes, const std::string& name);
  /// The ELF file; equal for equal data. Labels (".L...") to which nothing refers are left out: the
  /// linker's time grows with them.
  std::vector<uint8_t> serialize() const;

  /// Leaves out the sections of debug information, and their relocations.
  void drop_debug_sections();
  /// A new local symbol without a name's meaning to anyone else. @return its index
  uint32_t add_label(uint32_t section, uint64_t value, const std::string& name = ".L0 ");
  /// The name of the function or object that covers `offset`, and the rest: "main+0x1c"; else
  /// "SECTION+0x1c".
  std::string describe(uint32_t section, uint64_t offset) const;
};

}  // namespace strobe::object
