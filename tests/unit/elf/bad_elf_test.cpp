// Every bad ELF file gets one sentence: the file, what is wrong, expected, got, what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "sc_models/isa/elf/elf_file.h"
#include "tests/unit/elf/tiny_elf.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kLimit = 0x80000000;

std::string refusal(const std::vector<uint8_t>& bytes) {
  try {
    ElfFile::parse(bytes, "prog", kLimit);
  } catch (const ElfError& error) {
    return error.what();
  }
  return "accepted";
}

std::string refusal_of(const std::function<void(TinyElf&)>& spoil) {
  TinyElf elf;
  spoil(elf);
  return refusal(elf.bytes());
}

std::string refusal_to_open(const std::string& path) {
  try {
    ElfFile::open(path, kLimit);
  } catch (const ElfError& error) {
    return error.what();
  }
  return "accepted";
}

constexpr const char* kBuild = "; build it with riscv64-linux-gnu-gcc -static";

TEST(BadElf, TheUnspoiledFileIsAccepted) { EXPECT_EQ(refusal(TinyElf().bytes()), "accepted"); }

TEST(BadElf, AMissingFileIsNamedWithTheReason) {
  EXPECT_EQ(refusal_to_open("/no/such/program"),
            "/no/such/program: cannot read the program: expected a readable ELF file, got No such "
            "file or directory; check the path of the program");
}

TEST(BadElf, ADirectoryIsNotAProgram) {
  EXPECT_EQ(refusal_to_open("/"),
            "/: cannot read the program: expected a readable ELF file, got a directory; check the "
            "path of the program");
}

TEST(BadElf, ADeviceIsNotReadWithoutEnd) {
  EXPECT_THAT(refusal_to_open("/dev/zero"), testing::HasSubstr("got a device, pipe or socket"));
}

TEST(BadElf, AnEmptyFileIsSaidToBeEmpty) {
  EXPECT_EQ(refusal({}),
            std::string("prog: the file is empty: expected an ELF file, got 0 bytes") + kBuild);
}

TEST(BadElf, TextIsNotAnElfFile) {
  EXPECT_EQ(refusal({'#', '!', '/', 'b', 'i', 'n'}),
            std::string("prog: not an ELF file: expected the magic bytes 7f 45 4c 46, got other "
                        "bytes") +
                kBuild);
}

TEST(BadElf, EveryTruncationIsRefused) {
  const std::vector<uint8_t> whole = TinyElf().bytes();
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::string text = refusal({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)});
    EXPECT_NE(text, "accepted") << size << " bytes";
    if (size > EI_VERSION) {
      EXPECT_THAT(text, testing::HasSubstr("prog: truncated: expected ")) << size << " bytes";
    }
  }
}

TEST(BadElf, ThirtyTwoBitsAreRefused) {
  EXPECT_EQ(refusal_of([](TinyElf& e) { e.header.e_ident[EI_CLASS] = ELFCLASS32; }),
            std::string("prog: not a 64-bit program: expected ELF class 2 (64-bit), got class 1 "
                        "(32-bit)") +
                kBuild);
}

TEST(BadElf, BigEndianIsRefused) {
  EXPECT_EQ(refusal_of([](TinyElf& e) { e.header.e_ident[EI_DATA] = ELFDATA2MSB; }),
            std::string("prog: not a little-endian program: expected ELF data encoding 1 "
                        "(little-endian), got encoding 2 (big-endian)") +
                kBuild);
}

TEST(BadElf, AnUnknownVersionIsRefused) {
  EXPECT_THAT(refusal_of([](TinyElf& e) { e.header.e_version = 7; }),
              testing::HasSubstr("unknown ELF version: expected version 1, got version 7"));
}

TEST(BadElf, AProgramOfTheHostIsRefusedByName) {
  EXPECT_EQ(refusal_of([](TinyElf& e) { e.header.e_machine = EM_X86_64; }),
            std::string("prog: built for another machine: expected RISC-V (machine 243), got "
                        "x86-64") +
                kBuild);
}

const std::string kLinkStatically =
    "; link its objects with riscv64-linux-gnu-gcc -static -no-pie; an executable without them "
    "cannot be made static";

TEST(BadElf, AStaticPieIsRefusedWithTheFlagThatHelps) {
  const auto make_pie = [](TinyElf& e) {
    e.header.e_type = ET_DYN;
    const Elf64_Dyn flags = {DT_FLAGS_1, {DF_1_PIE}};
    std::memcpy(e.payload.data(), &flags, sizeof flags);
    e.segments[0].p_type = PT_DYNAMIC;
  };
  EXPECT_EQ(refusal_of(make_pie),
            "prog: position-independent: expected a static program at fixed addresses (ET_EXEC), "
            "got a static PIE, which relocates itself" +
                kLinkStatically);
}

TEST(BadElf, ASharedLibraryIsNotCalledAProgram) {
  EXPECT_EQ(refusal_of([](TinyElf& e) { e.header.e_type = ET_DYN; }),
            "prog: a shared library: expected a program, got a library, which does not run by "
            "itself; give a program that is linked with -static -no-pie");
}

TEST(BadElf, ADynamicPieIsRefusedForItsLinker) {
  EXPECT_EQ(refusal_of([](TinyElf& e) {
              e.header.e_type = ET_DYN;
              e.segments[1].p_type = PT_INTERP;
            }),
            "prog: dynamically linked: expected a static program at fixed addresses (ET_EXEC), got "
            "a position-independent one that asks for a dynamic linker" +
                kLinkStatically);
}

TEST(BadElf, AnObjectFileIsRefused) {
  EXPECT_THAT(refusal_of([](TinyElf& e) { e.header.e_type = ET_REL; }),
              testing::HasSubstr("not an executable: expected a linked program (ET_EXEC), got an "
                                 "object file (ET_REL)"));
}

TEST(BadElf, ADynamicProgramIsRefused) {
  EXPECT_EQ(refusal_of([](TinyElf& e) { e.segments[1].p_type = PT_INTERP; }),
            "prog: dynamically linked: expected a static program at fixed addresses (ET_EXEC), got "
            "one that asks for a dynamic linker" +
                kLinkStatically);
}

TEST(BadElf, NothingToLoadIsRefused) {
  EXPECT_THAT(refusal_of([](TinyElf& e) {
                for (auto& segment : e.segments) segment.p_type = PT_NOTE;
              }),
              testing::HasSubstr("nothing to load: expected at least one loadable segment"));
  EXPECT_THAT(refusal_of([](TinyElf& e) { e.segments.clear(); }),
              testing::HasSubstr("no program headers"));
}

TEST(BadElf, AbsurdHeaderCountsAreRefused) {
  EXPECT_THAT(refusal_of([](TinyElf& e) { e.header.e_phnum = 0xffff; }),
              testing::HasSubstr("too many program headers: expected at most 128, got 65535"));
  EXPECT_THAT(refusal_of([](TinyElf& e) { e.header.e_phentsize = 1; }),
              testing::HasSubstr("bad program headers: expected entries of 56 bytes, got 1"));
  EXPECT_THAT(refusal_of([](TinyElf& e) { e.header.e_phoff = ~uint64_t{0} - 8; }),
              testing::HasSubstr("truncated: expected program headers of 112 bytes"));
}

TEST(BadElf, OverlappingSegmentsAreRefusedWithBothRanges) {
  EXPECT_THAT(refusal_of([](TinyElf& e) { e.segments[1].p_vaddr = 0x1003f; }),
              testing::HasSubstr("segments overlap: expected segments apart from each other, got "
                                 "[0x10000, 0x10040) and [0x1003f, 0x1103f)"));
}

TEST(BadElf, ASegmentMustLieBelowTheLimit) {
  for (const uint64_t address : {kLimit - 4095, kLimit, ~uint64_t{0} - 100}) {
    EXPECT_THAT(refusal_of([&](TinyElf& e) { e.segments[1].p_vaddr = address; }),
                testing::HasSubstr("segment above the end of the modeled address space: expected "
                                   "addresses below 0x80000000, got 0x1000 bytes at 0x"))
        << address;
  }
  EXPECT_EQ(refusal_of([](TinyElf& e) { e.segments[1].p_vaddr = kLimit - 4096; }), "accepted");
}

TEST(BadElf, ASegmentMayNotBeSmallerInMemoryThanInTheFile) {
  EXPECT_THAT(refusal_of([](TinyElf& e) { e.segments[1].p_memsz = 31; }),
              testing::HasSubstr("bad segment at 0x20000: expected a size in memory of at least "
                                 "0x20 (its size in the file), got 0x1f"));
}

TEST(BadElf, SegmentDataBehindTheEndOfTheFileIsTruncation) {
  EXPECT_THAT(refusal_of([](TinyElf& e) { e.segments[1].p_offset = ~uint64_t{0} - 10; }),
              testing::HasSubstr("truncated: expected 0x20 bytes of segment 0x20000"));
}

TEST(BadElf, TheEntryMustBeExecutableCode) {
  for (const uint64_t entry : {0x0ull, 0x10040ull, 0x20000ull, 0x10001ull}) {
    EXPECT_THAT(refusal_of([&](TinyElf& e) { e.header.e_entry = entry; }),
                testing::HasSubstr("bad entry point: expected an even address in an executable "
                                   "segment, got 0x"))
        << entry;
  }
}

}  // namespace
}  // namespace strobe::isa
