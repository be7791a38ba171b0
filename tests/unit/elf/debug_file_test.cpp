// Debug information in another file or in compressed sections: found, checked, or missed with a
// sentence.
#include "sc_models/isa/elf/debug_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "sc_models/isa/elf/elf_file.h"
#include "sw/text/limits.h"
#include "tests/tree.h"
#include "tests/unit/elf/debug_elf.h"
#include "tests/unit/elf/shell.h"

namespace strobe::isa {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

constexpr uint64_t kHighest = 0x80000000;
const std::string kWhole = in_build("tests/unit/elf/marks");
const std::string kObjcopy = "riscv64-linux-gnu-objcopy ";

/// A folder with a program, `app`, and the file with its debug information, `app.debug`.
class DebugFiles : public testing::Test {
 protected:
  DebugFiles() : folder_(fs::temp_directory_path() / ("strobe-debug-" + unique())) {
    fs::create_directories(folder_ / "system");
    shell(kObjcopy + "--only-keep-debug " + kWhole + " " + at("app.debug"));
    shell("cd " + folder_.string() + " && " + kObjcopy +
          "--strip-all --add-gnu-debuglink=app.debug " + kWhole + " app");
  }
  ~DebugFiles() override { fs::remove_all(folder_); }

  static std::string unique() {
    return std::to_string(getpid()) + testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  ElfFile app() const { return ElfFile::open(at("app"), kHighest, at("system")); }

  /// Makes app.debug of these bytes.
  void link_app_to(const std::vector<uint8_t>& bytes) const {
    std::ofstream(at("app.debug"), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    shell("cd " + folder_.string() + " && " + kObjcopy +
          "--strip-all --add-gnu-debuglink=app.debug " + kWhole + " app");
  }

  /// What the tests ask of each program: a function of the unstripped one, and its line.
  static void expect_known(const ElfFile& elf) {
    const ElfSymbol* twice = elf.symbol("marks::twice(int)");
    ASSERT_NE(twice, nullptr);
    EXPECT_EQ(elf.line_at(twice->address).line, 8);
    EXPECT_EQ(elf.debug_fault(), "");
  }
  static void expect_unknown(const ElfFile& elf) {
    const uint64_t twice = ElfFile::open(kWhole, kHighest).symbol("marks::twice(int)")->address;
    EXPECT_EQ(elf.symbol_at(twice), nullptr);
    EXPECT_EQ(elf.line_at(twice).file, "");
    EXPECT_EQ(elf.debug_path(), "");
    EXPECT_EQ(elf.debug_sha256(), "");
  }

  const fs::path folder_;
};

TEST_F(DebugFiles, ALinkIsFollowedBesideTheProgram) {
  expect_known(app());
  EXPECT_EQ(app().debug_path(), at("app.debug"));
  EXPECT_EQ(app().debug_sha256() + "\n",
            shell("sha256sum " + at("app.debug") + " | cut -d' ' -f1"));
}

TEST_F(DebugFiles, ALinkIsFollowedInTheFolderDebug) {
  fs::create_directory(folder_ / ".debug");
  fs::rename(at("app.debug"), at(".debug/app.debug"));
  expect_known(app());
}

TEST_F(DebugFiles, ALinkIsFollowedBelowTheSystemsFolder) {
  const fs::path below = folder_ / "system" / folder_.relative_path();
  fs::create_directories(below);
  fs::rename(at("app.debug"), below / "app.debug");
  expect_known(app());
}

TEST_F(DebugFiles, TheBuildIdLeadsToTheFileWithoutALink) {
  shell(kObjcopy + "--strip-all " + kWhole + " " + at("app"));
  const std::string id = ElfFile::open(kWhole, kHighest).build_id();
  ASSERT_GT(id.size(), 4u);
  fs::create_directories(at("system/.build-id/" + id.substr(0, 2)));
  const std::string path =
      at("system/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug");
  fs::rename(at("app.debug"), path);
  expect_known(app());
  std::ofstream(path, std::ios::trunc) << "not an ELF file";
  expect_unknown(app());
  EXPECT_EQ(app().debug_fault(), "") << "nothing says that there must be one";
}

TEST_F(DebugFiles, AMissingFileIsSaid) {
  fs::remove(at("app.debug"));
  expect_unknown(app());
  EXPECT_THAT(app().debug_fault(),
              AllOf(HasSubstr("app: its symbols and lines are in another file: expected app.debug "
                              "with CRC 0x"),
                    HasSubstr(" in " + folder_.string() + ", " + folder_.string() + "/.debug, " +
                              at("system")),
                    EndsWith(", got none; copy the file that was split off this program beside "
                             "it")));
}

TEST_F(DebugFiles, AFileOfAnotherProgramIsNotTaken) {
  std::ofstream(at("app.debug"), std::ios::app) << "more";
  expect_unknown(app());
  EXPECT_THAT(app().debug_fault(), HasSubstr(", got " + at("app.debug") + " with CRC 0x"));
}

TEST_F(DebugFiles, APipeInPlaceOfTheFileIsNotWaitedFor) {
  fs::remove(at("app.debug"));
  ASSERT_EQ(mkfifo(at("app.debug").c_str(), 0600), 0);
  expect_unknown(app());
  EXPECT_THAT(app().debug_fault(), HasSubstr(", got none;"));
}

TEST_F(DebugFiles, AFileBeyondTheLimitOfBytesIsSaid) {
  fs::resize_file(at("app.debug"), text::limits::kElfBytes.most + 1);
  expect_unknown(app());
  EXPECT_THAT(app().debug_fault(), HasSubstr(", got " + at("app.debug") +
                                             ": 67108865 bytes (the limit is 67108864); copy"));
}

TEST_F(DebugFiles, AFileWithTheBuildIdBeyondTheLimitOfBytesIsSaid) {
  shell(kObjcopy + "--strip-all " + kWhole + " " + at("app"));
  const std::string id = ElfFile::open(kWhole, kHighest).build_id();
  const std::string folder = at("system/.build-id/" + id.substr(0, 2));
  fs::create_directories(folder);
  const std::string path = folder + "/" + id.substr(2) + ".debug";
  fs::rename(at("app.debug"), path);
  fs::resize_file(path, text::limits::kElfBytes.most + 1);
  expect_unknown(app());
  EXPECT_EQ(app().debug_fault(), "the symbols and lines of the program cannot be read: " + path +
                                     ": 67108865 bytes (the limit is 67108864)");
}

TEST_F(DebugFiles, AFileBeyondAnotherLimitIsSaid) {
  const std::string address = std::string("\0\x09\x02", 3) + raw<uint64_t>(0x10000);
  const std::string rows(text::limits::kDebugProgramRows.most + 1, '\x01');
  const std::vector<uint8_t> bytes = program_of(debug(unit(""), line_program(address + rows)));
  link_app_to(bytes);
  expect_unknown(app());
  EXPECT_EQ(app().debug_fault(),
            at("app.debug") +
                ": too large: byte 0 of .debug_line: expected at most 420000 rows of a line "
                "table, got 420001; compile it with -g1, or remove what is not needed with strip");
}

TEST_F(DebugFiles, AFileWithTooManySymbolsIsSaid) {
  std::string table = raw(Elf64_Sym{});
  for (uint64_t i = 0; i <= text::limits::kElfSymbols.most; ++i) {
    Elf64_Sym symbol{};
    symbol.st_name = 1;
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    symbol.st_shndx = 1;
    symbol.st_value = 0x10000 + i;
    table += raw(symbol);
  }
  const std::vector<uint8_t> bytes = program_of({{".text", ""},
                                                 {".strtab", std::string("\0f\0", 3), SHT_STRTAB},
                                                 {".symtab", table, SHT_SYMTAB, 2}});
  link_app_to(bytes);
  expect_unknown(app());
  EXPECT_THAT(app().debug_fault(),
              HasSubstr(at("app.debug") +
                        ": too large: expected at most 120000 symbols, got at least 120001"));
}

TEST_F(DebugFiles, ALinkLeadsToNoOtherFolder) {
  fs::rename(at("app.debug"), at("system/app.debu"));
  std::ifstream in(at("app"), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const size_t name = bytes.find("app.debug");
  ASSERT_NE(name, std::string::npos);
  bytes.replace(name, 9, "../system");
  std::ofstream(at("app"), std::ios::binary) << bytes;
  expect_unknown(app());
}

TEST_F(DebugFiles, SectionsThatZlibCompressedAreRead) {
  for (const char* how : {"zlib", "zlib-gnu", "zlib-gabi"}) {
    shell(kObjcopy + "--compress-debug-sections=" + how + " " + kWhole + " " + at("app"));
    expect_known(app());
    EXPECT_EQ(app().debug_path(), "") << how;
  }
}

TEST_F(DebugFiles, SectionsThatTheCompilerCompressedAreRead) {
  shell("clang-14 --target=riscv64-linux-gnu -march=rv64gc -mabi=lp64d -O1 -g -gz=zlib -c -o " +
        at("marks.o") + " " + in_source("tests/unit/elf/programs/marks.cpp"));
  shell("riscv64-linux-gnu-gcc -static -nostdlib -gz=zlib -o " + at("app") + " " + at("marks.o"));
  EXPECT_THAT(shell("riscv64-linux-gnu-readelf -t " + at("app")), HasSubstr("COMPRESSED"));
  expect_known(app());
}

/// A copy of the program with compressed sections, in each of whose headers `field` (0 for the way,
/// 8 for the size) has the value.
std::string with_header(const std::string& app, size_t field, uint32_t value) {
  shell(kObjcopy + "--compress-debug-sections=zlib-gabi " + kWhole + " " + app);
  std::ifstream in(app, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, &bytes[header.e_shoff + i * sizeof section], sizeof section);
    if ((section.sh_flags & SHF_COMPRESSED) == 0) continue;
    std::memcpy(&bytes[section.sh_offset + field], &value, sizeof value);
  }
  std::ofstream(app, std::ios::binary) << bytes;
  return app;
}

TEST_F(DebugFiles, SectionsThatZstdCompressedAreRefusedWithTheReason) {
  const ElfFile elf = ElfFile::open(with_header(at("app"), 0, 2), kHighest, at("system"));
  EXPECT_EQ(elf.line_at(elf.entry()).file, "");
  EXPECT_THAT(elf.debug_fault(),
              testing::MatchesRegex(".*/app: .debug_[a-z]+ is compressed with zstd: expected debug "
                                    "information that is compressed with zlib or not at all; link "
                                    "the program with -gz=none"));
}

TEST_F(DebugFiles, ASectionThatWouldFillTheMemoryIsNotUnpacked) {
  const ElfFile elf = ElfFile::open(with_header(at("app"), 8, 0x7fffffff), kHighest, at("system"));
  EXPECT_EQ(elf.line_at(elf.entry()).file, "");
  EXPECT_THAT(elf.debug_fault(), HasSubstr(" bytes that unpack to 2147483647: expected"));
}

}  // namespace
}  // namespace strobe::isa
