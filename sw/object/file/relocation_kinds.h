// What the relocations of RISC-V mean to an editor (RISC-V ELF psABI, "Relocations").
#pragma once

#include <elf.h>

#include <cstdint>

namespace strobe::object {

/// A conditional branch or a direct jump: the value is the target.
constexpr bool is_branch(uint32_t type) {
  return type == R_RISCV_BRANCH || type == R_RISCV_RVC_BRANCH;
}
constexpr bool is_jump(uint32_t type) { return type == R_RISCV_JAL || type == R_RISCV_RVC_JUMP; }
/// The pair auipc, jalr that calls or jumps: the linker takes the two as one.
constexpr bool is_far_call(uint32_t type) {
  return type == R_RISCV_CALL || type == R_RISCV_CALL_PLT;
}
/// The upper part of an address that an auipc or lui computes, of a symbol or of its place in the
/// global offset table.
constexpr bool is_high_half(uint32_t type) {
  return type == R_RISCV_PCREL_HI20 || type == R_RISCV_HI20 || type == R_RISCV_GOT_HI20;
}
/// A load, store or addi whose auipc is at the symbol: the value is that of the auipc's
/// relocation.
constexpr bool is_low_half(uint32_t type) {
  return type == R_RISCV_PCREL_LO12_I || type == R_RISCV_PCREL_LO12_S;
}
/// It changes instructions, from the first byte of one on.
constexpr bool is_of_instruction(uint32_t type) {
  return is_branch(type) || is_jump(type) || is_far_call(type) || is_high_half(type) ||
         is_low_half(type) || type == R_RISCV_ALIGN;
}

/// Bytes that a branch or jump with this relocation reaches in each direction.
constexpr int64_t reach_of(uint32_t type) {
  switch (type) {
    case R_RISCV_RVC_BRANCH:
      return 1 << 8;
    case R_RISCV_RVC_JUMP:
      return 1 << 11;
    case R_RISCV_BRANCH:
      return 1 << 12;
    default:
      return 1 << 20;  // R_RISCV_JAL
  }
}

constexpr bool reaches(uint32_t type, int64_t distance) {
  return distance >= -reach_of(type) && distance < reach_of(type);
}

}  // namespace strobe::object
