// Issue: the oldest ready instructions that find a free functional unit.
#include "sc_models/core/pipeline.h"

namespace strobe::core {

void Pipeline::issue() {
  if (ready_words_ == 0) return;
  active_ = true;
  const uint64_t head = rob_head_ & rob_mask_;
  const size_t words = ready_.size();
  const uint64_t below_head = (uint64_t{1} << head % 64) - 1;
  unsigned left = params_.issue_width;
  unsigned busy = 0;               // units that have nothing left in this cycle, one bit each
  unsigned used[kUnitCount] = {};  // operations begun in this cycle
  // Oldest first: from the head's bit up, around, and the bits below the head last.
  for (size_t k = 0; k <= words; ++k) {
    const size_t word = (head / 64 + k) & (words - 1);  // words is a power of two
    if ((ready_words_ >> word & 1) == 0) continue;
    uint64_t bits = ready_[word];
    if (k == 0) bits &= ~below_head;
    if (k == words) bits &= below_head;
    for (; bits != 0; bits &= bits - 1) {
      const uint32_t slot =
          static_cast<uint32_t>(word * 64) + static_cast<uint32_t>(__builtin_ctzll(bits));
      const RobEntry& entry = rob_[slot];
      const Unit unit = entry.unit;
      if ((busy >> unit & 1) != 0) continue;
      // An atomic runs alone at the head, behind every store.
      if (entry.memory == Memory::kAmo && (slot != head || stores_head_ != stores_committed_))
        continue;
      const bool taken =
          (pipelined_ >> unit & 1) != 0 ? used[unit]++ < unit_[unit].count : take_unit(unit);
      if (!taken) {
        busy |= 1u << unit;
        continue;
      }
      ready_[word] &= ~(bits & -bits);
      if (ready_[word] == 0) ready_words_ &= ~(uint64_t{1} << word);
      start(slot);
      if (--left == 0) return;
    }
  }
}

// The instruction leaves its station. Who waits for its result now knows when to go on.
void Pipeline::start(uint32_t slot) {
  RobEntry& entry = rob_[slot];
  --stations_used_;
  if (trace_ != nullptr) trace_->issued(cycle_, slot);
  const uint64_t done_at = cycle_ + entry.latency;
  if (entry.memory >= Memory::kLoad) {
    entry.state = RobState::kAddress;
    addresses_[addresses_tail_++ & rob_mask_] = {done_at, slot};
    return;
  }
  entry.state = RobState::kExecuting;
  if (entry.mispredicted) resolve_at_ = done_at;
  result_at(entry, done_at);
}

// One that takes an operation only every `interval` cycles.
bool Pipeline::take_unit(Unit unit) {
  for (uint64_t& free_at : unit_free_[unit]) {
    if (free_at > cycle_) continue;
    free_at = cycle_ + unit_[unit].interval;
    return true;
  }
  return false;
}

}  // namespace strobe::core
