// What the pipeline has to know of an instruction to place it, apart from what it did.
#pragma once

#include <cstdint>

#include "sc_models/core/params.h"
#include "sc_models/isa/decode/decoded.h"

namespace strobe::core {

enum Unit : uint8_t { kAluUnit, kMulUnit, kDivUnit, kFpUnit, kFpDivUnit, kMemUnit, kUnitCount };

/// How an instruction goes through the data cache.
enum class Memory : uint8_t { kNone, kStore, kLoad, kNonTemporalLoad, kAmo };

struct Operation {
  static constexpr uint8_t kNowhere = 254;  // instead of isa::kNoRegister as a destination

  uint8_t src[3] = {isa::kNoRegister, isa::kNoRegister, isa::kNoRegister};
  uint8_t dst = kNowhere;
  Unit unit = kAluUnit;
  Memory memory = Memory::kNone;
  uint8_t mem_size = 0;
  OpClass opclass = OpClass::kAlu;
};

/// The encoding of the hint ntl.all where it is honored; else 0, which no instruction has.
inline uint32_t hint_of(memory::NonTemporal ntl) {
  return ntl == memory::NonTemporal::kHonor ? isa::kNtlAll : 0;
}

/// @param non_temporal  the hint ntl.all precedes it and is honored
inline Operation operation_of(const isa::DecodedInsn& insn, bool non_temporal = false) {
  static constexpr Unit kUnitOf[kOpClassCount] = {
      kAluUnit, kMulUnit, kDivUnit, kMemUnit, kMemUnit, kMemUnit,   kAluUnit, kAluUnit,
      kAluUnit, kAluUnit, kAluUnit, kAluUnit, kFpUnit,  kFpDivUnit, kAluUnit, kAluUnit};
  Operation op;
  for (unsigned i = 0; i < 3; ++i) op.src[i] = insn.src[i];
  if (insn.dst != isa::kNoRegister) op.dst = insn.dst;
  op.unit = kUnitOf[static_cast<unsigned>(insn.opclass)];
  const Memory load = non_temporal ? Memory::kNonTemporalLoad : Memory::kLoad;
  op.memory = insn.opclass == OpClass::kLoad    ? load
              : insn.opclass == OpClass::kStore ? Memory::kStore
              : insn.opclass == OpClass::kAmo   ? Memory::kAmo
                                                : Memory::kNone;
  op.mem_size = insn.mem_size;
  op.opclass = insn.opclass;
  return op;
}

}  // namespace strobe::core
