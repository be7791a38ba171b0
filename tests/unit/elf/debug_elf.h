// Makes programs with sections of debug information (DWARF 5) written byte by byte.
#pragma once

#include <elf.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/elf/tiny_elf.h"

namespace strobe::isa {

template <class T>
inline std::string raw(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

struct Part {
  std::string name, bytes;
  uint32_t type = SHT_PROGBITS, link = 0;
  uint64_t flags = 0;
};

/// A program with these sections, which are 1, 2 and so on; 0 is none, and the last has the names.
inline std::vector<uint8_t> program_of(const std::vector<Part>& parts) {
  TinyElf tiny;
  const auto append = [&tiny](const std::string& bytes) {
    const uint64_t offset =
        sizeof tiny.header + tiny.segments.size() * sizeof(Elf64_Phdr) + tiny.payload.size();
    tiny.payload.insert(tiny.payload.end(), bytes.begin(), bytes.end());
    return offset;
  };
  std::vector<Elf64_Shdr> headers(1);
  std::string names(1, '\0'), table;
  const auto add = [&](const Part& part, const std::string& bytes) {
    Elf64_Shdr& header = headers.emplace_back();
    header.sh_name = static_cast<uint32_t>(names.size());
    header.sh_type = part.type;
    header.sh_link = part.link;
    header.sh_flags = part.flags;
    header.sh_offset = append(bytes);
    header.sh_size = bytes.size();
    header.sh_addralign = 1;
    header.sh_entsize = part.type == SHT_SYMTAB ? sizeof(Elf64_Sym) : 0;
  };
  for (const Part& part : parts) {
    add(part, part.bytes);
    names += part.name + '\0';
  }
  names += std::string(".names") + '\0';
  add({".names", "", SHT_STRTAB}, names);
  headers.back().sh_name = static_cast<uint32_t>(names.size() - 7);
  for (const Elf64_Shdr& header : headers) table += raw(header);
  tiny.header.e_shoff = append(table);
  tiny.header.e_shentsize = sizeof(Elf64_Shdr);
  tiny.header.e_shnum = static_cast<uint16_t>(headers.size());
  tiny.header.e_shstrndx = static_cast<uint16_t>(headers.size() - 1);
  return tiny.bytes();
}

/// A line program of version 5 with one file.
inline std::string line_program(const std::string& operations, const std::string& tables = "") {
  const std::string directories = std::string("\x01\x01\x08\x01", 4) + std::string("d", 2);
  const std::string files = std::string("\x02\x01\x08\x02\x0b\x01", 6) + std::string("f\0\0", 3);
  const std::string rest = std::string("\x01\x01\x01\xfb\x0e\x0d", 6) +
                           std::string("\0\1\1\1\1\0\0\0\1\0\0\1", 12) +
                           (tables.empty() ? directories + files : tables);
  const std::string body = raw<uint16_t>(5) + std::string("\x08\0", 2) +
                           raw(static_cast<uint32_t>(rest.size())) + rest + operations;
  return raw(static_cast<uint32_t>(body.size())) + body;
}

/// A unit of version 5 whose entry, abbreviation 1, is followed by `entries`.
inline std::string unit(const std::string& entries, uint32_t line_offset = 0) {
  const std::string body = raw<uint16_t>(5) + std::string("\1\x08", 2) + raw<uint32_t>(0) + "\1" +
                           raw(line_offset) + raw<uint64_t>(0x10000) + raw<uint64_t>(1 << 24) +
                           entries;
  return raw(static_cast<uint32_t>(body.size())) + body;
}

/// 1: the unit with its line table. 2: a block with entries in it. 3: an entry with nothing.
/// 4: inlined at an address, with entries in it. 5: a function with many ranges. 6: a function with
/// a name, a line, an address and a size.
inline const std::string kAbbreviations =
    std::string("\1\x11\1\x10\x17\x11\1\x12\7\0\0", 11) + std::string("\2\x0b\1\0\0", 5) +
    std::string("\3\x34\0\0\0", 5) + std::string("\4\x1d\1\x11\1\x12\x0b\0\0", 9) +
    std::string("\5\x2e\0\x55\x17\0\0", 7) +
    std::string("\6\x2e\0\3\x08\x3b\5\x11\1\x12\6\0\0", 13) + std::string(1, '\0');

inline std::vector<Part> debug(const std::string& info, const std::string& line = line_program(""),
                               const std::string& abbreviations = kAbbreviations,
                               const std::string& more = "") {
  return {{".debug_info", info},
          {".debug_abbrev", abbreviations},
          {".debug_line", line},
          {".debug_rnglists", more}};
}

}  // namespace strobe::isa
