// An RV64GC hart: functional execution in program order, M and U mode, precise traps.
//
// There are two ways to drive it. `run` is the fast path of functional mode: predecoded blocks, no
// records. `step` executes one instruction and describes it. The timing model calls it at decode,
// so the order of calls is program order, and a device is accessed when its instruction is stepped.
#pragma once

#include <cstdint>
#include <memory>

#include "sc_models/isa/decode/decoded.h"
#include "sc_models/isa/memory/guest_memory.h"
#include "sc_models/port/branch_on_random.h"
#include "sc_models/port/decode_engine.h"
#include "sc_models/port/hpm_event.h"
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

/// Where a hart is in a replacement sequence or in a handler of the decode engine (dise.h).
struct DiseState {
  uint64_t position = 0;   // bit 63: in a sequence, whose entry the low bits hold; else 0
  uint64_t mdisepc = 0;    // position of the interrupted or trapped instruction
  uint64_t return_pc = 0;  // pc at which the program goes on after the handler
  uint64_t return_position = 0;
  PrivilegeMode return_mode = PrivilegeMode::kUser;
  bool in_handler = false;
};

constexpr uint64_t kNoReservation = ~uint64_t{0};

struct HartState {
  uint64_t x[32 + kDiseRegisterCount] = {};  // x0 to x31, then the dise registers
  uint64_t f[32] = {};
  uint64_t pc = 0;
  uint32_t fcsr = 0;  // frm in bits 7:5, fflags in 4:0
  PrivilegeMode mode = PrivilegeMode::kMachine;
  uint64_t mstatus = 0, mie = 0, mip = 0, mtvec = 0, mscratch = 0, mepc = 0, mcause = 0, mtval = 0;
  uint64_t mcounteren = 0, mcountinhibit = 0;
  uint64_t reservation = kNoReservation;  // LR address
  DiseState dise;
  BranchOnRandom random;  // what decides the branches brr in replacement sequences
  uint16_t thread = 0;    // the program's thread that runs in U-mode, for the retire record
};

class Hart;
class StoreBuffer;

enum class EcallResult : uint8_t {
  kResume,  // handled: a0 is written, execution goes on after the ECALL
  kStop,    // the run ends here (exit, or an error the handler keeps): pc stays at the ECALL
  kTrap,    // not handled: deliver the exception
};

/// What a hart needs from the system around it. It is called on rare paths only.
class Environment {
 public:
  virtual ~Environment() = default;
  /// Handles an ECALL from U-mode. The hart's state is current and may be changed.
  virtual EcallResult ecall(Hart& hart) = 0;
  /// The moment of Hart::preempt_at() or preempt_now() has come, and there is no other one. The
  /// state is that before the next instruction and may become that of another thread or of a
  /// signal's handler.
  virtual EcallResult preempt(Hart&) { return EcallResult::kResume; }
  /// An instruction in U-mode has trapped. kResume: the environment has changed the hart's state
  /// to that of a signal's handler, and the exception is not delivered.
  virtual EcallResult exception(Hart&, Cause, uint64_t /*tval*/) { return EcallResult::kTrap; }
  /// Load and store at or above STROBE_DEVICE_BASE, in M-mode only. `size` is in bytes. False
  /// raises an access fault.
  virtual bool mmio_read(uint64_t address, unsigned size, uint64_t& value) = 0;
  virtual bool mmio_write(uint64_t address, unsigned size, uint64_t value) = 0;
  /// The value of mcycle and cycle. In functional mode it is the number of instructions retired.
  virtual uint64_t cycle() = 0;
  /// The value of time and mtime, in ticks.
  virtual uint64_t time() = 0;
  /// How often an event of the hart has happened, other than cycles and instructions, since a
  /// moment that stays the same. A world without timing sees none.
  virtual uint64_t event_count(HpmEvent) { return 0; }
  /// The same of the other hart of the core, but for what event_count() counts for both.
  virtual uint64_t event_count_of_sibling(HpmEvent) { return 0; }
};

enum class StopReason : uint8_t {
  kBudget,         // max_instructions reached
  kEcallStop,      // the environment returned kStop
  kUnhandledTrap,  // a trap with mtvec == 0: cause(), tval() and pc say which; state is precise
  kHalted,         // request_halt() was called (a host device store)
  kWfi,            // wfi with nothing pending and nothing that could become pending by itself
  kStopPoint,      // the stop point was reached; it is removed
};

/// A place where execution stops by itself: before the `occurrence`th execution of the instruction
/// at `pc`, or after the `occurrence`th execution of the marker. An instruction may have a second
/// copy, whose executions count too.
struct StopPoint {
  uint64_t pc = ~uint64_t{0};
  uint64_t copy = ~uint64_t{0};
  uint32_t marker = 0;  // the marker's number, as in port/region_marker.h; 0: stop at a pc
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

  HartState& state() { return *state_; }
  const HartState& state() const { return *state_; }
  GuestMemory& memory();

  /// To be called once, before the first step, when other harts share the memory. From then on this
  /// hart has an mhartid, and what step() stores goes into the returned buffer, whose owner decides
  /// when the other harts see it. Atomics and fences then wait for `drained`.
  StoreBuffer& share_memory(uint64_t hart_id);

  /// Reads of the `size` bytes from `address` on, registers of a device, go to a port in the core:
  /// they need not be alone, and take place in program order.
  void set_core_port(uint64_t address, uint64_t size) { port_ = {address, size}; }
  bool is_core_port(uint64_t address) const { return address - port_.address < port_.size; }

  /// From now on `engine` edits the instructions that are executed in U-mode (docs/blocks/dise.md).
  /// It must outlive the hart's steps.
  void attach(DecodeEngine& engine);
  /// Presents the next instruction to the engine if it concerns the engine and has not been
  /// presented yet. Returns true when it is replaced: the steps that follow then execute its
  /// sequence. step() does this by itself.
  bool look_up_replacement();
  /// Whether the next instruction belongs to a replacement sequence; its pc is then the trigger's.
  bool in_sequence() const { return state_->dise.position != 0; }
  /// Whether what is executed next is in a burst of the engine, if nothing that concerns the engine
  /// comes before it.
  bool in_burst() const;
  /// Accesses to the engine's register block (docs/blocks/dise.md). The hart keeps its dise
  /// registers.
  uint64_t read_engine(uint32_t offset);
  void write_engine(uint32_t offset, uint64_t value);
  /// Makes the engine save its state after the instruction at `pc`, the last one executed.
  /// `checkpoint` tells where the state is saved. Returns false when the engine cannot do it now.
  bool save_engine_state(uint64_t pc, DecodeCheckpoint& checkpoint);

  /// The functional fast path: executes up to `max_instructions`. It takes pending interrupts at
  /// instruction boundaries, which it checks at least once per basic block. Where harts share the
  /// memory, all reservations are lost and stores are visible at once.
  StopReason run(uint64_t max_instructions);

  /// Like run(), but hands one record per instruction to `sink.record(const RetireRecord&)`,
  /// without a virtual call. Sink is any class with that member. Defined in hart_run.h.
  template <class Sink>
  StopReason run_observed(uint64_t max_instructions, Sink& sink);

  /// Like run(), but reports to `observer` what run_blocks.h lists. Defined there.
  template <class Observer>
  StopReason run_watched(uint64_t max_instructions, Observer& observer);

  /// Executes one instruction in program order.
  /// @param drained  false while older instructions are in flight: then an instruction that must be
  ///                 alone (serializing, or an access to a device) is left alone: kNeedDrain.
  StepStatus step(RetireRecord& record, bool drained);
  /// Executes the next instructions as step() would, while they are consecutive in memory and
  /// plain. A plain instruction is no atomic, fence or serializing instruction, does not trap or
  /// access a device, and does nothing that a decode engine, a stop point or another hart would
  /// notice. A branch or jump may be the last of them.
  /// @param records, insns  `most` places, for what they did and what they are; the decoded
  ///                        instructions are good until the next look-up
  /// @return how many; when 0, step() is due
  unsigned step_run(RetireRecord* records, const DecodedInsn** insns, unsigned most);
  StopReason stop_reason() const;
  /// Whether the last step filled its record. A step that stops may have retired an instruction
  /// first, at a halt request or a wfi.
  bool record_valid() const;

  /// The decoded instruction at any address, from the decode cache; nullptr where the current mode
  /// may not execute. It does not change architectural state, so wrong-path fetch uses it. The
  /// pointer is valid until the next call of any non-const member.
  const DecodedInsn* peek(uint64_t pc) {
    const DecodedInsn* insn = window_.find(pc, state_->mode, memory_->code_epoch());
    return insn != nullptr ? insn : look_up(pc);
  }

  /// A number that changes whenever decoded code may have changed, and never returns to an earlier
  /// value.
  uint64_t code_generation() const { return drops_asked_ + memory_->code_epoch(); }

  /// The instruction that the last step executed or, at kNeedDrain, left alone. The reference is
  /// valid until the next look-up or step. It means nothing after a step that stopped without a
  /// record.
  const DecodedInsn& stepped() const { return *stepped_; }

  /// Has Environment::preempt() called before the next U-mode instruction when `user_instructions`
  /// have retired in U-mode, but not within a replacement sequence, nor between a marker and what
  /// it marks: then after it. kNever: not.
  void preempt_at(uint64_t user_instructions);
  /// The same, before the very next instruction, even within a sequence: its state says where.
  void preempt_now();
  static constexpr uint64_t kNever = ~uint64_t{0};
  /// Whether that is due. step() and the functional ways of execution do it by themselves.
  bool preemption_due() const {
    return __builtin_expect(*user_retired_ >= preempt_at_, 0) && may_preempt();
  }
  /// Does it. False: the run ends here, and stop_reason() is kEcallStop.
  bool preempt();

  /// Whether an interrupt is pending and enabled in the current mode: it would be taken now.
  bool interrupt_pending() const {
    return (state_->mip & state_->mie) != 0 && interrupts_enabled();
  }
  /// Takes the highest-priority pending interrupt at the current pc (trap entry).
  void take_interrupt();
  /// Raises the overflow interrupt if a programmable counter has overflowed since the last call.
  /// The functional ways of execution do this by themselves, to the instruction.
  void poll_counters() {
    if (*armed_counters_ != 0) poll_armed_counters();
  }
  /// mhpmcounter `number` and its mhpmevent as another hart sees and sets them, when this hart has
  /// committed `committed` instructions.
  uint64_t counter_of(unsigned number, uint64_t committed) const;
  uint64_t event_of(unsigned number) const;
  void set_event_of(unsigned number, uint64_t event, uint64_t committed);
  void set_interrupt(Interrupt line, bool level) override;
  bool interrupt_level(Interrupt line) const override;

  /// Sets the place at which every way of executing stops with kStopPoint; StopPoint() removes it.
  /// Occurrences count from now on.
  void set_stop_point(const StopPoint& point);
  /// How often the current or last stop point was passed.
  uint64_t stop_point_passes() const;

  /// Ends run() or step() with kHalted after the current instruction. `wanted` = false takes the
  /// request back.
  void request_halt(bool wanted = true);

  Cause cause() const;    // the last exception's cause
  uint64_t tval() const;  // the last exception's mtval

  uint64_t instructions() const;                  // retired since reset, both modes
  uint64_t user_instructions() const;             // retired in U-mode
  void set_user_entry(uint64_t pc, uint64_t sp);  // U-mode at pc, for tests without firmware

  /// Drops all predecoded code, even where the memory has not changed.
  void invalidate_code();

  struct Impl;  // hart_impl.h: for the files of this room

 private:
  /// The decoded page of the last look-up. What the fetch stage and step() look for is nearly
  /// always in it.
  struct Window {
    const DecodedInsn* slots = nullptr;            // one per halfword; length 0: not decoded yet
    uint64_t page = 0;                             // the page's first address
    uint64_t epoch = ~uint64_t{0};                 // the guest memory's code epoch; at first none
    PrivilegeMode mode = PrivilegeMode::kMachine;  // the mode that may execute it

    // `pc` is an even address on the page.
    bool covers(uint64_t pc, PrivilegeMode now, uint64_t code_epoch) const {
      return ((pc ^ page) & ~(GuestMemory::kPageSize - 2)) == 0 && now == mode &&
             code_epoch == epoch;
    }
    const DecodedInsn* slot(uint64_t pc) const { return slots_after(slots, pc ^ page); }
    const DecodedInsn* find(uint64_t pc, PrivilegeMode now, uint64_t code_epoch) const {
      if (!covers(pc, now, code_epoch)) return nullptr;
      const DecodedInsn* insn = slot(pc);
      const bool inside = (pc ^ page) + insn->length <= GuestMemory::kPageSize;
      return insn->length != 0 && inside ? insn : nullptr;
    }
  };
  struct {
    uint64_t address = 0, size = 0;
  } port_;
  const DecodedInsn* look_up(uint64_t pc);
  void poll_armed_counters();
  bool interrupts_enabled() const;
  bool may_preempt() const;

  std::unique_ptr<Impl> impl_;
  HartState* state_;
  const GuestMemory* memory_;
  const uint64_t* user_retired_;    // instructions of U-mode
  uint64_t preempt_at_ = kNever;    // the count of them at which the hart is preempted
  const uint64_t* armed_counters_;  // those that may overflow, a bit each
  Window window_;
  uint64_t drops_asked_ = 0;  // how often decoded code was to be dropped or distrusted
  const DecodedInsn* stepped_ = nullptr;
};

}  // namespace strobe::isa
