// The worst programs up to the limits of the readers of ELF files and of debug information.
#include <elf.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "sc_models/isa/elf/elf_file.h"
#include "sw/answer/answer_error.h"
#include "sw/answer/inline_stacks.h"
#include "tests/security/amplification.h"
#include "tests/unit/elf/debug_elf.h"

namespace strobe::security {
namespace {

using isa::debug;
using isa::kAbbreviations;
using isa::line_program;
using isa::Part;
using isa::program_of;
using isa::raw;
using isa::unit;

constexpr uint64_t kTop = uint64_t{1} << 31;
constexpr size_t kMebibyte = 1 << 20;

/// What the readers say about a program: of its symbols, its lines and its inlined functions.
std::string read_program(const std::string& path) {
  try {
    const isa::ElfFile elf = isa::ElfFile::open(path, kTop);
    elf.symbol_at(0x10000);
    elf.line_at(0x10000);
    return "";
  } catch (const isa::ElfError& error) {
    return error.what();
  }
}

std::string read_stacks(const std::string& path) {
  try {
    const answer::InlineStacks stacks(path);
    for (uint64_t pc = 0; pc < 100'000; ++pc) stacks.at(pc);
    return "";
  } catch (const answer::AnswerError& error) {
    return error.what();
  }
}

void expect_cheap_program(const std::string& what, const std::vector<Part>& parts,
                          const std::string& sentence, const std::string& of_stacks = "") {
  std::string path = (std::filesystem::temp_directory_path() / "strobe-costs-XXXXXX").string();
  close(mkstemp(path.data()));
  {
    const std::vector<uint8_t> bytes = program_of(parts);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  expect_cheap(
      "ELF with " + what, [&] { return read_program(path); }, sentence);
  // Only programs that have been opened are asked for their inlined functions.
  if (sentence.empty()) {
    expect_cheap(
        "stacks with " + what, [&] { return read_stacks(path); }, of_stacks);
  }
  std::filesystem::remove(path);
}

std::vector<Part> symbols(uint32_t count, const std::string& names, uint32_t step) {
  std::string table = raw(Elf64_Sym{});
  for (uint32_t i = 0; i < count; ++i) {
    Elf64_Sym symbol{};
    symbol.st_name = 1 + i * step;
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    symbol.st_shndx = 1;
    symbol.st_value = 0x10000 + 4 * i;
    symbol.st_size = 4;
    table += raw(symbol);
  }
  return {{".text", ""},
          {".strtab", std::string(1, '\0') + names, SHT_STRTAB},
          {".symtab", table, SHT_SYMTAB, 2}};
}

/// The names of 120,000 functions, 30 bytes each.
std::string many_names() {
  std::string names;
  for (int i = 100'000; i < 220'000; ++i) {
    names += "a_function_with_a_name_" + std::to_string(i) + '\0';
  }
  return names;
}

TEST(Amplification, ElfSymbols) {
  const std::string names = many_names();
  expect_cheap_program("symbols", symbols(120'000, names, 30), "");
  expect_cheap_program("too many symbols", symbols(400'000, names, 1),
                       "too large: expected at most");
  expect_cheap_program("symbols that share a long name",
                       symbols(100'000, std::string(kMebibyte, 'f') + '\0', 0),
                       "too large: expected at most 16777216 bytes of names of symbols");
  expect_cheap_program("names without an end",
                       symbols(120'000, std::string(50 * kMebibyte, 'f'), 0), "");
  std::string mangled = "_Z1fI";
  for (int i = 0; i < 11; ++i)
    mangled += std::string(i == 0 ? "1aIii" : "1aIS") +
               (i == 0 ? "" : std::to_string(i - 1) + "_S" + std::to_string(i - 1) + "_") + "E";
  expect_cheap_program("names that unfold", symbols(100'000, mangled + "EvT_" + '\0', 0),
                       "expected at most 16777216 bytes of names of symbols");
  expect_cheap_program("64 MiB", {{".data", std::string(63 * kMebibyte, 'x')}}, "");
  expect_cheap_program("65 MiB", {{".data", std::string(65 * kMebibyte, 'x')}},
                       "(the limit is 67108864)");
}

std::string abbreviation(uint32_t code) {
  std::string bytes;
  for (; code >= 0x80; code >>= 7) bytes += static_cast<char>(code | 0x80);
  return bytes + static_cast<char>(code) + std::string("\x34\0\0\0", 4);
}

TEST(Amplification, DebugLines) {
  const std::string address = std::string("\0\x09\x02", 3) + raw<uint64_t>(0x10000);
  const std::string rows = address + repeated("\x01", 395'000) + std::string("\0\1\1", 3);
  std::string units, lines;
  for (int i = 0; i < 4; ++i) {
    units += unit("", static_cast<uint32_t>(lines.size()));
    lines += line_program(rows);
  }
  expect_cheap_program("rows up to the limit", debug(units, lines), "");
  expect_cheap_program(
      "rows and symbols up to the limit and 60 MiB",
      [&] {
        std::vector<Part> parts = debug(units, lines);
        parts.push_back({".data", std::string(54 * kMebibyte, 'x')});
        for (Part& part : symbols(120'000, many_names(), 30)) parts.push_back(std::move(part));
        parts.back().link = static_cast<uint32_t>(parts.size() - 1);
        return parts;
      }(),
      "");
  expect_cheap_program(
      "too many rows in a table",
      debug(unit(""), line_program(address + repeated("\x01", 430'000))),
      "too large: byte 0 of .debug_line: expected at most 420000 rows of a line table, got 430000");
  lines += line_program(rows);
  expect_cheap_program("too many rows", debug(units, lines),
                       "expected at most 1600000 rows of line tables");
  // Ten thousand files in a directory with a long name.
  const std::string tables = std::string("\x01\x01\x08\x01", 4) + std::string(30'000, 'd') +
                             std::string("\0\x02\x01\x08\x02\x0b\x90\x4e", 8) +
                             repeated(std::string("f\0\0", 3), 10'000);
  expect_cheap_program("long paths", debug(unit(""), line_program(rows, tables)),
                       "bytes of paths of files");
}

TEST(Amplification, DebugEntries) {
  std::string many = kAbbreviations.substr(0, kAbbreviations.size() - 1);
  for (uint32_t code = 10; code < 100'000; ++code) many += abbreviation(code);
  expect_cheap_program("units that share a table",
                       debug(repeated(unit(""), 10'000), line_program(""), many + '\0'),
                       "abbreviations and their attributes");
  expect_cheap_program("units", debug(repeated(unit(std::string(1, '\0')), 19'000)), "");
  expect_cheap_program("too many units", debug(repeated(unit(std::string(1, '\0')), 21'000)),
                       "expected at most 20000 units");
  expect_cheap_program("entries", debug(unit(repeated("\3", 4'900'000))), "");
  expect_cheap_program("too many entries", debug(unit(repeated("\3", 30'000'000))), "",
                       "expected at most 5000000 steps through the entries");
  expect_cheap_program("blocks in blocks", debug(unit(repeated("\2", 10'000'000))), "",
                       "expected at most 512 entries in one another");
  expect_cheap_program(
      "many entries deep down",
      debug(unit(repeated("\2", 250) + repeated("\3", 1'000'000) + std::string(250, '\0'))), "",
      "expected at most 5000000 steps through the entries");
  const std::string function = "\4" + raw<uint64_t>(0x10000) + '\x40';
  expect_cheap_program("functions in functions", debug(unit(repeated(function, 250))), "");
  const std::string entry = std::string("\6") + raw<uint64_t>(0x10000) + raw<uint64_t>(0x10040);
  const std::string ranges = raw<uint32_t>(0) + raw<uint16_t>(5) + std::string("\x08\0", 2) +
                             raw<uint32_t>(0) + repeated(entry, 400'000) + '\0';
  std::string sized = ranges;
  sized.replace(0, 4, raw(static_cast<uint32_t>(ranges.size() - 4)));
  std::string functions;
  for (int i = 0; i < 20; ++i) functions += "\5" + raw<uint32_t>(12);
  expect_cheap_program("functions that share ranges",
                       debug(unit(functions), line_program(""), kAbbreviations, sized), "",
                       "expected at most 1000000 ranges of code");
}

TEST(Amplification, DebugSectionsThatUnfold) {
  const std::string zeros(200 * kMebibyte, '\0');
  uLongf size = compressBound(zeros.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(zeros.data()), zeros.size());
  packed.resize(size);
  Elf64_Chdr header{};
  header.ch_type = ELFCOMPRESS_ZLIB;
  header.ch_size = zeros.size();
  header.ch_addralign = 1;
  std::vector<Part> parts = debug(unit(""));
  parts[2] = {".debug_line", raw(header) + packed, SHT_PROGBITS, 0, SHF_COMPRESSED};
  expect_cheap_program("a compressed section", parts, "");
}

}  // namespace
}  // namespace strobe::security
