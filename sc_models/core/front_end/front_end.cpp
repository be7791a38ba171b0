#include "sc_models/core/front_end/front_end.h"

#include <algorithm>
#include <utility>

namespace strobe::core {
FrontEnd::FrontEnd(const CoreParams& params, isa::Hart& hart, const ReorderBuffer& rob,
                   PipelineStats& stats, Tracer& tracer, CoreShare* share)
    : params_(params),
      hart_(hart),
      rob_(rob),
      stats_(stats),
      tracer_(tracer),
      share_(share),
      predictor_(share != nullptr ? share->core().predictor.sibling()
                                  : Predictor(params.predictor, params.fetch_buffer + params.rob)),
      perfect_(predictor_.perfect()),
      block_bits_(log2_of(params.fetch_block)),
      line_bits_(log2_of(params.memory.l1i.line)),
      run_table_(hart, block_bits_, params_.memory.ntl),
      wrong_path_(params, rob, hart),
      updates_(rob.size()) {}

void FrontEnd::clear(uint64_t committed) {
  update_predictor(committed);
  updates_head_ = updates_tail_;
  group_ = FetchGroup();
}

void FrontEnd::fetch() {
  const uint64_t pc = fetch_pc_;
  const FetchRun& run = run_table_.at(pc);
  predictor_.enter(hart_.state().mode == PrivilegeMode::kMachine);
  unsigned count = fetch_from(run, rob_.placed(), kNever);
  if (count == 0) {  // the pipeline is stuck, and commit will say so
    fetch_cycle_ = kNever;
    count = 1;
  }
  const unsigned bytes = run.bytes[count - 1];
  group_.run = &run;
  group_.pc = pc;
  group_.next = pc + bytes;
  group_.fetched_at = fetch_cycle_;
  group_.missed_at = missed_at_;
  group_.generation = run.generation;
  group_.count = static_cast<uint8_t>(count);
  group_.done = 0;
  group_.needs_target = false;
  group_.predicted = count == run.count && run.ends_in_control && !perfect_;
  stats_.fetched += count;
  if (group_.predicted) {
    update_predictor(fetch_cycle_);
    group_.before = predictor_.checkpoint();
    const uint64_t control_pc = pc + bytes - run.control.length;
    const Prediction prediction = predictor_.predict(run.control, control_pc);
    group_.target = control_pc + static_cast<uint64_t>(static_cast<int64_t>(run.control.imm));
    group_.next = prediction.next;
    group_.predictor_index = prediction.index;
    group_.needs_target = prediction.needs_target;
  }
  fetch_pc_ = group_.next;
  if (group_.next != pc + bytes) fetch_left_ = 0;
  if (tracer_.on()) tracer_.settle(group_.fetched_at);
}

// Finds the cycle in which fetch takes instructions of the run, the first of them with number
// `position`. Returns how many; 0: none before cycle `until`.
[[gnu::always_inline]] inline unsigned FrontEnd::fetch_from(const FetchRun& run, uint64_t position,
                                                            uint64_t until) {
  missed_at_ = kNever;
  const uint64_t pc = fetch_pc_;
  // An instruction belongs to the block of its last byte.
  const uint64_t last = pc + run.bytes[0] - 1;
  const uint64_t block = last >> block_bits_;
  const unsigned width = params_.fetch_width, buffer = params_.fetch_buffer;
  if (fetch_left_ == 0 || (fetch_block_ != block && fetch_block_ != kNever)) {
    ++fetch_cycle_;
    fetch_left_ = width;
  }
  const uint64_t room_at = rob_.renamed(position - buffer);
  if (room_at > fetch_cycle_) {
    fetch_cycle_ = room_at;
    fetch_left_ = width;
  }
  fetch_block_ = block;
  if (share_ != nullptr) take_fetch_slot(until);
  if (fetch_cycle_ >= until) return 0;
  if (run.count == 0) return 1;
  const uint64_t line = pc >> line_bits_;
  if (line != lines_in_hand_[0] || last >> line_bits_ != line) {
    const uint64_t asked_at = fetch_cycle_;
    if (!lines_ready(line, last >> line_bits_, until)) return 0;
    if (share_ != nullptr && fetch_cycle_ != asked_at) take_fetch_slot(until);
  }
  unsigned count = std::min<unsigned>(run.count, fetch_left_);
  while (count > 1 && rob_.renamed(position + count - 1 - buffer) > fetch_cycle_) --count;
  fetch_left_ -= count;
  return count;
}

bool FrontEnd::lines_ready(uint64_t first, uint64_t last, uint64_t until) {
  return line_ready(first, until) && (last == first || line_ready(last, until));
}

// Fetch goes on in the cycle in which the line is there. The last two lines stay in hand: an
// instruction may straddle them. False: not before cycle `until`.
bool FrontEnd::line_ready(uint64_t number, uint64_t until) {
  if (number == lines_in_hand_[0] || number == lines_in_hand_[1]) return true;
  const unsigned latency = params_.memory.l1i.latency;
  const uint64_t first = fetch_cycle_;
  uint64_t ready;
  while ((ready = cache_->access(number << line_bits_, AccessKind::kFetch, fetch_cycle_)) == 0) {
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

void FrontEnd::fetch_wrong_path(uint64_t position, uint64_t until, bool mispredicted) {
  while (fetch_cycle_ < until) {
    const uint64_t pc = fetch_pc_;
    const FetchRun& run = run_table_.at(pc);
    const unsigned count = fetch_from(run, position, until);
    if (count == 0) return;
    stats_.fetched += count;
    stats_.squashed += count;
    if (mispredicted) stats_.wrong_path_fetched += count;
    rename_wrong_path(position, count, mispredicted ? until : 0);
    if (tracer_.on()) trace_squashed(run, 0, count, position, until);
    if (mispredicted && run.edited != 0) {
      wrong_path_.present(run, count, position, fetch_cycle_, until);
    }
    position += count;
    if (run.count == 0) return;
    fetch_pc_ = pc + run.bytes[count - 1];
    if (count != run.count || !run.ends_in_control || perfect_) continue;
    update_predictor(fetch_cycle_);
    const isa::DecodedInsn control = run.control;
    const uint64_t control_pc = fetch_pc_ - control.length;
    const Prediction prediction = predictor_.predict(control, control_pc);
    if (prediction.needs_target) {
      // Decode waits for rename.
      const uint64_t decoded_at = std::max(fetch_cycle_ + params_.front_end_stages - 1,
                                           rob_.renamed(position - 1 - params_.decode_width));
      if (!mispredicted || decoded_at >= until) continue;
      const Checkpoint after = predictor_.checkpoint();
      fetch_wrong_path(position, decoded_at, mispredicted);
      predictor_.restore(after);
      ++stats_.misfetched;
      redirect(control_pc + static_cast<uint64_t>(static_cast<int64_t>(control.imm)), decoded_at);
    } else if (prediction.next != fetch_pc_) {
      follow(prediction.next);
    }
  }
}

// They take slots of the reorder buffer at rename, while there are some, and do nothing else. From
// cycle `until` on none is renamed.
void FrontEnd::rename_wrong_path(uint64_t position, unsigned count, uint64_t until) {
  const uint64_t from = fetch_cycle_ + params_.front_end_stages, end = position + count;
  if (from < until) position = rename_before(position, end, from, until);
  for (; position != end; ++position) rob_.renamed(position) = kNever;
}

// The part of them that finds slots of the reorder buffer. @return the first without one
[[gnu::noinline]] uint64_t FrontEnd::rename_before(uint64_t position, uint64_t end, uint64_t from,
                                                   uint64_t until) {
  // In local variables, because what the loop writes might be one of them.
  const uint64_t placed = rob_.placed(), mask = rob_.size() - 1;
  uint64_t* const renamed = &rob_.renamed_in(0);
  const uint64_t* const committed_at = &rob_.committed_in(0);
  for (; position != end && position - params_.rob < placed; ++position) {
    uint64_t at = std::max(std::max(from, renamed[(position - 1) & mask]),
                           std::max(renamed[(position - params_.decode_width) & mask] + 1,
                                    committed_at[(position - params_.rob) & mask]));
    if (share_ != nullptr) at = share_->rename_wrong_path(at, until);
    renamed[position & mask] = at < until ? at : kNever;
  }
  return position;
}

void FrontEnd::drop_younger(uint64_t when) {
  const unsigned left = group_.left();
  const bool restore = group_.predicted && left != 0;
  const Checkpoint before = restore ? group_.before : predictor_.checkpoint();
  if (perfect_) return refetch(when);
  stats_.squashed += left;
  rename_wrong_path(rob_.placed(), left, 0);
  if (tracer_.on() && left != 0) {
    trace_squashed(run_table_.at(group_.pc), group_.done, left, rob_.placed(), when);
  }
  group_.drop();
  fetch_wrong_path(rob_.placed() + left, when, false);
  predictor_.restore(before);
}

void FrontEnd::leave_path(const RetireRecord& branch, uint64_t resolved_at) {
  const bool injected = branch.injected != 0;
  const Checkpoint before = group_.predicted ? group_.before : predictor_.checkpoint();
  const unsigned left = group_.left();
  stats_.squashed += left;
  stats_.wrong_path_fetched += left;
  // After a branch of a sequence its trigger comes first, and has been seen.
  wrong_path_.begin(branch.pc_rdata, rob_.placed() + (hart_.in_sequence() ? 1 : 0));
  if (left != 0) pass_rest_of_group(resolved_at);
  fetch_wrong_path(rob_.placed() + left, resolved_at, true);
  wrong_path_.end();
  group_.drop();
  ++stats_.mispredicted;
  const uint64_t after = branch.pc_rdata + branch.length;
  predictor_.resolve(before, injected ? OpClass::kAlu : branch.opclass, after,
                     branch.pc_wdata != after);
  redirect(branch.pc_wdata, resolved_at);
}

// The rest of the group is on the wrong path.
void FrontEnd::pass_rest_of_group(uint64_t until) {
  const FetchRun& run = run_table_.at(group_.pc);
  const uint64_t now = std::exchange(fetch_cycle_, group_.fetched_at);
  const uint64_t placed = rob_.placed();
  rename_wrong_path(placed, group_.left(), until);
  if (tracer_.on()) trace_squashed(run, group_.done, group_.left(), placed, until);
  if (run.edited != 0) {
    wrong_path_.present(run, group_.count, placed - group_.done, fetch_cycle_, until);
  }
  fetch_cycle_ = now;
}

void FrontEnd::supply_target(uint64_t decoded_at) {
  const Checkpoint after = predictor_.checkpoint();
  fetch_wrong_path(rob_.placed(), decoded_at, false);
  predictor_.restore(after);
  ++stats_.misfetched;
  group_.next = group_.target;
  redirect(group_.next, decoded_at);
}

void FrontEnd::refetch(uint64_t when) {
  stats_.fetched -= group_.left();
  group_.drop();
  redirect(hart_.state().pc, when);
}

void FrontEnd::trace_left() {
  const unsigned left = group_.left();
  if (left == 0) return;
  rename_wrong_path(rob_.placed(), left, 0);
  trace_squashed(run_table_.at(group_.pc), group_.done, left, rob_.placed(), kNever);
}

void FrontEnd::redirect(uint64_t pc, uint64_t when) {
  fetch_pc_ = pc;
  fetch_cycle_ = when;
  fetch_left_ = params_.fetch_width;
  fetch_block_ = kNever;
  ahead_ = ahead_cycle_ = 0;
}

void FrontEnd::add_update(const RetireRecord& done, uint64_t commit_at) {
  ++stats_.control;
  if (perfect_) return;
  const bool taken = done.opclass != OpClass::kBranch || done.itype == IType::kBranchTaken;
  updates_[rob_.place_of(updates_tail_++)] = {commit_at,
                                              done.pc_rdata,
                                              done.pc_wdata,
                                              group_.predictor_index,
                                              done.opclass,
                                              taken,
                                              predictor_.in_machine_mode()};
}

void FrontEnd::apply_oldest() {
  const PredictorUpdate& update = oldest_update();
  predictor_.train(update.opclass, update.pc, update.index, update.taken, update.target,
                   update.machine);
  ++updates_head_;
}

}  // namespace strobe::core
