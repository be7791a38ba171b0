// A hart's side of the decode engine: what of its program is looked up, where it is in a
// replacement sequence, and what the instructions of a sequence are. docs/blocks/dise.md
//
// The architectural state is {pc, position}: the trigger's pc and the entry to execute next. All
// else here follows from it.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>

#include "sc_models/isa/decoded.h"
#include "sc_models/isa/hart.h"
#include "sc_models/port/decode_engine.h"

namespace strobe::isa {

/// The bits of DiseState::position and of mdisepc that exist: valid, whether the trigger is in a
/// burst, and the entry.
inline constexpr uint64_t kDisePosition = uint64_t{3} << 62 | 0x7ff;

/// What the engine is told about a decoded instruction of the program.
DecodeLane lane_of(const DecodedInsn& insn, uint64_t pc);

/// A handler has changed a register of the program: which one, the handler and the instruction that
/// it was called for.
class HandlerError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Dise {
 public:
  Dise(DecodeEngine& engine, HartState& state) : engine_(engine), state_(state) {}

  /// The engine has to see it, or (an LR) its place in the program must be known.
  static bool must_see(const DecodedInsn& insn, uint64_t pc, const DecodeEngine& engine);

  /// Presents the instruction at the state's pc, which is marked kEdited, unless that has been done
  /// or nothing is looked up in this mode. True when it is replaced.
  /// @param instructions  executed before it
  bool look_up(const DecodedInsn& insn, uint64_t instructions);
  /// What is executed next where the program has `insn`, which is marked kEdited or in a sequence:
  /// changes it to the instruction of the sequence. True when that is not the program's own.
  bool next(const DecodedInsn*& insn, uint64_t instructions);
  /// What next() found is no instruction the interpreter knows: it is executed here.
  bool is_special() const {
    return in_sequence_ &&
           (made_.kind == ReplacementKind::kValueLoad || made_.kind == ReplacementKind::kCall);
  }
  /// What next() found, of U-mode, is in a burst: of a sequence, what its trigger is.
  bool is_in_burst() const { return in_burst_; }
  /// The same of an instruction that the engine need not see.
  bool burst() const { return engine_.burst(); }
  /// Of a value load; a dcall writes x0.
  uint64_t value() const { return made_.value; }
  /// The instruction of next() has been executed and would go to `next_pc`: moves on in the
  /// sequence. Returns the pc.
  uint64_t behind(RetireRecord& record, uint64_t next_pc);

  bool may_return() const {
    return state_.dise.in_handler && state_.mode == PrivilegeMode::kMachine;
  }
  /// dret. Returns the pc. Throws HandlerError.
  uint64_t leave_handler();

  uint64_t read(uint32_t offset) { return engine_.read(offset); }
  /// True when other instructions may concern the engine now.
  bool write(uint32_t offset, uint64_t value);
  /// As Hart::save_engine_state; `insn` is what the program has at `pc`.
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
  uint64_t handler_ = 0;               // its address
  bool in_sequence_ = false;           // the instruction of next() is one of a sequence
  uint64_t looked_up_ = ~uint64_t{0};  // presented but not executed: it is not again
  bool looked_up_in_burst_ = false;
  bool in_burst_ = false;                // as in_sequence_
  uint64_t reserved_at_ = ~uint64_t{0};  // instructions executed before the last LR
  uint8_t slot_ = 0;                     // of the last bundle,
  bool stale_ = true;                    // which does not hold what software has written since
  uint64_t generation_ = 0;
  std::array<Decoded, kDecoded> decoded_;
};

}  // namespace strobe::isa
