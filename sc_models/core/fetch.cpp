// Fetch: one aligned block a cycle along the predicted path, right or wrong.
#include "sc_models/core/pipeline.h"

namespace strobe::core {

void Pipeline::fetch() {
  if (perfect_ && !may_step()) return;
  if (fetch_blocked_) return;
  if (cycle_ < fetch_at_) {
    ++stats_.stall.fetch;
    return;
  }
  uint64_t block = 0;
  for (unsigned n = 0; n < params_.fetch_width; ++n) {
    if (front_tail_ - front_head_ >= params_.fetch_buffer) return;
    const uint64_t pc = fetch_pc_;
    const isa::DecodedInsn* insn = hart_.peek(pc);
    if (insn != nullptr) {
      // An instruction belongs to the block of its last byte.
      const uint64_t last = pc + insn->length - 1;
      if (n == 0) block = last >> fetch_block_bits_;
      if (last >> fetch_block_bits_ != block) return;
      if (!line_ready(pc)) return;
      if ((pc ^ last) >> instruction_line_bits_ != 0 && !line_ready(last)) return;
    }
    FrontEntry& entry = push_fetched(insn);
    if (insn == nullptr)
      fetch_blocked_ = true;  // nothing executable there: it traps if it is reached
    if (perfect_) {
      if (!step(entry, front_tail_ - 1)) {
        --front_tail_;
        --stats_.fetched;
        fetch_blocked_ = false;
        return;
      }
      fetch_pc_ = entry.next;
    }
    active_ = true;
    if (trace_ != nullptr) trace_fetched(front_tail_ - 1);
    if (fetch_blocked_ || fetch_pc_ != pc + entry.length) return;  // a taken branch ends the block
  }
}

// The last two lines stay in hand: an instruction may straddle them.
bool Pipeline::line_ready(uint64_t address) {
  const unsigned latency = params_.memory.l1i.latency;
  const uint64_t number = address >> instruction_line_bits_;
  if (number == lines_in_hand_[0] || number == lines_in_hand_[1]) return true;
  const uint64_t ready = icache_->access(address, AccessKind::kFetch, cycle_);
  active_ = true;
  if (ready == 0) {
    ++stats_.stall.fetch;
    return false;
  }
  lines_in_hand_[1] = lines_in_hand_[0];
  lines_in_hand_[0] = number;
  if (ready <= cycle_ + latency) return true;  // the hit latency is part of front_end_stages
  fetch_at_ = ready - latency;
  fetch_missing_ = true;
  return false;
}

Pipeline::FrontEntry& Pipeline::push_fetched(const isa::DecodedInsn* insn) {
  FrontEntry& entry = front(front_tail_);
  ++stats_.fetched;
  if (on_wrong_path(front_tail_)) ++stats_.wrong_path_fetched;
  ++front_tail_;
  entry.pc = fetch_pc_;
  entry.rename_at = cycle_ + params_.front_end_stages;
  entry.before = predictor_.checkpoint();
  entry.mispredicted = entry.serial = entry.flush = entry.is_device = entry.needs_target = false;
  entry.serial_latency = 0;
  if (insn == nullptr) {
    entry.dst = entry.src[0] = entry.src[1] = entry.src[2] = isa::kNoRegister;
    entry.opclass = OpClass::kSystem;
    entry.flags = 0;
    entry.length = 4;
    entry.next = entry.pc + entry.length;
    return entry;
  }
  entry.imm = insn->imm;
  entry.dst = insn->dst;
  for (unsigned i = 0; i < 3; ++i) entry.src[i] = insn->src[i];
  entry.opclass = insn->opclass;
  entry.flags = insn->flags;
  entry.mem_size = insn->mem_size;
  entry.length = insn->length;
  entry.next = entry.pc + insn->length;
  const bool control = insn->opclass >= OpClass::kBranch && insn->opclass <= OpClass::kReturn;
  if (control && !perfect_) {
    const Prediction prediction = predictor_.predict(*insn, entry.pc);
    entry.next = prediction.next;
    entry.predictor_index = prediction.index;
    entry.needs_target = prediction.needs_target;
  }
  fetch_pc_ = entry.next;
  return entry;
}

// Drops every fetched instruction from front position `first` on.
void Pipeline::squash_younger(uint64_t first) {
  if (first >= front_tail_) return;
  predictor_.restore(front(first).before);
  if (trace_ != nullptr) trace_->squashed_front_end(cycle_, first, front_tail_);
  stats_.squashed += front_tail_ - first;
  front_tail_ = first;
  if (front_decoded_ > first) front_decoded_ = first;
}

// Drops everything before the reorder buffer and fetches from `pc`, from cycle `when` on.
void Pipeline::redirect(uint64_t pc, uint64_t when) {
  squash_younger(front_head_);
  if (trace_ != nullptr) trace_->squashed_wrong_path(cycle_);
  stats_.squashed += wrong_in_rob_;
  wrong_in_rob_ = 0;
  wrong_from_ = kNever;
  fetch_pc_ = pc;
  fetch_at_ = when;
  fetch_missing_ = false;
  fetch_blocked_ = false;
  active_ = true;
}

}  // namespace strobe::core
