// The symbol table of an ELF file: function and object names by address and by name.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sw/text/limits.h"

namespace strobe::isa {

class ElfSymbols {
 public:
  ElfSymbols() = default;
  ElfSymbols(ElfSymbols&&) = default;
  ElfSymbols& operator=(ElfSymbols&&) = default;
  /// Reads every symbol-table section. Damaged tables and names are left out and are not an error,
  /// because a program runs without symbols. Throws std::length_error beyond the limits of
  /// sw/text/limits.h.
  explicit ElfSymbols(Elf* elf);

  bool empty() const { return entries_.empty(); }
  /// The symbol that covers `address`; nullptr if none.
  const ElfSymbol* at(uint64_t address) const;
  /// The symbol of that demangled or linker name; nullptr if none.
  const ElfSymbol* named(const std::string& name) const;
  std::vector<std::string> function_names() const;

 private:
  struct Entry {
    ElfSymbol symbol;
    uint64_t end = 0;    // the first address that the symbol does not cover
    unsigned rank = 0;   // among aliases of one address: the higher, the better a name
    bool label = false;  // local and without a type
  };

  void read_table(Elf* elf, Elf_Scn* section);
  void close_ends();
  void drop_inner_labels();
  void find_covers();

  static constexpr size_t kNone = ~size_t{0};
  /// From `start` to the next cover's start, `entry` is the symbol that covers, or none does.
  struct Cover {
    uint64_t start = 0;
    size_t entry = kNone;
  };

  text::Budget symbols_{text::limits::kElfSymbols}, names_{text::limits::kElfNames};
  std::vector<Entry> entries_;  // by address, among equal addresses the best name last
  std::vector<Cover> covers_;   // by start
  std::unordered_map<std::string_view, size_t> by_name_;  // names are in entries_
};

}  // namespace strobe::isa
