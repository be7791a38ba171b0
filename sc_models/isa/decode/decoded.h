// One decoded instruction, as both the functional interpreter and the timing model use it.
#pragma once

#include <cstdint>

#include "sc_models/port/retire.h"

namespace strobe::isa {

/// Register numbers of the timing model: 0-31 integer, 32-63 floating-point, kNoRegister for none.
/// Integer register 0 is reported as kNoRegister, as source and as destination.
inline constexpr uint8_t kNoRegister = 0xff;
/// The count includes the dise registers, which have the numbers 64 to 71.
inline constexpr unsigned kRegisterCount = 72;
/// The registers of the decode engine's sequences (docs/blocks/dise.md). The interpreter gives them
/// the numbers 32 to 39.
inline constexpr unsigned kDiseRegisterCount = 8;

enum DecodedFlag : uint8_t {
  kReadsMemory = 1,
  kWritesMemory = 2,
  kControl = 4,      // may change the pc: branch, jump, call, return
  kSerializing = 8,  // SYSTEM, CSR access, fence.i: executes in an empty pipeline
  kOrdering = 16,    // atomic, fence: where harts share memory, they see older stores first
  kEdited = 32       // must be presented to the decode engine
};

/// The registers that an instruction writes and reads, for the timing model; copied as one word.
struct alignas(4) TimingRegisters {
  uint8_t dst = kNoRegister;
  uint8_t src[3] = {kNoRegister, kNoRegister, kNoRegister};
};

/// Numbers of Hart::step_run's cases. The other cases have the numbers of isa::Op, in which the
/// illegal instruction's 0 stands for "not plain".
inline constexpr uint8_t kNotPlain = 0, kPlainNop = 255;

/// A decoded instruction. rd_addr and frd_valid hold for an execution that does not trap.
struct DecodedInsn : RetiredInsn, TimingRegisters {
  int32_t imm = 0;  // sign-extended immediate of its format; lui/auipc: the full upper immediate
  uint8_t op = 0;   // isa::Op (op.h); 0 = illegal
  uint8_t plain = kNotPlain;                  // Hart::step_run's case, in the decode cache only
  uint8_t rd = 0, rs1 = 0, rs2 = 0, rs3 = 0;  // encoded 5-bit fields, for the interpreter
  uint8_t flags = 0;                          // DecodedFlag
  uint8_t mem_size = 0;                       // bytes of a memory access: 1, 2, 4, 8
};
static_assert(sizeof(DecodedInsn) == 24, "an array of them a guest page");

/// In an array with one slot per halfword, the slot that lies `bytes` (an even number) after
/// `slot`.
inline const DecodedInsn* slots_after(const DecodedInsn* slot, uint64_t bytes) {
  // Counting in bytes of slots needs no division.
  return reinterpret_cast<const DecodedInsn*>(reinterpret_cast<const char*>(slot) +
                                              sizeof(DecodedInsn) / 2 * bytes);
}

/// The hint ntl.all (Zihintntl), of the instruction that follows it: add x0, x0, x5.
/// DecodedInsn::insn has it of the compressed form, too.
inline constexpr uint32_t kNtlAll = 0x00500033;

/// Decodes the instruction at the head of `bits` (low 16 bits for a compressed one, decoded as
/// RV64GC). An encoding outside RV64GC_Zicsr_Zifencei decodes to op 0.
DecodedInsn decode(uint32_t bits);

/// The value of DecodedInsn::plain, from the instruction alone.
uint8_t plain_case(const DecodedInsn& insn);

/// Expands a 16-bit encoding to the 32-bit instruction it stands for; 0 if it is illegal.
uint32_t expand_compressed(uint16_t bits);

}  // namespace strobe::isa
