// The block interpreter: predecoded basic blocks, chained, with threaded dispatch.
//
// It knows only the common case of each instruction. Whatever else happens (a trap, a device, a
// misaligned or page-crossing access, a reserved rounding mode, FS not dirty, any SYSTEM
// instruction) makes a handler return before it has changed anything, and Hart::run gives that
// instruction to step(). So nothing here delivers traps, and interrupts can only become pending
// between two calls.
#include <algorithm>

#include "sc_models/isa/hart_impl.h"
#include "sc_models/isa/host_fpu.h"
#include "sc_models/isa/semantics.h"

// Labels as values and computed goto: one indirect jump at the end of each handler, which the
// host's branch predictor tells apart, is what makes a threaded interpreter fast.
#pragma GCC diagnostic ignored "-Wpedantic"

namespace strobe::isa {
namespace {

// The context of semantics.h for the block interpreter.
struct BlockContext {
  HartState& state;
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
    return true;
  }
  template <unsigned kBytes>
  bool store(uint64_t address, uint64_t value) const {
    if (!may_access<kBytes>(address, write_bit)) return false;
    std::memcpy(memory + address, &value, kBytes);
    return true;
  }
  template <unsigned kBytes>
  uint8_t* atomic(uint64_t address, AtomicAccess access) const {
    uint8_t need = read_bit | write_bit;
    if (access == AtomicAccess::kLoadReserved) need = read_bit;
    if (access == AtomicAccess::kStoreConditional) need = write_bit;
    return may_access<kBytes>(address, need) ? memory + address : nullptr;
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

BlockInsn predecode(const DecodedInsn& d, uint64_t pc) {
  BlockInsn b;
  b.rd = d.rd;
  b.rs1 = d.rs1;
  b.rs2 = d.rs2;
  b.rs3 = d.rs3;
  b.length = d.length;
  b.rounding = static_cast<uint8_t>(d.insn >> 12 & 7);
  b.imm = d.imm;
  b.pc = static_cast<uint32_t>(pc);
  const OpInfo& row = kOps[d.op];
  const bool discards = row.operands[0] == 'x' && d.rd == 0;
  const bool nothing = row.kind == Kind::kFence ||
                       (discards && (row.kind == Kind::kAlu || row.kind == Kind::kUpper));
  const bool leave = row.kind == Kind::kIllegal || row.kind == Kind::kSystem ||
                     (discards && !nothing && row.kind != Kind::kJump);
  b.op = leave     ? static_cast<uint16_t>(kBlockLeave)
         : nothing ? static_cast<uint16_t>(kBlockNop)
                   : d.op;
  return b;
}

// The block at `pc`, decoded if it is new; nullptr where nothing can be executed. A block ends
// behind a branch or jump, at an instruction left to step(), and at the end of its page: the next
// page may lose its execute permission on its own.
Block* block_at(Hart::Impl& hart, uint64_t pc) {
  if ((pc & 1) != 0 || !hart.executable(pc)) return nullptr;
  const bool machine = hart.state.mode == PrivilegeMode::kMachine;
  if (Block* known = hart.blocks.find(pc, machine)) return known;
  BlockInsn insns[BlockCache::kMaxInsns + 1];
  uint32_t count = 0;
  unsigned stored = 0;
  uint64_t at = pc;
  const uint64_t page = pc >> GuestMemory::kPageBits;
  bool ended = false;
  while (!ended && count < BlockCache::kMaxInsns && at >> GuestMemory::kPageBits == page) {
    const DecodedInsn& decoded = hart.decoded.at(at);
    BlockInsn insn = predecode(decoded, at);
    const bool crosses = (at + decoded.length - 1) >> GuestMemory::kPageBits != page;
    if (crosses && !hart.executable(at + 2)) insn.op = kBlockLeave;
    insns[stored++] = insn;
    ended = insn.op == kBlockLeave || (decoded.flags & kControl) != 0;
    if (insn.op != kBlockLeave) ++count;
    at += decoded.length;
  }
  if (!ended) {
    insns[stored] = BlockInsn{};
    insns[stored].op = kBlockEnd;
    insns[stored++].pc = static_cast<uint32_t>(at);
  }
  return hart.blocks.insert(pc, machine, insns, stored, count);
}

}  // namespace

uint64_t Hart::Impl::run_blocks(uint64_t budget) {
  static const void* const kHandlers[kBlockOpCount] = {
      &&leave,
#define STROBE_ISA_LABEL(name, ...) &&handle_##name,
      STROBE_ISA_OPS(STROBE_ISA_LABEL)
#undef STROBE_ISA_LABEL
          && handle_nop,
      &&handle_end,
      &&leave,
  };

  refresh_code();
  Block* block = block_at(*this, state.pc);
  if (block == nullptr) return 0;
  const bool machine = state.mode == PrivilegeMode::kMachine;
  const unsigned data_shift = data_mode() == PrivilegeMode::kMachine ? 3 : 0;
  BlockContext c{state, memory.data(), memory.permissions(),
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
  if (c.taken) STROBE_ISA_FOLLOW(taken, STROBE_ISA_BRANCH_TARGET()); \
  STROBE_ISA_FOLLOW(following, i->pc + uint64_t{i->length});
#define STROBE_ISA_HANDLE_Jump(name)                                                           \
  execute<Op::k##name>(c, *i);                                                                 \
  state.x[0] = 0;                                                                              \
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
    entry.pc = c.target;
    entry.block = found;
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

}  // namespace strobe::isa
