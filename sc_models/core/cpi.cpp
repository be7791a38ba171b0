// CPI stack: one class a cycle. docs/blocks/core.md has the rule.
#include "sc_models/core/cpi.h"

#include <algorithm>

#include "sc_models/core/pipeline.h"

namespace strobe::core {

// Nothing commits in these cycles: they go to what the oldest instruction waits for.
void Pipeline::account_quiet(uint64_t from, uint64_t through) {
  if (head_ < placed_) {
    const Held& held = held_[head_ & mask_];
    if (draining_ && !held.fixed) return charge(from, through, CpiClass::kInterruptEntry);
    for (unsigned i = 0;; ++i) {
      if (held.end[i] < from) continue;
      if (held.end[i] >= through) return charge(from, through, held.what[i]);
      charge(from, held.end[i], held.what[i]);
      from = held.end[i] + 1;
    }
  }
  if (refill_ == CpiClass::kInterruptEntry) return charge(from, through, refill_);
  if (hart_.state().mode == PrivilegeMode::kMachine) {
    return charge(from, through, CpiClass::kHandler);
  }
  if (draining_) return charge(from, through, CpiClass::kInterruptEntry);
  // While a line of instructions is on its way, it is the front end in any case.
  const uint64_t missed_from = std::max(from, piece_.missed_at + 1);
  const uint64_t missed_end = std::min(through, piece_.fetched_at);
  if (missed_from > missed_end) return charge(from, through, refill_);
  if (missed_from > from) charge(from, missed_from - 1, refill_);
  charge(missed_from, missed_end, CpiClass::kFetch);
  if (missed_end < through) charge(missed_end + 1, through, refill_);
}

CpiClass Pipeline::serial_class(const RetireRecord& record) {
  constexpr uint32_t kEcall = 0x00000073;
  if (record.mode == PrivilegeMode::kMachine) return CpiClass::kHandler;
  if (record.trap != 0) return CpiClass::kInterruptEntry;
  return record.insn == kEcall ? CpiClass::kSyscall : CpiClass::kSerial;
}

// Where the cycles go in which it is the oldest, behind decode. docs/blocks/core.md, "The CPI
// stack"
void Pipeline::note_held(const Operation& op, const RetireRecord& done, const Placing& at,
                         uint64_t number) {
  Held& held = held_[number & mask_];
  const CpiClass refill = number == refill_mark_ ? refill_ : CpiClass::kFetch;
  unsigned count = 0;
  const auto until = [&](uint64_t end, CpiClass what) {
    held.end[count] = end;
    held.what[count++] = what;
  };
  held.fixed = true;
  const bool entered = refill == CpiClass::kInterruptEntry;
  if (done.mode == PrivilegeMode::kMachine || at.serial) {
    const CpiClass what =
        done.mode == PrivilegeMode::kMachine ? CpiClass::kHandler : serial_class(done);
    if (entered) until(at.renamed, refill);
    held.what[count] = what;
    held.end[count] = kNever;
    return;
  }
  held.fixed = false;
  // In the cycles through rename the reorder buffer is empty.
  until(at.rename_from, refill);
  if (at.renamed > at.rename_from) until(at.renamed, entered ? refill : wait_class_);
  const uint64_t latency = unit_[op.unit].latency + at.serial_latency;
  CpiClass arrival = CpiClass::kDependency;
  if (at.ready <= at.renamed) {
    const uint64_t due = piece_.fetched_at + params_.front_end_stages;
    const bool waited = waited_through_ == at.renamed && at.renamed > due;
    arrival = waited ? wait_class_ : CpiClass::kFetch;
    if (arrival == CpiClass::kFetch) arrival = refill;
  }
  const uint64_t ready = std::max(at.ready, at.renamed + 1);
  const CpiClass unit = latency > 1 || at.issued > ready ? CpiClass::kUnit : arrival;
  if (done.injected != 0) {
    held.what[count] = CpiClass::kExpansion;
    held.end[count] = kNever;
    return;
  }
  if (op.memory == Memory::kAmo) {
    until(at.issued, CpiClass::kSerial);
  } else if (at.mispredicted) {
    held.what[count] = CpiClass::kBranch;
    held.end[count] = kNever;
    return;
  } else {
    if (latency == 1) until(std::min(ready, at.issued), arrival);
    if (op.memory <= Memory::kStore) {
      held.what[count] = unit;
      held.end[count] = kNever;
      return;
    }
    until(at.issued, unit);
  }
  until(at.address_at, CpiClass::kL1);
  if (at.accepted > at.address_at) until(at.accepted, at.waiting_class);
  held.what[count] = at.level;
  held.end[count] = kNever;
}

// What a load's time says about where its data comes from.
CpiClass Pipeline::level_of(uint64_t cycles) const {
  const memory::MemoryParams& memory = params_.memory;
  if (cycles <= memory.l1d.latency) return CpiClass::kL1;
  return cycles <= memory.l1d.latency + memory.l2.latency ? CpiClass::kL2 : CpiClass::kDram;
}

}  // namespace strobe::core
