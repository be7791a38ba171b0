// A hart's side of the decode engine: which instructions of the program are looked up, where the
// hart is in a replacement sequence, and what the instructions of a sequence are.
// docs/blocks/dise.md
//
// The architectural state is {pc, position}: the trigger's pc and the entry to execute next. All
// other state here follows from it.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>

#include "sc_models/isa/decode/decoded.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/port/branch_on_random.h"
#include "sc_models/port/decode_engine.h"

namespace strobe::isa {

/// The implemented bits of DiseState::position and of mdisepc: valid, whether the trigger is in a
/// burst, and the entry.
inline constexpr uint64_t kDisePosition = uint64_t{3} << 62 | 0x7ff;

/// What the engine is told about the decoded instruction of the program at `pc`.
DecodeLane lane_of(const DecodedInsn& insn, uint64_t pc);

/// A handler has changed a register of the program. The message names the register, the handler and
/// the instruction for which it was called.
class HandlerError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Dise {
 public:
  Dise(DecodeEngine& engine, HartState& state) : engine_(engine), state_(state) {}

  /// Whether `insn` must be presented to the engine, or is an LR, whose place in the program must
  /// be known.
  static bool must_see(const DecodedInsn& insn, uint64_t pc, const DecodeEngine& engine);

  /// Presents the instruction at the state's pc, which is marked kEdited, to the engine, unless
  /// that has been done or nothing is looked up in this mode. Returns true when the instruction is
  /// replaced.
  /// @param instructions  number of instructions executed before it
  bool look_up(const DecodedInsn& insn, uint64_t instructions);
  /// Finds what is executed next where the program has `insn`, which is marked kEdited or is the
  /// trigger of the current sequence. Changes `insn` to the instruction of the sequence. Returns
  /// true when that is not the program's own instruction.
  bool next(const DecodedInsn*& insn, uint64_t instructions);
  /// Whether next() found a value load or a dcall, which the interpreter does not know: its value()
  /// is the result.
  bool is_special() const {
    return in_sequence_ &&
           (made_.kind == ReplacementKind::kValueLoad || made_.kind == ReplacementKind::kCall);
  }
  /// Whether the U-mode instruction that next() found is in a burst. An instruction of a sequence
  /// is in a burst when its trigger is.
  bool is_in_burst() const { return in_burst_; }
  /// The same for an instruction that is not presented to the engine.
  bool burst() const { return engine_.burst(); }
  /// Whether next() found a branch-on-random, which the interpreter does not know either.
  bool is_random_branch() const {
    return in_sequence_ && made_.kind == ReplacementKind::kDiseBranch &&
           is_branch_on_random(made_.insn);
  }
  /// Executes it: whether it is taken.
  bool draw() { return state_.random.draw(random_frequency(made_.insn)); }
  /// The result of a value load; a dcall writes x0.
  uint64_t value() const { return made_.value; }
  /// To be called after the instruction of next() has been executed; without a sequence, `next_pc`
  /// would follow. Moves on in the sequence. Returns the pc of the next instruction.
  uint64_t advance(RetireRecord& record, uint64_t next_pc);

  bool may_return() const {
    return state_.dise.in_handler && state_.mode == PrivilegeMode::kMachine;
  }
  /// Executes dret. Returns the pc at which the program goes on. Throws HandlerError if the handler
  /// changed a register.
  uint64_t leave_handler();

  uint64_t read(uint32_t offset) { return engine_.read(offset); }
  /// Writes a register of the engine. Returns true when the set of instructions that concern the
  /// engine may have changed.
  bool write(uint32_t offset, uint64_t value);
  /// Like Hart::save_engine_state; `insn` is the program's instruction at `pc`.
  bool save(const DecodedInsn& insn, uint64_t pc, DecodeCheckpoint& checkpoint);

 private:
  /// A decoded instruction of a sequence, and what it was decoded from.
  struct Decoded {
    uint64_t key = ~uint64_t{0};
    DecodedInsn insn;
  };

  /// The registers a handler must leave as they were.
  struct Registers {
    std::array<uint64_t, 32> x, f;
    uint32_t fcsr = 0;
  };
  Registers registers() const;
  void check_registers() const;

  bool may_expand(const DecodedInsn& insn, uint64_t instructions);
  const DecodedInsn& decoded();
  uint64_t enter_handler();

  static constexpr unsigned kDecoded = 256;
  /// The RISC-V unprivileged specification bounds a constrained LR/SC loop to 16 instructions.
  static constexpr uint64_t kReservedInstructions = 16;

  DecodeEngine& engine_;
  HartState& state_;
  DecodeLane trigger_;
  InstantiatedInstruction made_;
  Registers before_handler_;
  uint64_t handler_ = 0;               // the handler's address
  bool in_sequence_ = false;           // the instruction of next() belongs to a sequence
  uint64_t looked_up_ = ~uint64_t{0};  // pc that was presented but not executed yet
  bool looked_up_in_burst_ = false;
  bool in_burst_ = false;                // whether the instruction of next() is in a burst
  uint64_t reserved_at_ = ~uint64_t{0};  // instructions executed before the last LR
  uint8_t slot_ = 0;                     // the last bundle's checkpoint slot
  bool stale_ = true;                    // that slot misses what software has written afterwards
  uint64_t generation_ = 0;
  std::array<Decoded, kDecoded> decoded_;
};

}  // namespace strobe::isa
