#include "sc_models/isa/elf/elf_header.h"

#include <cstdio>
#include <cstring>

#include "sc_models/isa/elf/elf_file.h"

namespace strobe::isa {
namespace {

constexpr unsigned kMostProgramHeaders = 128;

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_386:
      return "80386";
    case EM_ARM:
      return "ARM";
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "AArch64";
    default:
      return "machine " + number(machine);
  }
}

std::string type_name(unsigned type) {
  switch (type) {
    case ET_NONE:
      return "no type (ET_NONE)";
    case ET_REL:
      return "an object file (ET_REL)";
    case ET_CORE:
      return "a core dump (ET_CORE)";
    default:
      return "type " + number(type);
  }
}

/// Whether the dynamic section says that the file is a program: without an interpreter, that tells
/// one from a library.
bool is_pie(const Elf64_Phdr& dynamic, const std::vector<uint8_t>& bytes) {
  if (dynamic.p_offset > bytes.size() || dynamic.p_filesz > bytes.size() - dynamic.p_offset) {
    return false;
  }
  Elf64_Dyn entry;
  for (uint64_t at = 0; at + sizeof entry <= dynamic.p_filesz; at += sizeof entry) {
    std::memcpy(&entry, bytes.data() + dynamic.p_offset + at, sizeof entry);
    if (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE) != 0) return true;
  }
  return false;
}

}  // namespace

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string number(uint64_t value) { return std::to_string(value); }

void refuse(const std::string& file, const std::string& what, const std::string& expected,
            const std::string& got, const std::string& advice) {
  throw ElfError(file + ": " + what + ": expected " + expected + ", got " + got + "; " + advice);
}

Elf64_Ehdr check_header(const std::vector<uint8_t>& bytes, const std::string& name) {
  if (bytes.empty()) refuse(name, "the file is empty", "an ELF file", "0 bytes");
  if (bytes.size() < SELFMAG || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) {
    refuse(name, "not an ELF file", "the magic bytes 7f 45 4c 46", "other bytes");
  }
  if (bytes.size() <= EI_VERSION) {
    refuse(name, "truncated", "an ELF header of 64 bytes", number(bytes.size()) + " bytes");
  }
  if (bytes[EI_CLASS] != ELFCLASS64) {
    refuse(name, "not a 64-bit program", "ELF class 2 (64-bit)",
           "class " + number(bytes[EI_CLASS]) + (bytes[EI_CLASS] == ELFCLASS32 ? " (32-bit)" : ""));
  }
  if (bytes[EI_DATA] != ELFDATA2LSB) {
    refuse(name, "not a little-endian program", "ELF data encoding 1 (little-endian)",
           "encoding " + number(bytes[EI_DATA]) +
               (bytes[EI_DATA] == ELFDATA2MSB ? " (big-endian)" : ""));
  }
  if (bytes.size() < sizeof(Elf64_Ehdr)) {
    refuse(name, "truncated", "an ELF header of 64 bytes", number(bytes.size()) + " bytes");
  }
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (bytes[EI_VERSION] != EV_CURRENT || header.e_version != EV_CURRENT) {
    refuse(name, "unknown ELF version", "version 1",
           "version " +
               number(bytes[EI_VERSION] != EV_CURRENT ? bytes[EI_VERSION] : header.e_version));
  }
  if (header.e_machine != EM_RISCV) {
    refuse(name, "built for another machine", "RISC-V (machine 243)",
           machine_name(header.e_machine));
  }
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
    refuse(name, "not an executable", "a linked program (ET_EXEC)", type_name(header.e_type));
  }
  if (header.e_phnum == 0) {
    refuse(name, "no program headers", "at least one loadable segment", "none");
  }
  if (header.e_phnum > kMostProgramHeaders) {
    refuse(name, "too many program headers", "at most " + number(kMostProgramHeaders),
           number(header.e_phnum));
  }
  if (header.e_phentsize != sizeof(Elf64_Phdr)) {
    refuse(name, "bad program headers", "entries of 56 bytes", number(header.e_phentsize));
  }
  const uint64_t table = uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
  if (header.e_phoff > bytes.size() || table > bytes.size() - header.e_phoff) {
    refuse(name, "truncated",
           "program headers of " + number(table) + " bytes at offset " + hex(header.e_phoff),
           "a file of " + number(bytes.size()) + " bytes", "copy or build the program again");
  }
  return header;
}

void expect_static(const Elf64_Ehdr& header, const std::vector<uint8_t>& bytes,
                   const std::string& name) {
  bool asks_for_linker = false, program = false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr one;
    std::memcpy(&one, bytes.data() + header.e_phoff + i * sizeof one, sizeof one);
    asks_for_linker |= one.p_type == PT_INTERP;
    program |= one.p_type == PT_DYNAMIC && is_pie(one, bytes);
  }
  const std::string advice =
      "link its objects with riscv64-linux-gnu-gcc -static -no-pie; an executable without them "
      "cannot be made static";
  if (asks_for_linker) {
    refuse(name, "dynamically linked", "a static program at fixed addresses (ET_EXEC)",
           header.e_type == ET_DYN ? "a position-independent one that asks for a dynamic linker"
                                   : "one that asks for a dynamic linker",
           advice);
  }
  if (header.e_type != ET_DYN) return;
  if (program) {
    refuse(name, "position-independent", "a static program at fixed addresses (ET_EXEC)",
           "a static PIE, which relocates itself", advice);
  }
  refuse(name, "a shared library", "a program", "a library, which does not run by itself",
         "give a program that is linked with -static -no-pie");
}

}  // namespace strobe::isa
