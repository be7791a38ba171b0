// CPI stack: one class a cycle, decided behind commit.
#include "sc_models/core/cpi.h"

#include "sc_models/core/pipeline.h"

namespace strobe::core {

// Called in every cycle, after `count` records have committed in it.
void Pipeline::account_cycle(unsigned count) {
  if (count > 0 && rob_head_ > refill_mark_) refill_ = CpiClass::kFetch;
  // Commits of less than the full width are saved up until they make a cycle of it.
  base_credit_ += user_committed_ - user_credited_;
  user_credited_ = user_committed_;
  if (base_credit_ >= params_.commit_width) {
    base_credit_ -= params_.commit_width;
    cpi_class_ = CpiClass::kBase;
  } else {
    cpi_class_ = lost_cycle();
  }
  ++stats_.cpi[static_cast<unsigned>(cpi_class_)];
}

// Why the oldest instruction has not committed. Depends on nothing that changes while the pipeline
// is quiet, so that skipped cycles are all of one class.
CpiClass Pipeline::lost_cycle() const {
  const bool rob_empty = rob_head_ == rob_tail_;
  const RetireRecord& next = record(rob_head_);
  if (rob_empty && refill_ == CpiClass::kInterruptEntry) return refill_;
  const PrivilegeMode mode = drained() ? hart_.state().mode : next.mode;
  if (mode == PrivilegeMode::kMachine) return CpiClass::kHandler;
  const bool next_is_serial = rob_empty ? serial_in_flight_ && records_tail_ - rob_head_ == 1
                                        : rob_[rob_head_ & rob_mask_].serial;
  if (next_is_serial) return serial_class(next);
  if (draining_) return CpiClass::kInterruptEntry;
  if (!rob_empty && next.injected != 0) return CpiClass::kExpansion;
  return rob_empty ? empty_rob_class() : waiting_class(rob_[rob_head_ & rob_mask_]);
}

CpiClass Pipeline::serial_class(const RetireRecord& record) {
  constexpr uint32_t kEcall = 0x00000073;
  if (record.mode == PrivilegeMode::kMachine) return CpiClass::kHandler;
  if (record.trap != 0) return CpiClass::kInterruptEntry;
  return record.insn == kEcall ? CpiClass::kSyscall : CpiClass::kSerial;
}

CpiClass Pipeline::empty_rob_class() const {
  if (front_head_ == front_tail_) {
    return fetch_missing_ && cycle_ <= fetch_at_ ? CpiClass::kFetch : refill_;
  }
  return held_at_ + 1 == cycle_ ? held_ : refill_;
}

// Everything older has committed, so its operands are there and it is on its way.
CpiClass Pipeline::waiting_class(const RobEntry& entry) const {
  if (entry.state == RobState::kAddress) return CpiClass::kL1;
  if (entry.state == RobState::kMemory && entry.done_at >= cycle_) return entry.cpi;
  if (entry.memory == Memory::kAmo) return CpiClass::kSerial;  // behind every store
  if (entry.mispredicted) return CpiClass::kBranch;
  if (entry.latency > 1) return CpiClass::kUnit;
  const bool issued = entry.state != RobState::kWaiting;
  const uint64_t issue = issued ? entry.done_at - entry.latency : cycle_;
  if (issue > entry.ready_at) return CpiClass::kUnit;
  const bool refilled = rob_head_ >= refill_mark_ && refill_ != CpiClass::kFetch;
  return entry.cpi == CpiClass::kFetch && refilled ? refill_ : entry.cpi;
}

// What a load's time says about where its data comes from.
CpiClass Pipeline::level_of(uint64_t cycles) const {
  const memory::MemoryParams& memory = params_.memory;
  if (cycles <= memory.l1d.latency) return CpiClass::kL1;
  return cycles <= memory.l1d.latency + memory.l2.latency ? CpiClass::kL2 : CpiClass::kDram;
}

}  // namespace strobe::core
