#include "sc_models/core/back_end/load_store_unit.h"

#include <algorithm>

namespace strobe::core {

LoadStoreUnit::LoadStoreUnit(const CoreParams& params, const ReorderBuffer& rob,
                             PipelineStats& stats)
    : params_(params),
      rob_(rob),
      stats_(stats),
      line_bits_(log2_of(params.memory.l1d.line)),
      loads_(ring_size(params.load_queue + 1)),
      loads_mask_(loads_.size() - 1),
      loads_tail_(loads_.size()),
      stores_(ring_size(params.store_queue + 1)),
      stores_mask_(stores_.size() - 1) {}

void LoadStoreUnit::clear() {
  for (; share_ != nullptr && stores_written_ < stores_tail_; ++stores_written_) {
    share_->drop_store();
  }
  std::fill(loads_.begin(), loads_.end(), 0);
  std::fill(std::begin(store_of_), std::end(store_of_), 0);
  std::fill(stores_.begin(), stores_.end(), Store{0, 0, 0, 0, 0});
  stores_gone_ = stores_written_ = stores_tail_;
  write_at_ = 0;
}

LoadStoreUnit::Forward LoadStoreUnit::search(uint64_t number, uint64_t address, unsigned size,
                                             uint64_t renamed_at) {
  const uint64_t last = address + size - 1;
  // Rename has seen to it that those which do not fit in the queue are written.
  if (stores_tail_ - stores_gone_ > params_.store_queue) {
    stores_gone_ = stores_tail_ - params_.store_queue;
  }
  while (stores_gone_ < stores_written_ && store(stores_gone_).written_at <= renamed_at) {
    ++stores_gone_;
  }
  for (; number > stores_gone_; --number) {
    const Store& candidate = store(number - 1);
    const uint64_t store_last = candidate.address + candidate.size - 1;
    if (last < candidate.address || store_last < address) continue;
    return {&candidate, candidate.address <= address && last <= store_last};
  }
  return {};
}

// One access, two when it straddles a line; 0 when the cache cannot take it now.
uint64_t LoadStoreUnit::present(uint64_t address, unsigned size, AccessKind kind, uint64_t at) {
  const uint64_t last = address + size - 1;
  const uint64_t done = cache_->access(address, kind, at);
  if (done == 0 || address >> line_bits_ == last >> line_bits_) return done;
  const uint64_t second = cache_->access(last, kind, at);
  return second == 0 ? 0 : std::max(done, second);
}

// Committed stores reach the data cache in order, one a cycle, from the cycle after commit on.
// False: the oldest is not written by cycle `through`.
bool LoadStoreUnit::write_store(uint64_t through) {
  Store& oldest = store(stores_written_);
  uint64_t at = oldest_ready_at();
  const uint64_t first = at;
  write_refused_ = false;
  for (;; write_at_ = ++at) {
    if (share_ != nullptr) at = share_->store_slot(at);
    if (at > through) return false;
    if (at - first > params_.watchdog_cycles) at = kNever;
    if (at >= kNever || present(oldest.address, oldest.size, AccessKind::kStore, at) != 0) {
      oldest.written_at = at;
      write_at_ = at + 1;
      ++stores_written_;
      if (share_ != nullptr) share_->write_store(at);
      return true;
    }
    write_refused_ = true;
    ++stats_.store_retries;
  }
}

uint64_t LoadStoreUnit::all_written_at(uint64_t until) {
  write_stores(until - 1);
  if (stores_written_ < stores_tail_) return until;
  return write_at_ == 0 ? 0 : write_at_ - 1;
}

}  // namespace strobe::core
