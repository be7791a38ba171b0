// Attaching the pipeline view in the middle of a run: what is in flight is introduced first.
#include "sc_models/core/pipeline.h"

namespace strobe::core {

void Pipeline::set_trace(PipelineTrace* trace) {
  trace_ = trace;
  if (trace == nullptr) return;
  using Stage = PipelineTrace::Stage;
  trace->open(cycle_, front_.size(), rob_.size());
  for (uint64_t number = rob_head_; number < rob_tail_; ++number) {
    const RobEntry& entry = rob(number);
    const RetireRecord& record = records_[entry.record & records_mask_];
    Stage stage = Stage::kIssue;
    if (entry.state == RobState::kDone) {
      stage = Stage::kWriteback;
    } else if (entry.state == RobState::kMemory) {
      stage = Stage::kMemory;
    } else if (entry.event_at != 0) {
      stage = Stage::kExecute;
    }
    trace->in_reorder_buffer(number, record.pc_rdata, record.insn, stage);
  }
  for (uint64_t position = front_head_; position < front_tail_; ++position) {
    trace->in_front_end(position, front(position).pc, word_at(position),
                        position < front_decoded_ ? Stage::kDecode : Stage::kFetch);
  }
}

void Pipeline::trace_fetched(uint64_t position) {
  trace_->fetched(cycle_, position, front(position).pc, word_at(position));
}

// The encoding of a fetched instruction; 0 where nothing can be executed.
uint32_t Pipeline::word_at(uint64_t position) {
  const FrontEntry& entry = front(position);
  // With a perfect predictor it has been executed already, and the mode may be another one.
  if (perfect_) return records_[entry.record & records_mask_].insn;
  const isa::DecodedInsn* insn = hart_.peek(entry.pc);
  return insn == nullptr ? 0 : insn->insn;
}

}  // namespace strobe::core
