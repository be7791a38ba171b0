#include "sw/object/analysis/jump_tables.h"

#include <elf.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace strobe::object {
namespace {

constexpr uint64_t kDistanceBytes = 4;

bool is_address(uint32_t type) { return type == R_RISCV_64 || type == R_RISCV_32; }
uint64_t address_bytes(uint32_t type) { return type == R_RISCV_64 ? 8 : 4; }

std::vector<Relocation>::const_iterator first_from(const Section& section, uint64_t offset) {
  return std::lower_bound(section.relocations.begin(), section.relocations.end(), offset,
                          [](const Relocation& r, uint64_t at) { return r.offset < at; });
}

/// Whether the place of this distance is counted to a label.
bool has_label(const ObjectFile& file, const Section& section, uint64_t offset) {
  for (auto at = first_from(section, offset);
       at != section.relocations.end() && at->offset == offset; ++at) {
    if (at->type == R_RISCV_ADD32 && is_label(file, *at)) return true;
  }
  return false;
}

/// Tables of distances: their entries by the place that is subtracted.
void find_distances(const ObjectFile& file, uint32_t index, std::vector<JumpTable>* tables) {
  const Section& section = file.sections[index];
  std::map<uint64_t, std::vector<uint64_t>> entries;
  for (const Relocation& relocation : section.relocations) {
    if (relocation.type != R_RISCV_SUB32) continue;
    const Location table = location_of(file, relocation.symbol, relocation.addend);
    if (table.section != index || !has_label(file, section, relocation.offset)) continue;
    entries[table.offset].push_back(relocation.offset);
  }
  for (const auto& [begin, places] : entries) {
    JumpTable table{{index, begin}, begin, /*distances=*/true};
    for (const uint64_t place : places) {
      table.complete = table.complete && place == table.end;
      table.end = std::max(table.end, place) + kDistanceBytes;
    }
    table.complete = table.complete && table.end <= section.bytes.size();
    tables->push_back(table);
  }
}

/// Tables of addresses: objects with a label in them, and rows of addresses without an object.
void find_addresses(const ObjectFile& file, uint32_t index,
                    const std::map<uint64_t, uint64_t>& objects, std::vector<JumpTable>* tables) {
  const Section& section = file.sections[index];
  uint64_t known = 0;  // what is before it belongs to tables that were found
  for (size_t i = 0; i < section.relocations.size(); ++i) {
    const Relocation& relocation = section.relocations[i];
    if (relocation.offset < known || !is_address(relocation.type) || !is_label(file, relocation)) {
      continue;
    }
    JumpTable table{{index, relocation.offset}, relocation.offset};
    const auto next = objects.upper_bound(relocation.offset);
    const auto object = next == objects.begin() ? objects.end() : std::prev(next);
    if (object != objects.end() && relocation.offset < object->second) {
      table.begin.offset = object->first;
      table.end = object->second;
    } else {
      for (size_t j = i;
           j < section.relocations.size() && section.relocations[j].offset == table.end &&
           section.relocations[j].type == relocation.type;
           ++j) {
        table.end += address_bytes(relocation.type);
      }
    }
    table.complete = table.end <= section.bytes.size();
    known = table.end;
    tables->push_back(table);
  }
}

}  // namespace

bool has_data(const Section& section) {
  return (section.flags & SHF_ALLOC) != 0 && !section.is_code() && section.name != ".eh_frame" &&
         section.name.rfind(".gcc_except_table", 0) != 0;
}

bool is_label(const ObjectFile& file, const Relocation& relocation) {
  const Location place = location_of(file, relocation.symbol, relocation.addend);
  return file.sections[place.section].is_code() && file.symbols[relocation.symbol].type != STT_FUNC;
}

JumpTables::JumpTables(const ObjectFile& file) {
  std::map<uint32_t, std::map<uint64_t, uint64_t>> objects;  // by section: beginnings and ends
  for (const Symbol& symbol : file.symbols) {
    if (symbol.type != STT_OBJECT || symbol.size == 0) continue;
    uint64_t& end = objects[symbol.section][symbol.value];
    end = std::max(end, symbol.value + symbol.size);
  }
  for (uint32_t i = 1; i < file.sections.size(); ++i) {
    if (!has_data(file.sections[i]) || file.sections[i].relocations.empty()) continue;
    find_distances(file, i, &tables_);
    find_addresses(file, i, objects[i], &tables_);
  }
  std::sort(tables_.begin(), tables_.end(), [](const JumpTable& a, const JumpTable& b) {
    return std::tie(a.begin.section, a.begin.offset) < std::tie(b.begin.section, b.begin.offset);
  });
}

const JumpTable* JumpTables::at(const Location& place) const {
  const auto next = std::upper_bound(
      tables_.begin(), tables_.end(), place, [](const Location& at, const JumpTable& table) {
        return std::tie(at.section, at.offset) < std::tie(table.begin.section, table.begin.offset);
      });
  if (next == tables_.begin()) return nullptr;
  const JumpTable& table = *std::prev(next);
  return place.section == table.begin.section && place.offset < table.end ? &table : nullptr;
}

std::vector<Location> labels_of(const ObjectFile& file, const JumpTable& table) {
  const Section& section = file.sections[table.begin.section];
  std::vector<Location> labels;
  for (auto at = first_from(section, table.begin.offset);
       at != section.relocations.end() && at->offset < table.end; ++at) {
    if ((at->type == R_RISCV_ADD32 || is_address(at->type)) && is_label(file, *at)) {
      labels.push_back(location_of(file, at->symbol, at->addend));
    }
  }
  return labels;
}

}  // namespace strobe::object
