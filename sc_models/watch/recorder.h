// Hands the selected tuples of a run to a TupleSink.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/isa/decode/op.h"
#include "sc_models/isa/hart/blocks.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/machine/outcome/run_hooks.h"
#include "sc_models/watch/tuple_tap.h"

namespace strobe::platform {

class Recorder final : public RetireListener {
 public:
  /// Keeps a reference to the sink.
  Recorder(const std::vector<config::SelectorConfig>& selectors, TupleSink& sink);

  /// Runs the hart functionally and records: in blocks where these show all that is selected, else
  /// instruction by instruction.
  isa::StopReason run(isa::Hart& hart, uint64_t instructions);

  void record(const RetireRecord& record) override {
    if (record.injected == 0) take(record);
  }
  RetireKinds kinds() const override { return tap_.selection.kinds(); }
  void set_cycles(uint64_t cycles) override { cycles_ = cycles; }
  /// The last, shorter batch.
  void finish();

  // What isa::Hart::run_watched shows.
  void block(uint64_t, uint32_t) {}
  void load(uint64_t address) { address_ = address; }
  void store(uint64_t address) { address_ = address; }
  template <isa::Op kOp>
  void executed(const isa::BlockInsn& insn) {
    constexpr isa::Kind kKind = isa::info(kOp).kind;
    if constexpr (kKind == isa::Kind::kLoad) {
      memory_access(insn, OpClass::kLoad, state_->x[insn.rd]);
    } else if constexpr (kKind == isa::Kind::kFpLoad) {
      memory_access(insn, OpClass::kLoad, state_->f[insn.rd]);
    } else if constexpr (kKind == isa::Kind::kStore || kKind == isa::Kind::kFpStore) {
      memory_access(insn, OpClass::kStore, 0);
    }
  }
  void branch(const isa::BlockInsn& insn, bool taken) {
    const auto distance =
        taken ? static_cast<uint64_t>(static_cast<int64_t>(insn.imm)) : uint64_t{insn.length};
    control(insn, OpClass::kBranch, insn.pc + distance, 0);
  }
  void jump(const isa::BlockInsn& insn, bool direct, uint64_t target) {
    control(insn, isa::jump_class(insn, direct), target, state_->x[insn.rd]);
  }

 private:
  /// The fields of a RetireRecord that tuples are made of.
  struct Event {
    OpClass opclass;
    PrivilegeMode mode;
    uint16_t thread;
    uint64_t pc_rdata, pc_wdata, rd_wdata, mem_addr;
    static constexpr uint8_t trap = 0, mispredicted = 0, in_burst = 0;
    static constexpr uint32_t insn = 0;  // only markers are looked at, and they are of class alu
  };

  bool wanted(OpClass opclass) const {
    return (opclasses_ >> static_cast<unsigned>(opclass) & 1) != 0;
  }
  void memory_access(const isa::BlockInsn& insn, OpClass opclass, uint64_t result) {
    if (!wanted(opclass)) return;
    take(Event{opclass, state_->mode, state_->thread, insn.pc, uint64_t{insn.pc} + insn.length,
               result, address_});
  }
  void control(const isa::BlockInsn& insn, OpClass opclass, uint64_t next, uint64_t result) {
    if (!wanted(opclass)) return;
    take(Event{opclass, state_->mode, state_->thread, insn.pc, next, result, 0});
  }
  template <class Record>
  void take(const Record& record) {
    if (tap_.select(record)) flush();
  }
  void flush();

  TupleTap tap_;
  TupleSink& sink_;
  uint16_t opclasses_;
  uint64_t cycles_ = 0;
  uint64_t address_ = 0;
  const isa::HartState* state_ = nullptr;
};

}  // namespace strobe::platform
