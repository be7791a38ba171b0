// Fetch: one aligned block a cycle along the predicted path, right or wrong.
#include <algorithm>

#include "sc_models/core/pipeline.h"

namespace strobe::core {
namespace {

constexpr unsigned kUnknownLength = 4;  // where nothing can be executed: it traps if it is reached

}  // namespace

// The next piece of the right path, as far as anybody knows.
void Pipeline::fetch() {
  write_stores(std::min(fetch_cycle_, visible_until_));
  const uint64_t pc = fetch_pc_;
  const FetchRun& run = run_table_.at(pc);
  unsigned count = fetch_from(run, placed_, kNever);
  if (count == 0) {  // the pipeline is stuck, and deliver() will say so
    fetch_cycle_ = kNever;
    count = 1;
  }
  const bool executable = run.count != 0;
  const unsigned bytes = executable ? run.bytes[count - 1] : kUnknownLength;
  piece_.run = &run;
  piece_.pc = pc;
  piece_.next = pc + bytes;
  piece_.fetched_at = fetch_cycle_;
  piece_.missed_at = missed_at_;
  piece_.generation = executable ? run.generation : ~uint64_t{0};
  piece_.count = static_cast<uint8_t>(count);
  piece_.done = 0;
  piece_.needs_target = false;
  piece_.predicted = count == run.count && run.ends_in_control && !perfect_;
  stats_.fetched += count;
  if (piece_.predicted) {
    learn(fetch_cycle_);
    piece_.before = predictor_.checkpoint();
    const uint64_t control_pc = pc + bytes - run.control.length;
    const Prediction prediction = predictor_.predict(run.control, control_pc);
    piece_.target = control_pc + static_cast<uint64_t>(static_cast<int64_t>(run.control.imm));
    piece_.next = prediction.next;
    piece_.predictor_index = prediction.index;
    piece_.needs_target = prediction.needs_target;
  }
  fetch_pc_ = piece_.next;
  if (piece_.next != pc + bytes) fetch_left_ = 0;
  if (trace_ != nullptr) settle_trace(piece_.fetched_at);
}

// Finds the cycle in which fetch takes instructions of the run, the first of them with number
// `position`. Returns how many; 0: none before cycle `until`.
[[gnu::always_inline]] inline unsigned Pipeline::fetch_from(const FetchRun& run, uint64_t position,
                                                            uint64_t until) {
  missed_at_ = kNever;
  const uint64_t pc = run.count != 0 ? run.pc : fetch_pc_;
  // An instruction belongs to the block of its last byte.
  const uint64_t last = pc + (run.count != 0 ? run.bytes[0] : kUnknownLength) - 1;
  const uint64_t block = last >> fetch_block_bits_;
  const unsigned width = params_.fetch_width, buffer = params_.fetch_buffer;
  if (fetch_left_ == 0 || (fetch_block_ != block && fetch_block_ != kNever)) {
    ++fetch_cycle_;
    fetch_left_ = width;
  }
  const uint64_t room_at = renamed(position - buffer);
  if (room_at > fetch_cycle_) {
    fetch_cycle_ = room_at;
    fetch_left_ = width;
  }
  fetch_block_ = block;
  if (fetch_cycle_ >= until) return 0;
  if (run.count == 0) return 1;
  const uint64_t line = pc >> instruction_line_bits_;
  if (line != lines_in_hand_[0] || last >> instruction_line_bits_ != line) {
    if (!lines_ready(line, last >> instruction_line_bits_, until)) return 0;
  }
  unsigned count = std::min<unsigned>(run.count, fetch_left_);
  while (count > 1 && renamed(position + count - 1 - buffer) > fetch_cycle_) --count;
  fetch_left_ -= count;
  return count;
}

bool Pipeline::lines_ready(uint64_t first, uint64_t last, uint64_t until) {
  return line_ready(first, until) && (last == first || line_ready(last, until));
}

// Fetch goes on in the cycle in which the line is there. The last two lines stay in hand: an
// instruction may straddle them. False: not before cycle `until`.
bool Pipeline::line_ready(uint64_t number, uint64_t until) {
  if (number == lines_in_hand_[0] || number == lines_in_hand_[1]) return true;
  const unsigned latency = params_.memory.l1i.latency;
  const uint64_t first = fetch_cycle_;
  uint64_t ready;
  while ((ready = icache_->access(number << instruction_line_bits_, AccessKind::kFetch,
                                  fetch_cycle_)) == 0) {
    ++stats_.stall.fetch;
    fetch_left_ = params_.fetch_width;
    if (++fetch_cycle_ >= until) return false;
    if (fetch_cycle_ - first > params_.watchdog_cycles) {
      fetch_cycle_ = kNever;
      return false;
    }
  }
  lines_in_hand_[1] = lines_in_hand_[0];
  lines_in_hand_[0] = number;
  if (ready <= fetch_cycle_ + latency) return true;  // the hit latency is part of front_end_stages
  const uint64_t at = std::min(ready - latency, until);
  stats_.stall.fetch += at - fetch_cycle_ - 1;
  missed_at_ = fetch_cycle_;
  fetch_cycle_ = ready - latency;
  fetch_left_ = params_.fetch_width;
  return fetch_cycle_ < until;
}

// What fetch takes from here to cycle `until`, where it is dropped: the wrong path, or what lies
// behind an instruction that turns out to lead elsewhere. The instructions have the numbers from
// `position` on.
void Pipeline::fetch_in_vain(uint64_t position, uint64_t until, bool wrong_path) {
  while (fetch_cycle_ < until) {
    const uint64_t pc = fetch_pc_;
    const FetchRun& run = run_table_.at(pc);
    const unsigned count = fetch_from(run, position, until);
    if (count == 0) return;
    stats_.fetched += count;
    stats_.squashed += count;
    if (wrong_path) stats_.wrong_path_fetched += count;
    pass_wrong_path(position, count, wrong_path ? until : 0);
    if (trace_ != nullptr) trace_squashed(run, 0, count, position, until);
    if (wrong_path && run.edited != 0) present_wrong_path(run, count, position, until);
    position += count;
    if (run.count == 0) return;
    fetch_pc_ = pc + run.bytes[count - 1];
    if (count != run.count || !run.ends_in_control || perfect_) continue;
    learn(fetch_cycle_);
    const isa::DecodedInsn control = run.control;
    const uint64_t control_pc = fetch_pc_ - control.length;
    const Prediction prediction = predictor_.predict(control, control_pc);
    if (prediction.needs_target) {
      // Decode waits for rename.
      const uint64_t decoded_at = std::max(fetch_cycle_ + params_.front_end_stages - 1,
                                           renamed(position - 1 - params_.decode_width));
      if (!wrong_path || decoded_at >= until) continue;
      const Checkpoint behind = predictor_.checkpoint();
      fetch_in_vain(position, decoded_at, wrong_path);
      predictor_.restore(behind);
      ++stats_.misfetched;
      redirect(control_pc + static_cast<uint64_t>(static_cast<int64_t>(control.imm)), decoded_at);
    } else if (prediction.next != fetch_pc_) {
      fetch_pc_ = prediction.next;
      fetch_left_ = 0;
    }
  }
}

// They take slots of the reorder buffer at rename, while there are some, and do nothing else. From
// cycle `until` on nobody is renamed.
void Pipeline::pass_wrong_path(uint64_t position, unsigned count, uint64_t until) {
  const uint64_t from = fetch_cycle_ + params_.front_end_stages;
  for (unsigned i = 0; i < count; ++i, ++position) {
    uint64_t at = kNever;
    if (from < until && position - params_.rob < placed_) {
      at = std::max(std::max(from, renamed(position - 1)),
                    std::max(renamed(position - params_.decode_width) + 1,
                             committed_at(position - params_.rob)));
      if (at >= until) at = kNever;
    }
    renamed(position) = at;
  }
}

// What is left of the piece, and what fetch has taken behind it by cycle `when`, is dropped then.
void Pipeline::drop_behind(uint64_t when) {
  const unsigned left = piece_.count - piece_.done;
  const bool restore = piece_.predicted && left != 0;
  const Checkpoint before = restore ? piece_.before : predictor_.checkpoint();
  if (perfect_) return forget_piece(when);
  stats_.squashed += left;
  pass_wrong_path(placed_, left, 0);
  if (trace_ != nullptr && left != 0) {
    trace_squashed(run_table_.at(piece_.pc), piece_.done, left, placed_, when);
  }
  piece_.count = piece_.done = 0;
  fetch_in_vain(placed_ + left, when, false);
  predictor_.restore(before);
}

// Fetch goes on at `pc` in cycle `when`.
void Pipeline::redirect(uint64_t pc, uint64_t when) {
  fetch_pc_ = pc;
  fetch_cycle_ = when;
  fetch_left_ = params_.fetch_width;
  fetch_block_ = kNever;
}

// The control instructions that have committed by cycle `through` teach the predictor.
void Pipeline::learn(uint64_t through) {
  while (lessons_head_ < lessons_tail_) {
    const Lesson& lesson = lessons_[lessons_head_ & mask_];
    if (lesson.commit_at > through) return;
    predictor_.train(lesson.opclass, lesson.pc, lesson.index, lesson.taken, lesson.target);
    ++lessons_head_;
  }
}

}  // namespace strobe::core
