// Replacement sequences in the front end. The hart executes them; here they take time and places.
// docs/blocks/core.md, "The decode engine"
#include <algorithm>

#include "sc_models/core/pipeline.h"
#include "sc_models/isa/dise.h"

namespace strobe::core {

void Pipeline::set_decode_engine(DecodeEngine& engine, const ExpansionParams& params) {
  engine_ = &engine;
  expansion_ = params;
}

// Has the next instruction looked up. False while its sequence is on the way.
bool Pipeline::sequence_ready() {
  if (hart_.look_up_replacement()) {
    ++stats_.expansions;
    sequence_at_ = cycle_ + expansion_.stall_cycles;
    if (refill_ == CpiClass::kFetch) start_refill(CpiClass::kExpansion);
  }
  if (cycle_ >= sequence_at_) return true;
  active_ = true;
  return false;
}

// Behind the instruction at `position`, which the hart has just executed: where does decode go on?
// Returns whether what was fetched is that.
bool Pipeline::follow_sequence(uint64_t position, const RetireRecord& done, bool was_in_handler,
                               bool as_predicted) {
  const isa::DiseState& dise = hart_.state().dise;
  if (done.trap != 0) return as_predicted;
  if (dise.in_handler != was_in_handler) {  // dcall and dret: decode knows where they go
    if (perfect_) return true;
    if (dise.in_handler && dise.return_position != 0) insert_behind(position, done);
    squash_younger(position + 1);
    refetch(hart_.state().pc);
    start_refill(CpiClass::kExpansion);
    return true;
  }
  const bool within = hart_.in_sequence() && done.itype != IType::kTrapReturn;
  if (!within) return as_predicted;
  if (!perfect_) insert_behind(position, done);
  const bool branches = done.injected != 0 && done.opclass == OpClass::kBranch;
  if (branches) sequence_at_ = cycle_ + 1;  // predicted not taken; it ends its bundle
  return !branches || done.itype != IType::kBranchTaken;
}

// More of the sequence comes behind the instruction at `position`: the trigger makes room for it.
void Pipeline::insert_behind(uint64_t position, const RetireRecord& done) {
  if (trace_ != nullptr) {
    trace_->injected(cycle_, position, front_tail_, done.pc_rdata, done.insn);
  }
  for (uint64_t number = runs_decoding_; number < runs_tail_; ++number) ++fetched_run(number).end;
  ++front_tail_;
}

// The engine sees the wrong path, too. Its sequences there are not followed.
void Pipeline::present_wrong_path(const FetchedRun& run, uint64_t end) {
  if (hart_.state().mode != PrivilegeMode::kUser) return;
  if (!engine_on_wrong_path_ && !hart_.save_engine_state(wrong_branch_.pc, right_path_)) return;
  engine_on_wrong_path_ = true;
  DecodeLane lanes[kMaxDecodeLanes];
  unsigned count = 0, first = 0;
  const auto present = [&] {
    const uint8_t slot = static_cast<uint8_t>((right_path_.slot + 1) % kDecodeSlots);
    while (first < count) first += engine_->decode(lanes + first, count - first, slot).consumed;
    first = count = 0;
  };
  // Behind a branch of a sequence its trigger comes first, and has been seen.
  const uint64_t from = std::max(front_decoded_, wrong_from_ + (hart_.in_sequence() ? 1 : 0));
  uint64_t pc = run.pc;
  uint64_t position = run.end - run.count;
  for (unsigned i = 0; i < run.count && position < end; ++i, ++position) {
    const isa::DecodedInsn* insn = hart_.peek(pc);
    if (insn == nullptr) break;
    if (position >= from && (run.edited >> i & 1) != 0) {
      lanes[count++] = isa::lane_of(*insn, pc);
      if (count == params_.decode_width || count == kMaxDecodeLanes) present();
    }
    pc += insn->length;
  }
  present();
}

// The wrong path is squashed.
void Pipeline::leave_wrong_path() {
  engine_on_wrong_path_ = false;
  if (!expansion_.leak) engine_->restore(right_path_);
}

}  // namespace strobe::core
