// Every bad object gets one sentence: the file, what is wrong, expected, got, what to do.
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "sw/object/analysis/code.h"
#include "sw/object/file/frames.h"
#include "sw/object/file/object_file.h"
#include "tests/unit/object/objects.h"

namespace strobe::object {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string refusal(const std::vector<uint8_t>& bytes) {
  try {
    ObjectFile::parse(bytes, "bad.o");
  } catch (const ObjectError& error) {
    return error.what();
  }
  return "accepted";
}

/// What an edit says of an object that parses: decoding its code, then reading its frames.
std::string refusal_to_edit(ObjectFile file) {
  try {
    for (const uint32_t section : code_sections(file)) Code(&file, section);
    read_handlers(file, read_frames(file));
  } catch (const ObjectError& error) {
    return error.what();
  }
  return "accepted";
}

/// One line that begins with the file and says what to do after a semicolon.
testing::Matcher<std::string> one_sentence(const std::string& file) {
  return AllOf(StartsWith(file + ": "), HasSubstr("; "), Not(HasSubstr("\n")),
               Not(HasSubstr(". ")));
}

const std::vector<uint8_t>& good() {
  static const std::vector<uint8_t> bytes =
      assembled(
          ".globl main\n.type main,@function\nmain: beqz a0, 1f\n call g\n1: ret\n"
          ".size main,.-main\n.data\n.dword main\n")
          .serialize();
  return bytes;
}

template <typename T>
T at(const std::vector<uint8_t>& bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

Elf64_Ehdr header_of(const std::vector<uint8_t>& bytes) { return at<Elf64_Ehdr>(bytes, 0); }

std::string refusal_of_header(const std::function<void(Elf64_Ehdr&)>& spoil) {
  std::vector<uint8_t> bytes = good();
  Elf64_Ehdr header = header_of(bytes);
  spoil(header);
  std::memcpy(bytes.data(), &header, sizeof header);
  return refusal(bytes);
}

size_t header_offset(size_t index) {
  return header_of(good()).e_shoff + index * sizeof(Elf64_Shdr);
}

/// Spoils the header of the first section of a type.
std::string refusal_of_section(uint32_t type, const std::function<void(Elf64_Shdr&)>& spoil) {
  std::vector<uint8_t> bytes = good();
  for (size_t i = 1; i < header_of(bytes).e_shnum; ++i) {
    auto section = at<Elf64_Shdr>(bytes, header_offset(i));
    if (section.sh_type != type) continue;
    spoil(section);
    std::memcpy(bytes.data() + header_offset(i), &section, sizeof section);
    return refusal(bytes);
  }
  return "no such section";
}

/// Spoils the first entry of a section of `type` that is a table, from entry `index`.
template <typename T>
std::string refusal_of_entry(uint32_t type, size_t index, const std::function<void(T&)>& spoil) {
  std::vector<uint8_t> bytes = good();
  for (size_t i = 1; i < header_of(bytes).e_shnum; ++i) {
    const auto section = at<Elf64_Shdr>(bytes, header_offset(i));
    if (section.sh_type != type) continue;
    const size_t offset = section.sh_offset + index * sizeof(T);
    T entry = at<T>(bytes, offset);
    spoil(entry);
    std::memcpy(bytes.data() + offset, &entry, sizeof entry);
    return refusal(bytes);
  }
  return "no such section";
}

TEST(BadObject, TheUnspoiledFileIsAccepted) { EXPECT_EQ(refusal(good()), "accepted"); }

TEST(BadObject, AnEmptyFileIsRefused) {
  EXPECT_THAT(refusal({}), one_sentence("bad.o"));
  EXPECT_THAT(refusal({}), HasSubstr("not an object file"));
}

TEST(BadObject, TextIsRefused) {
  const std::string text(100, 'x');
  EXPECT_EQ(
      refusal({text.begin(), text.end()}),
      "bad.o: not an object file: expected an ELF file of at least 64 bytes, got other bytes; "
      "compile it with riscv64-linux-gnu-gcc -c");
}

TEST(BadObject, AnotherClassOrderOrMachineIsRefusedByName) {
  EXPECT_THAT(refusal_of_header([](auto& h) { h.e_ident[EI_CLASS] = ELFCLASS32; }),
              AllOf(one_sentence("bad.o"), HasSubstr("expected ELF64, got ELF32")));
  EXPECT_THAT(refusal_of_header([](auto& h) { h.e_ident[EI_DATA] = ELFDATA2MSB; }),
              AllOf(one_sentence("bad.o"), HasSubstr("expected little-endian")));
  EXPECT_THAT(refusal_of_header([](auto& h) { h.e_machine = EM_X86_64; }),
              AllOf(one_sentence("bad.o"), HasSubstr("expected RISC-V, got machine 62")));
}

TEST(BadObject, ALinkedFileIsRefused) {
  EXPECT_EQ(refusal(compiled_bytes("linked")),
            "bad.o: wrong type: expected a relocatable object (ET_REL), got a linked file; name "
            "the objects that it was linked from");
  EXPECT_THAT(refusal_of_header([](auto& h) { h.e_type = ET_CORE; }), HasSubstr("got type 4"));
}

TEST(BadObject, EveryTruncationIsRefused) {
  for (const std::vector<uint8_t>& whole : {good(), compiled_bytes("differences.o")}) {
    size_t accepted = 0, last = 0;
    for (size_t size = 0; size < whole.size(); ++size) {
      const std::string text =
          refusal({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)});
      if (text == "accepted") {
        ++accepted;
        last = size;
      } else {
        ASSERT_THAT(text, one_sentence("bad.o")) << size << " of " << whole.size() << " bytes";
      }
    }
    EXPECT_EQ(accepted, 0u) << "the last of " << last << " of " << whole.size() << " bytes";
  }
}

TEST(BadObject, ASectionOutsideTheFileIsRefused) {
  for (const uint32_t type :
       {SHT_PROGBITS, SHT_SYMTAB, SHT_STRTAB, SHT_RELA, SHT_RISCV_ATTRIBUTES}) {
    EXPECT_THAT(refusal_of_section(type, [](auto& s) { s.sh_offset = 1u << 20; }),
                one_sentence("bad.o"))
        << "offset of type " << type;
    EXPECT_THAT(refusal_of_section(type, [](auto& s) { s.sh_size = uint64_t{1} << 40; }),
                one_sentence("bad.o"))
        << "size of type " << type;
  }
}

TEST(BadObject, AnUnusualNumberOfSectionsIsRefused) {
  EXPECT_THAT(refusal_of_header([](auto& h) { h.e_shnum = 0; }), one_sentence("bad.o"));
  EXPECT_THAT(refusal_of_header([](auto& h) { h.e_shnum = 0xfeff; }), one_sentence("bad.o"));
  EXPECT_THAT(refusal_of_header([](auto& h) { h.e_shoff = ~uint64_t{0} - 8; }),
              one_sentence("bad.o"));
  EXPECT_THAT(refusal_of_header([](auto& h) { h.e_shstrndx = SHN_XINDEX; }), one_sentence("bad.o"));
}

TEST(BadObject, AnAlignmentThatIsNoPowerOfTwoIsRefused) {
  EXPECT_THAT(refusal_of_section(SHT_PROGBITS, [](auto& s) { s.sh_addralign = 3; }),
              AllOf(one_sentence("bad.o"), HasSubstr("alignment of section .text")));
}

TEST(BadObject, ASymbolOfASectionThatIsNotThereIsRefused) {
  EXPECT_THAT(refusal_of_entry<Elf64_Sym>(SHT_SYMTAB, 1, [](auto& s) { s.st_shndx = 99; }),
              AllOf(one_sentence("bad.o"), HasSubstr("section of symbol 1"), HasSubstr("got 99")));
}

TEST(BadObject, ARelocationWithASymbolThatIsNotThereIsRefused) {
  EXPECT_THAT(
      refusal_of_entry<Elf64_Rela>(
          SHT_RELA, 0, [](auto& r) { r.r_info = ELF64_R_INFO(uint64_t{77}, R_RISCV_64); }),
      AllOf(one_sentence("bad.o"), HasSubstr("relocation 0 of .text"), HasSubstr("symbol 77")));
}

TEST(BadObject, ARelocationOutsideItsSectionIsRefused) {
  EXPECT_THAT(
      refusal_of_entry<Elf64_Rela>(SHT_RELA, 0, [](auto& r) { r.r_offset = 0x1000; }),
      AllOf(one_sentence("bad.o"), HasSubstr("relocation 0 of .text"), HasSubstr("offset 0x1000")));
}

TEST(BadObject, RelocationsOfASectionThatIsNotThereAreRefused) {
  EXPECT_THAT(refusal_of_section(SHT_RELA, [](auto& s) { s.sh_info = 99; }), one_sentence("bad.o"));
  EXPECT_THAT(refusal_of_section(SHT_RELA, [](auto& s) { s.sh_link = 1; }), one_sentence("bad.o"));
}

TEST(BadObject, LlvmBitcodeIsRefusedWithTheFlagThatHelps) {
  const std::string expected =
      "bad.o: bitcode of a link-time optimizer: expected machine code, got LLVM bitcode; compile "
      "it without -flto";
  EXPECT_EQ(refusal({'B', 'C', 0xc0, 0xde}), expected);
  EXPECT_EQ(refusal(compiled_bytes("llvm_bitcode.o")), expected);
}

TEST(BadObject, GccBitcodeIsRefusedWithTheFlagThatHelps) {
  EXPECT_EQ(refusal(compiled_bytes("bitcode.o")),
            "bad.o: bitcode of a link-time optimizer: expected machine code, got GCC bitcode; "
            "compile it without -flto, or with -ffat-lto-objects");
}

TEST(BadObject, GnuAsKeepsWhatAnEditNeedsWithoutLinkerRelaxationToo) {
  EXPECT_EQ(refusal_to_edit(compiled("no_relax.o")), "accepted");
}

TEST(BadObject, AnObjectOfClang14IsRefusedWithItsName) {
  EXPECT_THAT(refusal_to_edit(compiled("clang.o")),
              AllOf(one_sentence("clang.o"), HasSubstr("clang 14 with -fno-integrated-as")));
}

}  // namespace
}  // namespace strobe::object
