// A link record is data: the linker runs confined, and takes nothing for commands.
#include "sw/object/file/link_record.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/unit/files/scratch.h"
#include "tests/unit/object/link_messages.h"
#include "tests/unit/object/objects.h"

namespace strobe::object {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// A folder with one.o, a whole program, and the archive libtwo.a.
class LinkRecords : public testing::Test {
 protected:
  LinkRecords() {
    write("one.s", ".globl _start\n_start: call two\n j _start\n");
    write("two.s", ".globl two\ntwo: ret\n");
    shell("riscv64-linux-gnu-gcc -c one.s two.s && riscv64-linux-gnu-ar rcs libtwo.a two.o");
    fs::create_directory(folder_.path() / "out");
  }

  void shell(const std::string& command) const {
    ASSERT_EQ(run("cd " + folder_.path().string() + " && " + command).code, 0) << command;
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
  }
  std::string at(const std::string& name) const { return (folder_.path() / name).string(); }

  /// The names of what is linked by riscv64-linux-gnu-gcc -nostdlib -static.
  std::vector<std::string> inputs(const std::vector<std::string>& more,
                                  const std::string& driver = "riscv64-linux-gnu-gcc") const {
    LinkRecord record{at("program.link"), {driver, "-nostdlib", "-static"}};
    record.command.insert(record.command.end(), more.begin(), more.end());
    std::vector<std::string> names;
    for (const LinkInput& input : link_inputs(record, at("out/program"))) {
      names.push_back(input.name);
    }
    return names;
  }
  std::string refusal(const std::vector<std::string>& more) const {
    return message_of([&] { inputs(more); });
  }
  files::Scratch folder_;
};

TEST_F(LinkRecords, EachLinkerTellsTheObjectsAndMembersOfTheProgram) {
  const std::vector<std::string> kExpected = {"one.o", "libtwo.a(two.o)"};
  EXPECT_EQ(inputs({"one.o", "libtwo.a"}), kExpected);
  EXPECT_EQ(inputs({"one.o", "libtwo.a"}, "riscv64-linux-gnu-ld"), kExpected);
  EXPECT_EQ(inputs({"one.o", "libtwo.a"}, "ld.lld"), kExpected);
  EXPECT_EQ(inputs({"--target=riscv64-linux-gnu", "one.o", "libtwo.a"}, "clang-14"), kExpected);
  EXPECT_EQ(
      inputs({"--target=riscv64-linux-gnu", "-fuse-ld=lld", "one.o", "-Wl,libtwo.a"}, "clang-14"),
      kExpected);
  EXPECT_EQ(inputs({"one.o", "-L.", "-ltwo"}),
            (std::vector<std::string>{"one.o", "./libtwo.a(two.o)"}));
}

TEST_F(LinkRecords, ARecordIsReadOnlyWhenItMayBe) {
  write("program.link", "riscv64-linux-gnu-gcc\n-static\none.o\n");
  EXPECT_EQ(LinkRecord::read(at("program.link")).command.size(), 3u);
  write("program.link", "riscv64-linux-gnu-gcc\n-B.\n");
  EXPECT_THAT(message_of([&] { LinkRecord::read(at("program.link")); }),
              HasSubstr("program.link:2: expected an object"));
  write("program.link", "");
  EXPECT_THAT(message_of([&] { LinkRecord::read(at("program.link")); }),
              HasSubstr("an empty file"));
}

TEST_F(LinkRecords, WhatOnlyPosesAsAnObjectOrAnArchiveIsRefused) {
  const std::string script =
      "it is neither an ELF file nor an archive: a linker takes it for a linker script";
  write("script.o", "INPUT(one.o)\n");
  write("libscript.a", "GROUP(one.o)\n");
  write("libshared.so", "INPUT(one.o)\n");
  write("empty.o", "");
  shell(
      "riscv64-linux-gnu-ar rcsT thin.a two.o && gcc -c -x c /dev/null -o host.o && mkfifo pipe.o");
  const auto sentence = [&](const std::string& file, const std::string& why) {
    return fmt::format(
        "{}: expected an object of RISC-V or an archive of such, which {} names: {}; build the "
        "program again",
        at(file), at("program.link"), why);
  };
  EXPECT_EQ(refusal({"script.o"}), sentence("script.o", script));
  EXPECT_EQ(refusal({"one.o", "libscript.a"}), sentence("libscript.a", script));
  EXPECT_EQ(refusal({"empty.o"}), sentence("empty.o", script));
  EXPECT_EQ(refusal({"thin.a"}),
            sentence("thin.a", "it is a thin archive, which names other files"));
  EXPECT_EQ(refusal({"host.o"}), sentence("host.o", "it is an ELF file of another machine"));
  EXPECT_EQ(refusal({"pipe.o"}), sentence("pipe.o", "it is a pipe"));
  EXPECT_EQ(refusal({"missing.o"}), sentence("missing.o", "No such file or directory"));
  EXPECT_EQ(refusal({"one.o", "-L" + folder_.path().string(), "-lscript"}),
            sentence("libscript.a", script));
  EXPECT_EQ(refusal({"one.o", "-l", "shared", "-L" + folder_.path().string()}),
            sentence("libshared.so", script));
}

TEST_F(LinkRecords, BitcodeIsNotCompiledAtTheLink) {
  write("main.c", "void _start(void) { for (;;); }\n");
  shell("riscv64-linux-gnu-gcc -O2 -flto -c main.c && rm -f main.c");
  EXPECT_EQ(inputs({"main.o"}), (std::vector<std::string>{"main.o"}));
  EXPECT_THAT(run("riscv64-linux-gnu-nm " + at("out/program")).out, Not(HasSubstr("T _start")));
}

}  // namespace
}  // namespace strobe::object
