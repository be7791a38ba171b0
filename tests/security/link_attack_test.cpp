// Random link records, in a folder full of bait: what a linker would execute, load or take for
// commands. No record makes the host execute or write anything but its output.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "sw/files/sha256.h"
#include "sw/object/file/link_record.h"
#include "sw/object/file/object_file.h"
#include "tests/security/nightly.h"
#include "tests/unit/files/scratch.h"

namespace strobe::object {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class LinkAttack : public testing::Test {
 protected:
  LinkAttack() {
    write("one.s", ".globl _start\n_start: call two\n j _start\n");
    write("two.s", ".globl two\ntwo: ret\n");
    write("evil.ld", "OUTPUT(" + at("canary") + ")\nINPUT(one.o)\n");
    write("evil.o", "INPUT(one.o)\n");
    write("libevil.a", "GROUP(one.o)\n");
    write("evil.c", "int evil;\n");
    write("more", "-wrapper\n'/bin/sh,-c,touch " + at("canary") + "'\n");
    write("evil.specs", "*linker:\n" + at("tools/ld") + "\n");
    fs::create_directory(at("tools"));
    fs::create_directory(at("out"));
    for (const char* name : {"ld", "collect2", "riscv64-linux-gnu-ld", "ld.lld", "as", "cc1"}) {
      write(std::string("tools/") + name, "#!/bin/sh\ntouch " + at("canary") + "\n");
      fs::permissions(at(std::string("tools/") + name), fs::perms::owner_all);
    }
    shell(
        "riscv64-linux-gnu-gcc -c one.s two.s && riscv64-linux-gnu-ar rcs libtwo.a two.o && "
        "riscv64-linux-gnu-ar rcsT thin.a two.o && printf 'void onload(void) {}' | gcc -shared "
        "-fPIC -x c - -o evil.so");
  }

  std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
  }
  void shell(const std::string& command) const {
    if (std::system(("cd " + folder_.path().string() + " && " + command).c_str()) != 0) {
      throw std::runtime_error(command);
    }
  }
  /// All files but those of the linker's own output folder, by their hash.
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      if (!entry.is_regular_file() || entry.path().parent_path() == at("out")) continue;
      found[entry.path().string()] = files::sha256_of_file(entry.path().string());
    }
    return found;
  }

  files::Scratch folder_;
};

/// What every list may have, and what none may.
Words bait(const std::string& top) {
  return {"-wrapper",
          "/bin/sh,-c,touch " + top + "/canary",
          "@more",
          "-Btools",
          "-B",
          "tools/",
          "-specs=evil.specs",
          "--specs=" + top + "/evil.specs",
          "-Tevil.ld",
          "-T",
          "evil.ld",
          "-Wl,-T,evil.ld",
          "-Wl,--script=evil.ld",
          "evil.o",
          "libevil.a",
          "thin.a",
          "evil.c",
          "evil.so",
          "-levil",
          "-fuse-ld=" + top + "/tools/ld.lld",
          "--ld-path=tools/ld.lld",
          "-fplugin=evil.so",
          "-Wl,-plugin,evil.so",
          "-Wl,--plugin=evil.so",
          "-flto",
          "-fno-lto",
          "-fuse-linker-plugin",
          "-Wl,-Map=canary",
          "-Wl,-o,canary",
          "-o",
          "../canary",
          "-ocanary",
          "-MD",
          "-MF",
          "canary",
          "-save-temps",
          "-dumpbase",
          "-x",
          "c",
          "-no-canonical-prefixes",
          "--sysroot=" + top,
          "-Wl,@more",
          "-Xlinker",
          "@more",
          "-Xassembler",
          "-Wa,-o,canary",
          "-Wl,--dependency-file=canary",
          "-Wl,--out-implib,canary",
          "-iplugindir=" + top,
          "-ffile-prefix-map=a=b",
          "-foffload=evil",
          "-gcc-toolchain",
          "-v",
          "-###",
          "--config=more",
          "-Xclang",
          "-load",
          "-mllvm",
          "-E",
          "-S",
          "-c",
          "-r",
          "-shared"};
}

/// What a record may have, each with its value.
const std::vector<Words> kGood = {{"-ltwo", "-L."},
                                  {"-O2"},
                                  {"-Wall"},
                                  {"-Wl,--gc-sections"},
                                  {"-Wl,-z,relro"},
                                  {"-u", "two"},
                                  {"-g"},
                                  {"-pthread"},
                                  {"-z", "now"},
                                  {"-Wl,--start-group", "two.o", "-Wl,--end-group"},
                                  {"-march=rv64gc"},
                                  {"-Xlinker", "--no-relax"}};
/// What makes each record a program.
const Words kProgram = {"-nostdlib", "-static", "one.o", "libtwo.a"};
const Words kDrivers = {"riscv64-linux-gnu-gcc",
                        "riscv64-linux-gnu-g++",
                        "riscv64-linux-gnu-ld",
                        "clang-14",
                        "ld.lld",
                        "/bin/sh",
                        "tools/ld",
                        "gcc"};

class Lists {
 public:
  Lists(uint64_t seed, std::string top) : random_(seed), bait_(bait(top)) {}

  Words next() {
    const bool hostile = random_() % 4 != 0;
    Words words = {one_of(kDrivers, random_() % 8 == 0 ? kDrivers.size() : 5)};
    if (words.front().rfind("clang", 0) == 0) words.emplace_back("--target=riscv64-linux-gnu");
    words.insert(words.end(), kProgram.begin(), kProgram.end());
    for (size_t i = 0, count = 1 + random_() % 4; i < count; ++i) {
      const Words& good = kGood[random_() % kGood.size()];
      words.insert(words.end(), good.begin(), good.end());
    }
    for (size_t i = 0; hostile && i < 1 + random_() % 2; ++i) {
      const auto place = words.begin() + 1 + static_cast<std::ptrdiff_t>(random_() % words.size());
      words.insert(place, changed(one_of(bait_)));
    }
    return words;
  }

 private:
  std::string one_of(const Words& words, size_t most = SIZE_MAX) {
    return words[random_() % std::min(most, words.size())];
  }
  /// The word, or one like it.
  std::string changed(std::string word) {
    static const Words kBefore = {"-Wl,", "-",  "-Xlinker", "-u", "-L",
                                  "-l",   "-W", "-D",       "-f", "-O"};
    switch (random_() % 6) {
      case 0:
        return one_of(kBefore) + word;
      case 1:
        return word + one_of(bait_);
      case 2:
        word[random_() % word.size()] = static_cast<char>(random_() % 256);
        return word;
      default:
        return word;
    }
  }

  std::mt19937_64 random_;
  Words bait_;
};

TEST_F(LinkAttack, TheBaitWorksWithoutTheChecks) {
  for (const char* arguments : {"-Btools/ one.o", "-specs=evil.specs one.o", "@more one.o"}) {
    // Whether this link succeeds is no question here: the bait has been executed by then.
    shell(fmt::format("riscv64-linux-gnu-gcc -nostdlib {} -o out/program 2> out/words || true",
                      arguments));
    EXPECT_TRUE(fs::remove(at("canary"))) << arguments;
  }
}

TEST_F(LinkAttack, NoRecordExecutesOrWritesAnythingElse) {
  const uint64_t seed = security::seed(4901), rounds = security::rounds(200, 20'000);
  const std::map<std::string, std::string> before = contents();
  Lists lists(seed, folder_.path().string());
  size_t linked = 0;
  for (uint64_t round = 0; round < rounds; ++round) {
    const LinkRecord record{at("program.link"), lists.next()};
    const std::string list = fmt::format("STROBE_SEED={} round {}: {}", seed, round,
                                         testing::PrintToString(record.command));
    try {
      link_inputs(record, at("out/program"));
      ++linked;
    } catch (const ObjectError& error) {
      const std::string text = error.what();
      EXPECT_TRUE(text.find("; ") != std::string::npos ||
                  text.find("the linker says:\n") != std::string::npos)
          << text << "\n"
          << list;
    }
    ASSERT_FALSE(fs::exists(at("canary"))) << list;
    if (round % 16 == 0 || round + 1 == rounds) ASSERT_EQ(contents(), before) << list;
  }
  EXPECT_GT(linked, rounds / 20) << "too few lists are good ones";
}

}  // namespace
}  // namespace strobe::object
