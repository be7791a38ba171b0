#include "sc_models/core/cpi/cpi_stack.h"

#include <algorithm>

namespace strobe::core {

void CpiStack::charge_empty(uint64_t from, uint64_t through, bool draining,
                            const FrontEndWait& wait) {
  if (refill_ == CpiClass::kInterruptEntry) return charge(from, through, refill_);
  if (wait.mode == PrivilegeMode::kMachine) return charge(from, through, handler_);
  if (draining) return charge(from, through, CpiClass::kInterruptEntry);
  // While a line of instructions is on its way, it is the front end in any case.
  const uint64_t missed_from = std::max(from, wait.missed_at + 1);
  const uint64_t missed_end = std::min(through, wait.fetched_at);
  if (missed_from > missed_end) return charge(from, through, refill_);
  if (missed_from > from) charge(from, missed_from - 1, refill_);
  charge(missed_from, missed_end, CpiClass::kFetch);
  if (missed_end < through) charge(missed_end + 1, through, refill_);
}

CpiClass CpiStack::class_of_serial(uint32_t insn) {
  constexpr uint32_t kEcall = 0x00000073;
  if (is_fence_i(insn)) return CpiClass::kCodeChange;
  return insn == kEcall ? CpiClass::kSyscall : CpiClass::kSerial;
}

CpiClass CpiStack::serial_class(const RetireRecord& record) const {
  if (record.mode == PrivilegeMode::kMachine) return handler_;
  if (record.trap != 0) return CpiClass::kInterruptEntry;
  return class_of_serial(record.insn);
}

void CpiStack::note(const Operation& op, const RetireRecord& done, const Placing& at,
                    uint64_t number, uint64_t unit_latency) {
  Intervals& intervals = intervals_[rob_.place_of(number)];
  const CpiClass refill = number == refill_mark_ ? refill_ : CpiClass::kFetch;
  unsigned count = 0;
  const auto until = [&](uint64_t end, CpiClass what) {
    intervals.end[count] = end;
    intervals.what[count++] = what;
  };
  intervals.fixed = true;
  const bool entered = refill == CpiClass::kInterruptEntry;
  if (done.mode == PrivilegeMode::kMachine || at.serial) {
    const CpiClass what = done.mode == PrivilegeMode::kMachine ? handler_ : serial_class(done);
    if (entered) until(at.renamed, refill);
    return until(kNever, what);
  }
  intervals.fixed = false;
  // In the cycles through rename the reorder buffer is empty.
  until(at.rename_from, refill);
  if (at.renamed > at.rename_from) until(at.renamed, entered ? refill : wait_class_);
  const uint64_t latency = unit_latency + at.serial_latency;
  CpiClass arrival = CpiClass::kDependency;
  if (at.ready <= at.renamed) {
    const uint64_t due = at.fetched_at + params_.front_end_stages;
    const bool waited = waited_through_ == at.renamed && at.renamed > due;
    arrival = waited ? wait_class_ : CpiClass::kFetch;
    if (arrival == CpiClass::kFetch) arrival = refill;
  }
  const uint64_t ready = std::max(at.ready, at.renamed + 1);
  const CpiClass unit = latency > 1 || at.issued > ready ? CpiClass::kUnit : arrival;
  if (done.injected != 0) {
    return until(kNever, CpiClass::kExpansion);
  }
  if (op.memory == Memory::kAmo) {
    until(at.issued, CpiClass::kSerial);
  } else if (at.mispredicted) {
    return until(kNever, CpiClass::kBranch);
  } else {
    if (latency == 1) until(std::min(ready, at.issued), arrival);
    if (op.memory <= Memory::kStore) {
      return until(kNever, unit);
    }
    until(at.issued, unit);
  }
  until(at.address_at, CpiClass::kL1);
  if (at.accepted > at.address_at) until(at.accepted, at.waiting_class);
  until(kNever, at.level);
}

}  // namespace strobe::core
