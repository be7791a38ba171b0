// A small valid RISC-V ELF image, of which a test may damage any field.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace strobe::isa {

struct TinyElf {
  Elf64_Ehdr header{};
  std::vector<Elf64_Phdr> segments;
  std::vector<uint8_t> payload;  // follows the program headers

  /// One segment of code at 0x10000 with 64 bytes, one of data at 0x20000 with 32 of 4096 bytes.
  TinyElf() {
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_EXEC;
    header.e_machine = EM_RISCV;
    header.e_version = EV_CURRENT;
    header.e_entry = 0x10000;
    header.e_phoff = sizeof header;
    header.e_ehsize = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    payload.assign(96, 0x13);
    constexpr uint64_t kPayload = sizeof header + 2 * sizeof(Elf64_Phdr);
    segments.push_back(segment(PF_R | PF_X, kPayload, 0x10000, 64, 64));
    segments.push_back(segment(PF_R | PF_W, kPayload + 64, 0x20000, 32, 4096));
  }

  static Elf64_Phdr segment(uint32_t flags, uint64_t offset, uint64_t address, uint64_t file_size,
                            uint64_t memory_size) {
    Elf64_Phdr result{};
    result.p_type = PT_LOAD;
    result.p_flags = flags;
    result.p_offset = offset;
    result.p_vaddr = result.p_paddr = address;
    result.p_filesz = file_size;
    result.p_memsz = memory_size;
    result.p_align = 1;
    return result;
  }

  std::vector<uint8_t> bytes() const {
    Elf64_Ehdr final_header = header;
    if (final_header.e_phnum == 0) final_header.e_phnum = static_cast<uint16_t>(segments.size());
    std::vector<uint8_t> result(sizeof final_header + segments.size() * sizeof(Elf64_Phdr));
    std::memcpy(result.data(), &final_header, sizeof final_header);
    if (!segments.empty()) {
      std::memcpy(result.data() + sizeof final_header, segments.data(),
                  segments.size() * sizeof(Elf64_Phdr));
    }
    result.insert(result.end(), payload.begin(), payload.end());
    return result;
  }
};

}  // namespace strobe::isa
