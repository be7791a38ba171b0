#include "sc_models/core/trace/tracer.h"

#include <algorithm>

namespace strobe::core {

void Tracer::settle(uint64_t cycle) {
  trace_->settle(cycle);
  if (trace_->done()) trace_ = nullptr;
}

void Tracer::squashed(const FetchRun& run, unsigned first, unsigned count, uint64_t position,
                      uint64_t pc, uint64_t fetched_at, uint64_t when) {
  for (unsigned place = first; place < first + count; ++place, ++position) {
    PipelineTrace::Life life;
    life.pc = run.count == 0 ? pc : run.pc + (place == 0 ? 0 : run.bytes[place - 1]);
    if (const isa::DecodedInsn* insn = hart_.peek(life.pc)) life.insn = insn->insn;
    life.fetched = fetched_at;
    life.renamed = rob_.renamed(position);
    life.decoded = std::max(life.fetched + params_.front_end_stages - 1,
                            rob_.renamed(position - params_.decode_width));
    life.flushed = when;
    trace_->add(life);
  }
}

void Tracer::producers(const Operation& op, uint64_t number, const Placing& at,
                       const uint64_t* value_at) {
  life_ = PipelineTrace::Life();
  life_.number = number;
  for (unsigned i = 0; i < 3; ++i) {
    if (value_at[op.src[i]] > at.renamed) life_.producers[i] = writer_[op.src[i]];
  }
  writer_[op.dst] = number;
}

void Tracer::placed(const Operation& op, const RetireRecord& done, const Placing& at,
                    uint64_t commit_at) {
  life_.pc = done.pc_rdata;
  life_.insn = done.insn;
  life_.fetched = done.injected != 0 ? PipelineTrace::kNever : at.fetched_at;
  life_.decoded = at.decoded;
  life_.renamed = at.renamed;
  life_.issued = at.issued;
  if (op.memory > Memory::kStore) life_.in_memory = at.address_at;
  life_.completed = at.done;
  life_.committed = commit_at;
  life_.trapped = done.trap != 0;
  life_.first_of_interrupt = done.intr != 0;
  life_.injected = done.injected != 0;
  trace_->add(life_);
}

}  // namespace strobe::core
