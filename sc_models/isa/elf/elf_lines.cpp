#include "sc_models/isa/elf/elf_lines.h"

#include <elfutils/libdw.h>

#include <algorithm>
#include <unordered_map>

#include "sc_models/isa/elf/debug_file.h"

namespace strobe::isa {

ElfLines::ElfLines(Elf* elf) {
  if (!unreadable_debug(elf).empty()) return;
  Dwarf* dwarf = dwarf_begin_elf(elf, DWARF_C_READ, nullptr);
  if (dwarf == nullptr) return;  // no debug information
  std::unordered_map<std::string, uint32_t> known;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
    Dwarf_Lines* lines = nullptr;
    size_t count = 0;
    if (dwarf_getsrclines(&die, &lines, &count) != 0) continue;
    for (size_t i = 0; i < count; ++i) {
      Dwarf_Line* line = dwarf_onesrcline(lines, i);
      Row row;
      Dwarf_Addr address = 0;
      if (dwarf_lineaddr(line, &address) != 0 || dwarf_lineno(line, &row.line) != 0 ||
          dwarf_lineendsequence(line, &row.end) != 0) {
        continue;
      }
      row.address = address;
      const char* file = dwarf_linesrc(line, nullptr, nullptr);
      if (file == nullptr) continue;
      const auto [entry, is_new] = known.emplace(file, static_cast<uint32_t>(files_.size()));
      if (is_new) files_.push_back(file);
      row.file = entry->second;
      rows_.push_back(row);
    }
  }
  dwarf_end(dwarf);
  // The end of one sequence may be the start of the next. The start counts, so it is sorted last.
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
    return a.address != b.address ? a.address < b.address : a.end > b.end;
  });
}

SourceLine ElfLines::at(uint64_t address) const {
  auto after = std::upper_bound(rows_.begin(), rows_.end(), address,
                                [](uint64_t value, const Row& row) { return value < row.address; });
  if (after == rows_.begin() || (--after)->end) return {};
  return {files_[after->file], after->line};
}

}  // namespace strobe::isa
