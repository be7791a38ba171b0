#include "sw/instrument/linked_data.h"

#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <optional>
#include <stdexcept>

#include "sw/instrument/bursty_runtime.h"
#include "sw/object/file/elf_handle.h"
#include "sw/object/file/object_file.h"

namespace strobe::instrument {
namespace {

constexpr uint64_t kInfinity = 0x7fffffff;

std::optional<uint64_t> address_of(Elf* elf, const std::string& symbol) {
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

/// Where the file keeps the byte at an address.
std::optional<uint64_t> file_offset(Elf* elf, uint64_t address, uint64_t size) {
  size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return std::nullopt;
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr) return std::nullopt;
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz &&
        size <= segment.p_filesz - (address - segment.p_vaddr)) {
      return segment.p_offset + (address - segment.p_vaddr);
    }
  }
  return std::nullopt;
}

}  // namespace

void set_word(std::vector<uint8_t>* elf, const std::string& symbol, uint32_t value) {
  elf_version(EV_CURRENT);
  const object::ElfHandle handle(elf_memory(reinterpret_cast<char*>(elf->data()), elf->size()));
  const std::optional<uint64_t> address =
      handle == nullptr ? std::nullopt : address_of(handle.get(), symbol);
  const std::optional<uint64_t> offset =
      address ? file_offset(handle.get(), *address, sizeof value) : std::nullopt;
  if (!offset || *offset > elf->size() - sizeof value) {
    throw object::ObjectError(fmt::format(
        "the program has no data '{}': expected one that bursty tracing was linked into, without "
        "'strip'; instrument it again",
        symbol));
  }
  for (unsigned i = 0; i < sizeof value; ++i) {
    (*elf)[*offset + i] = static_cast<uint8_t>(value >> (8 * i));
  }
}

void set_bursts(std::vector<uint8_t>* elf, uint64_t checks, uint64_t instrumented) {
  for (const auto& [name, value] :
       {std::pair("nCheck0", checks), std::pair("nInstr0", instrumented)}) {
    if (value == 0 || value > kInfinity) {
      throw std::invalid_argument(
          fmt::format("{}: expected 1 to {}, which is infinity, got {}", name, kInfinity, value));
    }
  }
  set_word(elf, kCheckCount, static_cast<uint32_t>(checks));
  set_word(elf, kCheckReload, static_cast<uint32_t>(checks));
  set_word(elf, kInstrumentedReload, static_cast<uint32_t>(instrumented));
}

}  // namespace strobe::instrument
