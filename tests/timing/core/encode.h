// RISC-V instruction words for kernels written down in a test.
#pragma once

#include <cstdint>

namespace strobe::test {

constexpr uint32_t i_type(uint32_t opcode, uint32_t funct3, uint32_t rd, uint32_t rs1, int imm) {
  return static_cast<uint32_t>(imm) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr uint32_t r_type(uint32_t funct7, uint32_t funct3, uint32_t rd, uint32_t rs1,
                          uint32_t rs2) {
  return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x33;
}
constexpr uint32_t s_type(uint32_t funct3, uint32_t rs2, uint32_t rs1, int imm) {
  const uint32_t u = static_cast<uint32_t>(imm);
  return (u >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (u & 0x1f) << 7 | 0x23;
}

constexpr uint32_t nop() { return 0x13; }
constexpr uint32_t ntl_all() { return 0x00500033; }
constexpr uint32_t addi(uint32_t rd, uint32_t rs1, int imm) {
  return i_type(0x13, 0, rd, rs1, imm);
}
constexpr uint32_t add(uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return r_type(0, 0, rd, rs1, rs2);
}
constexpr uint32_t mul(uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return r_type(1, 0, rd, rs1, rs2);
}
constexpr uint32_t div(uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return r_type(1, 4, rd, rs1, rs2);
}
constexpr uint32_t amoadd(uint32_t rd, uint32_t rs1, uint32_t rs2) {  // of doublewords
  return (r_type(0, 3, rd, rs1, rs2) & ~0x7fu) | 0x2f;
}
constexpr uint32_t ld(uint32_t rd, uint32_t rs1, int imm) { return i_type(0x03, 3, rd, rs1, imm); }
constexpr uint32_t sd(uint32_t rs2, uint32_t rs1, int imm) { return s_type(3, rs2, rs1, imm); }
constexpr uint32_t sb(uint32_t rs2, uint32_t rs1, int imm) { return s_type(0, rs2, rs1, imm); }
constexpr uint32_t beq(uint32_t rs1, uint32_t rs2, int offset) {
  const uint32_t u = static_cast<uint32_t>(offset);
  return (u >> 12 & 1) << 31 | (u >> 5 & 0x3f) << 25 | rs2 << 20 | rs1 << 15 | (u >> 1 & 0xf) << 8 |
         (u >> 11 & 1) << 7 | 0x63;
}
constexpr uint32_t jal(uint32_t rd, int offset) {
  const uint32_t u = static_cast<uint32_t>(offset);
  return (u >> 20 & 1) << 31 | (u >> 1 & 0x3ff) << 21 | (u >> 11 & 1) << 20 |
         (u >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}
constexpr uint32_t jalr(uint32_t rd, uint32_t rs1, int imm) {
  return i_type(0x67, 0, rd, rs1, imm);
}
constexpr uint32_t ecall() { return 0x73; }
constexpr uint32_t mret() { return 0x30200073; }
constexpr uint32_t wfi() { return 0x10500073; }

}  // namespace strobe::test
