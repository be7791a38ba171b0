// Damaged ELF files: each loads or is refused with a sentence, within bounds of time and memory.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/security/nightly.h"
#include "tests/security/parser_attack.h"
#include "tests/tree.h"
#include "tests/unit/elf/tiny_elf.h"

namespace strobe::security {
namespace {

std::vector<Bytes> small_files() {
  std::vector<Bytes> files = {content(in_build("tests/unit/elf/marks"))};
  isa::TinyElf plain, joined;
  joined.segments[1].p_vaddr = 0x10080;
  for (const isa::TinyElf* elf : {&plain, &joined}) {
    const std::vector<uint8_t> bytes = elf->bytes();
    files.emplace_back(bytes.begin(), bytes.end());
  }
  return files;
}

Bytes program() { return content(in_build("guest/workloads/lz.elf")); }

/// Nasty values in one to three fields: of the header, of a program or section header, or of a
/// table that a section header describes (symbols, line numbers, strings).
Bytes with_spoiled_fields(Bytes bytes, std::mt19937_64& random) {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (uint64_t rounds = 1 + random() % 3; rounds > 0; --rounds) {
    size_t offset = 0, size = sizeof header;
    const uint64_t kind = random() % 4;
    if (kind == 1 && header.e_phnum > 0) {
      offset = header.e_phoff + random() % header.e_phnum * sizeof(Elf64_Phdr);
      size = sizeof(Elf64_Phdr);
    } else if (kind >= 2 && header.e_shnum > 0) {
      offset = header.e_shoff + random() % header.e_shnum * sizeof(Elf64_Shdr);
      size = sizeof(Elf64_Shdr);
      if (kind == 3) {
        Elf64_Shdr section;
        std::memcpy(&section, bytes.data() + offset, sizeof section);
        if (section.sh_size > 8 && section.sh_type != SHT_NOBITS) {
          offset = section.sh_offset;
          size = section.sh_size;
        }
      }
    }
    const size_t width = size_t{1} << random() % 4;
    put_nasty(bytes, offset + random() % (size / width) * width, width, random);
  }
  return bytes;
}

TEST(ElfAttack, SmallFilesDamagedAnywhereLoadOrAreRefused) {
  const std::vector<Bytes> seeds = small_files();
  EXPECT_EQ(attack(rounds(3000, 20000), [&](auto& random) { return mutated(seeds, random); }), "");
}

TEST(ElfAttack, EveryFieldOfSmallFilesWithNastyValuesLoadsOrIsRefused) {
  const std::vector<Bytes> seeds = small_files();
  EXPECT_EQ(attack(rounds(3000, 20000),
                   [&](auto& random) {
                     return with_spoiled_fields(seeds[random() % seeds.size()], random);
                   }),
            "");
}

TEST(ElfAttack, ARealProgramDamagedAnywhereLoadsOrIsRefused) {
  const std::vector<Bytes> seeds = {program()};
  EXPECT_EQ(attack(rounds(60, 5000), [&](auto& random) { return mutated(seeds, random); }), "");
}

TEST(ElfAttack, EveryFieldOfARealProgramWithNastyValuesLoadsOrIsRefused) {
  const Bytes seed = program();
  EXPECT_EQ(
      attack(rounds(60, 5000), [&](auto& random) { return with_spoiled_fields(seed, random); }),
      "");
}

}  // namespace
}  // namespace strobe::security
