// The front end on a core that another hart shares: which cycles of the fetch stage it takes.
#include <algorithm>

#include "sc_models/core/front_end/front_end.h"

namespace strobe::core {

// Fetch goes on in the first cycle that the other hart leaves.
void FrontEnd::take_fetch_slot(uint64_t until) {
  if (fetch_cycle_ >= until) return;
  const bool right_path = until == kNever;
  const uint64_t at =
      right_path ? share_->fetch_slot(fetch_cycle_) : share_->wrong_path_slot(fetch_cycle_);
  if (at == fetch_cycle_) return;
  fetch_cycle_ = at;
  fetch_left_ = params_.fetch_width;
}

uint64_t FrontEnd::next_fetch() {
  const FetchRun& run = run_table_.at(fetch_pc_);
  const uint64_t block = (fetch_pc_ + run.bytes[0] - 1) >> block_bits_;
  const bool same_cycle = fetch_left_ != 0 && (fetch_block_ == block || fetch_block_ == kNever);
  const uint64_t room_at = rob_.renamed(rob_.placed() - params_.fetch_buffer);
  const uint64_t wanted = std::max(fetch_cycle_ + (same_cycle ? 0 : 1), room_at);
  const uint64_t slot = share_->next_fetch_slot(wanted);
  if (slot > wanted) {  // the cycles before it are not looked at again
    fetch_cycle_ = slot - 1;
    fetch_left_ = 0;
  }
  return slot;
}

uint64_t FrontEnd::next_ahead() {
  if (perfect_) return kNever;
  const uint64_t position = rob_.placed() + group_.left();
  if (ahead_ <= position) {
    ahead_ = position;
    ahead_pc_ = fetch_pc_;
  }
  ahead_cycle_ = std::max(ahead_cycle_, fetch_cycle_);
  const uint64_t leaves = ahead_ - params_.fetch_buffer;  // whose place is taken
  if (leaves >= rob_.placed()) return kNever;
  const uint64_t slot = share_->next_fetch_slot(std::max(ahead_cycle_ + 1, rob_.renamed(leaves)));
  ahead_cycle_ = slot - 1;
  return slot;
}

bool FrontEnd::has_room(uint64_t cycle) const {
  const uint64_t position = group_.left() == 0 ? rob_.placed() : ahead_;
  const uint64_t last_leaves = position + params_.fetch_width - 1 - params_.fetch_buffer;
  return last_leaves < rob_.placed() && rob_.renamed(last_leaves) <= cycle;
}

void FrontEnd::claim(uint64_t cycle) {
  share_->fetch_slot(cycle);
  const uint64_t leaves = ahead_ - params_.fetch_buffer;
  const uint64_t in_block = (params_.fetch_block - ahead_pc_ % params_.fetch_block) / 4;
  const uint64_t most = std::min<uint64_t>(
      {params_.fetch_width, std::max<uint64_t>(in_block, 1), rob_.placed() - leaves});
  uint64_t count = 1;
  while (count < most && rob_.renamed(leaves + count) <= cycle) ++count;
  ahead_ += count;
  ahead_pc_ += 4 * count;
  ahead_cycle_ = cycle;
}

}  // namespace strobe::core
