// The C extension: each 16-bit encoding as the 32-bit instruction it stands for (RISC-V
// Unprivileged ISA, "C" standard extension, RV64 quadrant tables).
#include "sc_models/isa/decode/decoded.h"

namespace strobe::isa {
namespace {

constexpr uint32_t kLoad = 0x03, kLoadFp = 0x07, kStore = 0x23, kStoreFp = 0x27, kOpImm = 0x13,
                   kOpImm32 = 0x1b, kOp = 0x33, kOp32 = 0x3b, kLui = 0x37, kBranch = 0x63,
                   kJalr = 0x67, kJal = 0x6f;
constexpr uint32_t kEbreak = 0x00100073;

uint32_t r_type(uint32_t opcode, uint32_t f3, uint32_t f7, uint32_t rd, uint32_t rs1,
                uint32_t rs2) {
  return f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | opcode;
}
uint32_t i_type(uint32_t opcode, uint32_t f3, uint32_t rd, uint32_t rs1, uint32_t imm) {
  return (imm & 0xfff) << 20 | rs1 << 15 | f3 << 12 | rd << 7 | opcode;
}
uint32_t s_type(uint32_t opcode, uint32_t f3, uint32_t rs1, uint32_t rs2, uint32_t imm) {
  return (imm >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | (imm & 0x1f) << 7 | opcode;
}
uint32_t b_type(uint32_t f3, uint32_t rs1, uint32_t imm) {
  return (imm >> 12 & 1) << 31 | (imm >> 5 & 0x3f) << 25 | rs1 << 15 | f3 << 12 |
         (imm >> 1 & 0xf) << 8 | (imm >> 11 & 1) << 7 | kBranch;
}
uint32_t j_type(uint32_t rd, uint32_t imm) {
  return (imm >> 20 & 1) << 31 | (imm >> 1 & 0x3ff) << 21 | (imm >> 11 & 1) << 20 |
         (imm >> 12 & 0xff) << 12 | rd << 7 | kJal;
}

// Reads the scrambled fields of one 16-bit encoding.
class Compressed {
 public:
  explicit Compressed(uint16_t bits) : bits_(bits) {}
  uint32_t get(unsigned low, unsigned width) const { return (bits_ >> low) & ((1u << width) - 1); }
  // `width` bits from `low` moved to position `to`.
  uint32_t put(unsigned low, unsigned width, unsigned to) const { return get(low, width) << to; }
  uint32_t funct3() const { return get(13, 3); }
  uint32_t rd() const { return get(7, 5); }
  uint32_t rs2() const { return get(2, 5); }
  uint32_t rd_short() const { return 8 + get(2, 3); }
  uint32_t rs1_short() const { return 8 + get(7, 3); }
  uint32_t imm6() const { return (get(12, 1) ? ~31u : 0u) | get(2, 5); }
  uint32_t shamt() const { return put(12, 1, 5) | get(2, 5); }
  uint32_t word_offset() const { return put(10, 3, 3) | put(6, 1, 2) | put(5, 1, 6); }
  uint32_t double_offset() const { return put(10, 3, 3) | put(5, 2, 6); }
  uint32_t jump_offset() const {
    return (get(12, 1) ? ~0x7ffu : 0u) | put(11, 1, 4) | put(9, 2, 8) | put(8, 1, 10) |
           put(7, 1, 6) | put(6, 1, 7) | put(3, 3, 1) | put(2, 1, 5);
  }
  uint32_t branch_offset() const {
    return (get(12, 1) ? ~0xffu : 0u) | put(10, 2, 3) | put(5, 2, 6) | put(3, 2, 1) | put(2, 1, 5);
  }

 private:
  uint32_t bits_;
};

uint32_t quadrant0(const Compressed& c) {
  const uint32_t rd = c.rd_short(), rs1 = c.rs1_short();
  switch (c.funct3()) {
    case 0: {  // c.addi4spn
      const uint32_t imm = c.put(11, 2, 4) | c.put(7, 4, 6) | c.put(6, 1, 2) | c.put(5, 1, 3);
      return imm == 0 ? 0 : i_type(kOpImm, 0, rd, 2, imm);
    }
    case 1:
      return i_type(kLoadFp, 3, rd, rs1, c.double_offset());
    case 2:
      return i_type(kLoad, 2, rd, rs1, c.word_offset());
    case 3:
      return i_type(kLoad, 3, rd, rs1, c.double_offset());
    case 5:
      return s_type(kStoreFp, 3, rs1, rd, c.double_offset());
    case 6:
      return s_type(kStore, 2, rs1, rd, c.word_offset());
    case 7:
      return s_type(kStore, 3, rs1, rd, c.double_offset());
    default:
      return 0;
  }
}

uint32_t quadrant1_arithmetic(const Compressed& c) {
  const uint32_t rd = c.rs1_short(), rs2 = c.rd_short();
  switch (c.get(10, 2)) {
    case 0:
      return i_type(kOpImm, 5, rd, rd, c.shamt());
    case 1:
      return i_type(kOpImm, 5, rd, rd, c.shamt() | 0x400);
    case 2:
      return i_type(kOpImm, 7, rd, rd, c.imm6());
    default:
      break;
  }
  switch (c.get(12, 1) << 2 | c.get(5, 2)) {
    case 0:
      return r_type(kOp, 0, 0x20, rd, rd, rs2);  // sub
    case 1:
      return r_type(kOp, 4, 0, rd, rd, rs2);  // xor
    case 2:
      return r_type(kOp, 6, 0, rd, rd, rs2);  // or
    case 3:
      return r_type(kOp, 7, 0, rd, rd, rs2);  // and
    case 4:
      return r_type(kOp32, 0, 0x20, rd, rd, rs2);  // subw
    case 5:
      return r_type(kOp32, 0, 0, rd, rd, rs2);  // addw
    default:
      return 0;
  }
}

uint32_t quadrant1(const Compressed& c) {
  const uint32_t rd = c.rd();
  switch (c.funct3()) {
    case 0:
      return i_type(kOpImm, 0, rd, rd, c.imm6());
    case 1:
      return rd == 0 ? 0 : i_type(kOpImm32, 0, rd, rd, c.imm6());
    case 2:
      return i_type(kOpImm, 0, rd, 0, c.imm6());
    case 3:
      if (rd == 2) {  // c.addi16sp
        const uint32_t imm = (c.get(12, 1) ? ~0x1ffu : 0u) | c.put(6, 1, 4) | c.put(5, 1, 6) |
                             c.put(3, 2, 7) | c.put(2, 1, 5);
        return imm == 0 ? 0 : i_type(kOpImm, 0, 2, 2, imm);
      }
      return c.imm6() == 0 ? 0 : (c.imm6() << 12) | rd << 7 | kLui;
    case 4:
      return quadrant1_arithmetic(c);
    case 5:
      return j_type(0, c.jump_offset());
    case 6:
      return b_type(0, c.rs1_short(), c.branch_offset());
    default:
      return b_type(1, c.rs1_short(), c.branch_offset());
  }
}

uint32_t quadrant2(const Compressed& c) {
  const uint32_t rd = c.rd(), rs2 = c.rs2();
  const uint32_t load_double = c.put(12, 1, 5) | c.put(5, 2, 3) | c.put(2, 3, 6);
  const uint32_t store_double = c.put(10, 3, 3) | c.put(7, 3, 6);
  switch (c.funct3()) {
    case 0:
      return i_type(kOpImm, 1, rd, rd, c.shamt());
    case 1:
      return i_type(kLoadFp, 3, rd, 2, load_double);
    case 2:
      return rd == 0 ? 0
                     : i_type(kLoad, 2, rd, 2, c.put(12, 1, 5) | c.put(4, 3, 2) | c.put(2, 2, 6));
    case 3:
      return rd == 0 ? 0 : i_type(kLoad, 3, rd, 2, load_double);
    case 4:
      if (c.get(12, 1) == 0) {
        if (rs2 != 0) return r_type(kOp, 0, 0, rd, 0, rs2);  // c.mv
        return rd == 0 ? 0 : i_type(kJalr, 0, 0, rd, 0);     // c.jr
      }
      if (rs2 != 0) return r_type(kOp, 0, 0, rd, rd, rs2);    // c.add
      return rd == 0 ? kEbreak : i_type(kJalr, 0, 1, rd, 0);  // c.jalr
    case 5:
      return s_type(kStoreFp, 3, 2, rs2, store_double);
    case 6:
      return s_type(kStore, 2, 2, rs2, c.put(9, 4, 2) | c.put(7, 2, 6));
    default:
      return s_type(kStore, 3, 2, rs2, store_double);
  }
}

}  // namespace

uint32_t expand_compressed(uint16_t bits) {
  const Compressed c(bits);
  switch (bits & 3) {
    case 0:
      return quadrant0(c);
    case 1:
      return quadrant1(c);
    case 2:
      return quadrant2(c);
    default:
      return 0;
  }
}

}  // namespace strobe::isa
