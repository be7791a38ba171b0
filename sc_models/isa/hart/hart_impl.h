// The inside of a hart, shared by its files: state, traps (hart.cpp), CSRs (csr.cpp), the stepping
// interpreter (step.cpp, step_run.cpp) and the block interpreter (run_blocks.h, run.cpp, blocks.h).
#pragma once

#include <cstring>

#include "sc_models/isa/decode/csr.h"
#include "sc_models/isa/hart/blocks.h"
#include "sc_models/isa/hart/decode_cache.h"
#include "sc_models/isa/hart/dise.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/isa/hart/hpm_counters.h"
#include "sc_models/isa/memory/store_buffer.h"

namespace strobe::isa {

/// Conditions under which step_run() leaves every instruction to step().
struct Attention {
  bool halt_requested = false;
  bool interrupt_entered = false;  // the next instruction is the first of an interrupt handler
  bool stop_point = false;         // a stop point is set
  bool unused = false;             // so that any() looks at one word

  bool any() const {
    uint32_t all;
    static_assert(sizeof(Attention) == sizeof all);
    std::memcpy(&all, this, sizeof all);
    return all != 0;
  }
};

struct Hart::Impl {
  Impl(Hart& the_hart, GuestMemory& the_memory, Environment& the_environment);

  // --- hart.cpp
  bool interrupts_enabled() const;
  void take_interrupt();
  /// Enters the trap handler. Returns false, and changes nothing but cause and tval, when mtvec is
  /// 0.
  bool enter_exception(Cause cause, uint64_t tval);
  /// The last instruction trapped with `cause` and `tval`. False: the hart stops.
  bool deliver_exception();
  void trap_return();
  bool may_preempt() const;
  bool preempt();
  /// The mode whose permissions apply to loads and stores (mstatus.MPRV).
  PrivilegeMode data_mode() const {
    if (__builtin_expect((state.mstatus & kMstatusMprv) == 0, 1)) return state.mode;
    return static_cast<PrivilegeMode>((state.mstatus & kMstatusMpp) >> kMstatusMppShift);
  }
  /// To be called before the instruction at `pc` is looked up. Drops decoded code if that was
  /// requested or there is no room for more, and distrusts it if executable memory changed.
  void refresh_code(uint64_t pc) {
    if (drop_code) drop_decoded();
    if (code_epoch != memory.code_epoch()) compare_again();
    if (!decoded.has_room_for(pc)) make_room();
  }
  void drop_decoded();
  void compare_again();
  void make_room();
  void note_stop_point() {
    attention.stop_point = stop_point.pc != StopPoint().pc || stop_marker != 0;
  }
  /// Makes decoded code be compared with the memory before it is used again, as fence.i requires.
  void distrust_code();
  /// Makes the next look-up drop decoded code, because the set of instructions that concern the
  /// decode engine has changed.
  void ask_to_drop_code();
  bool executable(uint64_t address) const;
  uint64_t instructions() const { return retired[0] + retired[1]; }

  // --- csr.cpp: false when the access is an illegal instruction
  bool csr_read(uint32_t number, uint64_t& value);
  bool csr_write(uint32_t number, uint64_t value);
  bool csr_accessible(uint32_t number, bool write) const;
  bool hpm_read(uint32_t number, uint64_t& value);
  bool hpm_write(uint32_t number, uint64_t value);

  // --- step.cpp
  enum class StepEnd : uint8_t { kNormal, kWaits, kStopped };  // what else the instruction did
  StepStatus step(RetireRecord& record, bool drained);

  // --- step_run.cpp
  unsigned step_run(RetireRecord* records, const DecodedInsn** insns, unsigned most);
  unsigned run_at_once(RetireRecord* records, const DecodedInsn** insns, unsigned most);
  unsigned run_from(const DecodedInsn* insn, RetireRecord* records, const DecodedInsn** insns,
                    unsigned most);
  // These run seldom. They are separate functions so that the common path of step_run() calls
  // nothing.
  __attribute__((noinline)) unsigned run_to_preemption(RetireRecord* records,
                                                       const DecodedInsn** insns, unsigned most);
  __attribute__((noinline)) unsigned look_up_and_run(RetireRecord* records,
                                                     const DecodedInsn** insns, unsigned most);
  __attribute__((noinline)) unsigned prepare_and_run(RetireRecord* records,
                                                     const DecodedInsn** insns, unsigned most);

  // --- run_blocks.h
  /// Executes whole blocks from state.pc until the budget runs out or an instruction needs step().
  /// Returns the number of instructions executed; state is exact.
  template <class Observer>
  uint64_t run_blocks(uint64_t budget, Observer& observer);
  template <class Observer>
  StopReason run(uint64_t max_instructions, Observer& observer);

  Hart& hart;
  GuestMemory& memory;
  Environment& environment;
  uint8_t* const guest;              // memory.data()
  const uint8_t* const permissions;  // memory.permissions()
  HartState state;
  uint64_t hart_id = 0;
  std::unique_ptr<StoreBuffer> stores;     // null unless other harts share the memory
  uint8_t waits_for_drain = kSerializing;  // DecodedFlags

  uint64_t retired[2] = {0, 0};  // U-mode, M-mode
  bool preempt_in_sequence = false;
  uint64_t next_order = 0;
  CounterView cycle_view, instret_view;
  HpmCounters hpm;
  Cause cause = Cause::kIllegalInstruction;
  uint64_t tval = 0;
  StopReason stop_reason = StopReason::kBudget;
  Attention attention;
  bool drop_code = false;
  bool record_valid = false;
  StopPoint stop_point;
  uint64_t stop_point_passes = 0;
  uint32_t stop_marker = 0;  // the instruction of stop_point.marker; 0: none
  StepEnd step_end = StepEnd::kNormal;

  std::unique_ptr<Dise> dise;  // null unless a decode engine is attached

  // What all instructions of a run (step_run.cpp) share.
  struct {
    uint64_t status = 0;  // a RetireStatus, as one word so that it is not written byte by byte
    uint64_t end = 0;     // the order at which the run ends, exclusive
    uint8_t read_bit = 0, write_bit = 0;  // bits of GuestMemory's permissions
    // The mode and mstatus from which the above was computed; before the first run a value that no
    // mstatus has.
    PrivilegeMode mode = PrivilegeMode::kMachine;
    uint64_t mstatus = ~uint64_t{0};
  } run_of;

  uint64_t code_epoch = 0;
  DecodeCache decoded;
  BlockCache blocks;
};

}  // namespace strobe::isa
