// The block interpreter: predecoded basic blocks, chained, with threaded dispatch.
//
// It implements only the common case of each instruction. In every other case (a trap, a device, a
// misaligned or page-crossing access, a reserved rounding mode, FS not dirty, any SYSTEM
// instruction) a handler returns before it has changed anything, and Hart::run gives that
// instruction to step(). Nothing here delivers traps, therefore, and interrupts can become pending
// only between two calls.
//
// It is a template over an observer. Functional warming pays for what its observer does, and plain
// execution, whose observer is empty, pays nothing. An Observer has
//   block(pc, bytes)                  a basic block begins to execute
//   load(address), store(address)     a memory access inside a page; atomics are stores
//   executed<op>(insn)                an instruction that is no branch or jump, after its execution
//   branch(insn, taken), jump(insn, direct, target)
//   record(RetireRecord)              an instruction that step() executed, instead of the above
// Files that include this are compiled with STROBE_ISA_FP_OPTIONS (host_fpu.h).
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "sc_models/isa/arithmetic/host_fpu.h"
#include "sc_models/isa/arithmetic/semantics.h"
#include "sc_models/isa/hart/hart_impl.h"

// Labels as values and computed goto: one indirect jump at the end of each handler, which the
// host's branch predictor tells apart, is what makes a threaded interpreter fast.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

namespace strobe::isa {

// The context of semantics.h for the block interpreter.
template <class Observer>
struct BlockContext {
  HartState& state;
  Observer& observer;
  uint8_t* memory;
  const uint8_t* permissions;
  uint8_t read_bit, write_bit;
  bool taken = false;
  uint64_t target = 0;

  uint64_t x(unsigned r) const { return state.x[r]; }
  uint64_t f(unsigned r) const { return state.f[r]; }
  // Blocks hold no instruction but jumps that would write x0; the jump handler clears it again.
  void write_x(unsigned r, uint64_t value) { state.x[r] = value; }
  void write_f(unsigned r, uint64_t value) { state.f[r] = value; }

  // Inside the window, naturally aligned (so on one page), and all of `need` granted.
  template <unsigned kBytes>
  bool may_access(uint64_t address, uint8_t need) const {
    if (__builtin_expect((address & (~(GuestMemory::kSpan - 1) | (kBytes - 1))) != 0, 0)) {
      return false;
    }
    return __builtin_expect((permissions[address >> GuestMemory::kPageBits] & need) == need, 1);
  }
  template <unsigned kBytes>
  bool load(uint64_t address, uint64_t& value) const {
    if (!may_access<kBytes>(address, read_bit)) return false;
    typename std::conditional_t<
        kBytes == 1, uint8_t,
        std::conditional_t<kBytes == 2, uint16_t,
                           std::conditional_t<kBytes == 4, uint32_t, uint64_t>>>
        raw;
    std::memcpy(&raw, memory + address, kBytes);
    value = raw;
    observer.load(address);
    return true;
  }
  template <unsigned kBytes>
  bool store(uint64_t address, uint64_t value) const {
    if (!may_access<kBytes>(address, write_bit)) return false;
    std::memcpy(memory + address, &value, kBytes);
    observer.store(address);
    return true;
  }
  template <unsigned kBytes>
  uint8_t* atomic(uint64_t address, AtomicAccess access) const {
    uint8_t need = read_bit | write_bit;
    if (access == AtomicAccess::kLoadReserved) need = read_bit;
    if (access == AtomicAccess::kStoreConditional) need = write_bit;
    if (!may_access<kBytes>(address, need)) return nullptr;
    observer.store(address);  // every atomic claims the line, as in the pipeline
    return memory + address;
  }
  void note_read(uint64_t) const {}
  void note_write(uint64_t) const {}
  uint64_t& reservation() { return state.reservation; }

  // Once FS is dirty there is nothing to update; until then step() does these instructions.
  bool fp_write_ready() const { return (state.mstatus & kMstatusFs) == kMstatusFs; }
  bool fp_read_ready() const { return fp_write_ready(); }
  bool rounding(const BlockInsn& i, Rounding& rounding) const {
    unsigned mode = i.rounding;
    if (mode == kDynamicRounding) mode = state.fcsr >> 5 & 7;
    rounding = static_cast<Rounding>(mode);
    return mode <= 4;
  }
  void raise(uint32_t flags) { state.fcsr |= flags; }

  uint64_t pc(const BlockInsn& i) const { return i.pc; }
  void branch(const BlockInsn&, bool is_taken) { taken = is_taken; }
  void jump(uint64_t to) { target = to; }
};

/// The block at `pc`, decoded if it is new or its code has changed. It is nullptr where nothing can
/// be executed, and when there is no room for the block: this function drops no blocks, so that the
/// block being executed stays.
Block* block_at(Hart::Impl& hart, uint64_t pc);

template <class Observer>
uint64_t Hart::Impl::run_blocks(uint64_t budget, Observer& observer) {
  static const void* const kHandlers[kBlockOpCount] = {
      &&leave,
#define STROBE_ISA_LABEL(name, ...) &&handle_##name,
      STROBE_ISA_OPS(STROBE_ISA_LABEL)
#undef STROBE_ISA_LABEL
          && handle_nop,
      &&handle_end,
      &&leave,
  };

  if (blocks.full()) blocks.clear();
  refresh_code(state.pc);
  Block* block = block_at(*this, state.pc);
  if (block == nullptr) return 0;
  const bool machine = state.mode == PrivilegeMode::kMachine;
  const unsigned data_shift = data_mode() == PrivilegeMode::kMachine ? 3 : 0;
  BlockContext<Observer> c{state,
                           observer,
                           memory.data(),
                           memory.permissions(),
                           static_cast<uint8_t>(GuestMemory::kRead << data_shift),
                           static_cast<uint8_t>(GuestMemory::kWrite << data_shift)};
  BlockCache::JumpEntry* const jumps = blocks.jump_cache(machine);
  uint64_t remaining = budget;
  const BlockInsn* i = nullptr;
  Block** link = nullptr;
  uint64_t next_pc = 0;
  host_fpu::begin();

#define STROBE_ISA_DISPATCH() goto* kHandlers[i->op]
#define STROBE_ISA_ENTER_BLOCK()                                       \
  do {                                                                 \
    if (__builtin_expect(remaining < block->count, 0)) goto exhausted; \
    remaining -= block->count;                                         \
    observer.block(block->pc, block->bytes);                           \
    i = block->insns;                                                  \
    STROBE_ISA_DISPATCH();                                             \
  } while (false)
#define STROBE_ISA_FOLLOW(successor, pc_expression)        \
  do {                                                     \
    Block* const successor_block = block->successor;       \
    if (__builtin_expect(successor_block == nullptr, 0)) { \
      link = &block->successor;                            \
      next_pc = (pc_expression);                           \
      goto link_block;                                     \
    }                                                      \
    block = successor_block;                               \
    STROBE_ISA_ENTER_BLOCK();                              \
  } while (false)
#define STROBE_ISA_BRANCH_TARGET() (i->pc + static_cast<uint64_t>(static_cast<int64_t>(i->imm)))

#define STROBE_ISA_HANDLE_PLAIN(name)                                \
  if (__builtin_expect(!execute<Op::k##name>(c, *i), 0)) goto leave; \
  observer.template executed<Op::k##name>(*i);                       \
  ++i;                                                               \
  STROBE_ISA_DISPATCH();
#define STROBE_ISA_HANDLE_Alu(name) STROBE_ISA_HANDLE_PLAIN(name)
#define STROBE_ISA_HANDLE_Upper(name) STROBE_ISA_HANDLE_PLAIN(name)
#define STROBE_ISA_HANDLE_Load(name) STROBE_ISA_HANDLE_PLAIN(name)
#define STROBE_ISA_HANDLE_Store(name) STROBE_ISA_HANDLE_PLAIN(name)
#define STROBE_ISA_HANDLE_Atomic(name) STROBE_ISA_HANDLE_PLAIN(name)
#define STROBE_ISA_HANDLE_FpLoad(name) STROBE_ISA_HANDLE_PLAIN(name)
#define STROBE_ISA_HANDLE_FpStore(name) STROBE_ISA_HANDLE_PLAIN(name)
#define STROBE_ISA_HANDLE_Fp(name) STROBE_ISA_HANDLE_PLAIN(name)
#define STROBE_ISA_HANDLE_Fence(name) goto handle_nop;
#define STROBE_ISA_HANDLE_System(name) goto leave;
#define STROBE_ISA_HANDLE_Branch(name)                               \
  execute<Op::k##name>(c, *i);                                       \
  observer.branch(*i, c.taken);                                      \
  if (c.taken) STROBE_ISA_FOLLOW(taken, STROBE_ISA_BRANCH_TARGET()); \
  STROBE_ISA_FOLLOW(following, i->pc + uint64_t{i->length});
#define STROBE_ISA_HANDLE_Jump(name)                                                           \
  execute<Op::k##name>(c, *i);                                                                 \
  state.x[0] = 0;                                                                              \
  observer.jump(*i, Op::k##name == Op::kJal, c.target);                                        \
  if constexpr (Op::k##name == Op::kJal) STROBE_ISA_FOLLOW(taken, STROBE_ISA_BRANCH_TARGET()); \
  goto indirect;
#define STROBE_ISA_HANDLER(name, mnemonic, match, mask, immediate, operands, kind, ...) \
  handle_##name : STROBE_ISA_HANDLE_##kind(name)

  STROBE_ISA_ENTER_BLOCK();

  STROBE_ISA_OPS(STROBE_ISA_HANDLER)

handle_nop:
  ++i;
  STROBE_ISA_DISPATCH();

handle_end:
  STROBE_ISA_FOLLOW(following, i->pc);

indirect : {
  BlockCache::JumpEntry& entry = jumps[BlockCache::jump_index(c.target)];
  if (__builtin_expect(entry.pc != c.target, 0)) {
    Block* const found = block_at(*this, c.target);
    if (found == nullptr) {
      state.pc = c.target;
      goto done;
    }
    blocks.remember_jump(entry, c.target, found);
  }
  block = entry.block;
  STROBE_ISA_ENTER_BLOCK();
}

link_block : {
  Block* const found = block_at(*this, next_pc);
  if (found == nullptr) {
    state.pc = next_pc;
    goto done;
  }
  *link = found;
  block = found;
  STROBE_ISA_ENTER_BLOCK();
}

leave:  // the instruction at i is not executed
  remaining += block->count - static_cast<uint64_t>(i - block->insns);
  state.pc = i->pc;
  goto done;

exhausted:
  state.pc = block->pc;

done:
  state.fcsr |= host_fpu::raised();
  retired[machine ? 1 : 0] += budget - remaining;
  return budget - remaining;
}

template <class Observer>
StopReason Hart::Impl::run(uint64_t max_instructions, Observer& observer) {
  RetireRecord record;
  uint64_t left = max_instructions;
  while (left > 0) {
    if (attention.halt_requested) break;
    uint64_t most = left;
    if (hpm.armed()) {
      hpm.poll();
      most = std::min(most, hpm.instructions_to_overflow());
    }
    if (hart.interrupt_pending()) take_interrupt();
    if (__builtin_expect(hart.preemption_due(), 0) && !preempt()) return stop_reason;
    if (state.mode == PrivilegeMode::kUser) {
      const uint64_t at = hart.preempt_at_;
      most = retired[0] < at ? std::min(most, at - retired[0]) : 1;
    }
    const uint64_t executed = hart.in_sequence() ? 0 : run_blocks(most, observer);
    if (executed > 0) attention.interrupt_entered = false;
    left -= executed;
    if (left == 0) break;
    if (executed == most) continue;
    const uint64_t order = next_order;
    const StepStatus status = step(record, true);
    next_order = order;  // records are not numbered here
    if (record_valid) observer.record(record);
    if (status == StepStatus::kStopped) return stop_reason;
    --left;  // a trap counts too, so that a handler that faults forever still ends
  }
  stop_reason = attention.halt_requested ? StopReason::kHalted : StopReason::kBudget;
  attention.halt_requested = false;
  return stop_reason;
}

template <class Observer>
StopReason Hart::run_watched(uint64_t max_instructions, Observer& observer) {
  return impl_->run(max_instructions, observer);
}

}  // namespace strobe::isa

#pragma GCC diagnostic pop
