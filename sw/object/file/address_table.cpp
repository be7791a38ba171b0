#include "sw/object/file/address_table.h"

#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>

#include <algorithm>
#include <cstring>

#include "sw/object/file/elf_handle.h"

namespace strobe::object {
namespace {

/// The linker keeps a section of such a name as it keeps debug information: it is not loaded, and a
/// reference to a section that was discarded is no error.
constexpr const char* kSection = ".debug_strobe";
constexpr uint64_t kWord = sizeof(uint64_t);

uint64_t size_of(const Section& section) {
  return section.type == SHT_NOBITS ? section.size : section.bytes.size();
}

/// The bytes of a section; none without it.
std::vector<uint8_t> section_of(const std::vector<uint8_t>& file, const std::string& name) {
  elf_version(EV_CURRENT);
  std::vector<uint8_t> copy = file;  // libelf takes no constant
  const ElfHandle elf(elf_memory(reinterpret_cast<char*>(copy.data()), copy.size()));
  size_t names = 0;
  if (elf == nullptr || elf_getshdrstrndx(elf.get(), &names) != 0) return {};
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* const its_name = elf_strptr(elf.get(), names, header.sh_name);
    const Elf_Data* const data = elf_getdata(section, nullptr);
    if (its_name == nullptr || name != its_name || data == nullptr || data->d_buf == nullptr)
      continue;
    const auto* const bytes = static_cast<const uint8_t*>(data->d_buf);
    return {bytes, bytes + data->d_size};
  }
  return {};
}

}  // namespace

/// At the section's beginning, and after every instruction that the linker may shorten and every
/// alignment.
std::vector<AddressTable::Anchor> AddressTable::anchors_of(const Section& section) {
  std::vector<Anchor> anchors = {{0, 0, 0}};
  for (size_t i = 0; i < section.relocations.size(); ++i) {
    const Relocation& relocation = section.relocations[i];
    uint64_t length = 0;
    if (relocation.type == R_RISCV_ALIGN) length = static_cast<uint64_t>(relocation.addend);
    if (relocation.type == R_RISCV_RELAX) {
      const bool pair = i > 0 && section.relocations[i - 1].offset == relocation.offset &&
                        (section.relocations[i - 1].type == R_RISCV_CALL ||
                         section.relocations[i - 1].type == R_RISCV_CALL_PLT);
      length = pair ? 8 : 4;
    }
    const uint64_t end = std::min<uint64_t>(relocation.offset + length, section.bytes.size());
    if (length == 0 || end <= anchors.back().offset) continue;
    anchors.push_back({std::max(relocation.offset, anchors.back().offset), end, 0});
  }
  return anchors;
}

void AddressTable::add_anchors(uint32_t object, ObjectFile* file,
                               const std::vector<uint32_t>& symbols) {
  Section table;
  table.name = kSection;
  table.type = SHT_PROGBITS;
  table.alignment = kWord;
  const auto put = [&](uint32_t symbol) {
    table.relocations.push_back({table.bytes.size(), R_RISCV_64, symbol, 0});
    table.bytes.resize(table.bytes.size() + kWord);
  };
  for (uint32_t i = 1; i < file->sections.size(); ++i) {
    const Section& section = file->sections[i];
    if ((section.flags & SHF_ALLOC) == 0 || size_of(section) == 0) continue;
    std::vector<Anchor>& anchors = anchors_[{object, i}];
    order_.emplace_back(object, i);
    if (section.is_code()) {
      anchors = anchors_of(section);
    } else {
      anchors.emplace_back();
      data_.push_back({{object, i, 0}, size_of(section)});
    }
    for (const Anchor& anchor : anchors) put(file->add_label(i, anchor.offset));
  }
  std::vector<uint32_t> wanted;
  for (const uint32_t symbol : symbols) {
    const Symbol& its = file->symbols[symbol];
    if (its.section == kUndefined || its.section >= file->sections.size()) {
      wanted.push_back(symbol);
    } else {
      places_[object].emplace_back(symbol, ObjectPlace{object, its.section, its.value});
    }
  }
  std::sort(places_[object].begin(), places_[object].end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (uint32_t i = 1; i < file->symbols.size(); ++i) {
    if (file->symbols[i].section != kCommon) continue;
    wanted.push_back(i);
    data_.push_back({{object, kCommon, i}, file->symbols[i].size});
  }
  std::sort(wanted.begin(), wanted.end());
  if (!wanted.empty()) order_.emplace_back(object, kCommon);
  for (const uint32_t symbol : wanted) {
    anchors_[{object, kCommon}].push_back({symbol, symbol, 0});
    put(symbol);
  }
  if (!table.bytes.empty()) file->sections.push_back(std::move(table));
}

void AddressTable::read(const std::vector<uint8_t>& elf, const std::string& name) {
  const std::vector<uint8_t> table = section_of(elf, kSection);
  uint64_t expected = 0;
  for (const auto& key : order_) expected += anchors_.at(key).size() * kWord;
  if (table.size() != expected) {
    throw ObjectError(fmt::format(
        "{}: expected {} bytes of addresses in section {}, got {}; link it without the options "
        "that strip or discard sections",
        name, expected, kSection, table.size()));
  }
  const uint8_t* at = table.data();
  for (const auto& key : order_) {
    for (Anchor& anchor : anchors_.at(key)) {
      std::memcpy(&anchor.address, at, kWord);
      at += kWord;
    }
  }
}

std::optional<uint64_t> AddressTable::address(const ObjectPlace& place) const {
  if (place.section == kCommon) {
    const auto& places = places_.at(place.object);
    const auto known =
        std::lower_bound(places.begin(), places.end(), place.offset,
                         [](const auto& one, uint64_t symbol) { return one.first < symbol; });
    if (known != places.end() && known->first == place.offset) return address(known->second);
  }
  const auto found = anchors_.find({place.object, place.section});
  if (found == anchors_.end()) return std::nullopt;
  const std::vector<Anchor>& anchors = found->second;
  const auto after = std::upper_bound(
      anchors.begin(), anchors.end(), place.offset,
      [](uint64_t offset, const Anchor& anchor) { return offset < anchor.offset; });
  if (after == anchors.begin()) return std::nullopt;
  const Anchor& anchor = *std::prev(after);
  if (anchor.address == 0) return std::nullopt;
  if (place.section == kCommon) {
    return anchor.offset == place.offset ? std::optional(anchor.address) : std::nullopt;
  }
  const uint64_t address = anchor.address + (place.offset - anchor.offset);
  if (after == anchors.end() || place.offset <= after->begin || address < after->address) {
    return address;
  }
  return anchor.address + (after->begin - anchor.offset);  // the linker deleted it
}

}  // namespace strobe::object
