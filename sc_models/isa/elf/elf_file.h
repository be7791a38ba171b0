// ELF files through libelf and libdw: program headers, symbols, line table.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sc_models/isa/memory/guest_memory.h"

namespace strobe::isa {

/// "FILE: what is wrong, expected, got, what to do": one sentence.
class ElfError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ElfSegment {
  uint64_t address = 0, memory_size = 0, file_size = 0, file_offset = 0;
  uint8_t permissions = 0;  // GuestMemory::Permission
};

struct ElfSymbol {
  uint64_t address = 0, size = 0;
  std::string name;  // demangled
  bool function = false;
  std::string linker_name = {};  // as in the symbol table
  /// For a local symbol, its number among those of its linker name, from 1 by address; otherwise 0.
  unsigned local = 0;
};

struct SourceLine {
  std::string file;
  int line = 0;
};

class ElfFile {
 public:
  /// Opens and checks a file: ELF64, little-endian, RISC-V, executable, static, with segments that
  /// are whole, inside [0, limit) and do not overlap. Symbols and lines that the program lacks come
  /// from the file that it names for them. Throws ElfError.
  /// @param debug_root  the folder of the system's debug files
  static ElfFile open(const std::string& path, uint64_t limit,
                      const std::string& debug_root = "/usr/lib/debug");
  /// The same for bytes in memory; `name` stands in messages. The fuzz target calls this.
  static ElfFile parse(std::vector<uint8_t> bytes, const std::string& name, uint64_t limit);

  ElfFile(ElfFile&&) noexcept;
  ElfFile& operator=(ElfFile&&) noexcept;
  ~ElfFile();

  uint64_t entry() const;
  uint64_t program_headers_address() const;  // AT_PHDR; 0 if not loaded
  uint16_t program_header_count() const;
  uint16_t program_header_size() const;
  const std::vector<ElfSegment>& segments() const;
  uint64_t end() const;               // first address after the highest segment
  const std::string& sha256() const;  // the file's digest, in hexadecimal
  /// The linker's build ID in hexadecimal; empty when the file has none.
  std::string build_id() const;
  /// That the program's attributes name extensions that the core does not execute: one sentence,
  /// with what to do; empty when they name none. A program need not use them on every core.
  std::string isa_fault() const;
  bool executable_stack() const;  // PT_GNU_STACK asks for it (trampolines of nested functions)

  /// Copies the segments into memory. Pages of a user program get the permissions of their segments
  /// in both modes, with read and write added for M-mode; pages of firmware get none for U-mode.
  void load(GuestMemory& memory, bool firmware) const;

  /// The symbol that covers `address` (its size, or up to the next symbol); nullptr if none.
  const ElfSymbol* symbol_at(uint64_t address) const;
  const ElfSymbol* symbol(const std::string& name) const;
  /// The demangled names of all functions, in the order of their addresses.
  std::vector<std::string> function_names() const;
  /// "name+0x1c", or "0x10478" without a symbol.
  std::string describe(uint64_t address) const;
  /// "main 1c", the function and the offset in hexadecimal, as BOLT takes them: the second local
  /// function named step is "step/2". Empty where no function with a size is, and where its name
  /// has a blank.
  std::string bolt_place(uint64_t address) const;
  /// The source line of an address from the line table; its file is empty if there is none.
  SourceLine line_at(uint64_t address) const;

  /// The other file from which symbols or lines come; empty: none.
  const std::string& debug_path() const;
  std::string debug_sha256() const;
  /// Why lines are not known of a program that has some, here or in another file: one sentence,
  /// with what to do; empty when nothing is wrong.
  std::string debug_fault() const;

 private:
  ElfFile();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strobe::isa
