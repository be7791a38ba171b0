// An RV64GC hart: functional execution in program order, M and U mode, precise traps.
//
// Two ways to drive it. `run` is the fast path of functional mode: predecoded blocks, no records.
// `step` executes one instruction and describes it: the timing model calls it at decode, so the
// order of calls is program order and MMIO happens when the instruction is stepped.
#pragma once

#include <cstdint>
#include <memory>

#include "sc_models/isa/decoded.h"
#include "sc_models/isa/guest_memory.h"
#include "sc_models/port/decode_engine.h"
#include "sc_models/port/interrupt.h"
#include "sc_models/port/retire.h"

namespace strobe::isa {

/// Exception causes (mcause with the interrupt bit clear).
enum class Cause : uint64_t {
  kFetchMisaligned = 0,
  kFetchFault = 1,
  kIllegalInstruction = 2,
  kBreakpoint = 3,
  kLoadMisaligned = 4,
  kLoadFault = 5,
  kStoreMisaligned = 6,
  kStoreFault = 7,
  kEcallFromUser = 8,
  kEcallFromMachine = 11,
};
const char* cause_name(Cause cause);

/// Where a hart is in a replacement sequence or a handler of the decode engine; dise.h.
struct DiseState {
  uint64_t position = 0;   // bit 63: in a sequence, at the entry in the low bits; else 0
  uint64_t mdisepc = 0;    // of the interrupted or trapped instruction
  uint64_t return_pc = 0;  // of the dcall
  uint64_t return_position = 0;
  PrivilegeMode return_mode = PrivilegeMode::kUser;
  bool in_handler = false;
};

struct HartState {
  uint64_t x[32 + kDiseRegisterCount] = {};  // x0 to x31, then the dise registers
  uint64_t f[32] = {};
  uint64_t pc = 0;
  uint32_t fcsr = 0;  // frm in bits 7:5, fflags in 4:0
  PrivilegeMode mode = PrivilegeMode::kMachine;
  uint64_t mstatus = 0, mie = 0, mip = 0, mtvec = 0, mscratch = 0, mepc = 0, mcause = 0, mtval = 0;
  uint64_t mcounteren = 0, mcountinhibit = 0;
  uint64_t reservation = ~uint64_t{0};  // LR address, all ones when none
  DiseState dise;
};

class Hart;
class StoreBuffer;

enum class EcallResult : uint8_t {
  kResume,  // handled: a0 is written, execution goes on behind the ECALL
  kStop,    // the run ends here (exit, or an error the handler keeps): pc stays at the ECALL
  kTrap,    // not handled: deliver the exception
};

/// What a hart asks of the world around it. Called on rare paths only.
class Environment {
 public:
  virtual ~Environment() = default;
  /// ECALL from U-mode. The hart's state is current and may be changed.
  virtual EcallResult ecall(Hart& hart) = 0;
  /// Loads and stores at or above STROBE_DEVICE_BASE, M-mode only. False: access fault.
  virtual bool mmio_read(uint64_t address, unsigned size, uint64_t& value) = 0;
  virtual bool mmio_write(uint64_t address, unsigned size, uint64_t value) = 0;
  /// Value of mcycle/cycle. Functional mode: instructions retired.
  virtual uint64_t cycle() = 0;
  /// Value of time/mtime ticks.
  virtual uint64_t time() = 0;
};

enum class StopReason : uint8_t {
  kBudget,         // max_instructions reached
  kEcallStop,      // Environment::ecall returned kStop
  kUnhandledTrap,  // a trap with mtvec == 0: cause(), tval() and pc say which; state is precise
  kHalted,         // request_halt() was called (a host device store)
  kWfi,            // wfi with nothing pending and nothing that could become pending by itself
  kStopPoint,      // the stop point was reached, and is gone
};

/// A place where execution stops by itself: before the `occurrence`th execution of the instruction
/// at `pc`, or behind that of the marker. An instruction may have a second copy, whose executions
/// count too.
struct StopPoint {
  uint64_t pc = ~uint64_t{0};
  uint64_t copy = ~uint64_t{0};
  uint32_t marker = 0;  // as in port/region_marker.h; 0: a pc
  uint64_t occurrence = 1;
  bool is_at(uint64_t address) const { return address == pc || address == copy; }
};

enum class StepStatus : uint8_t {
  kRetired,    // one instruction retired; the record describes it
  kTrapped,    // it trapped: record.trap = 1, pc is now the handler's
  kNeedDrain,  // not executed: serializing or device access, and `drained` was false
  kStopped,    // see stop_reason(); the record is not valid unless record_valid()
};

class Hart : public InterruptTarget {
 public:
  Hart(GuestMemory& memory, Environment& environment);
  ~Hart() override;

  HartState& state();
  const HartState& state() const;
  GuestMemory& memory();

  /// Other harts share the memory: from now on this one has an mhartid, and what step() stores goes
  /// into the buffer, whose owner decides when the others see it. Atomics and fences then wait for
  /// `drained`. Once, before the first step.
  StoreBuffer& share_memory(uint64_t hart_id);

  /// From now on `engine` edits what is executed in U-mode: docs/blocks/dise.md. It must outlive
  /// the hart's steps.
  void attach(DecodeEngine& engine);
  /// Presents the next instruction to the engine if that has not been done and it is the engine's
  /// concern. True when it is replaced now: the steps that follow execute its sequence. step()
  /// does this by itself.
  bool look_up_replacement();
  /// The next instruction is one of a replacement sequence; its pc is the trigger's.
  bool in_sequence() const { return state_->dise.position != 0; }
  /// The engine's register block (docs/blocks/dise.md), of which the hart keeps the dise registers.
  uint64_t read_engine(uint32_t offset);
  void write_engine(uint32_t offset, uint64_t value);
  /// Has the engine's state behind the instruction at `pc`, the last one executed, saved, and says
  /// where in `checkpoint`. False when the engine cannot do it now.
  bool save_engine_state(uint64_t pc, DecodeCheckpoint& checkpoint);

  /// Functional fast path: executes up to `max_instructions`, taking pending interrupts at
  /// instruction boundaries (checked at least every basic block). Where harts share the memory, all
  /// reservations are lost and stores are seen at once.
  StopReason run(uint64_t max_instructions);

  /// The same, one record an instruction handed to `sink.record(const RetireRecord&)`, without a
  /// virtual call. Sink is any class with that member. Defined in hart_run.h.
  template <class Sink>
  StopReason run_observed(uint64_t max_instructions, Sink& sink);

  /// As run(), shown to `observer` as run_blocks.h says; defined there.
  template <class Observer>
  StopReason run_watched(uint64_t max_instructions, Observer& observer);

  /// Executes one instruction in program order.
  /// @param drained  false while older instructions are in flight: then an instruction that must be
  ///                 alone (serializing, or an access to a device) is left alone: kNeedDrain.
  StepStatus step(RetireRecord& record, bool drained);
  /// Executes the next instructions as step() would, while they lie one behind the other and are
  /// plain: no trap, device, atomic, fence or serializing instruction, and nothing that a decode
  /// engine, a stop point or another hart would notice. A branch or jump may be the last of them.
  /// @param records, insns  `most` places, for what they did and what they are; the decoded
  ///                        instructions are good until the next look-up
  /// @return how many; when 0, step() is due
  unsigned step_run(RetireRecord* records, const DecodedInsn** insns, unsigned most);
  StopReason stop_reason() const;
  /// Whether the last step filled its record (it may have stopped behind a retired instruction:
  /// a halt request or a wfi).
  bool record_valid() const;

  /// The decoded instruction at any address, from the decode cache; nullptr where the current mode
  /// may not execute. Has no side effect on architectural state: wrong-path fetch uses it.
  /// The pointer is good until the next call of any non-const member.
  const DecodedInsn* peek(uint64_t pc) {
    const DecodedInsn* insn = window_.find(pc, state_->mode, memory_->code_epoch());
    return insn != nullptr ? insn : look_up(pc);
  }

  /// Another number whenever decoded code may have changed, never one of before.
  uint64_t code_generation() const { return drops_asked_ + memory_->code_epoch(); }

  /// What the last step executed or, at kNeedDrain, did not: good until the next look-up or step.
  /// Not for a step that stopped without a record.
  const DecodedInsn& stepped() const { return *stepped_; }

  /// Enabled and pending, in the current mode: an interrupt would be taken now.
  bool interrupt_pending() const {
    return (state_->mip & state_->mie) != 0 && interrupts_enabled();
  }
  /// Takes the highest-priority pending interrupt at the current pc (trap entry).
  void take_interrupt();
  void set_interrupt(Interrupt line, bool level) override;
  bool interrupt_level(Interrupt line) const override;

  /// Every way of executing stops there with kStopPoint; a StopPoint() is none. Occurrences count
  /// from now on.
  void set_stop_point(const StopPoint& point);
  /// How often the present or last stop point was passed.
  uint64_t stop_point_passes() const;

  /// Ends run/step after the current instruction: kHalted. False takes the request back.
  void request_halt(bool wanted = true);

  Cause cause() const;    // of the last exception
  uint64_t tval() const;  // its mtval

  uint64_t instructions() const;                  // retired since reset, both modes
  uint64_t user_instructions() const;             // retired in U-mode
  void set_user_entry(uint64_t pc, uint64_t sp);  // U-mode at pc, for tests without firmware

  /// Drops predecoded code, also where the memory is as it was.
  void invalidate_code();

  struct Impl;  // hart_impl.h: for the files of this room

 private:
  /// The decoded page of the last look-up: what fetch and step want is nearly always in it.
  struct Window {
    const DecodedInsn* slots = nullptr;            // one a halfword; length 0: not decoded yet
    uint64_t page = 0;                             // its first address
    uint64_t epoch = ~uint64_t{0};                 // of the guest memory's code; at first of none
    PrivilegeMode mode = PrivilegeMode::kMachine;  // that may execute the page

    // `pc` is an even address on the page.
    bool covers(uint64_t pc, PrivilegeMode now, uint64_t code_epoch) const {
      return ((pc ^ page) & ~(GuestMemory::kPageSize - 2)) == 0 && now == mode &&
             code_epoch == epoch;
    }
    const DecodedInsn* slot(uint64_t pc) const { return slots_behind(slots, pc ^ page); }
    const DecodedInsn* find(uint64_t pc, PrivilegeMode now, uint64_t code_epoch) const {
      if (!covers(pc, now, code_epoch)) return nullptr;
      const DecodedInsn* insn = slot(pc);
      const bool inside = (pc ^ page) + insn->length <= GuestMemory::kPageSize;
      return insn->length != 0 && inside ? insn : nullptr;
    }
  };
  const DecodedInsn* look_up(uint64_t pc);
  bool interrupts_enabled() const;

  std::unique_ptr<Impl> impl_;
  const HartState* state_;
  const GuestMemory* memory_;
  Window window_;
  uint64_t drops_asked_ = 0;  // and how often the code was distrusted
  const DecodedInsn* stepped_ = nullptr;
};

}  // namespace strobe::isa
