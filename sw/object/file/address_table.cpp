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

/// On both sides of every instruction that the linker may shorten, and of every alignment.
std::vector<uint64_t> anchors_of(const Section& section) {
  std::vector<uint64_t> offsets = {0, section.bytes.size()};
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
    if (length == 0) continue;
    offsets.push_back(relocation.offset);
    offsets.push_back(std::min<uint64_t>(relocation.offset + length, section.bytes.size()));
  }
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  return offsets;
}

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
      for (const uint64_t offset : anchors_of(section)) anchors.push_back({offset, 0});
    } else {
      anchors.push_back({0, 0});
      data_.push_back({{object, i, 0}, size_of(section)});
    }
    for (const Anchor& anchor : anchors) put(file->add_label(i, anchor.offset));
  }
  std::vector<uint32_t> wanted = symbols;
  for (uint32_t i = 1; i < file->symbols.size(); ++i) {
    if (file->symbols[i].section != kCommon) continue;
    wanted.push_back(i);
    data_.push_back({{object, kCommon, i}, file->symbols[i].size});
  }
  std::sort(wanted.begin(), wanted.end());
  if (!wanted.empty()) order_.emplace_back(object, kCommon);
  for (const uint32_t symbol : wanted) {
    anchors_[{object, kCommon}].push_back({symbol, 0});
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
  const uint64_t distance = place.offset - anchor.offset;
  const bool is_deleted = after != anchors.end() && anchor.address + distance >= after->address;
  return is_deleted ? anchor.address : anchor.address + distance;
}

}  // namespace strobe::object
