// The line table of an ELF file, flattened from DWARF by libdw.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sc_models/isa/elf_file.h"

namespace strobe::isa {

class ElfLines {
 public:
  /// Reads the line programs of all compilation units; damaged units are left out.
  explicit ElfLines(Elf* elf);

  /// Empty file when no row covers `address`.
  SourceLine at(uint64_t address) const;

 private:
  struct Row {
    uint64_t address = 0;
    uint32_t file = 0;  // index of files_
    int line = 0;
    bool end = false;  // the first address behind a sequence
  };
  std::vector<std::string> files_;
  std::vector<Row> rows_;
};

}  // namespace strobe::isa
