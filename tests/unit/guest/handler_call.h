// Calls a handler of the built firmware.elf on Strobe's hart as a dcall would.
//
// The hart has neither the dise registers nor dret: both are illegal instructions to it, and
// without a trap vector it stops there with precise state. HandlerTest::call() then emulates the
// instruction.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/isa/memory/guest_memory.h"
#include "sc_models/port/address_map.h"
#include "sw/guest/include/strobe/handlers_abi.h"
#include "tests/tree.h"

namespace strobe::guest {

class NoWorld : public isa::Environment {
 public:
  isa::EcallResult ecall(isa::Hart&) override { return isa::EcallResult::kStop; }
  bool mmio_read(uint64_t, unsigned, uint64_t&) override { return false; }
  bool mmio_write(uint64_t, unsigned, uint64_t) override { return false; }
  uint64_t cycle() override { return 0; }
  uint64_t time() override { return 0; }
};

class HandlerTest : public ::testing::Test {
 protected:
  HandlerTest()
      : elf_(isa::ElfFile::open(in_build("guest/firmware.elf"), STROBE_DEVICE_BASE)),
        hart_(memory_, world_) {
    elf_.load(memory_, /*firmware=*/true);
    memory_.protect(kScratch, isa::GuestMemory::kPageSize, 0,
                    isa::GuestMemory::kRead | isa::GuestMemory::kExecute);
    set_dise_register(7, address_of(STROBE_HANDLER_STACK_SYMBOL));
  }

  uint64_t address_of(const std::string& symbol) const { return elf_.symbol(symbol)->address; }
  template <class T>
  T read(uint64_t address) const {
    T value{};
    EXPECT_TRUE(memory_.read(address, &value, sizeof value));
    return value;
  }

  /// @return instructions executed, dret included
  uint64_t call(const char* handler, uint64_t d0 = 0, uint64_t d1 = 0) {
    constexpr uint64_t kLimit = 10000;
    set_dise_register(0, d0);
    set_dise_register(1, d1);
    isa::HartState& state = hart_.state();
    state.pc = address_of(handler);
    state.mode = PrivilegeMode::kMachine;
    const uint64_t before = hart_.instructions();
    for (uint64_t emulated = 1; emulated < kLimit; ++emulated) {
      EXPECT_EQ(hart_.run(kLimit), isa::StopReason::kUnhandledTrap);
      EXPECT_EQ(hart_.cause(), isa::Cause::kIllegalInstruction);
      const auto insn = read<uint32_t>(state.pc);
      if (insn == kDret) return hart_.instructions() - before + emulated;
      if (!access_dise_register(insn)) break;
      state.pc += 4;
    }
    ADD_FAILURE() << handler << " is at " << std::hex << state.pc << " without dret";
    return 0;
  }

  void set_dise_register(uint32_t number, uint64_t value) {
    execute(kCsrrw | (0x7c0 + number) << 20 | 10 << 15, value);  // csrw number, a0
  }
  uint64_t dise_register(uint32_t number) {
    return execute(kCsrrs | (0x7c0 + number) << 20 | 10 << 7, 0);  // csrr a0, number
  }

  isa::GuestMemory memory_;
  NoWorld world_;
  isa::ElfFile elf_;
  isa::Hart hart_;

 private:
  static constexpr uint32_t kDret = 0x8c000073, kCsrrw = 0x1073, kCsrrs = 0x2073;
  static constexpr uint64_t kScratch = 0x60000000;

  /// One instruction in M-mode with `a0`. Returns a0; the program's state stays.
  uint64_t execute(uint32_t insn, uint64_t a0) {
    isa::HartState& state = hart_.state();
    const isa::HartState before = state;
    memory_.write(kScratch, &insn, sizeof insn);
    state.x[10] = a0;
    state.pc = kScratch;
    state.mode = PrivilegeMode::kMachine;
    if (hart_.run(1) == isa::StopReason::kUnhandledTrap) {
      EXPECT_TRUE(access_dise_register(insn));
    }
    const uint64_t result = state.x[10];
    state.x[10] = before.x[10];
    state.pc = before.pc;
    state.mode = before.mode;
    return result;
  }

  /// csrrw, and csrrs with x0 (csrr).
  bool access_dise_register(uint32_t insn) {
    const uint32_t csr = insn >> 20, rs1 = insn >> 15 & 31, funct3 = insn >> 12 & 7;
    const bool write = funct3 == 1;
    if ((insn & 0x7f) != 0x73 || csr < 0x7c0 || csr > 0x7c7 ||
        !(write || (funct3 == 2 && rs1 == 0)))
      return false;
    uint64_t* x = hart_.state().x;
    const uint64_t old = dise_[csr - 0x7c0];
    if (write) dise_[csr - 0x7c0] = x[rs1];
    if ((insn >> 7 & 31) != 0) x[insn >> 7 & 31] = old;
    return true;
  }

  uint64_t dise_[8] = {};
};

}  // namespace strobe::guest
