// Small programs of assembly, edited for software signals.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/port/address_map.h"
#include "sw/files/scratch_folder.h"
#include "sw/instrument/signals/signaled_program.h"
#include "tests/tree.h"

namespace strobe::instrument {

inline constexpr SignalsOptions kMethodsOnly{/*methods=*/true, /*loops=*/false, /*library=*/true};
inline constexpr SignalsOptions kLoopsOnly{/*methods=*/false, /*loops=*/true, /*library=*/true};

inline std::string workload(const std::string& name) {
  return in_build("guest/workloads/" + name + ".elf");
}

/// What the C library's start files do: sets gp, calls main, exits.
inline const char* const kStart =
    ".text\n.globl _start\n.type _start, @function\n_start:\n.option push\n.option norelax\n"
    "  la gp, __global_pointer$\n.option pop\n  call main\n  li a7, 93\n  ecall\n"
    ".size _start, . - _start\n";

/// A program of one file of assembly with the functions in `text`, edited.
class Assembled {
 public:
  explicit Assembled(const std::string& text, const SignalsOptions& options = {}) {
    std::ofstream(folder_ / "one.s") << kStart << text;
    std::ofstream(folder_ / "one.link") << "riscv64-linux-gnu-gcc\n-static\n-nostdlib\none.o\n";
    const std::string command = "cd " + folder_.path().string() +
                                " && riscv64-linux-gnu-gcc -c one.s -o one.o"
                                " && riscv64-linux-gnu-gcc -static -nostdlib one.o -o one.elf";
    if (std::system(command.c_str()) != 0) throw std::runtime_error(command + " failed");
    elf_ = isa::ElfFile::parse(content_of(folder_ / "one.elf"), "one.elf", STROBE_USER_TOP);
    program_ = make_signaled_program(linked(), options);
  }

  LinkedProgram linked() const { return linked_program(folder_ / "one.elf", ""); }

  const SignaledProgram& program() const { return program_; }
  uint32_t method(const std::string& name) const {
    for (size_t i = 0; i < program_.methods.size(); ++i) {
      if (program_.methods[i].name == name) return static_cast<uint32_t>(i + 1);
    }
    return 0;
  }
  /// The identifier of the loop whose header is at this label.
  uint32_t loop(const std::string& label) const {
    for (size_t i = 0; i < program_.loops.size(); ++i) {
      if (program_.loops[i].pc == elf_->symbol(label)->address) return static_cast<uint32_t>(i + 1);
    }
    return 0;
  }

 private:
  files::ScratchFolder folder_;
  std::optional<isa::ElfFile> elf_;
  SignaledProgram program_;
};

inline std::string function(const std::string& name, const std::string& body) {
  return ".globl " + name + "\n.type " + name + ", @function\n" + name + ":\n" + body + "\n.size " +
         name + ", . - " + name + "\n";
}

/// The address of a symbol of the edited program; 0 when it has none.
inline uint64_t address_in(const SignaledProgram& program, const char* name) {
  const isa::ElfFile elf = isa::ElfFile::parse(program.elf, "edited", STROBE_USER_TOP);
  const isa::ElfSymbol* const symbol = elf.symbol(name);
  return symbol == nullptr ? 0 : symbol->address;
}

inline const std::string kNestedLoops =
    function("main",
             "  addi sp, sp, -16\n  sd ra, 8(sp)\n  sd s0, 0(sp)\n  li t0, 0\n  li s0, 2\n"
             ".globl outer\nouter:\n  call leaf\n  addi s0, s0, -1\n  bnez s0, outer\n"
             "  ld s0, 0(sp)\n  ld ra, 8(sp)\n  addi sp, sp, 16\n  li a0, 0\n  ret") +
    function(
        "leaf",
        "  li t0, 0\n  li a5, 2\n.globl inner\ninner:\n  addi a5, a5, -1\n  bnez a5, inner\n  ret");

}  // namespace strobe::instrument
