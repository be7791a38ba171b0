// The instruction table of RV64GC_Zicsr_Zifencei: one row per instruction, and everything that is
// derived from it at compile time. The decoder, the interpreters, the tests and the disassembly in
// messages all read this table. semantics.h defines what a row computes.
#pragma once

#include <array>
#include <cstdint>

namespace strobe::isa {

/// What an instruction does, so that the interpreters can treat its kind as a whole.
enum class Kind : uint8_t {
  kIllegal,
  kAlu,    // integer result from registers and immediate, no other effect
  kUpper,  // lui, auipc
  kJump,   // jal, jalr
  kBranch,
  kLoad,
  kStore,
  kAtomic,  // lr, sc, amo
  kFpLoad,
  kFpStore,
  kFp,  // F and D arithmetic
  kFence,
  kSystem,  // SYSTEM opcode and fence.i
};

/// What an instruction computes; the width comes from the row's byte count.
enum class Operation : uint8_t {
  kNone,
  kAdd,
  kSub,
  kShiftLeft,
  kShiftRight,
  kShiftRightArithmetic,
  kLess,
  kLessUnsigned,
  kXor,
  kOr,
  kAnd,
  kMul,
  kMulHigh,
  kMulHighSignedUnsigned,
  kMulHighUnsigned,
  kDiv,
  kDivUnsigned,
  kRem,
  kRemUnsigned,
  kLui,
  kAuipc,
  kJal,
  kJalr,
  kEqual,
  kNotEqual,
  kGreaterEqual,
  kGreaterEqualUnsigned,
  kSigned,
  kUnsigned,
  kLoadReserved,
  kStoreConditional,
  kSwap,
  kMin,
  kMax,
  kMinUnsigned,
  kMaxUnsigned,
  kMultiplyAdd,
  kMultiplySub,
  kNegativeMultiplySub,
  kNegativeMultiplyAdd,
  kFpAdd,
  kFpSub,
  kFpMul,
  kFpDiv,
  kSqrt,
  kSign,
  kSignNegate,
  kSignXor,
  kFpMin,
  kFpMax,
  kFpEqual,
  kFpLess,
  kFpLessEqual,
  kClass,
  kToInt32,
  kToUint32,
  kToInt64,
  kToUint64,
  kFromInt32,
  kFromUint32,
  kFromInt64,
  kFromUint64,
  kFromFloat,
  kFromDouble,
  kMoveToX,
  kMoveFromX,
  kFence,
  kFenceI,
  kEcall,
  kEbreak,
  kMret,
  kDret,
  kWfi,
  kCsrWrite,
  kCsrSet,
  kCsrClear,
  kCsrWriteImmediate,
  kCsrSetImmediate,
  kCsrClearImmediate,
};

/// Immediate format.
enum class Immediate : uint8_t { kNone, kI, kS, kB, kU, kJ, kShift, kCsr };

// X(name, mnemonic, match, mask, immediate, operands, kind, bytes, operation)
// operands: rd, rs1, rs2, rs3, each x (integer), f (floating-point) or - (none).
// bytes: the access size of loads, stores and atomics; for the others the operand width.
// clang-format off
#define STROBE_ISA_INTEGER_OPS(X) \
  X(Lui,    "lui",    0x00000037, 0x0000007f, U, "x---", Upper, 8, Lui) \
  X(Auipc,  "auipc",  0x00000017, 0x0000007f, U, "x---", Upper, 8, Auipc) \
  X(Jal,    "jal",    0x0000006f, 0x0000007f, J, "x---", Jump, 8, Jal) \
  X(Jalr,   "jalr",   0x00000067, 0x0000707f, I, "xx--", Jump, 8, Jalr) \
  X(Beq,    "beq",    0x00000063, 0x0000707f, B, "-xx-", Branch, 8, Equal) \
  X(Bne,    "bne",    0x00001063, 0x0000707f, B, "-xx-", Branch, 8, NotEqual) \
  X(Blt,    "blt",    0x00004063, 0x0000707f, B, "-xx-", Branch, 8, Less) \
  X(Bge,    "bge",    0x00005063, 0x0000707f, B, "-xx-", Branch, 8, GreaterEqual) \
  X(Bltu,   "bltu",   0x00006063, 0x0000707f, B, "-xx-", Branch, 8, LessUnsigned) \
  X(Bgeu,   "bgeu",   0x00007063, 0x0000707f, B, "-xx-", Branch, 8, GreaterEqualUnsigned) \
  X(Lb,     "lb",     0x00000003, 0x0000707f, I, "xx--", Load, 1, Signed) \
  X(Lh,     "lh",     0x00001003, 0x0000707f, I, "xx--", Load, 2, Signed) \
  X(Lw,     "lw",     0x00002003, 0x0000707f, I, "xx--", Load, 4, Signed) \
  X(Ld,     "ld",     0x00003003, 0x0000707f, I, "xx--", Load, 8, Signed) \
  X(Lbu,    "lbu",    0x00004003, 0x0000707f, I, "xx--", Load, 1, Unsigned) \
  X(Lhu,    "lhu",    0x00005003, 0x0000707f, I, "xx--", Load, 2, Unsigned) \
  X(Lwu,    "lwu",    0x00006003, 0x0000707f, I, "xx--", Load, 4, Unsigned) \
  X(Sb,     "sb",     0x00000023, 0x0000707f, S, "-xx-", Store, 1, None) \
  X(Sh,     "sh",     0x00001023, 0x0000707f, S, "-xx-", Store, 2, None) \
  X(Sw,     "sw",     0x00002023, 0x0000707f, S, "-xx-", Store, 4, None) \
  X(Sd,     "sd",     0x00003023, 0x0000707f, S, "-xx-", Store, 8, None) \
  X(Addi,   "addi",   0x00000013, 0x0000707f, I, "xx--", Alu, 8, Add) \
  X(Slti,   "slti",   0x00002013, 0x0000707f, I, "xx--", Alu, 8, Less) \
  X(Sltiu,  "sltiu",  0x00003013, 0x0000707f, I, "xx--", Alu, 8, LessUnsigned) \
  X(Xori,   "xori",   0x00004013, 0x0000707f, I, "xx--", Alu, 8, Xor) \
  X(Ori,    "ori",    0x00006013, 0x0000707f, I, "xx--", Alu, 8, Or) \
  X(Andi,   "andi",   0x00007013, 0x0000707f, I, "xx--", Alu, 8, And) \
  X(Slli,   "slli",   0x00001013, 0xfc00707f, Shift, "xx--", Alu, 8, ShiftLeft) \
  X(Srli,   "srli",   0x00005013, 0xfc00707f, Shift, "xx--", Alu, 8, ShiftRight) \
  X(Srai,   "srai",   0x40005013, 0xfc00707f, Shift, "xx--", Alu, 8, ShiftRightArithmetic) \
  X(Add,    "add",    0x00000033, 0xfe00707f, None, "xxx-", Alu, 8, Add) \
  X(Sub,    "sub",    0x40000033, 0xfe00707f, None, "xxx-", Alu, 8, Sub) \
  X(Sll,    "sll",    0x00001033, 0xfe00707f, None, "xxx-", Alu, 8, ShiftLeft) \
  X(Slt,    "slt",    0x00002033, 0xfe00707f, None, "xxx-", Alu, 8, Less) \
  X(Sltu,   "sltu",   0x00003033, 0xfe00707f, None, "xxx-", Alu, 8, LessUnsigned) \
  X(Xor,    "xor",    0x00004033, 0xfe00707f, None, "xxx-", Alu, 8, Xor) \
  X(Srl,    "srl",    0x00005033, 0xfe00707f, None, "xxx-", Alu, 8, ShiftRight) \
  X(Sra,    "sra",    0x40005033, 0xfe00707f, None, "xxx-", Alu, 8, ShiftRightArithmetic) \
  X(Or,     "or",     0x00006033, 0xfe00707f, None, "xxx-", Alu, 8, Or) \
  X(And,    "and",    0x00007033, 0xfe00707f, None, "xxx-", Alu, 8, And) \
  X(Addiw,  "addiw",  0x0000001b, 0x0000707f, I, "xx--", Alu, 4, Add) \
  X(Slliw,  "slliw",  0x0000101b, 0xfe00707f, Shift, "xx--", Alu, 4, ShiftLeft) \
  X(Srliw,  "srliw",  0x0000501b, 0xfe00707f, Shift, "xx--", Alu, 4, ShiftRight) \
  X(Sraiw,  "sraiw",  0x4000501b, 0xfe00707f, Shift, "xx--", Alu, 4, ShiftRightArithmetic) \
  X(Addw,   "addw",   0x0000003b, 0xfe00707f, None, "xxx-", Alu, 4, Add) \
  X(Subw,   "subw",   0x4000003b, 0xfe00707f, None, "xxx-", Alu, 4, Sub) \
  X(Sllw,   "sllw",   0x0000103b, 0xfe00707f, None, "xxx-", Alu, 4, ShiftLeft) \
  X(Srlw,   "srlw",   0x0000503b, 0xfe00707f, None, "xxx-", Alu, 4, ShiftRight) \
  X(Sraw,   "sraw",   0x4000503b, 0xfe00707f, None, "xxx-", Alu, 4, ShiftRightArithmetic) \
  X(Mul,    "mul",    0x02000033, 0xfe00707f, None, "xxx-", Alu, 8, Mul) \
  X(Mulh,   "mulh",   0x02001033, 0xfe00707f, None, "xxx-", Alu, 8, MulHigh) \
  X(Mulhsu, "mulhsu", 0x02002033, 0xfe00707f, None, "xxx-", Alu, 8, MulHighSignedUnsigned) \
  X(Mulhu,  "mulhu",  0x02003033, 0xfe00707f, None, "xxx-", Alu, 8, MulHighUnsigned) \
  X(Div,    "div",    0x02004033, 0xfe00707f, None, "xxx-", Alu, 8, Div) \
  X(Divu,   "divu",   0x02005033, 0xfe00707f, None, "xxx-", Alu, 8, DivUnsigned) \
  X(Rem,    "rem",    0x02006033, 0xfe00707f, None, "xxx-", Alu, 8, Rem) \
  X(Remu,   "remu",   0x02007033, 0xfe00707f, None, "xxx-", Alu, 8, RemUnsigned) \
  X(Mulw,   "mulw",   0x0200003b, 0xfe00707f, None, "xxx-", Alu, 4, Mul) \
  X(Divw,   "divw",   0x0200403b, 0xfe00707f, None, "xxx-", Alu, 4, Div) \
  X(Divuw,  "divuw",  0x0200503b, 0xfe00707f, None, "xxx-", Alu, 4, DivUnsigned) \
  X(Remw,   "remw",   0x0200603b, 0xfe00707f, None, "xxx-", Alu, 4, Rem) \
  X(Remuw,  "remuw",  0x0200703b, 0xfe00707f, None, "xxx-", Alu, 4, RemUnsigned)

#define STROBE_ISA_ATOMIC_OPS(X, W, w, f3, bytes) \
  X(Lr##W,      "lr."      w, 0x1000002f | f3, 0xf9f0707f, None, "xx--", Atomic, bytes, LoadReserved) \
  X(Sc##W,      "sc."      w, 0x1800002f | f3, 0xf800707f, None, "xxx-", Atomic, bytes, StoreConditional) \
  X(Amoswap##W, "amoswap." w, 0x0800002f | f3, 0xf800707f, None, "xxx-", Atomic, bytes, Swap) \
  X(Amoadd##W,  "amoadd."  w, 0x0000002f | f3, 0xf800707f, None, "xxx-", Atomic, bytes, Add) \
  X(Amoxor##W,  "amoxor."  w, 0x2000002f | f3, 0xf800707f, None, "xxx-", Atomic, bytes, Xor) \
  X(Amoand##W,  "amoand."  w, 0x6000002f | f3, 0xf800707f, None, "xxx-", Atomic, bytes, And) \
  X(Amoor##W,   "amoor."   w, 0x4000002f | f3, 0xf800707f, None, "xxx-", Atomic, bytes, Or) \
  X(Amomin##W,  "amomin."  w, 0x8000002f | f3, 0xf800707f, None, "xxx-", Atomic, bytes, Min) \
  X(Amomax##W,  "amomax."  w, 0xa000002f | f3, 0xf800707f, None, "xxx-", Atomic, bytes, Max) \
  X(Amominu##W, "amominu." w, 0xc000002f | f3, 0xf800707f, None, "xxx-", Atomic, bytes, MinUnsigned) \
  X(Amomaxu##W, "amomaxu." w, 0xe000002f | f3, 0xf800707f, None, "xxx-", Atomic, bytes, MaxUnsigned)

// S and D differ in the format bit 25, in the access width and in the names.
#define STROBE_ISA_FP_OPS(X, F, s, Load, load, Store, store, fmt, ls, bytes) \
  X(Load,       load,         0x00000007 | ls,  0x0000707f, I, "fx--", FpLoad, bytes, None) \
  X(Store,      store,        0x00000027 | ls,  0x0000707f, S, "-xf-", FpStore, bytes, None) \
  X(Fmadd##F,   "fmadd."   s, 0x00000043 | fmt, 0x0600007f, None, "ffff", Fp, bytes, MultiplyAdd) \
  X(Fmsub##F,   "fmsub."   s, 0x00000047 | fmt, 0x0600007f, None, "ffff", Fp, bytes, MultiplySub) \
  X(Fnmsub##F,  "fnmsub."  s, 0x0000004b | fmt, 0x0600007f, None, "ffff", Fp, bytes, NegativeMultiplySub) \
  X(Fnmadd##F,  "fnmadd."  s, 0x0000004f | fmt, 0x0600007f, None, "ffff", Fp, bytes, NegativeMultiplyAdd) \
  X(Fadd##F,    "fadd."    s, 0x00000053 | fmt, 0xfe00007f, None, "fff-", Fp, bytes, FpAdd) \
  X(Fsub##F,    "fsub."    s, 0x08000053 | fmt, 0xfe00007f, None, "fff-", Fp, bytes, FpSub) \
  X(Fmul##F,    "fmul."    s, 0x10000053 | fmt, 0xfe00007f, None, "fff-", Fp, bytes, FpMul) \
  X(Fdiv##F,    "fdiv."    s, 0x18000053 | fmt, 0xfe00007f, None, "fff-", Fp, bytes, FpDiv) \
  X(Fsqrt##F,   "fsqrt."   s, 0x58000053 | fmt, 0xfff0007f, None, "ff--", Fp, bytes, Sqrt) \
  X(Fsgnj##F,   "fsgnj."   s, 0x20000053 | fmt, 0xfe00707f, None, "fff-", Fp, bytes, Sign) \
  X(Fsgnjn##F,  "fsgnjn."  s, 0x20001053 | fmt, 0xfe00707f, None, "fff-", Fp, bytes, SignNegate) \
  X(Fsgnjx##F,  "fsgnjx."  s, 0x20002053 | fmt, 0xfe00707f, None, "fff-", Fp, bytes, SignXor) \
  X(Fmin##F,    "fmin."    s, 0x28000053 | fmt, 0xfe00707f, None, "fff-", Fp, bytes, FpMin) \
  X(Fmax##F,    "fmax."    s, 0x28001053 | fmt, 0xfe00707f, None, "fff-", Fp, bytes, FpMax) \
  X(Feq##F,     "feq."     s, 0xa0002053 | fmt, 0xfe00707f, None, "xff-", Fp, bytes, FpEqual) \
  X(Flt##F,     "flt."     s, 0xa0001053 | fmt, 0xfe00707f, None, "xff-", Fp, bytes, FpLess) \
  X(Fle##F,     "fle."     s, 0xa0000053 | fmt, 0xfe00707f, None, "xff-", Fp, bytes, FpLessEqual) \
  X(Fclass##F,  "fclass."  s, 0xe0001053 | fmt, 0xfff0707f, None, "xf--", Fp, bytes, Class) \
  X(FcvtW##F,   "fcvt.w."  s, 0xc0000053 | fmt, 0xfff0007f, None, "xf--", Fp, bytes, ToInt32) \
  X(FcvtWu##F,  "fcvt.wu." s, 0xc0100053 | fmt, 0xfff0007f, None, "xf--", Fp, bytes, ToUint32) \
  X(FcvtL##F,   "fcvt.l."  s, 0xc0200053 | fmt, 0xfff0007f, None, "xf--", Fp, bytes, ToInt64) \
  X(FcvtLu##F,  "fcvt.lu." s, 0xc0300053 | fmt, 0xfff0007f, None, "xf--", Fp, bytes, ToUint64) \
  X(Fcvt##F##W,  "fcvt." s ".w",  0xd0000053 | fmt, 0xfff0007f, None, "fx--", Fp, bytes, FromInt32) \
  X(Fcvt##F##Wu, "fcvt." s ".wu", 0xd0100053 | fmt, 0xfff0007f, None, "fx--", Fp, bytes, FromUint32) \
  X(Fcvt##F##L,  "fcvt." s ".l",  0xd0200053 | fmt, 0xfff0007f, None, "fx--", Fp, bytes, FromInt64) \
  X(Fcvt##F##Lu, "fcvt." s ".lu", 0xd0300053 | fmt, 0xfff0007f, None, "fx--", Fp, bytes, FromUint64)

#define STROBE_ISA_FP_MOVE_OPS(X) \
  X(FcvtSD, "fcvt.s.d", 0x40100053, 0xfff0007f, None, "ff--", Fp, 4, FromDouble) \
  X(FcvtDS, "fcvt.d.s", 0x42000053, 0xfff0007f, None, "ff--", Fp, 8, FromFloat) \
  X(FmvXW,  "fmv.x.w",  0xe0000053, 0xfff0707f, None, "xf--", Fp, 4, MoveToX) \
  X(FmvWX,  "fmv.w.x",  0xf0000053, 0xfff0707f, None, "fx--", Fp, 4, MoveFromX) \
  X(FmvXD,  "fmv.x.d",  0xe2000053, 0xfff0707f, None, "xf--", Fp, 8, MoveToX) \
  X(FmvDX,  "fmv.d.x",  0xf2000053, 0xfff0707f, None, "fx--", Fp, 8, MoveFromX)

#define STROBE_ISA_SYSTEM_OPS(X) \
  X(Fence,  "fence",   0x0000000f, 0x0000707f, None, "----", Fence, 8, Fence) \
  X(FenceI, "fence.i", 0x0000100f, 0x0000707f, None, "----", System, 8, FenceI) \
  X(Ecall,  "ecall",   0x00000073, 0xffffffff, None, "----", System, 8, Ecall) \
  X(Ebreak, "ebreak",  0x00100073, 0xffffffff, None, "----", System, 8, Ebreak) \
  X(Mret,   "mret",    0x30200073, 0xffffffff, None, "----", System, 8, Mret) \
  X(Dret,   "dret",    0x8c000073, 0xffffffff, None, "----", System, 8, Dret) \
  X(Wfi,    "wfi",     0x10500073, 0xffffffff, None, "----", System, 8, Wfi) \
  X(Csrrw,  "csrrw",   0x00001073, 0x0000707f, Csr, "xx--", System, 8, CsrWrite) \
  X(Csrrs,  "csrrs",   0x00002073, 0x0000707f, Csr, "xx--", System, 8, CsrSet) \
  X(Csrrc,  "csrrc",   0x00003073, 0x0000707f, Csr, "xx--", System, 8, CsrClear) \
  X(Csrrwi, "csrrwi",  0x00005073, 0x0000707f, Csr, "x---", System, 8, CsrWriteImmediate) \
  X(Csrrsi, "csrrsi",  0x00006073, 0x0000707f, Csr, "x---", System, 8, CsrSetImmediate) \
  X(Csrrci, "csrrci",  0x00007073, 0x0000707f, Csr, "x---", System, 8, CsrClearImmediate)

#define STROBE_ISA_OPS(X) \
  STROBE_ISA_INTEGER_OPS(X) \
  STROBE_ISA_ATOMIC_OPS(X, W, "w", 0x2000, 4) \
  STROBE_ISA_ATOMIC_OPS(X, D, "d", 0x3000, 8) \
  STROBE_ISA_FP_OPS(X, S, "s", Flw, "flw", Fsw, "fsw", 0x00000000, 0x2000, 4) \
  STROBE_ISA_FP_OPS(X, D, "d", Fld, "fld", Fsd, "fsd", 0x02000000, 0x3000, 8) \
  STROBE_ISA_FP_MOVE_OPS(X) \
  STROBE_ISA_SYSTEM_OPS(X)
// clang-format on

/// The number of an instruction, which DecodedInsn::op holds. 0 is no instruction of RV64GC.
enum class Op : uint16_t {
  kIllegal = 0,
#define STROBE_ISA_ENUM(name, ...) k##name,
  STROBE_ISA_OPS(STROBE_ISA_ENUM)
#undef STROBE_ISA_ENUM
      kCount
};
inline constexpr unsigned kOpCount = static_cast<unsigned>(Op::kCount);
static_assert(kOpCount < 255, "a byte, and a number to spare (decoded.h)");

struct OpInfo {
  const char* mnemonic;
  uint32_t match, mask;
  Immediate immediate;
  char operands[5];
  Kind kind;
  uint8_t bytes;
  Operation operation;

  constexpr bool has_rd() const { return operands[0] != '-'; }
  constexpr bool has_rs2() const { return operands[2] != '-'; }
  /// Whether the rounding-mode field is an operand: bits 14:12 are then not part of the encoding.
  constexpr bool has_rounding_mode() const { return kind == Kind::kFp && (mask & 0x7000) == 0; }
};

inline constexpr std::array<OpInfo, kOpCount> kOps = {
    {{"illegal", 0, 0, Immediate::kNone, "----", Kind::kIllegal, 0, Operation::kNone},
#define STROBE_ISA_ROW(name, mnemonic, match, mask, immediate, operands, kind, bytes, operation) \
  {mnemonic, match,         mask,  Immediate::k##immediate,                                      \
   operands, Kind::k##kind, bytes, Operation::k##operation},
     STROBE_ISA_OPS(STROBE_ISA_ROW)
#undef STROBE_ISA_ROW
    }};

constexpr const OpInfo& info(Op op) { return kOps[static_cast<unsigned>(op)]; }

}  // namespace strobe::isa
