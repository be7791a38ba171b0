// A hart on bare memory for tests, and an encoder that uses the instruction table.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <utility>
#include <vector>

#include "sc_models/isa/decode/csr.h"
#include "sc_models/isa/decode/op.h"
#include "sc_models/isa/hart/hart.h"

namespace strobe::isa {

inline constexpr uint64_t kCode = 0x10000, kHandler = 0x18000, kData = 0x20000;
inline constexpr uint64_t kUnmapped = 0x30000;

struct Fields {
  unsigned rd = 0, rs1 = 0, rs2 = 0, rs3 = 0;
  int32_t imm = 0;
  unsigned rm = 0;
};

inline uint32_t encode(Op op, Fields f = {}) {
  const OpInfo& row = info(op);
  uint32_t insn = row.match;
  const uint32_t imm = static_cast<uint32_t>(f.imm);
  if (row.operands[0] != '-') insn |= f.rd << 7;
  insn |= f.rs1 << 15;
  if (row.operands[2] != '-') insn |= f.rs2 << 20;
  if (row.operands[3] != '-') insn |= f.rs3 << 27;
  if (row.has_rounding_mode()) insn |= f.rm << 12;
  switch (row.immediate) {
    case Immediate::kI:
    case Immediate::kCsr:
      return insn | imm << 20;
    case Immediate::kShift:
      return insn | (imm & 63) << 20;
    case Immediate::kS:
      return insn | (imm >> 5 & 0x7f) << 25 | (imm & 31) << 7;
    case Immediate::kB:
      return insn | (imm >> 12 & 1) << 31 | (imm >> 5 & 63) << 25 | (imm >> 1 & 15) << 8 |
             (imm >> 11 & 1) << 7;
    case Immediate::kU:
      return insn | (imm & 0xfffff000);
    case Immediate::kJ:
      return insn | (imm >> 20 & 1) << 31 | (imm >> 1 & 0x3ff) << 21 | (imm >> 11 & 1) << 20 |
             (imm >> 12 & 0xff) << 12;
    case Immediate::kNone:
      break;
  }
  return insn;
}

inline uint32_t csr_insn(Op op, unsigned rd, uint32_t number, unsigned source) {
  return encode(op, Fields{rd, source, 0, 0, static_cast<int32_t>(number), 0});
}

class TestEnvironment : public Environment {
 public:
  EcallResult ecall(Hart& hart) override {
    ++ecalls;
    if (ecall_result == EcallResult::kResume) hart.state().x[10] = 77;
    return ecall_result;
  }
  bool mmio_read(uint64_t address, unsigned size, uint64_t& value) override {
    accesses.push_back({address, size});
    value = device_value;
    return device_answers;
  }
  bool mmio_write(uint64_t address, unsigned size, uint64_t value) override {
    accesses.push_back({address, size});
    device_value = value;
    if (halt_on_write != nullptr) halt_on_write->request_halt();
    return device_answers;
  }
  uint64_t cycle() override { return cycles; }
  uint64_t time() override { return 4242; }

  EcallResult ecall_result = EcallResult::kStop;
  unsigned ecalls = 0;
  std::vector<std::pair<uint64_t, unsigned>> accesses;
  uint64_t device_value = 0;
  bool device_answers = true;
  Hart* halt_on_write = nullptr;
  uint64_t cycles = 1000;
};

/// Code at kCode (both modes), a handler page (M only), two data pages (both, read and write).
class Machine {
 public:
  Machine() : hart(memory, environment) {
    memory.protect(kCode, 0x2000, 5, 7);
    memory.protect(kHandler, 0x1000, 0, 5);
    memory.protect(kData, 0x2000, 3, 3);
    hart.state().pc = kCode;
    hart.state().mstatus = kMstatusFs;
  }

  void place(uint64_t address, std::initializer_list<uint32_t> insns) {
    for (uint32_t insn : insns) {
      const unsigned length = (insn & 3) == 3 ? 4 : 2;
      memory.write(address, &insn, length);
      address += length;
    }
  }
  void code(std::initializer_list<uint32_t> insns) { place(kCode, insns); }
  void user() {
    hart.state().mode = PrivilegeMode::kUser;
    hart.state().mtvec = kHandler;
  }
  StepStatus step() { return hart.step(record, true); }
  template <class T>
  T read(uint64_t address) const {
    T value{};
    memory.read(address, &value, sizeof value);
    return value;
  }
  uint64_t& x(unsigned r) { return hart.state().x[r]; }
  uint64_t& f(unsigned r) { return hart.state().f[r]; }

  GuestMemory memory;
  TestEnvironment environment;
  Hart hart;
  RetireRecord record;
};

}  // namespace strobe::isa
