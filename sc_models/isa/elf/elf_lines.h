// The line table of an ELF file, flattened from DWARF by libdw.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"

namespace strobe::isa {

class ElfLines {
 public:
  /// Reads the line programs of all compilation units; damaged units are left out.
  explicit ElfLines(Elf* elf);

  /// The source line of `address`; its file is empty when no row covers the address.
  SourceLine at(uint64_t address) const;

 private:
  struct Row {
    uint64_t address = 0;
    uint32_t file = 0;  // index of files_
    int line = 0;
    bool end = false;  // the row is the first address after a sequence
  };
  /// Reads units from offset `unit` on, until libdw keeps many rows; then it is to start anew.
  /// @return whether there are more, from `unit` on
  bool read_units(Elf* elf, std::unordered_map<std::string, uint32_t>* known, uint64_t* unit);

  std::vector<std::string> files_;
  std::vector<Row> rows_;
};

}  // namespace strobe::isa
