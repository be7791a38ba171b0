// The inside of a hart, shared by its files: state, traps (hart.cpp), CSRs (csr.cpp), the stepping
// interpreter (step.cpp, step_run.cpp) and the block interpreter (run_blocks.h, run.cpp, blocks.h).
#pragma once

#include "sc_models/isa/blocks.h"
#include "sc_models/isa/csr.h"
#include "sc_models/isa/decode_cache.h"
#include "sc_models/isa/dise.h"
#include "sc_models/isa/hart.h"
#include "sc_models/isa/store_buffer.h"

namespace strobe::isa {

/// What makes step_run() leave everything to step(); looked at as one word.
struct alignas(4) Attention {
  bool halt_requested = false;
  bool interrupt_entered = false;  // the next instruction is the first of an interrupt handler
  bool stop_point = false;         // there is one
  bool shared_memory = false;

  bool any() const {
    uint32_t all;
    std::memcpy(&all, this, sizeof all);
    return all != 0;
  }
};

struct Hart::Impl {
  Impl(Hart& the_hart, GuestMemory& the_memory, Environment& the_environment);

  // --- hart.cpp
  bool interrupts_enabled() const;
  void take_interrupt();
  /// Enters the trap handler; false (and nothing changed but cause and tval) when mtvec is 0.
  bool enter_exception(Cause cause, uint64_t tval);
  void trap_return();
  /// The mode whose permissions loads and stores have (mstatus.MPRV).
  PrivilegeMode data_mode() const {
    if (__builtin_expect((state.mstatus & kMstatusMprv) == 0, 1)) return state.mode;
    return static_cast<PrivilegeMode>((state.mstatus & kMstatusMpp) >> kMstatusMppShift);
  }
  /// Before the instruction at `pc` is looked up: drops decoded code if that was asked for or there
  /// is no room for more, and distrusts it if executable memory changed.
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
  /// Decoded code is compared with the memory before it is used again: what fence.i asks for.
  void distrust_code();
  /// The next look-up drops it: what the decode engine is concerned with has changed.
  void ask_to_drop_code();
  bool executable(uint64_t address) const;
  uint64_t instructions() const { return retired[0] + retired[1]; }

  // --- csr.cpp: false when the access is an illegal instruction
  bool csr_read(uint32_t number, uint64_t& value);
  bool csr_write(uint32_t number, uint64_t value);
  bool csr_accessible(uint32_t number, bool write) const;

  // --- step.cpp
  enum class StepEnd : uint8_t { kNormal, kWaits, kStopped };  // what else the instruction did
  StepStatus step(RetireRecord& record, bool drained);

  // --- step_run.cpp
  unsigned step_run(RetireRecord* records, const DecodedInsn** insns, unsigned most);
  unsigned run_from(const DecodedInsn* insn, RetireRecord* records, const DecodedInsn** insns,
                    unsigned most);
  // Seldom: apart, so that step_run() calls nothing.
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
  uint64_t next_order = 0;
  CounterView cycle_view, instret_view;
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

  // What all instructions of a run (step_run.cpp) have in common.
  struct {
    uint64_t status = 0;  // a RetireStatus: a word, so that nobody writes its bytes one by one
    uint64_t end = 0;     // the order it does not reach
    uint8_t read_bit = 0, write_bit = 0;  // of GuestMemory's permissions
    // What that was made of; no bits of an mstatus before the first run.
    PrivilegeMode mode = PrivilegeMode::kMachine;
    uint64_t mstatus = ~uint64_t{0};
  } run_of;

  uint64_t code_epoch = 0;
  DecodeCache decoded;
  BlockCache blocks;
};

}  // namespace strobe::isa
