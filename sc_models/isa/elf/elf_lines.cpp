#include "sc_models/isa/elf/elf_lines.h"

#include <elfutils/libdw.h>

#include <algorithm>
#include <unordered_map>

#include "sc_models/isa/elf/debug_file.h"
#include "sc_models/isa/elf/debug_limits.h"

namespace strobe::isa {

ElfLines::ElfLines(Elf* elf) {
  if (!unreadable_debug(elf).empty() || !debug_excess(elf).empty()) return;
  std::unordered_map<std::string, uint32_t> known;
  for (Dwarf_Off unit = 0; read_units(elf, &known, &unit);) {
  }
  // The end of one sequence may be the start of the next. The start counts, so it is sorted last.
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
    return a.address != b.address ? a.address < b.address : a.end > b.end;
  });
}

bool ElfLines::read_units(Elf* elf, std::unordered_map<std::string, uint32_t>* known,
                          uint64_t* unit) {
  constexpr size_t kMostRows = 200'000;  // that libdw keeps at a time
  Dwarf* dwarf = dwarf_begin_elf(elf, DWARF_C_READ, nullptr);
  if (dwarf == nullptr) return false;  // no debug information
  const size_t before = rows_.size();
  Dwarf_Off next = 0;
  size_t header = 0;
  bool more = false;
  while ((more = dwarf_nextcu(dwarf, *unit, &next, &header, nullptr, nullptr, nullptr) == 0) &&
         rows_.size() - before < kMostRows) {
    Dwarf_Die die;
    const bool found = dwarf_offdie(dwarf, *unit + header, &die) != nullptr;
    *unit = next;
    if (!found) continue;
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
      const auto [entry, is_new] = known->emplace(file, static_cast<uint32_t>(files_.size()));
      if (is_new) files_.push_back(file);
      row.file = entry->second;
      rows_.push_back(row);
    }
  }
  dwarf_end(dwarf);
  return more;
}

SourceLine ElfLines::at(uint64_t address) const {
  auto after = std::upper_bound(rows_.begin(), rows_.end(), address,
                                [](uint64_t value, const Row& row) { return value < row.address; });
  if (after == rows_.begin() || (--after)->end) return {};
  return {files_[after->file], after->line};
}

}  // namespace strobe::isa
