// The worst objects up to the limits of their readers.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

#include "sw/object/file/frame_rows.h"
#include "sw/object/file/frames.h"
#include "tests/security/amplification.h"
#include "tests/unit/elf/debug_elf.h"

namespace strobe::security {
namespace {

using object::Frame;
using object::ObjectFile;
using object::Section;

std::string word(uint32_t value) { return {reinterpret_cast<const char*>(&value), sizeof value}; }

/// An object of one function whose frame has these operations; those of `common` are shared.
ObjectFile described(const std::string& common, const std::string& operations) {
  ObjectFile file;
  file.name = "t.o";
  file.sections.resize(3);
  file.sections[1].name = ".text";
  file.sections[1].type = SHT_PROGBITS;
  file.sections[1].bytes.resize(1 << 16);
  file.symbols.resize(1);
  const uint32_t code = file.add_label(1, 0, "f");
  // Version, augmentation "zR", alignments, return address, the augmentation's length, its
  // encoding.
  const std::string head = std::string("\x01zR\0\x01\x78\x01\x01\x1b", 9) + common;
  std::string bytes = word(static_cast<uint32_t>(4 + head.size())) + word(0) + head;
  const auto entry = static_cast<uint32_t>(bytes.size());
  bytes += word(static_cast<uint32_t>(13 + operations.size())) + word(entry + 4) + word(0) +
           word(0x10000) + std::string(1, '\0') + operations;
  Section& frames = file.sections[2];
  frames.name = ".eh_frame";
  frames.type = SHT_PROGBITS;
  frames.bytes.assign(bytes.begin(), bytes.end());
  frames.relocations = {{entry + 8, R_RISCV_32_PCREL, code, 0},
                        {entry + 12, R_RISCV_ADD32, code, 0}};
  return file;
}

void expect_cheap_frame(const std::string& what, const ObjectFile& file,
                        const std::string& sentence) {
  expect_cheap(
      "frame of " + what,
      [&] {
        try {
          for (const Frame& frame : object::read_frames(file)) object::rows_of(file, frame);
          return std::string();
        } catch (const object::ObjectError& error) {
          return std::string(error.what());
        }
      },
      sentence);
}

/// Says where 100 registers are kept.
std::string rules() {
  std::string operations;
  for (int i = 0; i < 100; ++i) operations += std::string("\x05") + static_cast<char>(i) + "\x01";
  return operations;
}

std::string parsed(std::vector<uint8_t> bytes) {
  try {
    ObjectFile::parse(std::move(bytes), "t.o");
    return "";
  } catch (const object::ObjectError& error) {
    return error.what();
  }
}

/// An object with these sections.
std::vector<uint8_t> object_of(const std::vector<isa::Part>& parts) {
  std::vector<uint8_t> bytes = isa::program_of(parts);
  bytes[offsetof(Elf64_Ehdr, e_type)] = ET_REL;
  return bytes;
}

TEST(Amplification, Objects) {
  const auto expect_cheap_object = [](const std::string& what, const std::vector<uint8_t>& bytes,
                                      const std::string& sentence) {
    expect_cheap(
        "object with " + what, [&] { return parsed(bytes); }, sentence);
  };
  constexpr size_t kMebibyte = 1 << 20;
  const auto with_symbols = [](size_t count, const std::string& names) {
    Elf64_Sym symbol{};
    symbol.st_name = 1;
    symbol.st_shndx = 1;
    return std::vector<isa::Part>{{".text", std::string(16, '\0')},
                                  {".strtab", '\0' + names + '\0', SHT_STRTAB},
                                  {".symtab", repeated(isa::raw(symbol), count), SHT_SYMTAB, 2}};
  };
  expect_cheap_object("symbols", object_of(with_symbols(399'000, "f")), "");
  expect_cheap_object("too many symbols", object_of(with_symbols(401'000, "f")),
                      "t.o: too large at section 3: expected at most 400000 symbols, got 401000");
  expect_cheap_object("symbols that share a long name",
                      object_of(with_symbols(100'000, std::string(kMebibyte, 'f'))),
                      "t.o: too large at section 3: expected at most 16777216 bytes of names");
  std::vector<isa::Part> parts = with_symbols(1000, "f");
  parts.push_back({".data", std::string(46 * kMebibyte - kMebibyte, 'x')});
  expect_cheap_object("45 MiB", object_of(parts), "");
  parts.back().bytes += std::string(2 * kMebibyte, 'x');
  expect_cheap_object("47 MiB", object_of(parts),
                      "t.o: too large: expected at most 48000000 bytes");

  // A thousand sections that share a mebibyte.
  parts = {{".data", std::string(kMebibyte, 'x')}};
  for (int i = 0; i < 1000; ++i) parts.push_back({".d", ""});
  std::vector<uint8_t> shared = object_of(parts);
  Elf64_Ehdr header;
  std::memcpy(&header, shared.data(), sizeof header);
  auto* const sections = reinterpret_cast<Elf64_Shdr*>(shared.data() + header.e_shoff);
  for (int i = 2; i <= 1001; ++i) {
    sections[i].sh_offset = sections[1].sh_offset;
    sections[i].sh_size = sections[1].sh_size;
  }
  expect_cheap_object("sections that share their bytes", shared,
                      "t.o: too large at section 46: expected at most 48000000 bytes");
}

TEST(Amplification, ObjectFrames) {
  const std::string remember(1, '\x0a'), advance(1, '\x41');
  const std::string large = "the description of a frame is too large: expected at most";
  expect_cheap_frame("states", described("", rules() + repeated(remember, 31'000)), large);
  expect_cheap_frame("states without rules", described("", repeated(remember, 1 << 20)), large);
  expect_cheap_frame("rows", described("", rules() + repeated(advance, 1 << 20)), large);
  expect_cheap_frame("a long rule",
                     described("", std::string("\x10\x01\xff\xff\x01", 5) +
                                       std::string(0x7fff, 'x') + repeated(advance, 1 << 20)),
                     large);
  expect_cheap_frame("no operations", described("", std::string(1 << 24, '\0')), "");
  expect_cheap_frame("a large common entry", described(std::string(1 << 20, '\0'), ""),
                     "a common entry of frames is too large: expected at most 1024 bytes");
}

}  // namespace
}  // namespace strobe::security
