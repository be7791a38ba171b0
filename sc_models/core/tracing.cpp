// Attaching the pipeline view in the middle of a run: what is in flight is introduced first.
#include "sc_models/core/pipeline.h"

namespace strobe::core {

// Every fetched instruction from front position `first` on: its address and its encoding, 0 where
// nothing can be executed.
template <typename Visitor>
void Pipeline::visit_fetched(uint64_t first, Visitor visit) {
  if (first == front_tail_) return;
  uint64_t number = run_of(first);
  uint64_t position = fetched_run(number - 1).end;
  for (; position < front_tail_; ++number) {
    uint64_t pc = fetched_run(number).pc;
    for (; position < fetched_run(number).end; ++position) {
      const isa::DecodedInsn* insn = hart_.peek(pc);
      uint32_t word = insn == nullptr ? 0 : insn->insn;
      // With a perfect predictor it has been executed already, and the mode may be another one.
      if (perfect_) word = record(rob_tail_ + position - front_head_).insn;
      if (position >= first) visit(position, pc, word);
      pc += insn == nullptr ? 4 : insn->length;
    }
  }
}

void Pipeline::set_trace(PipelineTrace* trace) {
  trace_ = trace;
  if (trace == nullptr) return;
  using Stage = PipelineTrace::Stage;
  trace->open(cycle_, front_.size(), rob_.size());
  for (uint64_t number = rob_head_; number < rob_tail_; ++number) {
    const RobEntry& entry = rob(number);
    Stage stage = Stage::kIssue;
    if (entry.done_at < cycle_) {
      stage = Stage::kWriteback;
    } else if (entry.state == RobState::kMemory) {
      stage = Stage::kMemory;
    } else if (entry.state != RobState::kWaiting) {
      stage = Stage::kExecute;
    }
    trace->in_reorder_buffer(number, record(number).pc_rdata, record(number).insn, stage);
  }
  visit_fetched(front_head_, [&](uint64_t position, uint64_t pc, uint32_t word) {
    trace->in_front_end(position, pc, word,
                        position < front_decoded_ ? Stage::kDecode : Stage::kFetch);
  });
}

void Pipeline::trace_completed() {
  for (uint64_t number = rob_head_; number < rob_tail_; ++number) {
    if (rob(number).done_at == cycle_) trace_->completed(cycle_, number);
  }
}

void Pipeline::trace_fetched(uint64_t first) {
  visit_fetched(first, [this](uint64_t position, uint64_t pc, uint32_t word) {
    trace_->fetched(cycle_, position, pc, word);
  });
}

}  // namespace strobe::core
