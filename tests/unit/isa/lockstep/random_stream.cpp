#include "tests/unit/isa/lockstep/random_stream.h"

#include <algorithm>
#include <string>

#include "sc_models/isa/decode/decoded.h"

namespace strobe::isa::lockstep {
namespace {

bool is_base(unsigned r) {
  return std::find(std::begin(kBaseRegisters), std::end(kBaseRegisters), r) !=
         std::end(kBaseRegisters);
}

constexpr unsigned kJumpBase = 6;  // scratch register of the indirect jump groups
constexpr uint32_t kEcallBits = 0x00000073;

unsigned length_of(uint32_t insn) { return (insn & 3) == 3 ? 4 : 2; }

uint32_t branch_immediate(uint32_t offset) {
  return (offset >> 12 & 1) << 31 | (offset >> 5 & 0x3f) << 25 | (offset >> 1 & 0xf) << 8 |
         (offset >> 11 & 1) << 7;
}
uint32_t jal_immediate(uint32_t offset) {
  return (offset >> 20 & 1) << 31 | (offset >> 1 & 0x3ff) << 21 | (offset >> 11 & 1) << 20 |
         (offset >> 12 & 0xff) << 12;
}
uint32_t c_jump_immediate(uint32_t o) {
  return (o >> 11 & 1) << 12 | (o >> 4 & 1) << 11 | (o >> 8 & 3) << 9 | (o >> 10 & 1) << 8 |
         (o >> 6 & 1) << 7 | (o >> 7 & 1) << 6 | (o >> 1 & 7) << 3 | (o >> 5 & 1) << 2;
}
uint32_t c_branch_immediate(uint32_t o) {
  return (o >> 8 & 1) << 12 | (o >> 3 & 3) << 10 | (o >> 6 & 3) << 5 | (o >> 1 & 3) << 3 |
         (o >> 5 & 1) << 2;
}

// Adds the distance to a jump whose offset field is zero.
uint32_t with_offset(uint32_t insn, uint32_t offset) {
  if (length_of(insn) == 2) {
    return insn | ((insn >> 13) == 5 ? c_jump_immediate(offset) : c_branch_immediate(offset));
  }
  switch (insn & 127) {
    case 0x63:
      return insn | branch_immediate(offset);
    case 0x6f:
      return insn | jal_immediate(offset);
    default:  // addi or jalr after an auipc
      return insn | offset << 20;
  }
}

// What a stream may hold: instructions that trap or leave user mode have tests of their own.
bool streamable(Op op) {
  return op != Op::kEcall && op != Op::kEbreak && op != Op::kMret && op != Op::kDret &&
         op != Op::kWfi;
}

}  // namespace

unsigned RandomStream::integer_destination() {
  unsigned r = 0;
  do {
    r = static_cast<unsigned>(below(32));
  } while (is_base(r));
  return r;
}

unsigned RandomStream::base_register() { return kBaseRegisters[below(3)]; }

unsigned RandomStream::fp_register(bool single) {
  const unsigned r = static_cast<unsigned>(below(32));
  return single ? r & ~8u : r | 8u;
}

uint32_t RandomStream::encode(Op op) {
  const OpInfo& row = info(op);
  uint32_t insn = row.match;
  const bool single = row.bytes == 4;
  const bool memory = row.kind == Kind::kLoad || row.kind == Kind::kStore ||
                      row.kind == Kind::kFpLoad || row.kind == Kind::kFpStore ||
                      row.kind == Kind::kAtomic;
  const auto fp = [&](unsigned position) {
    if (op == Op::kFcvtSD) return fp_register(position == 0);
    if (op == Op::kFcvtDS) return fp_register(position != 0);
    return fp_register(single);
  };
  const unsigned shifts[4] = {7, 15, 20, 27};
  for (unsigned p = 0; p < 4; ++p) {
    unsigned r = 0;
    if (row.operands[p] == 'f') {
      r = fp(p);
    } else if (row.operands[p] == 'x') {
      r = p == 0 ? integer_destination() : static_cast<unsigned>(below(32));
      if (p == 1 && memory) r = base_register();
    } else {
      continue;
    }
    insn |= r << shifts[p];
  }
  if (row.has_rounding_mode()) {
    const unsigned mode = static_cast<unsigned>(below(6));
    insn |= (mode == 5 ? 7 : mode) << 12;
  }
  const uint32_t random = static_cast<uint32_t>(rng_());
  switch (row.immediate) {
    case Immediate::kI:
      insn |= random & 0xfff00000;
      break;
    case Immediate::kS:
      insn |= random & 0xfe000f80;
      break;
    case Immediate::kU:
      insn |= random & 0xfffff000;
      break;
    case Immediate::kShift:
      insn |= (random & (row.bytes == 8 ? 63u : 31u)) << 20;
      break;
    default:
      break;
  }
  if (row.kind == Kind::kAtomic) insn |= (random & 3) << 25;  // aq, rl
  if (row.immediate == Immediate::kCsr) {
    const bool replaces = op == Op::kCsrrw;
    if (op == Op::kCsrrwi) {  // frm only takes the five modes; fcsr takes flags
      const unsigned which = static_cast<unsigned>(below(3)) + 1;
      insn |= which << 20 | static_cast<uint32_t>(which == 2 ? below(5) : below(32)) << 15;
    } else {
      // A register may hold anything, so it only goes to the flags; reading alone may be any.
      unsigned number = 1;
      if (!replaces && below(4) == 0) {
        number = static_cast<unsigned>(below(3)) + 1;
        insn &= ~(31u << 15);
      } else if (row.operands[1] != 'x') {
        insn |= static_cast<uint32_t>(below(32)) << 15;
      }
      insn |= number << 20;
    }
  }
  return insn;
}

RandomStream::Unit RandomStream::jump_unit(Op op) {
  Unit u;
  u.skip = static_cast<unsigned>(below(4));
  const OpInfo& row = info(op);
  if (op == Op::kJalr) {
    u.insns = {0x00000017u | kJumpBase << 7,  // auipc: its own address
               row.match | integer_destination() << 7 | kJumpBase << 15};
    u.jump = 2;
    return u;
  }
  uint32_t insn = row.match;
  if (op == Op::kJal) {
    insn |= integer_destination() << 7;
  } else {
    insn |= static_cast<uint32_t>(below(32)) << 15 | static_cast<uint32_t>(below(32)) << 20;
  }
  u.insns = {insn};
  u.jump = 1;
  return u;
}

RandomStream::Unit RandomStream::compressed_jump_unit() {
  Unit u;
  u.skip = static_cast<unsigned>(below(4));
  u.jump = 1;
  const uint32_t reg = static_cast<uint32_t>(below(8)) << 7;
  switch (below(5)) {
    case 0:
      u.insns = {0xa001};  // c.j
      break;
    case 1:
      u.insns = {0xc001 | reg};  // c.beqz
      break;
    case 2:
      u.insns = {0xe001 | reg};  // c.bnez
      break;
    default: {  // c.jr, c.jalr
      const uint32_t link = below(2) ? 0x9002 : 0x8002;
      u.insns = {0x00000017u | kJumpBase << 7, 0x00000013u | kJumpBase << 7 | kJumpBase << 15,
                 link | kJumpBase << 7};
      u.jump = 2;
      break;
    }
  }
  return u;
}

RandomStream::Unit RandomStream::compressed_unit() {
  for (;;) {
    const uint32_t bits = static_cast<uint32_t>(below(0x10000));
    if ((bits & 3) == 3) continue;
    const DecodedInsn d = decode(bits);
    const Op op = static_cast<Op>(d.op);
    if (op == Op::kIllegal || !streamable(op)) continue;
    if (d.flags & kControl) return compressed_jump_unit();
    const OpInfo& row = info(op);
    if (row.operands[0] == 'x' && is_base(d.rd)) continue;
    if ((d.flags & (kReadsMemory | kWritesMemory)) && !is_base(d.rs1)) continue;
    if (row.operands[0] == 'f' && is_single_register(d.rd)) continue;
    if (row.kind == Kind::kFpStore && is_single_register(d.rs2)) continue;
    Unit u;
    u.insns = {bits};
    return u;
  }
}

RandomStream::Unit RandomStream::unit() {
  if (below(4) == 0) return compressed_unit();
  Op op = Op::kIllegal;
  do {
    op = static_cast<Op>(1 + below(kOpCount - 1));
  } while (!streamable(op));
  const OpInfo& row = info(op);
  if (row.kind == Kind::kJump || row.kind == Kind::kBranch) return jump_unit(op);
  Unit u;
  if (row.operation == Operation::kStoreConditional && below(4) != 0) {
    // Reserved just before; the same address three times in four.
    const uint32_t sc = encode(op);
    const uint32_t base = below(4) != 0 ? sc & (31u << 15) : base_register() << 15;
    const Op lr = row.bytes == 4 ? Op::kLrW : Op::kLrD;
    u.insns = {info(lr).match | integer_destination() << 7 | base, sc};
    return u;
  }
  if (row.operation == Operation::kLoadReserved) {
    // The reservation is never left open: Unicorn's SC compares the value too, so a much later SC
    // could differ.
    const Op sc = row.bytes == 4 ? Op::kScW : Op::kScD;
    u.insns = {encode(op), encode(sc)};
    return u;
  }
  u.insns = {encode(op)};
  return u;
}

std::vector<uint8_t> RandomStream::code(unsigned units) {
  std::vector<Unit> all;
  for (unsigned i = 0; i < units; ++i) all.push_back(unit());
  Unit last;
  last.insns = {kEcallBits};
  all.push_back(last);
  std::vector<uint32_t> starts;
  uint32_t at = 0;
  for (const Unit& u : all) {
    starts.push_back(at);
    for (uint32_t insn : u.insns) at += length_of(insn);
  }
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < all.size(); ++i) {
    Unit& u = all[i];
    if (u.jump != 0) {
      const uint32_t target = starts[std::min<size_t>(i + 1 + u.skip, all.size() - 1)];
      // Direct jumps count from themselves, indirect ones from the auipc at the group's start.
      u.insns[u.jump - 1] = with_offset(u.insns[u.jump - 1], target - starts[i]);
    }
    for (uint32_t insn : u.insns) {
      for (unsigned b = 0; b < length_of(insn); ++b) {
        bytes.push_back(static_cast<uint8_t>(insn >> (8 * b)));
      }
    }
  }
  return bytes;
}

uint64_t RandomStream::integer() {
  switch (below(8)) {
    case 0:
      return below(2) ? 0 : ~uint64_t{0};
    case 1:
      return uint64_t{1} << below(64);
    case 2:
      return (uint64_t{1} << below(64)) - 1;
    case 3:
      return ~(uint64_t{1} << below(64));
    case 4:
      return static_cast<uint64_t>(static_cast<int64_t>(below(64)) - 32);
    case 5:
      return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(rng_())));
    default:
      return rng_();
  }
}

namespace {

// A value of a format from (sign, exponent field, fraction), most of them at a corner.
uint64_t fp_corner(RandomStream& r, uint64_t random, unsigned exponent_bits,
                   unsigned fraction_bits) {
  const uint64_t exponent_max = (uint64_t{1} << exponent_bits) - 1;
  const uint64_t fraction_max = (uint64_t{1} << fraction_bits) - 1;
  const uint64_t bias = exponent_max >> 1;
  const uint64_t fractions[] = {0,
                                1,
                                fraction_max,
                                fraction_max - 1,
                                uint64_t{1} << (fraction_bits - 1),
                                (uint64_t{1} << (fraction_bits - 1)) | 1,
                                fraction_max >> 1,
                                random & fraction_max,
                                random & fraction_max,
                                (random & fraction_max) & (fraction_max << (fraction_bits / 2))};
  const uint64_t fraction = fractions[r.below(10)];
  uint64_t exponent = 0;
  switch (r.below(10)) {
    case 0:
      break;  // zero or subnormal
    case 1:
      exponent = 1 + r.below(3);
      break;
    case 2:
      exponent = exponent_max - 1 - r.below(3);
      break;
    case 3:
      exponent = exponent_max;  // infinity or NaN
      break;
    case 4:
    case 5:
      exponent = bias + r.below(70) - 4;  // about the integers
      break;
    case 6:
    case 7:
    case 8:
      exponent = bias + r.below(2 * fraction_bits) - fraction_bits;
      break;
    default:
      exponent = r.below(exponent_max);
      break;
  }
  return (random >> 63) << (exponent_bits + fraction_bits) | exponent << fraction_bits | fraction;
}

}  // namespace

uint64_t RandomStream::binary64() { return fp_corner(*this, rng_(), 11, 52); }
uint64_t RandomStream::binary32() { return 0xffffffff00000000u | fp_corner(*this, rng_(), 8, 23); }

}  // namespace strobe::isa::lockstep
