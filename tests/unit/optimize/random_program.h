// Random programs in assembly: functions of blocks that compute with all registers, access memory
// in every way that the optimizer tells apart, and leave in several places. What a function has
// computed is in memory afterwards, with the flags of floating point.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace strobe::optimize {

class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed) {}

  /// It calls each function a few times, and writes its memory to standard output.
  std::string text(unsigned functions) {
    std::string out = start(functions);
    for (unsigned i = 0; i < functions; ++i) out += function("f" + std::to_string(i));
    return out;
  }

 private:
  using Names = std::vector<std::string>;

  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  const std::string& one_of(const Names& names) {
    return names[below(static_cast<unsigned>(names.size()))];
  }
  std::string number(unsigned bound) { return std::to_string(below(bound)); }
  std::string reg() { return one_of(kIntegers); }
  std::string flt() { return one_of(kFloats); }
  std::string slot() { return std::to_string(8 * below(32)); }

  static std::string start(unsigned functions) {
    std::string out =
        ".option push\n.option norelax\n.globl _start\n.type _start,@function\n_start:\n"
        "  lla gp,__global_pointer$\n.option pop\n  la s0,state+32768\n  li s1,777\n"
        // Fills the memory with numbers, some of them 0 or small.
        "  li t0,-256\n1: add t1,s0,t0\n  li t2,1103515245\n  mul s1,s1,t2\n  addi s1,s1,1013\n"
        "  srli t2,s1,7\n  andi t3,s1,7\n  srl t2,t2,t3\n  sd t2,0(t1)\n  addi t0,t0,8\n"
        "  li t2,512\n  blt t0,t2,1b\n  li s2,0\n2:\n";
    for (unsigned i = 0; i < functions; ++i) {
      // Every second call gets a pointer that is no address.
      out += "  mv a0,s0\n  andi a1,s2,1\n  neg a1,a1\n  and a1,a1,s0\n  call f" +
             std::to_string(i) + "\n";
    }
    return out +
           "  addi s2,s2,1\n  li t0,6\n  blt s2,t0,2b\n  li a0,1\n  la a1,state\n  li a2,65536\n"
           "  li a7,64\n  ecall\n  li a0,0\n  li a7,93\n  ecall\n.size _start,.-_start\n"
           ".bss\n.align 3\nstate: .space 65536\n.data\n.align 3\ncells: .dword 1,2,3,4\n"
           "more: .dword 5,6\n.text\n";
  }

  std::string operation() {
    switch (below(17)) {
      case 0:
      case 1:
        return one_of({"add", "sub", "xor", "and", "or", "addw", "sllw", "sltu"}) + " " + reg() +
               "," + reg() + "," + reg();
      case 2:
        return one_of({"mul", "mulw", "div", "remu", "mulhu"}) + " " + reg() + "," + reg() + "," +
               reg();
      case 3:
        return "addi " + reg() + "," + reg() + "," + number(100);
      case 4:
        return "li " + reg() + "," + number(5000);
      case 5:
        return "mv " + reg() + "," + reg();
      case 6:
        return "ld " + reg() + "," + slot() + "(a0)";
      case 7:
        return "sd " + reg() + "," + slot() + "(a0)";
      case 8:
        return one_of({"lw", "lbu", "lhu"}) + " " + reg() + "," + slot() + "(s2)";
      case 9:
        return one_of({"sw", "sb"}) + " " + reg() + "," + slot() + "(s2)";
      case 10:
        return "addi s2,s2,8";
      case 11:
        return one_of({"ld ", "sd "}) + reg() + "," + std::to_string(16 + 8 * below(6)) + "(sp)";
      case 12:
        return "ld " + reg() + "," + one_of({"cells", "cells+8", "more"});
      case 13:
        return "sd " + reg() + "," + one_of({"cells+16", "more"}) + ",s3";
      case 14:
        return one_of({"fadd.d", "fmul.d", "fsgnj.d", "fdiv.d"}) + " " + flt() + "," + flt() + "," +
               flt();
      case 15:
        return one_of({"fld ", "fsd "}) + flt() + "," + slot() + "(a0)";
      default:
        return one_of({"fcvt.d.l " + flt() + "," + reg(),
                       "feq.d " + reg() + "," + flt() + "," + flt(), "frflags " + reg(),
                       "lla s3,cells\n  ld " + reg() + ",8(s3)"});
    }
  }

  std::string branch_to(const std::string& label) {
    const std::string condition = one_of({"beq", "bne", "blt", "bgeu"}) + " " + reg() + "," + reg();
    return (below(2) == 0 ? condition : one_of({"beqz ", "bnez "}) + reg()) + "," + label;
  }

  /// Stores some registers, which are live where control leaves for here, and returns.
  std::string exit_of(const std::string& name) {
    std::string out = name + ":\n";
    for (unsigned i = 0; i < kIntegers.size(); ++i) {
      if (below(3) == 0) {
        out += "  sd " + kIntegers[i] + "," + std::to_string(8 * (32 + i)) + "(a0)\n";
      }
    }
    for (unsigned i = 0; i < kFloats.size(); ++i) {
      if (below(3) == 0) {
        out += "  fsd " + kFloats[i] + "," + std::to_string(8 * (48 + i)) + "(a0)\n";
      }
    }
    return out +
           "  frflags t0\n  sd t0,504(a0)\n  .cfi_remember_state\n  ld s1,0(sp)\n"
           "  .cfi_restore 9\n  ld s2,8(sp)\n  ld s3,64(sp)\n  addi sp,sp,80\n"
           "  .cfi_def_cfa_offset 0\n  ret\n  .cfi_restore_state\n";
  }

  std::string function(const std::string& name) {
    const unsigned blocks = 3 + below(10), exits = 1 + below(3);
    const auto label = [&](unsigned i) { return "." + name + "_" + std::to_string(i); };
    const auto exit = [&](unsigned i) { return "." + name + "_x" + std::to_string(i); };
    std::string out = ".globl " + name + "\n.type " + name + ",@function\n" + name +
                      ":\n  .cfi_startproc\n  addi sp,sp,-80\n  .cfi_def_cfa_offset 80\n"
                      "  sd s1,0(sp)\n  .cfi_offset 9,-80\n  sd s2,8(sp)\n  sd s3,64(sp)\n"
                      "  fsflags zero\n  li s1," +
                      number(40) + "\n  mv s2,a0\n";
    // A pointer that is no address on every second call is not read then.
    out += "  beqz a1," + label(0) + "\n  ld a2,0(a1)\n  sd a2,24(sp)\n";
    for (unsigned i = 0; i < blocks; ++i) {
      out += label(i) + ":\n";
      if (i == 0) {
        for (unsigned j = 0; j < kIntegers.size(); ++j) {
          out += "  ld " + kIntegers[j] + "," + std::to_string(8 * j) + "(a0)\n";
        }
        for (unsigned j = 0; j < kFloats.size(); ++j) {
          out += "  fcvt.d.l " + kFloats[j] + "," + kIntegers[j] + "\n";
        }
      }
      for (unsigned j = below(9); j > 0; --j) out += "  " + operation() + "\n";
      const unsigned to = i == 0 ? 1 : below(blocks);
      // A way back is taken a limited number of times.
      if (to <= i) out += "  addi s1,s1,-1\n  bltz s1," + exit(below(exits)) + "\n";
      if (below(5) == 0) out += "  " + branch_to(exit(below(exits))) + "\n";
      if (to == 0) continue;
      out += "  " + (below(6) == 0 && to > i ? "j " + label(to) : branch_to(label(to))) + "\n";
    }
    for (unsigned i = 0; i < exits; ++i) out += exit_of(exit(i));
    return out + "  .cfi_endproc\n.size " + name + ",.-" + name + "\n";
  }

  const Names kIntegers = {"t0", "t1", "t2", "t3", "t4", "a1", "a2", "a3", "a4", "a5", "a6", "a7"};
  const Names kFloats = {"fa0", "fa1", "fa2", "fa3", "ft0", "ft1"};
  std::mt19937 random_;
};

}  // namespace strobe::optimize
