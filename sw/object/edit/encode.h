// Encodings of the few instructions that edits insert (RISC-V unprivileged ISA, chapter 2).
// Register numbers are 0 to 31.
#pragma once

#include <cstdint>

namespace strobe::object {

inline constexpr unsigned kZero = 0, kRa = 1, kSp = 2, kGp = 3, kTp = 4, kT0 = 5, kT1 = 6;

constexpr uint32_t encode_i(uint32_t opcode, unsigned funct3, unsigned rd, unsigned rs1,
                            int32_t imm) {
  return static_cast<uint32_t>(imm) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr uint32_t encode_s(uint32_t opcode, unsigned funct3, unsigned rs1, unsigned rs2,
                            int32_t imm) {
  const auto bits = static_cast<uint32_t>(imm);
  return (bits >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (bits & 0x1f) << 7 |
         opcode;
}

constexpr uint32_t addi(unsigned rd, unsigned rs1, int32_t imm) {
  return encode_i(0x13, 0, rd, rs1, imm);
}
constexpr uint32_t addiw(unsigned rd, unsigned rs1, int32_t imm) {
  return encode_i(0x1b, 0, rd, rs1, imm);
}
constexpr uint32_t slli(unsigned rd, unsigned rs1, unsigned by) {
  return encode_i(0x13, 1, rd, rs1, static_cast<int32_t>(by));
}
constexpr uint32_t srli(unsigned rd, unsigned rs1, unsigned by) {
  return encode_i(0x13, 5, rd, rs1, static_cast<int32_t>(by));
}
constexpr uint32_t add(unsigned rd, unsigned rs1, unsigned rs2) {
  return rs2 << 20 | rs1 << 15 | rd << 7 | 0x33;
}
constexpr uint32_t lui(unsigned rd, uint32_t upper) { return upper << 12 | rd << 7 | 0x37; }
constexpr uint32_t lw(unsigned rd, unsigned base, int32_t imm) {
  return encode_i(0x03, 2, rd, base, imm);
}
constexpr uint32_t ld(unsigned rd, unsigned base, int32_t imm) {
  return encode_i(0x03, 3, rd, base, imm);
}
constexpr uint32_t sw(unsigned rs2, unsigned base, int32_t imm) {
  return encode_s(0x23, 2, base, rs2, imm);
}
constexpr uint32_t sd(unsigned rs2, unsigned base, int32_t imm) {
  return encode_s(0x23, 3, base, rs2, imm);
}
constexpr uint32_t fsd(unsigned rs2, unsigned base, int32_t imm) {
  return encode_s(0x27, 3, base, rs2, imm);
}
/// The target comes from a relocation.
constexpr uint32_t beqz(unsigned rs1) { return encode_s(0x63, 0, rs1, kZero, 0); }
constexpr uint32_t bnez(unsigned rs1) { return encode_s(0x63, 1, rs1, kZero, 0); }
/// Branches when the value is at most 0, or above it.
constexpr uint32_t blez(unsigned rs) { return encode_s(0x63, 5, kZero, rs, 0); }
constexpr uint32_t bgtz(unsigned rs) { return encode_s(0x63, 4, kZero, rs, 0); }
constexpr uint32_t jump() { return 0x6f; }
constexpr uint32_t auipc(unsigned rd) { return rd << 7 | 0x17; }
constexpr uint32_t jalr(unsigned rd, unsigned rs1) { return encode_i(0x67, 0, rd, rs1, 0); }

}  // namespace strobe::object
