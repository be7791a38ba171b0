#include "sw/optimize/padding.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace strobe::optimize {
namespace {

/// Addresses of the first section of read-only data, and of the first segment that is written; 0
/// without one. The linker made the file.
struct Places {
  uint64_t read_only = 0, data = 0;
};

template <typename T>
T at(const std::vector<uint8_t>& bytes, uint64_t offset) {
  T value;
  if (offset > bytes.size() || bytes.size() - offset < sizeof value) {
    throw object::ObjectError("the linked program: a header is not whole; link the program again");
  }
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

Places places_of(const std::vector<uint8_t>& elf) {
  const auto header = at<Elf64_Ehdr>(elf, 0);
  Places places;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = at<Elf64_Phdr>(elf, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
    places.data = segment.p_vaddr;
    break;
  }
  bool after_code = false;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section = at<Elf64_Shdr>(elf, header.e_shoff + i * sizeof(Elf64_Shdr));
    if ((section.sh_flags & SHF_ALLOC) == 0) continue;
    if ((section.sh_flags & SHF_EXECINSTR) != 0) {
      after_code = true;
    } else if (after_code && (section.sh_flags & SHF_WRITE) == 0) {
      places.read_only = section.sh_addr;
      break;
    }
  }
  return places;
}

uint64_t bytes_of_way(const memory::CacheParams& cache) { return cache.size / cache.ways; }

/// What must be added to `found` so that it is `expected`, modulo `way`.
uint64_t distance(uint64_t expected, uint64_t found, uint64_t way) {
  return (expected % way + way - found % way) % way;
}

void append_section(const char* name, uint64_t flags, uint64_t bytes, object::ObjectFile* object) {
  object::Section section;
  section.name = name;
  section.type = SHT_PROGBITS;
  section.flags = flags;
  section.bytes.resize(bytes);
  object->sections.push_back(std::move(section));
}

}  // namespace

Padding padding_of(const std::vector<uint8_t>& original, const std::vector<uint8_t>& linked,
                   const core::CoreParams& core) {
  const Places expected = places_of(original), found = places_of(linked);
  const uint64_t way = std::max(bytes_of_way(core.memory.l1d), bytes_of_way(core.memory.l2));
  Padding padding;
  if (expected.read_only != 0 && found.read_only != 0) {
    padding.code = distance(expected.read_only, found.read_only, way);
  }
  if (expected.data != 0 && found.data != 0) {
    padding.read_only = distance(expected.data, found.data + padding.code, way);
  }
  return padding;
}

void append(const Padding& padding, object::ObjectFile* last) {
  // ld's own script puts them after all others of their kind.
  append_section(".text.padding", SHF_ALLOC | SHF_EXECINSTR, padding.code, last);
  append_section(".gcc_except_table.padding", SHF_ALLOC, padding.read_only, last);
}

}  // namespace strobe::optimize
