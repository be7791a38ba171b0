// The retire port: what the core tells the world about each instruction it commits.
//
// One record a lane, W lanes a cycle, in program order. Field names are RVFI's without the prefix,
// instruction types are the RISC-V E-Trace ingress port's `itype` values, so that any core that has
// either can carry the profiler. Standard library only: every room to the right includes this.
#pragma once

#include <cstdint>
#include <cstring>

namespace strobe {

/// Privilege mode as encoded in mstatus.MPP.
enum class PrivilegeMode : uint8_t { kUser = 0, kMachine = 3 };

/// E-Trace instruction types (RISC-V Efficient Trace, ingress port table), 4-bit form.
enum class IType : uint8_t {
  kNone = 0,
  kException = 1,
  kInterrupt = 2,
  kTrapReturn = 3,
  kBranchNotTaken = 4,
  kBranchTaken = 5,
  kIndirectCall = 8,
  kDirectCall = 9,
  kIndirectTailCall = 10,
  kDirectTailCall = 11,
  kCoroutineSwap = 12,
  kReturn = 13,
  kOtherIndirectJump = 14,
  kOtherDirectJump = 15,
};

/// Instruction classes, as the selector's opclass mask numbers its bits.
/// docs/blocks/selector.md gives the encodings each class covers.
enum class OpClass : uint8_t {
  kAlu = 0,
  kMul = 1,
  kDiv = 2,
  kLoad = 3,
  kStore = 4,
  kAmo = 5,  // LR, SC and AMO
  kBranch = 6,
  kJump = 7,          // direct, not a call
  kJumpIndirect = 8,  // indirect, neither call nor return
  kCall = 9,
  kCallIndirect = 10,
  kReturn = 11,
  kFp = 12,
  kFpDivSqrt = 13,
  kSystem = 14,  // SYSTEM and CSR
  kFence = 15,
};
inline constexpr unsigned kOpClassCount = 16;

/// The bit of a class in a selector's opclass mask.
inline constexpr uint16_t class_bit(OpClass opclass) {
  return static_cast<uint16_t>(1u << static_cast<unsigned>(opclass));
}

/// What an instruction is, known when it is decoded; copied as one word.
struct alignas(8) RetiredInsn {
  uint32_t insn = 0;   // the 32-bit form; a compressed instruction expanded
  uint8_t length = 4;  // bytes it occupies in memory: 2 or 4
  OpClass opclass = OpClass::kAlu;
  uint8_t rd_addr = 0;    // 0 if no integer destination
  uint8_t frd_valid = 0;  // 1 if the destination is floating-point register insn[11:7]
};

/// How it came to pass; copied as one word.
struct alignas(8) RetireStatus {
  PrivilegeMode mode = PrivilegeMode::kMachine;  // the mode it executed in
  uint8_t trap = 0;      // 1 if it trapped; then it has no architectural effect but the trap
  uint8_t intr = 0;      // 1 for the first instruction of an interrupt handler
  uint8_t injected = 0;  // 1 if the decode engine put it there: no instruction of the program
  uint8_t in_burst = 0;  // 1 if a burst of the decode engine was on (docs/blocks/dise.md)
  IType itype = IType::kNone;
  uint8_t mem_rmask = 0;  // one bit a byte read
  uint8_t mem_wmask = 0;  // one bit a byte written
};

/// One retired instruction (or, with `trap` set, one that trapped instead of retiring).
struct RetireRecord : RetiredInsn, RetireStatus {
  uint64_t order = 0;      // rises by one a record, from 0
  uint64_t pc_rdata = 0;   // its address
  uint64_t pc_wdata = 0;   // address of the next instruction in program order
  uint64_t rd_wdata = 0;   // value written to rd, integer or floating-point (NaN-boxed); 0 if none
  uint64_t mem_addr = 0;   // effective address; 0 if no memory access
  uint64_t mem_rdata = 0;  // value read, zero-extended from the access size
  uint64_t mem_wdata = 0;  // value written, zero-extended from the access size
  uint8_t mispredicted = 0;  // 1 if the branch predictor was wrong about it; 0 without timing
  uint16_t thread = 0;       // its number, in the order of creation; 0 is the first
};

/// Whether an instruction of the program has retired in user mode: no trap, and not injected. One
/// look at the whole status, because nearly every instruction is one.
inline bool is_plain_user(const RetireStatus& status) {
  static_assert(PrivilegeMode::kUser == PrivilegeMode{0});
  RetireStatus other;
  other.mode = static_cast<PrivilegeMode>(0xff);
  other.trap = other.injected = 0xff;
  uint64_t word, mask;
  std::memcpy(&word, &status, sizeof word);
  std::memcpy(&mask, &other, sizeof mask);
  return (word & mask) == 0;
}

/// The widest core the platform models; an array bound for lane buffers.
inline constexpr unsigned kMaxRetireWidth = 8;

}  // namespace strobe
