// Damaged objects: each is edited in every way, or refused with a sentence, and what an edit writes
// is read again, within bounds of time and memory.
#include <elf.h>
#include <gtest/gtest.h>

#include "sw/object/file/object_file.h"
#include "tests/security/nightly.h"
#include "tests/security/parser_attack.h"
#include "tests/tree.h"

namespace strobe::security {
namespace {

using object::ObjectFile;
using object::Relocation;
using object::Section;
using object::Symbol;

const std::vector<Bytes>& seeds() {
  static const std::vector<Bytes> kSeeds = [] {
    std::vector<Bytes> all;
    for (const char* name : {"table", "split", "handlers"}) {
      all.push_back(content(in_build(std::string("tests/fuzz/object/seeds/") + name + ".o")));
    }
    return all;
  }();
  return kSeeds;
}

class Damager {
 public:
  Damager(ObjectFile* file, std::mt19937_64* random) : file_(*file), random_(*random) {}

  void damage() {
    switch (below(8)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return damage(pick_relocations());
      case 4:
      case 5:
        return damage(&file_.symbols[1 + below(file_.symbols.size() - 1)]);
      case 6:
        return add_relocation();
      default:
        return damage(&file_.sections[1 + below(file_.sections.size() - 1)]);
    }
  }

 private:
  uint64_t below(uint64_t limit) { return limit == 0 ? 0 : random_() % limit; }

  /// A number near `usual`, an end of something, or a limit.
  uint64_t number(uint64_t usual, uint64_t size) {
    const uint64_t kNumbers[] = {usual + 1,
                                 usual - 1,
                                 usual + 2,
                                 usual - 2,
                                 usual + 4,
                                 0,
                                 1,
                                 2,
                                 size,
                                 size - 1,
                                 size + 1,
                                 size - 2,
                                 size + 2,
                                 below(size + 1),
                                 below(size + 1) & ~uint64_t{1},
                                 ~uint64_t{0},
                                 ~uint64_t{0} - size,
                                 uint64_t{1} << 31,
                                 uint64_t{1} << 32,
                                 (uint64_t{1} << 32) + below(size + 1),
                                 uint64_t{1} << 63,
                                 random_()};
    return kNumbers[below(std::size(kNumbers))];
  }

  uint64_t size_of(uint32_t section) const {
    return section < file_.sections.size() ? file_.sections[section].bytes.size() : 0;
  }

  std::vector<Relocation>* pick_relocations() {
    for (unsigned tries = 0; tries < 50; ++tries) {
      Section& section = file_.sections[below(file_.sections.size())];
      if (!section.relocations.empty()) return &section.relocations;
    }
    return nullptr;
  }

  uint32_t relocation_type() {
    static constexpr uint32_t kTypes[] = {
        R_RISCV_32,           R_RISCV_64,           R_RISCV_BRANCH,   R_RISCV_JAL,
        R_RISCV_CALL,         R_RISCV_CALL_PLT,     R_RISCV_ALIGN,    R_RISCV_RELAX,
        R_RISCV_RVC_BRANCH,   R_RISCV_RVC_JUMP,     R_RISCV_ADD32,    R_RISCV_SUB32,
        R_RISCV_PCREL_HI20,   R_RISCV_HI20,         R_RISCV_GOT_HI20, R_RISCV_LO12_I,
        R_RISCV_PCREL_LO12_I, R_RISCV_PCREL_LO12_S, R_RISCV_SET6,     R_RISCV_SUB6,
        R_RISCV_SET8,         R_RISCV_SUB8,         R_RISCV_SET16,    R_RISCV_SUB16,
        R_RISCV_SET32,        R_RISCV_32_PCREL,     R_RISCV_NONE};
    return below(20) == 0 ? static_cast<uint32_t>(below(256)) : kTypes[below(std::size(kTypes))];
  }

  void damage(std::vector<Relocation>* relocations) {
    if (relocations == nullptr) return;
    Relocation& one = (*relocations)[below(relocations->size())];
    const uint64_t size = size_of(file_.symbols[one.symbol].section);
    switch (below(6)) {
      case 0:
        one.symbol = static_cast<uint32_t>(below(file_.symbols.size()));
        break;
      case 1:
      case 2:
        one.addend = static_cast<int64_t>(number(static_cast<uint64_t>(one.addend), size));
        break;
      case 3:
        one.offset = number(one.offset, relocations->back().offset);
        break;
      case 4:
        one.type = relocation_type();
        break;
      default:
        relocations->erase(relocations->begin() +
                           static_cast<std::ptrdiff_t>(&one - relocations->data()));
    }
  }

  void add_relocation() {
    Section& section = file_.sections[1 + below(file_.sections.size() - 1)];
    const uint64_t symbol = below(file_.symbols.size());
    const uint64_t size = size_of(file_.symbols[symbol].section);
    section.relocations.push_back({below(section.bytes.size() + 1), relocation_type(),
                                   static_cast<uint32_t>(symbol),
                                   static_cast<int64_t>(below(2) * number(0, size))});
  }

  void damage(Symbol* symbol) {
    const uint64_t size = size_of(symbol->section);
    switch (below(7)) {
      case 0:
      case 1:
        symbol->value = number(symbol->value, size);
        break;
      case 2:
        symbol->size = number(symbol->size, size);
        break;
      case 3: {
        const uint32_t kSections[] = {object::kUndefined, object::kAbsolute, object::kCommon,
                                      static_cast<uint32_t>(below(file_.sections.size()))};
        symbol->section = kSections[below(std::size(kSections))];
        break;
      }
      case 4:
        symbol->type = static_cast<uint8_t>(below(12));
        break;
      case 5:
        symbol->binding = static_cast<uint8_t>(below(3));
        break;
      default: {
        const char* const kNames[] = {"", "$d", "$x", ".L0 ", "split", "split.cold", "main"};
        symbol->name = kNames[below(std::size(kNames))];
      }
    }
  }

  void damage(Section* section) {
    switch (below(6)) {
      case 0: {
        const uint64_t kFlags[] = {SHF_ALLOC,   SHF_EXECINSTR, SHF_WRITE, SHF_MERGE,
                                   SHF_STRINGS, SHF_GROUP,     SHF_TLS,   SHF_LINK_ORDER};
        section->flags ^= kFlags[below(std::size(kFlags))];
        break;
      }
      case 1:
        section->bytes.resize(below(section->bytes.size() + 1));
        break;
      case 2:
        if (!section->bytes.empty()) {
          section->bytes[below(section->bytes.size())] = static_cast<uint8_t>(random_());
        }
        break;
      case 3: {
        const char* const kNames[] = {".eh_frame", ".gcc_except_table", ".text", ".rodata", ""};
        section->name = kNames[below(std::size(kNames))];
        break;
      }
      case 4: {
        const uint32_t kTypes[] = {SHT_PROGBITS, SHT_NOBITS,  SHT_NOTE, SHT_GROUP,  SHT_INIT_ARRAY,
                                   SHT_STRTAB,   SHT_DYNAMIC, SHT_HASH, SHT_DYNSYM, SHT_NULL};
        section->type = kTypes[below(std::size(kTypes))];
        break;
      }
      default:
        section->alignment = uint64_t{1} << below(18);
    }
  }

  ObjectFile& file_;
  std::mt19937_64& random_;
};

/// A seed in which one to four relocations, symbols or sections say something else.
Bytes with_damaged_parts(std::mt19937_64& random) {
  for (;;) {
    const Bytes& seed = seeds()[random() % seeds().size()];
    ObjectFile file = ObjectFile::parse({seed.begin(), seed.end()}, "seed");
    for (uint64_t rounds = 1 + random() % 4; rounds > 0; --rounds) Damager(&file, &random).damage();
    try {
      const std::vector<uint8_t> bytes = file.serialize();
      return {bytes.begin(), bytes.end()};
    } catch (const object::ObjectError&) {
      continue;  // no such file can be written
    }
  }
}

TEST(ObjectAttack, ObjectsWithDamagedPartsAreEditedOrRefused) {
  EXPECT_EQ(attack(rounds(1500, 60000), with_damaged_parts), "");
}

// Inputs of the attacks at full length that once broke a promise, by the generator's seeds.
TEST(ObjectAttack, ObjectsThatOnceBrokeAPromiseAreEditedOrRefused) {
  std::vector<Bytes> inputs;
  for (const uint64_t seed : {10557, 19751, 46011}) {
    std::mt19937_64 random(seed);
    inputs.push_back(with_damaged_parts(random));
  }
  for (const uint64_t seed : {3199, 5827}) {
    std::mt19937_64 random(seed);
    inputs.push_back(mutated(seeds(), random));
  }
  EXPECT_EQ(attack(inputs), "");
}

TEST(ObjectAttack, ObjectsDamagedAnywhereAreEditedOrRefused) {
  EXPECT_EQ(attack(rounds(500, 20000), [](auto& random) { return mutated(seeds(), random); }), "");
}

}  // namespace
}  // namespace strobe::security
