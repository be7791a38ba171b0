// Hart::run_observed: functional execution with one record per instruction for a statically known
// sink. The loop is in a header so that the sink's record() is inlined. step() executes the
// instruction.
#pragma once

#include "sc_models/isa/hart/hart.h"

namespace strobe::isa {

template <class Sink>
StopReason Hart::run_observed(uint64_t max_instructions, Sink& sink) {
  RetireRecord record;
  for (uint64_t left = max_instructions; left > 0; --left) {
    poll_counters();
    if (interrupt_pending()) take_interrupt();
    const StepStatus status = step(record, true);
    if (record_valid()) sink.record(static_cast<const RetireRecord&>(record));
    if (status == StepStatus::kStopped) return stop_reason();
  }
  return StopReason::kBudget;
}

}  // namespace strobe::isa
