// The decoder: a search of the instruction table, bucketed by major opcode. Each instruction
// address is decoded once, because the results are cached, so the code is written for clarity.
#include <vector>

#include "sc_models/isa/decode/csr.h"
#include "sc_models/isa/decode/decoded.h"
#include "sc_models/isa/decode/op.h"

namespace strobe::isa {
namespace {

uint32_t field(uint32_t insn, unsigned low, unsigned width) {
  return (insn >> low) & ((1u << width) - 1);
}

int32_t sign_extend(uint32_t value, unsigned width) {
  const uint32_t sign = 1u << (width - 1);
  return static_cast<int32_t>((value ^ sign) - sign);
}

int32_t immediate(Immediate format, uint32_t insn) {
  switch (format) {
    case Immediate::kI:
      return sign_extend(field(insn, 20, 12), 12);
    case Immediate::kS:
      return sign_extend(field(insn, 25, 7) << 5 | field(insn, 7, 5), 12);
    case Immediate::kB:
      return sign_extend(field(insn, 31, 1) << 12 | field(insn, 7, 1) << 11 |
                             field(insn, 25, 6) << 5 | field(insn, 8, 4) << 1,
                         13);
    case Immediate::kU:
      return static_cast<int32_t>(insn & 0xfffff000);
    case Immediate::kJ:
      return sign_extend(field(insn, 31, 1) << 20 | field(insn, 12, 8) << 12 |
                             field(insn, 20, 1) << 11 | field(insn, 21, 10) << 1,
                         21);
    case Immediate::kShift:
      return static_cast<int32_t>(field(insn, 20, 6));
    case Immediate::kCsr:
      return static_cast<int32_t>(field(insn, 20, 12));
    case Immediate::kNone:
      break;
  }
  return 0;
}

bool is_link(uint32_t reg) { return reg == 1 || reg == 5; }

// Implements the table of docs/blocks/selector.md from the encoding alone, as the selector's RTL
// does.
OpClass classify(uint32_t insn) {
  const uint32_t rd = field(insn, 7, 5), rs1 = field(insn, 15, 5), funct7 = field(insn, 25, 7);
  switch (field(insn, 0, 7)) {
    case 0b0110011:
    case 0b0111011:
      if (funct7 != 1) return OpClass::kAlu;
      return field(insn, 14, 1) ? OpClass::kDiv : OpClass::kMul;
    case 0b0000011:
    case 0b0000111:
      return OpClass::kLoad;
    case 0b0100011:
    case 0b0100111:
      return OpClass::kStore;
    case 0b0101111:
      return OpClass::kAmo;
    case 0b1100011:
      return OpClass::kBranch;
    case 0b1101111:
      return is_link(rd) ? OpClass::kCall : OpClass::kJump;
    case 0b1100111:
      if (is_link(rd)) return OpClass::kCallIndirect;
      return is_link(rs1) ? OpClass::kReturn : OpClass::kJumpIndirect;
    case 0b1010011:
      return (funct7 >> 2) == 0b00011 || (funct7 >> 2) == 0b01011 ? OpClass::kFpDivSqrt
                                                                  : OpClass::kFp;
    case 0b1000011:
    case 0b1000111:
    case 0b1001011:
    case 0b1001111:
      return OpClass::kFp;
    case 0b1110011:
      return OpClass::kSystem;
    case 0b0001111:
      return OpClass::kFence;
    default:
      return OpClass::kAlu;
  }
}

Op find_op(uint32_t insn) {
  static const std::vector<std::vector<uint16_t>> buckets = [] {
    std::vector<std::vector<uint16_t>> by_opcode(128);
    for (uint16_t op = 1; op < kOpCount; ++op) by_opcode[kOps[op].match & 127].push_back(op);
    return by_opcode;
  }();
  for (uint16_t op : buckets[insn & 127]) {
    const OpInfo& row = kOps[op];
    if ((insn & row.mask) != row.match) continue;
    const uint32_t rounding = field(insn, 12, 3);
    if (row.has_rounding_mode() && (rounding == 5 || rounding == 6)) break;
    return static_cast<Op>(op);
  }
  return Op::kIllegal;
}

uint8_t timing_register(char operand, uint8_t number) {
  if (operand == 'x') return number == 0 ? kNoRegister : number;
  if (operand == 'f') return static_cast<uint8_t>(32 + number);
  return kNoRegister;
}

uint8_t decoded_flags(const OpInfo& row) {
  switch (row.kind) {
    case Kind::kLoad:
    case Kind::kFpLoad:
      return kReadsMemory;
    case Kind::kStore:
    case Kind::kFpStore:
      return kWritesMemory;
    case Kind::kAtomic:
      if (row.operation == Operation::kLoadReserved) return kReadsMemory | kOrdering;
      if (row.operation == Operation::kStoreConditional) return kWritesMemory | kOrdering;
      return kReadsMemory | kWritesMemory | kOrdering;
    case Kind::kFence:
      return kOrdering;
    case Kind::kBranch:
    case Kind::kJump:
      return kControl;
    case Kind::kSystem:
      return kSerializing;
    default:
      return 0;
  }
}

// dret is resolved in decode, and a dise register that is read or written as a CSR is renamed like
// any other register. Their order is kept without emptying the pipeline. (A swap writes two
// registers, and the timing model follows only rd.)
void decode_dise(DecodedInsn& d, const OpInfo& row) {
  const bool names_register =
      d.imm >= static_cast<int32_t>(kCsrDise0) && d.imm <= static_cast<int32_t>(kCsrDise7);
  if (row.operation == Operation::kDret) d.flags = 0;
  if (row.immediate != Immediate::kCsr || !names_register) return;
  const uint8_t dise = static_cast<uint8_t>(64 + d.imm - kCsrDise0);
  d.flags = 0;
  d.src[1] = dise;
  if (d.dst == kNoRegister) d.dst = dise;
}

}  // namespace

DecodedInsn decode(uint32_t bits) {
  DecodedInsn d;
  if ((bits & 3) != 3) {
    d.length = 2;
    d.insn = expand_compressed(static_cast<uint16_t>(bits));
  } else {
    d.insn = bits;
  }
  d.opclass = classify(d.insn);
  const Op op = find_op(d.insn);
  if (op == Op::kIllegal) return d;
  const OpInfo& row = info(op);
  d.op = static_cast<uint8_t>(op);
  d.imm = immediate(row.immediate, d.insn);
  d.rd = static_cast<uint8_t>(field(d.insn, 7, 5));
  d.rs1 = static_cast<uint8_t>(field(d.insn, 15, 5));
  d.rs2 = static_cast<uint8_t>(field(d.insn, 20, 5));
  d.rs3 = static_cast<uint8_t>(field(d.insn, 27, 5));
  d.rd_addr = row.operands[0] == 'x' ? d.rd : 0;
  d.frd_valid = row.operands[0] == 'f' ? 1 : 0;
  d.dst = timing_register(row.operands[0], d.rd);
  d.src[0] = timing_register(row.operands[1], d.rs1);
  d.src[1] = timing_register(row.operands[2], d.rs2);
  d.src[2] = timing_register(row.operands[3], d.rs3);
  d.flags = decoded_flags(row);
  if (d.flags & (kReadsMemory | kWritesMemory)) d.mem_size = row.bytes;
  if (row.kind == Kind::kSystem) decode_dise(d, row);
  return d;
}

// An instruction that would write x0 is a no-op or not plain, so that only the cases of jumps test
// for x0.
uint8_t plain_case(const DecodedInsn& insn) {
  const OpInfo& row = kOps[insn.op];
  const bool discards = row.operands[0] == 'x' && insn.rd == 0;
  switch (row.kind) {
    case Kind::kIllegal:
    case Kind::kAtomic:
    case Kind::kFence:
    case Kind::kSystem:
      return kNotPlain;
    case Kind::kAlu:
    case Kind::kUpper:
      return discards ? kPlainNop : insn.op;
    case Kind::kLoad:
    case Kind::kFp:
      return discards ? kNotPlain : insn.op;
    default:
      return insn.op;
  }
}

}  // namespace strobe::isa
