// What the pipeline tells the pipeline view.
#include <algorithm>

#include "sc_models/core/pipeline.h"

namespace strobe::core {

void Pipeline::settle_trace(uint64_t cycle) {
  trace_->settle(cycle);
  if (trace_->done()) trace_ = nullptr;
}

// The run may go on from here, or end.
void Pipeline::trace_stopped() {
  const unsigned left = piece_.count - piece_.done;
  if (stop_ == CoreStop::kHart && left != 0) {
    pass_wrong_path(placed_, left, 0);
    trace_squashed(run_table_.at(piece_.pc), piece_.done, left, placed_, kNever);
  }
  trace_->reach(cycle_);
}

// Of `count` instructions of the run from its `first` on, fetched now and dropped in cycle `when`.
void Pipeline::trace_squashed(const FetchRun& run, unsigned first, unsigned count,
                              uint64_t position, uint64_t when) {
  for (unsigned place = first; place < first + count; ++place, ++position) {
    PipelineTrace::Life life;
    life.pc = run.count == 0 ? fetch_pc_ : run.pc + (place == 0 ? 0 : run.bytes[place - 1]);
    if (const isa::DecodedInsn* insn = hart_.peek(life.pc)) life.insn = insn->insn;
    life.fetched = fetch_cycle_;
    life.renamed = renamed(position);
    life.decoded = std::max(life.fetched + params_.front_end_stages - 1,
                            renamed(position - params_.decode_width));
    life.flushed = when;
    trace_->add(life);
  }
}

// What the instruction being placed waits for.
void Pipeline::trace_producers(const Operation& op, uint64_t number, const Placing& at) {
  life_ = PipelineTrace::Life();
  life_.number = number;
  for (unsigned i = 0; i < 3; ++i) {
    if (value_at_[op.src[i]] > at.renamed) life_.producers[i] = writer_[op.src[i]];
  }
  writer_[op.dst] = number;
}

void Pipeline::trace_placed(const Operation& op, const RetireRecord& done, const Placing& at) {
  life_.pc = done.pc_rdata;
  life_.insn = done.insn;
  life_.fetched = done.injected != 0 ? PipelineTrace::kNever : piece_.fetched_at;
  life_.decoded = at.decoded;
  life_.renamed = at.renamed;
  life_.issued = at.issued;
  if (op.memory > Memory::kStore) life_.in_memory = at.address_at;
  life_.completed = at.done;
  life_.committed = last_commit_;
  life_.trapped = done.trap != 0;
  life_.first_of_interrupt = done.intr != 0;
  life_.injected = done.injected != 0;
  trace_->add(life_);
}

}  // namespace strobe::core
