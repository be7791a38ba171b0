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
    Stage stage = Stage::kIssue;
    if (entry.state == RobState::kDone) {
      stage = Stage::kWriteback;
    } else if (entry.state == RobState::kMemory) {
      stage = Stage::kMemory;
    } else if (entry.event_at != 0) {
      stage = Stage::kExecute;
    }
    trace->in_reorder_buffer(number, record(number).pc_rdata, record(number).insn, stage);
  }
  for (uint64_t position = front_head_; position < front_tail_; ++position) {
    trace->in_front_end(position, front(position).pc, front(position).insn.insn,
                        position < front_decoded_ ? Stage::kDecode : Stage::kFetch);
  }
}

void Pipeline::trace_fetched(uint64_t first) {
  for (uint64_t position = first; position < front_tail_; ++position) {
    trace_->fetched(cycle_, position, front(position).pc, front(position).insn.insn);
  }
}

}  // namespace strobe::core
