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

// The cycle in which the oldest store has left a full queue; 0: it has never been full.
uint64_t LoadStoreUnit::store_room_at() {
  if (stores_tail_ < params_.store_queue) return 0;
  const uint64_t oldest = stores_tail_ - params_.store_queue;
  while (stores_written_ <= oldest) write_store(Store::kUnwritten);
  return store(oldest).written_at;
}

void LoadStoreUnit::add_store(uint64_t address, unsigned size, uint64_t number, uint64_t done_at) {
  store(stores_tail_) = {address, number, done_at, Store::kUnwritten, size};
  ++stores_tail_;
  store_of_[address / 8 % kGranules] = stores_tail_;
  store_of_[(address + size - 1) / 8 % kGranules] = stores_tail_;
}

LoadStoreUnit::Forward LoadStoreUnit::overlapping_store(uint64_t address, unsigned size,
                                                        uint64_t renamed_at) {
  const uint64_t last = address + size - 1;
  uint64_t number = std::max(store_of_[address / 8 % kGranules], store_of_[last / 8 % kGranules]);
  if (number <= stores_gone_) return {};
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

void LoadStoreUnit::access(const Operation& op, uint64_t address, const Forward& forward,
                           Placing& at) {
  uint64_t now = at.address_at;
  at.waiting_class = CpiClass::kDependency;
  write_stores(std::min(now, visible_until_));
  if (forward.store != nullptr && forward.store->written_at > now) {  // it is still in the queue
    if (forward.full_cover) {
      ++stats_.forwards;
      at.accepted = now;
      at.done = now + params_.forward_latency;
      at.level = CpiClass::kDependency;
      return;
    }
    ++stats_.partial_overlaps;
    while (forward.store->written_at == Store::kUnwritten) write_store(Store::kUnwritten);
    now = forward.store->written_at;
  }
  const AccessKind kind = op.memory == Memory::kAmo               ? AccessKind::kStore
                          : op.memory == Memory::kNonTemporalLoad ? AccessKind::kNonTemporalLoad
                                                                  : AccessKind::kLoad;
  uint64_t done = kNever;
  while (now < kNever && (done = present(address, op.mem_size, kind, now)) == 0) {
    ++stats_.load_retries;
    at.waiting_class = CpiClass::kDram;
    if (++now - at.address_at > params_.watchdog_cycles) now = done = kNever;
  }
  at.accepted = now;
  at.done = done;
  at.level = level_of(done - now);
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

// What a load's time says about where its data comes from.
CpiClass LoadStoreUnit::level_of(uint64_t cycles) const {
  const memory::MemoryParams& memory = params_.memory;
  if (cycles <= memory.l1d.latency) return CpiClass::kL1;
  return cycles <= memory.l1d.latency + memory.l2.latency ? CpiClass::kL2 : CpiClass::kDram;
}

}  // namespace strobe::core
