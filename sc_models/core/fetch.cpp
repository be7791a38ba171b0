// Fetch: one aligned block a cycle along the predicted path, right or wrong.
#include <algorithm>

#include "sc_models/core/pipeline.h"

namespace strobe::core {
namespace {

constexpr unsigned kUnknownLength = 4;  // where nothing can be executed: it traps if it is reached

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
  uint64_t block = kNever;
  for (;;) {
    const uint64_t pc = fetch_pc_;
    const FetchRun& run = run_table_.at(pc);
    if (run.count == 0) {
      push_fetched(1, kUnknownLength);
      fetch_blocked_ = true;
      return;
    }
    // An instruction belongs to the block of its last byte.
    const uint64_t last = pc + run.bytes[0] - 1;
    if (block == kNever) block = last >> fetch_block_bits_;
    if (last >> fetch_block_bits_ != block || !bytes_ready(pc, last)) return;
    const unsigned count = static_cast<unsigned>(std::min<uint64_t>(run.count, end - front_tail_));
    const bool whole = count == run.count;
    const unsigned bytes = run.bytes[count - 1];
    FetchedRun& fetched = push_fetched(count, bytes);
    fetched.edited = static_cast<uint8_t>(run.edited & ((1u << count) - 1));
    if (whole && run.ends_in_control) predict(fetched, run.control, pc + bytes);
    fetch_pc_ = fetched.next;
    if (fetched.next != pc + bytes || front_tail_ == end) return;
  }
}

// With a perfect predictor the hart itself says where fetch goes.
void Pipeline::fetch_perfectly(uint64_t end) {
  uint64_t block = kNever;
  while (front_tail_ < end) {
    const uint64_t pc = fetch_pc_;
    const isa::DecodedInsn* insn = hart_.peek(pc);
    const unsigned length = insn == nullptr ? kUnknownLength : insn->length;
    if (insn != nullptr) {
      const uint64_t last = pc + length - 1;
      if (block == kNever) block = last >> fetch_block_bits_;
      if (last >> fetch_block_bits_ != block || !bytes_ready(pc, last)) return;
    }
    const FetchedRun& run = push_fetched(1, length);
    if (!step(run, front_tail_ - 1)) {  // not now: the same instruction comes again
      --front_tail_;
      --runs_tail_;
      return;
    }
    fetch_pc_ = record(records_tail_ - 1).pc_wdata;
    fetch_blocked_ = insn == nullptr;
    if (hart_.in_sequence() && fetch_pc_ == pc) continue;
    if (fetch_blocked_ || fetch_pc_ != pc + length) return;
  }
}

// Whether the lines of an instruction are there.
bool Pipeline::bytes_ready(uint64_t first, uint64_t last) {
  const uint64_t line = first >> instruction_line_bits_;
  const uint64_t last_line = last >> instruction_line_bits_;
  return line_ready(line) && (last_line == line || line_ready(last_line));
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

Pipeline::FetchedRun& Pipeline::push_fetched(unsigned count, unsigned bytes) {
  FetchedRun& run = fetched_run(runs_tail_++);
  front_tail_ += count;
  run.pc = fetch_pc_;
  run.next = fetch_pc_ + bytes;
  run.end = front_tail_;
  run.rename_at = cycle_ + params_.front_end_stages;
  run.checkpoint = checkpoints_tail_;
  run.needs_target = false;
  run.count = static_cast<uint8_t>(count);
  run.edited = 0;
  return run;
}

// Where fetch goes behind the control instruction that ends the run.
void Pipeline::predict(FetchedRun& run, const isa::DecodedInsn& insn, uint64_t behind) {
  checkpoints_[checkpoints_tail_++ & (checkpoints_.size() - 1)] = predictor_.checkpoint();
  const uint64_t pc = behind - insn.length;
  const Prediction prediction = predictor_.predict(insn, pc);
  run.next = prediction.next;
  run.target = pc + static_cast<uint64_t>(static_cast<int64_t>(insn.imm));
  run.predictor_index = prediction.index;
  run.needs_target = prediction.needs_target;
}

// Only control instructions change the predictor's state.
Checkpoint Pipeline::checkpoint_before(const FetchedRun& run) const {
  if (run.checkpoint == checkpoints_tail_) return predictor_.checkpoint();
  return checkpoints_[run.checkpoint & (checkpoints_.size() - 1)];
}

// The number of the run that front position `position` is in.
uint64_t Pipeline::run_of(uint64_t position) const {
  uint64_t number = runs_decoding_;
  while (position < runs_[(number - 1) & runs_mask_].end) --number;
  while (position >= runs_[number & runs_mask_].end) ++number;
  return number;
}

// Drops every fetched instruction from front position `first` on.
void Pipeline::squash_younger(uint64_t first) {
  if (first >= front_tail_) return;
  const uint64_t number = run_of(first);
  FetchedRun& run = fetched_run(number);
  predictor_.restore(checkpoint_before(run));
  checkpoints_tail_ = run.checkpoint;
  if (trace_ != nullptr) trace_->squashed_front_end(cycle_, first, front_tail_);
  stats_.squashed += front_tail_ - first;
  front_tail_ = first;
  run.count = static_cast<uint8_t>(run.count - std::min<uint64_t>(run.count, run.end - first));
  run.end = first;
  runs_tail_ = first == fetched_run(number - 1).end ? number : number + 1;
  if (front_decoded_ > first) front_decoded_ = first;
  if (runs_decoding_ > number) runs_decoding_ = number;
}

// Drops everything before the reorder buffer and fetches from `pc`, from cycle `when` on.
void Pipeline::redirect(uint64_t pc, uint64_t when) {
  squash_younger(front_head_);
  if (trace_ != nullptr) trace_->squashed_wrong_path(cycle_);
  stats_.squashed += wrong_in_rob_;
  wrong_in_rob_ = 0;
  wrong_from_ = kNever;
  if (engine_on_wrong_path_) leave_wrong_path();
  fetch_pc_ = pc;
  fetch_at_ = when;
  fetch_missing_ = false;
  fetch_blocked_ = false;
  active_ = true;
}

}  // namespace strobe::core
