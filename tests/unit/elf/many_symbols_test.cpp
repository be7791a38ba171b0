// Look-ups in a symbol table stay fast and correct, no matter which addresses its symbols cover.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>

#include "sc_models/isa/elf/elf_file.h"
#include "tests/unit/elf/tiny_elf.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kFirst = 0x10000;
constexpr uint64_t kStep = 16;  // bytes from one symbol to the next

/// A program with `count` functions kStep apart; `size` says how many bytes each covers.
ElfFile with_symbols(uint64_t count, const std::function<uint64_t(uint64_t)>& size) {
  TinyElf tiny;
  const auto append = [&tiny](const void* data, size_t bytes) {
    const auto* first = static_cast<const uint8_t*>(data);
    const uint64_t offset =
        sizeof tiny.header + tiny.segments.size() * sizeof(Elf64_Phdr) + tiny.payload.size();
    tiny.payload.insert(tiny.payload.end(), first, first + bytes);
    return offset;
  };
  Elf64_Shdr sections[4]{};
  std::string names(1, '\0');
  std::vector<Elf64_Sym> symbols(1);
  for (uint64_t i = 0; i < count; ++i) {
    Elf64_Sym symbol{};
    symbol.st_name = static_cast<uint32_t>(names.size());
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    symbol.st_shndx = 1;
    symbol.st_value = kFirst + kStep * i;
    symbol.st_size = size(i);
    symbols.push_back(symbol);
    names += "f" + std::to_string(i) + '\0';
  }
  sections[1].sh_type = SHT_NOBITS;
  sections[1].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
  sections[1].sh_addr = kFirst;
  sections[1].sh_size = 4 * kStep * count;
  sections[2].sh_type = SHT_STRTAB;
  sections[2].sh_offset = append(names.data(), names.size());
  sections[2].sh_size = names.size();
  tiny.payload.resize((tiny.payload.size() + 7) & ~size_t{7});
  sections[3].sh_type = SHT_SYMTAB;
  sections[3].sh_link = 2;
  sections[3].sh_entsize = sizeof(Elf64_Sym);
  sections[3].sh_size = symbols.size() * sizeof(Elf64_Sym);
  sections[3].sh_offset = append(symbols.data(), sections[3].sh_size);
  tiny.header.e_shoff = append(sections, sizeof sections);
  tiny.header.e_shentsize = sizeof(Elf64_Shdr);
  tiny.header.e_shnum = 4;
  return ElfFile::parse(tiny.bytes(), "many", 0x80000000);
}

/// Function i ends after all functions that begin in it.
ElfFile nested(uint64_t count) {
  return with_symbols(count, [count](uint64_t i) { return kStep * 2 * (count - i); });
}

TEST(ManySymbols, TheInnermostOfNestedSymbolsIsFound) {
  constexpr uint64_t kCount = 1000;
  const ElfFile elf = nested(kCount);
  for (uint64_t i = 0; i < kCount; ++i) {
    const std::string name = "f" + std::to_string(i);
    EXPECT_EQ(elf.describe(kFirst + kStep * i), name + "+0x0");
    const uint64_t last = kFirst + kStep * (2 * kCount - i) - 1;
    EXPECT_EQ(elf.describe(last).substr(0, name.size() + 1), name + "+") << last;
  }
  EXPECT_EQ(elf.symbol_at(kFirst - 1), nullptr);
  EXPECT_EQ(elf.symbol_at(kFirst + kStep * 2 * kCount), nullptr);
}

TEST(ManySymbols, BetweenSmallOnesTheOneThatCoversThemIsFound) {
  constexpr uint64_t kCount = 1000;
  const ElfFile elf =
      with_symbols(kCount, [](uint64_t i) { return i == 0 ? kStep * kCount / 2 : 4; });
  for (uint64_t i = 1; i < kCount; ++i) {
    const uint64_t start = kFirst + kStep * i;
    const ElfSymbol* small = elf.symbol_at(start + 3);
    ASSERT_NE(small, nullptr);
    EXPECT_EQ(small->address, start);
    const ElfSymbol* between = elf.symbol_at(start + 4);
    if (i < kCount / 2) {
      ASSERT_NE(between, nullptr);
      EXPECT_EQ(between->name, "f0");
    } else {
      EXPECT_EQ(between, nullptr);
    }
  }
}

/// The processor time, in seconds, of look-ups at all places after the last symbol's start; the
/// best of several tries.
double seconds_of_look_ups(const ElfFile& elf, uint64_t count) {
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double begin = now();
    uint64_t found = 0;
    for (uint64_t k = count; k < 2 * count; ++k) {
      found += elf.symbol_at(kFirst + kStep * k) != nullptr ? 1 : 0;
    }
    best = std::min(best, now() - begin);
    EXPECT_EQ(found, count);
  }
  return best;
}

// Four times the symbols and the look-ups: with a search through all that are open 16 times the
// time.
TEST(ManySymbols, TheTimeOfLookUpsGrowsLittleFasterThanTheirNumber) {
  constexpr uint64_t kCount = 100'000;
  const double all = seconds_of_look_ups(nested(kCount), kCount);
  const double quarter = seconds_of_look_ups(nested(kCount / 4), kCount / 4);
  EXPECT_LT(all, 9 * quarter) << all << " s and " << quarter << " s";
}

}  // namespace
}  // namespace strobe::isa
