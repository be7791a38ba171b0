#include "sc_models/run/watched_blocks.h"

#include "sc_models/isa/decode/op.h"
#include "sc_models/isa/hart/hart_run.h"
#include "sc_models/isa/hart/run_blocks.h"

namespace strobe::platform {
namespace {

/// Nothing but the watchers observes the blocks.
struct Nothing {
  void block(uint64_t, uint32_t) const {}
  void load(uint64_t) const {}
  void store(uint64_t) const {}
  void branch(const isa::BlockInsn&, bool) const {}
  void jump(const isa::BlockInsn&, bool, uint64_t) const {}
  void record(const RetireRecord&) const {}
};

/// Shows the watchers, as records, what a block executes, and each hook to `Beside` first.
template <class Beside>
class ShownBlocks {
 public:
  ShownBlocks(isa::Hart& hart, Watchers& watchers, Beside& beside)
      : hart_(hart), watchers_(watchers), kinds_(watchers.kinds()), beside_(beside) {}

  void block(uint64_t pc, uint32_t bytes) { beside_.block(pc, bytes); }
  void load(uint64_t address) {
    beside_.load(address);
    address_ = address;
  }
  void store(uint64_t address) {
    beside_.store(address);
    address_ = address;
  }
  template <isa::Op kOp>
  void executed(const isa::BlockInsn& insn) {
    constexpr isa::Kind kKind = isa::info(kOp).kind;
    if constexpr (kKind == isa::Kind::kLoad) {
      show(insn, OpClass::kLoad, insn.pc + uint64_t{insn.length}, hart_.state().x[insn.rd],
           address_);
    } else if constexpr (kKind == isa::Kind::kFpLoad) {
      show(insn, OpClass::kLoad, insn.pc + uint64_t{insn.length}, hart_.state().f[insn.rd],
           address_);
    } else if constexpr (kKind == isa::Kind::kStore || kKind == isa::Kind::kFpStore) {
      show(insn, OpClass::kStore, insn.pc + uint64_t{insn.length}, 0, address_);
    }
  }
  void branch(const isa::BlockInsn& insn, bool taken) {
    beside_.branch(insn, taken);
    const auto distance =
        taken ? static_cast<uint64_t>(static_cast<int64_t>(insn.imm)) : uint64_t{insn.length};
    show(insn, OpClass::kBranch, insn.pc + distance, 0, 0);
  }
  void jump(const isa::BlockInsn& insn, bool direct, uint64_t target) {
    beside_.jump(insn, direct, target);
    show(insn, isa::jump_class(insn, direct), target, hart_.state().x[insn.rd], 0);
  }
  void record(const RetireRecord& record) {
    beside_.record(record);
    watchers_.record(record);
  }

 private:
  void show(const isa::BlockInsn& insn, OpClass opclass, uint64_t next, uint64_t result,
            uint64_t address) {
    record_.opclass = opclass;
    record_.mode = hart_.state().mode;
    if (!kinds_.has(record_)) return;
    static_cast<RetiredInsn&>(record_) = *hart_.peek(insn.pc);
    record_.in_burst = hart_.in_burst() ? 1 : 0;
    record_.thread = hart_.state().thread;
    record_.pc_rdata = insn.pc;
    record_.pc_wdata = next;
    record_.rd_wdata = result;
    record_.mem_addr = address;
    watchers_.record(record_);
  }

  isa::Hart& hart_;
  Watchers& watchers_;
  const RetireKinds kinds_;
  Beside& beside_;
  uint64_t address_ = 0;  // where the last access was
  RetireRecord record_;
};

template <class Beside>
isa::StopReason run_beside(isa::Hart& hart, uint64_t instructions, Watchers& watchers,
                           Beside& beside) {
  ShownBlocks<Beside> blocks(hart, watchers, beside);
  if ((watchers.kinds().opclasses() & ~isa::kShownInBlocks) != 0) {
    return hart.run_observed(instructions, blocks);
  }
  return hart.run_watched(instructions, blocks);
}

}  // namespace

isa::StopReason run_watched(isa::Hart& hart, uint64_t instructions, Watchers& watchers) {
  Nothing nothing;
  return run_beside(hart, instructions, watchers, nothing);
}

isa::StopReason run_watched(isa::Hart& hart, uint64_t instructions, Watchers& watchers,
                            core::Warmer& warmer) {
  return run_beside(hart, instructions, watchers, warmer);
}

}  // namespace strobe::platform
