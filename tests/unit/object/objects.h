// What the tests of this room share: objects compiled at build time or assembled on the spot, and
// the cross linker and qemu-riscv64 to see what an edited object does.
#pragma once

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sw/object/analysis/code.h"
#include "sw/object/edit/editor.h"
#include "sw/object/file/object_file.h"
#include "tests/tree.h"

namespace strobe::object {

inline std::vector<uint8_t> bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The bytes of an object that CMakeLists.txt compiles.
inline std::vector<uint8_t> compiled_bytes(const std::string& name) {
  return bytes_of_file(in_build("tests/unit/object/" + name));
}

inline ObjectFile compiled(const std::string& name) {
  return ObjectFile::parse(compiled_bytes(name), name);
}

/// Standard output of a shell command, and how it ended.
struct Ran {
  std::string out;
  int code = -1;
};

inline Ran run(const std::string& command) {
  Ran ran;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::array<char, 4096> buffer{};
  while (const size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) {
    ran.out.append(buffer.data(), n);
  }
  const int status = pclose(pipe);
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

/// A folder of its own that disappears with the test.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "strobe-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder");
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline void write_bytes(const std::string& path, const std::vector<uint8_t>& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

/// The object of some assembly, in section .text unless it says otherwise.
inline ObjectFile assembled(const std::string& text, const std::string& flags = "") {
  const Folder folder;
  std::ofstream(folder / "test.s") << text;
  const std::string command = "riscv64-linux-gnu-as -march=rv64gc -mabi=lp64d " + flags + " -o " +
                              (folder / "test.o") + " " + (folder / "test.s");
  if (run(command).code != 0) throw std::runtime_error("the assembler refuses:\n" + text);
  return ObjectFile::parse(bytes_of_file(folder / "test.o"), "test.o");
}

/// What links assembly without a library.
inline const char* const kAlone = "-static -nostdlib";

/// Links bytes of an object to a program; with shared libraries that takes a third of the time.
inline void link(const std::vector<uint8_t>& bytes, const std::string& program,
                 const std::string& flags) {
  write_bytes(program + ".o", bytes);
  const Ran ran =
      run("riscv64-linux-gnu-g++ " + flags + " -o " + program + " " + program + ".o 2>&1");
  if (ran.code != 0) throw std::runtime_error("the linker refuses: " + ran.out);
}

/// What a program of this object prints, and its exit code in the last line.
inline std::string behavior(const ObjectFile& file, const std::string& flags = "") {
  const Folder folder;
  link(file.serialize(), folder / "program", flags);
  const Ran ran =
      run("timeout 60 qemu-riscv64 -L /usr/riscv64-linux-gnu " + (folder / "program") + " 2>&1");
  return ran.out + "exit " + std::to_string(ran.code) + "\n";
}

/// Assembly that every program of the tests without a library begins with: the linker turns
/// addresses into offsets from gp, so gp must be set.
inline const char* const kSetGp =
    ".option push\n.option norelax\n lla gp, __global_pointer$\n.option pop\n";

/// The index of the section of this name; fails the test if there is none.
inline uint32_t section_named(const ObjectFile& file, const std::string& name) {
  for (uint32_t i = 1; i < file.sections.size(); ++i) {
    if (file.sections[i].name == name) return i;
  }
  throw std::runtime_error("no section " + name);
}

/// The index of the symbol of this name.
inline uint32_t symbol_named(const ObjectFile& file, const std::string& name) {
  for (uint32_t i = 1; i < file.symbols.size(); ++i) {
    if (file.symbols[i].name == name) return i;
  }
  throw std::runtime_error("no symbol " + name);
}

inline uint32_t value_of(const ObjectFile& file, const std::string& name) {
  return static_cast<uint32_t>(file.symbols[symbol_named(file, name)].value);
}

/// The sections of code that are not empty.
inline std::vector<uint32_t> code_sections(const ObjectFile& file) {
  std::vector<uint32_t> sections;
  for (uint32_t i = 1; i < file.sections.size(); ++i) {
    if (file.sections[i].is_code() && !file.sections[i].bytes.empty()) sections.push_back(i);
  }
  return sections;
}

constexpr uint32_t kNop = 0x00000013, kEbreak = 0x00100073, kJumpToLabel = 0x0000006f;
constexpr uint16_t kCompressedNop = 0x0001, kCompressedEbreak = 0x9002;

inline Snippet no_ops(unsigned count) {
  Snippet snippet;
  for (unsigned i = 0; i < count; ++i) snippet.add(kNop);
  return snippet;
}

/// Appends an instruction of two bytes.
inline void add_compressed(Snippet* snippet, uint16_t instruction) {
  snippet->starts.push_back(snippet->size());
  snippet->bytes.push_back(static_cast<uint8_t>(instruction));
  snippet->bytes.push_back(static_cast<uint8_t>(instruction >> 8));
}

/// addi a0, a0, n
inline Snippet add_to_a0(uint32_t n) {
  Snippet snippet;
  snippet.add(0x00050513 | n << 20);
  return snippet;
}

inline Snippet jump_to(uint32_t symbol) {
  Snippet snippet;
  snippet.add(kJumpToLabel, R_RISCV_JAL, symbol);
  return snippet;
}

}  // namespace strobe::object
