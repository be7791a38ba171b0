// Functional warming: the long-lived state of core and caches as a stretch of the program leaves
// it, while the program executes functionally. R. Wunderlich, T. Wenisch, B. Falsafi and J. Hoe,
// "SMARTS: Accelerating Microarchitecture Simulation via Rigorous Statistical Sampling", ISCA 2003,
// section 3.
//
// What is warmed and what is not is in docs/sampling.md. The hooks are those of run_blocks.h
// and run once a block, an access or a branch, so they end early: an instruction line that is in
// hand, a data line that is the newest of its set.
#pragma once

#include <cstdint>

#include "sc_models/core/front_end/predictor.h"
#include "sc_models/isa/hart/blocks.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/memory/cache.h"
#include "sc_models/port/retire.h"

namespace strobe::core {

class Warmer {
 public:
  /// Keeps references.
  /// @param line  bytes of a cache line, the same in both caches
  Warmer(isa::Hart& hart, Predictor& predictor, memory::Cache& l1i, memory::Cache& l1d,
         unsigned line);

  /// Executes up to `instructions` of the hart, in both modes, and warms. As isa::Hart::run.
  isa::StopReason run(uint64_t instructions);

  // What isa::Hart::run_watched shows.
  void block(uint64_t pc, uint32_t bytes) {
    const uint64_t first = pc >> line_bits_, last = (pc + bytes - 1) >> line_bits_;
    for (uint64_t number = first; number <= last; ++number) fetch(number);
  }
  void load(uint64_t address) { l1d_.warm(address, false); }
  void store(uint64_t address) { l1d_.warm(address, true); }
  template <isa::Op kOp>
  void executed(const isa::BlockInsn&) {}
  void branch(const isa::BlockInsn& insn, bool taken) {
    const uint64_t pc = insn.pc;
    enter_mode();
    predictor_.warm(OpClass::kBranch, pc, pc + insn.length, taken,
                    pc + static_cast<uint64_t>(static_cast<int64_t>(insn.imm)), insn.imm);
  }
  void jump(const isa::BlockInsn& insn, bool direct, uint64_t target) {
    enter_mode();
    predictor_.warm(isa::jump_class(insn, direct), insn.pc, uint64_t{insn.pc} + insn.length, true,
                    target);
  }
  /// Any retired instruction: of step(), or of Hart::run_observed.
  void record(const RetireRecord& record);

 private:
  // The pipeline has the last two lines in hand and asks the cache for others only.
  void fetch(uint64_t number) {
    if (number == in_hand_[0] || number == in_hand_[1]) return;
    in_hand_[1] = in_hand_[0];
    in_hand_[0] = number;
    l1i_.warm(number << line_bits_, false);
  }

  void enter_mode() { predictor_.enter(state_.mode == PrivilegeMode::kMachine); }

  isa::Hart& hart_;
  const isa::HartState& state_;
  Predictor& predictor_;
  memory::Cache &l1i_, &l1d_;
  unsigned line_bits_ = 0;
  uint64_t in_hand_[2] = {~uint64_t{0}, ~uint64_t{0}};
};

}  // namespace strobe::core
