#include "sw/instrument/linked_data.h"

#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <cstddef>
#include <cstring>
#include <optional>

#include "sw/object/file/elf_handle.h"
#include "sw/object/file/object_file.h"

namespace strobe::instrument {
namespace {

using object::ElfHandle;
using object::ObjectError;

ElfHandle open_elf(std::vector<uint8_t>* elf) {
  elf_version(EV_CURRENT);
  return ElfHandle(elf_memory(reinterpret_cast<char*>(elf->data()), elf->size()));
}

std::optional<uint64_t> symbol_address(Elf* elf, const std::string& symbol) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB) continue;
    Elf_Data* const data = elf_getdata(section, nullptr);
    if (data == nullptr) continue;
    GElf_Sym found;
    for (int i = 0; gelf_getsym(data, i, &found) != nullptr; ++i) {
      const char* const name = elf_strptr(elf, header.sh_link, found.st_name);
      if (name != nullptr && symbol == name) return found.st_value;
    }
  }
  return std::nullopt;
}

}  // namespace

LinkedData::LinkedData(std::vector<uint8_t>* elf, const std::string& name)
    : elf_(elf), name_(name) {
  const ElfHandle handle = open_elf(elf);
  GElf_Ehdr header;
  size_t count = 0;
  if (handle == nullptr || gelf_getehdr(handle.get(), &header) == nullptr ||
      elf_getphdrnum(handle.get(), &count) != 0 || header.e_phoff > elf->size() ||
      count > (elf->size() - header.e_phoff) / sizeof(Elf64_Phdr)) {
    throw ObjectError(name + ": expected a linked ELF64 program, got another file");
  }
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr found;
    if (gelf_getphdr(handle.get(), static_cast<int>(i), &found) == nullptr ||
        found.p_type != PT_LOAD) {
      continue;
    }
    if (found.p_offset > elf->size() || found.p_filesz > elf->size() - found.p_offset) {
      throw ObjectError(name + ": a segment reaches beyond the end of the file; build it again");
    }
    segments_.push_back({found.p_vaddr, found.p_filesz, found.p_offset, found.p_flags,
                         header.e_phoff + i * sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, p_flags)});
  }
}

uint64_t LinkedData::address_of(const std::string& symbol) const {
  const ElfHandle handle = open_elf(elf_);
  if (const auto address = symbol_address(handle.get(), symbol)) return *address;
  throw ObjectError(
      fmt::format("{}: it has no symbol '{}': expected a program with the instrumentation linked "
                  "into it, without 'strip'; instrument it again",
                  name_, symbol));
}

uint8_t* LinkedData::at(uint64_t address, uint64_t size) const {
  for (const Segment& segment : segments_) {
    if (address >= segment.address && address - segment.address < segment.size &&
        size <= segment.size - (address - segment.address)) {
      return elf_->data() + segment.offset + (address - segment.address);
    }
  }
  throw ObjectError(
      fmt::format("{}: the file keeps no {} bytes for address {:#x}", name_, size, address));
}

uint32_t LinkedData::word(uint64_t address) const {
  uint32_t value = 0;
  std::memcpy(&value, at(address, sizeof value), sizeof value);
  return value;
}

void LinkedData::set_word(uint64_t address, uint32_t value) {
  std::memcpy(at(address, sizeof value), &value, sizeof value);
}

uint32_t LinkedData::instruction(uint64_t address) const {
  uint16_t low = 0;
  std::memcpy(&low, at(address, sizeof low), sizeof low);
  return (low & 3) == 3 ? word(address) : low;
}

bool LinkedData::has_writable_code() const {
  for (const Segment& segment : segments_) {
    if ((segment.flags & PF_X) != 0 && (segment.flags & PF_W) != 0) return true;
  }
  return false;
}

void LinkedData::make_code_writable() {
  for (Segment& segment : segments_) {
    if ((segment.flags & PF_X) == 0) continue;
    segment.flags |= PF_W;
    std::memcpy(elf_->data() + segment.flags_at, &segment.flags, sizeof segment.flags);
  }
}

void set_word(std::vector<uint8_t>* elf, const std::string& symbol, uint32_t value) {
  const ElfHandle handle = open_elf(elf);
  const std::optional<uint64_t> address =
      handle == nullptr ? std::nullopt : symbol_address(handle.get(), symbol);
  if (!address) {
    throw ObjectError(fmt::format(
        "the program has no data '{}': expected one that bursty tracing was linked into, without "
        "'strip'; instrument it again",
        symbol));
  }
  LinkedData(elf, "the program").set_word(*address, value);
}

}  // namespace strobe::instrument
