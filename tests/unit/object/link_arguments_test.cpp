// What a link record may say, and what it is told otherwise.
#include "sw/object/file/link_arguments.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/object/link_messages.h"

namespace strobe::object {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Words = std::vector<std::string>;

const std::string kRecord = "/made/up/program.link";

/// The message for a record of riscv64-linux-gnu-gcc with these arguments; empty when it may be.
std::string refused_link(Words arguments, const std::string& driver = "riscv64-linux-gnu-gcc") {
  arguments.insert(arguments.begin(), driver);
  return message_of([&] { checked_command(arguments, kRecord); });
}

/// The sentence that refuses one argument of the second line.
std::string sentence(const std::string& argument, const std::string& danger = "") {
  return fmt::format(
      "{}:2: expected an object (.o), an archive (.a), a library (-l, -L) or one of the options "
      "that docs/object-editing.md lists, got '{}'{}; remove it from the record",
      kRecord, argument, danger.empty() ? "" : ", " + danger);
}

TEST(LinkArguments, WhatABuildPassesToItsLinkIsTaken) {
  EXPECT_EQ(refused_link({"-O3",
                          "-DNDEBUG",
                          "-DSIZE=4",
                          "-g1",
                          "-std=c++17",
                          "-Wall",
                          "-Wextra",
                          "-Wno-unused",
                          "-march=rv64gc_zba",
                          "-mabi=lp64d",
                          "-mcmodel=medany",
                          "-ffunction-sections",
                          "-fno-exceptions",
                          "-static",
                          "-pthread",
                          "-fopenmp",
                          "-static-libgcc",
                          "-no-pie",
                          "-nostdlib",
                          "a.o",
                          "../b/c.o",
                          "/abs/lib.a",
                          "-lm",
                          "-l",
                          "gcc",
                          "-Llib",
                          "-L",
                          "/abs/lib",
                          "-u",
                          "main",
                          "-e",
                          "_start",
                          "-z",
                          "noexecstack",
                          "-o",
                          "program"}),
            "");
  EXPECT_EQ(
      refused_link({"-Wl,--gc-sections,-z,relro", "-Wl,--start-group", "a.o",
                    "-Wl,--end-group,--defsym=limit=0x10,-Ttext=0x10200", "-Wl,--build-id=none",
                    "-Xlinker", "-u", "-Xlinker", "main", "-Wl,--whole-archive,x.a,--no-relax"}),
      "");
  EXPECT_EQ(refused_link({"--target=riscv64-linux-gnu", "-fuse-ld=lld", "a.o"}, "clang-14"), "");
  EXPECT_EQ(
      refused_link({"-static", "--gc-sections", "-melf64lriscv", "a.o"}, "riscv64-linux-gnu-ld"),
      "");
}

TEST(LinkArguments, EachFormThatRunsLoadsOrWritesMoreIsRefusedByName) {
  const std::string plugin = "a plugin, whose code would run", script = "a linker script";
  const std::string specs = "a file of specs, which starts other programs";
  const std::string folder = "a folder of other programs", output = "another output";
  const std::vector<std::pair<std::string, std::string>> kForms = {
      {"@more", "a file of more arguments"},
      {"-fplugin=evil.so", plugin},
      {"-fplugin-arg-evil-x", plugin},
      {"-specs=evil.specs", specs},
      {"--specs=evil.specs", specs},
      {"-B.", folder},
      {"-B", folder},
      {"--sysroot=.", folder},
      {"--gcc-toolchain=.", folder},
      {"-fuse-ld=/tmp/ld", "another linker"},
      {"-fuse-ld=gold", "another linker"},
      {"-wrapper", "a program to start"},
      {"-flto", "a compilation at the link"},
      {"-flto=auto", "a compilation at the link"},
      {"-T", script},
      {"-Tevil.ld", script},
      {"-save-temps", output},
      {"-shared", "another kind of program"},
      {"-static-pie", "another kind of program"},
      {"-foffload=x", ""},
      {"-x", ""},
      {"-I.", ""},
      {"-include", ""},
      {"-Wa,--defsym,x=1", ""},
      {"-Wp,-MD,out", ""},
      {"-MF", ""},
      {"-dumpdir", ""},
      {"-march=rv32i", ""},
      {"-mllvm", ""},
      {"-l:../../x.so", ""},
      {"-l../x", ""},
      {"-L=/x", ""},
      {"main.c", ""},
      {"script.ld", ""},
      {"library.so", ""},
      {"", ""}};
  for (const auto& [form, danger] : kForms) EXPECT_EQ(refused_link({form}), sentence(form, danger));
  const std::vector<std::pair<std::string, std::string>> kLinkerForms = {
      {"-plugin=evil.so", plugin},
      {"--plugin", plugin},
      {"@more", "a file of more arguments"},
      {"-T", script},
      {"-Tevil.ld", script},
      {"--script=evil.ld", script},
      {"--default-script=evil.ld", script},
      {"--version-script=evil.map", script},
      {"-Map=out", output},
      {"--Map", output},
      {"--dependency-file=out", output},
      {"--out-implib=out", ""},
      {"-rpath=.", ""},
      {"-rpath-link=.", ""},
      {"-dynamic-linker=x", ""},
      {"--just-symbols=x", ""},
      {"-R", ""},
      {"-melf32lriscv", ""},
      {"script.ld", ""}};
  for (const auto& [form, danger] : kLinkerForms) {
    EXPECT_EQ(refused_link({"-Wl," + form}), sentence(form, danger));
    EXPECT_EQ(refused_link({form}, "riscv64-linux-gnu-ld"), sentence(form, danger));
    EXPECT_THAT(refused_link({"-Xlinker", form}), HasSubstr("got '" + form + "'"));
  }
}

TEST(LinkArguments, AnOptionDoesNotHideAnother) {
  for (const char* option : {"-u", "-e", "-z", "-l", "-L", "-o"}) {
    for (const char* value : {"-T", "@more", "-specs=x", ""}) {
      EXPECT_THAT(refused_link({option, value}), HasSubstr(fmt::format(":3: expected an object")))
          << option << " " << value;
    }
    EXPECT_EQ(refused_link({option}),
              fmt::format("{}:2: expected a value after '{}', got none; write "
                          "both into the record, one a line",
                          kRecord, option));
    EXPECT_THAT(refused_link({option, "-Xlinker", "x"}), HasSubstr("expected a value after"));
  }
  EXPECT_THAT(refused_link({"-Wl,-u", "main.o"}),
              HasSubstr("expected a value after '-u', got none"));
  EXPECT_EQ(refused_link({std::string("evil.ld\0.o", 10)}),
            kRecord + ":2: expected text, got a zero byte; write the record again");
  EXPECT_THAT(refused_link({std::string(5000, 'a') + ".o"}),
              HasSubstr("got '" + std::string(40, 'a')));
}

TEST(LinkArguments, AnOutputElsewhereIsRefused) {
  EXPECT_EQ(refused_link({"-o", "program.elf"}), "");
  EXPECT_EQ(refused_link({"-o", "/made/up/program.elf"}), "");
  for (const char* output : {"../program", "/etc/program", "sub/program", "/made/program"}) {
    EXPECT_EQ(refused_link({"-o", output}),
              fmt::format("{}:3: expected an output beside the record, in /made/up, got '{}'; "
                          "remove -o: Strobe chooses where the program is written",
                          kRecord, output));
  }
}

TEST(LinkArguments, OnlyALinkerForRiscVIsStarted) {
  for (const char* driver : {"sh", "/bin/sh", "gcc", "ld", "g++", "make", "",
                             "riscv64-linux-gnu-as", "riscv64-linux-gnu-gcc;sh", "clang-format-14",
                             "x86_64-linux-gnu-gcc", "riscv64-linux-gnu-gcc -B.", "@gcc", "-gcc"}) {
    EXPECT_EQ(refused_link(Words(), driver),
              fmt::format("{}:1: expected the name of a linker for RISC-V (riscv64-linux-gnu-gcc, "
                          "another riscv64-...-gcc, -g++ or -ld, clang, clang++ or ld.lld), got "
                          "'{}'; see docs/object-editing.md",
                          kRecord, driver));
  }
  for (const char* driver :
       {"./riscv64-linux-gnu-gcc", "/tmp/clang", "/usr/bin/../../tmp/ld.lld"}) {
    EXPECT_EQ(
        refused_link(Words(), driver),
        fmt::format("{}:1: expected a linker in /usr/local/bin:/usr/bin:/bin, got '{}'; write "
                    "its name alone, and put a symbolic link to a toolchain that is "
                    "elsewhere into the first of these folders",
                    kRecord, driver));
  }
  EXPECT_EQ(refused_link(Words(), "riscv64-no-such-gcc"),
            kRecord +
                ":1: the linker 'riscv64-no-such-gcc' cannot be started: it is not in "
                "/usr/local/bin:/usr/bin:/bin; install it with scripts/setup");
}

TEST(LinkArguments, ADriverIsFoundWithoutTheUsersPath) {
  const auto driver = [](const std::string& name) {
    return checked_command({name}, kRecord).driver.string();
  };
  EXPECT_EQ(driver("riscv64-linux-gnu-gcc"), "/usr/bin/riscv64-linux-gnu-gcc");
  EXPECT_EQ(driver("/usr/bin/riscv64-linux-gnu-g++"), "/usr/bin/riscv64-linux-gnu-g++");
  const LinkCommand gcc = checked_command({"riscv64-linux-gnu-gcc-12"}, kRecord);
  EXPECT_TRUE(gcc.is_gcc && !gcc.is_linker && !gcc.is_lld);
  const LinkCommand clang = checked_command({"clang++", "-fuse-ld=lld"}, kRecord);
  EXPECT_TRUE(!clang.is_gcc && !clang.is_linker && clang.is_lld);
  const LinkCommand lld = checked_command({"ld.lld"}, kRecord);
  EXPECT_TRUE(!lld.is_gcc && lld.is_linker && lld.is_lld);
  const LinkCommand ld = checked_command({"riscv64-linux-gnu-ld.bfd"}, kRecord);
  EXPECT_TRUE(!ld.is_gcc && ld.is_linker && !ld.is_lld);
}

TEST(LinkArguments, TheFilesOfARecordAreItsInputsAndTheFoldersOfItsLibraries) {
  const LinkCommand command = checked_command(
      {"riscv64-linux-gnu-gcc", "a.o", "-lm", "-Llib", "-L", "/abs", "-Wl,b.a", "-o", "c"},
      kRecord);
  EXPECT_THAT(files_of(command, "/made/up"),
              ElementsAre("/made/up/a.o", "/made/up/lib", "/abs", "/made/up/b.a"));
}

}  // namespace
}  // namespace strobe::object
