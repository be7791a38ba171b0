// Fetch: one aligned block a cycle along the predicted path, right or wrong.
#include <algorithm>

#include "sc_models/core/pipeline.h"

namespace strobe::core {
namespace {

bool is_control(OpClass opclass) {
  return opclass >= OpClass::kBranch && opclass <= OpClass::kReturn;
}

// Nothing executable is there: it traps if it is reached.
constexpr isa::DecodedInsn kNotExecutable = [] {
  isa::DecodedInsn insn;
  insn.opclass = OpClass::kSystem;
  return insn;
}();

}  // namespace

void Pipeline::fetch() {
  if (perfect_ && !may_step()) return;
  if (fetch_blocked_) return;
  if (cycle_ < fetch_at_) {
    ++stats_.stall.fetch;
    return;
  }
  const uint64_t first = front_tail_;
  const uint64_t end = std::min(front_head_ + params_.fetch_buffer, first + params_.fetch_width);
  if (first >= end) return;
  perfect_ ? fetch_perfectly(end) : fetch_block(end);
  const uint64_t tail = front_tail_;
  if (tail == first) return;
  active_ = true;
  stats_.fetched += tail - first;
  const uint64_t right = std::max(first, wrong_from_);
  if (tail > right) stats_.wrong_path_fetched += tail - right;
  if (trace_ != nullptr) trace_fetched(first);
}

// To a taken branch, the block's end, a line that is not there, or front position `end`.
void Pipeline::fetch_block(uint64_t end) {
  uint64_t pc = fetch_pc_;
  const isa::DecodedInsn* insn = hart_.peek(pc);
  const uint64_t block = insn == nullptr ? 0 : (pc + insn->length - 1) >> fetch_block_bits_;
  uint64_t ready_line = kNever;
  for (;;) {
    if (insn == nullptr) {
      push_fetched(kNotExecutable);
      fetch_blocked_ = true;
      return;
    }
    // An instruction belongs to the block of its last byte.
    const unsigned length = insn->length;
    if ((pc + length - 1) >> fetch_block_bits_ != block) return;
    if (!bytes_ready(*insn, pc, ready_line)) return;
    FrontEntry& entry = push_fetched(*insn);
    const uint64_t behind = pc + length;
    pc = is_control(insn->opclass) ? predict(entry) : behind;
    fetch_pc_ = pc;
    if (pc != behind || front_tail_ == end) return;
    insn = hart_.peek_behind(insn, pc);
  }
}

// With a perfect predictor the hart itself says where fetch goes.
void Pipeline::fetch_perfectly(uint64_t end) {
  uint64_t block = kNever, ready_line = kNever;
  while (front_tail_ < end) {
    const uint64_t pc = fetch_pc_;
    const isa::DecodedInsn* insn = hart_.peek(pc);
    const unsigned length = insn == nullptr ? kNotExecutable.length : insn->length;
    if (insn != nullptr) {
      const uint64_t last = (pc + length - 1) >> fetch_block_bits_;
      if (block == kNever) block = last;
      if (last != block || !bytes_ready(*insn, pc, ready_line)) return;
    }
    FrontEntry& entry = push_fetched(insn == nullptr ? kNotExecutable : *insn);
    if (insn != nullptr) fetch_pc_ = entry.next;
    if (!step(entry, front_tail_ - 1)) {
      --front_tail_;
      return;
    }
    fetch_pc_ = entry.next;
    fetch_blocked_ = insn == nullptr;
    if (fetch_blocked_ || fetch_pc_ != pc + length) return;
  }
}

// Whether the lines of an instruction are there; `ready_line` is one that is known to be.
bool Pipeline::bytes_ready(const isa::DecodedInsn& insn, uint64_t pc, uint64_t& ready_line) {
  const uint64_t first = pc >> instruction_line_bits_;
  const uint64_t last = (pc + insn.length - 1) >> instruction_line_bits_;
  if (first != ready_line && !line_ready(first)) return false;
  if (last != first && !line_ready(last)) return false;
  ready_line = last;
  return true;
}

// The last two lines stay in hand: an instruction may straddle them.
bool Pipeline::line_ready(uint64_t number) {
  if (number == lines_in_hand_[0] || number == lines_in_hand_[1]) return true;
  const unsigned latency = params_.memory.l1i.latency;
  const uint64_t ready =
      icache_->access(number << instruction_line_bits_, AccessKind::kFetch, cycle_);
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

Pipeline::FrontEntry& Pipeline::push_fetched(const isa::DecodedInsn& insn) {
  FrontEntry& entry = front(front_tail_++);
  entry.insn = insn;
  entry.pc = fetch_pc_;
  entry.next = fetch_pc_ + insn.length;
  entry.rename_at = cycle_ + params_.front_end_stages;
  entry.checkpoint = checkpoints_tail_;
  entry.serial_latency = 0;
  entry.needs_target = entry.is_device = entry.serial = entry.flush = false;
  return entry;
}

// Where fetch goes behind a control instruction.
uint64_t Pipeline::predict(FrontEntry& entry) {
  checkpoints_[checkpoints_tail_++ & (checkpoints_.size() - 1)] = predictor_.checkpoint();
  const Prediction prediction = predictor_.predict(entry.insn, entry.pc);
  entry.next = prediction.next;
  entry.predictor_index = prediction.index;
  entry.needs_target = prediction.needs_target;
  return prediction.next;
}

// Only control instructions change the predictor's state.
Checkpoint Pipeline::checkpoint_before(const FrontEntry& entry) const {
  if (entry.checkpoint == checkpoints_tail_) return predictor_.checkpoint();
  return checkpoints_[entry.checkpoint & (checkpoints_.size() - 1)];
}

// Drops every fetched instruction from front position `first` on.
void Pipeline::squash_younger(uint64_t first) {
  if (first >= front_tail_) return;
  predictor_.restore(checkpoint_before(front(first)));
  checkpoints_tail_ = front(first).checkpoint;
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
