// Writeback: results that are there in this cycle, the loads' way to the data cache, and wake-up.
#include <algorithm>

#include "sc_models/core/pipeline.h"

namespace strobe::core {

// Puts an event of `slot` on the timing wheel; an entry has at most one at a time.
void Pipeline::schedule(uint32_t slot, uint64_t when) {
  RobEntry& entry = rob_[slot];
  entry.event_at = when;
  const uint64_t place = when % kWheelSize;
  uint32_t& last = wheel_[place];
  if (last == kNoNode) {
    entry.event_next = slot;
    wheel_used_[place / 64] |= uint64_t{1} << place % 64;
  } else {
    entry.event_next = rob_[last].event_next;
    rob_[last].event_next = slot;
  }
  last = slot;
}

void Pipeline::writeback() {
  // Loads that were turned away. One waiting for a store's write lets the others pass; a cache that
  // takes nothing now takes nothing from the others either.
  for (size_t i = 0; i < retries_.size();) {
    active_ = true;
    const uint32_t slot = static_cast<uint32_t>(retries_[i] & rob_mask_);
    if (access_memory(slot)) {
      retries_.erase(retries_.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    const RobEntry& entry = rob_[slot];
    const bool waits_for_store = entry.forward_store > stores_head_ && !entry.full_cover;
    if (!waits_for_store) break;
    ++i;
  }
  const uint64_t place = cycle_ % kWheelSize;
  const uint32_t last = wheel_[place];
  if (last == kNoNode) return;
  active_ = true;
  wheel_[place] = kNoNode;
  wheel_used_[place / 64] &= ~(uint64_t{1} << place % 64);
  uint32_t slot = rob_[last].event_next;
  for (bool more = true; more;) {
    const uint32_t next = rob_[slot].event_next;
    more = slot != last;
    if (rob_[slot].event_at == cycle_) {
      handle_event(slot);
    } else {
      schedule(slot, rob_[slot].event_at);  // a later turn of the wheel
    }
    slot = next;
  }
}

void Pipeline::handle_event(uint32_t slot) {
  RobEntry& entry = rob_[slot];
  if (entry.state != RobState::kAddress) {
    complete(slot);
    return;
  }
  entry.state = RobState::kMemory;
  if (trace_ != nullptr) trace_->in_memory(cycle_, slot);
  const bool waits_for_store = entry.forward_store > stores_head_ && !entry.full_cover;
  if (waits_for_store) ++stats_.partial_overlaps;
  if (!access_memory(slot)) {
    const uint64_t age = (slot - rob_head_) & rob_mask_;
    retries_.push_back(rob_head_ + age);
  }
}

// The address is there: the load takes its data from a store or from the cache. False: not now.
bool Pipeline::access_memory(uint32_t slot) {
  RobEntry& entry = rob_[slot];
  uint64_t done;
  if (entry.forward_store > stores_head_) {  // that store is still in the queue
    entry.cpi = CpiClass::kDependency;
    if (!entry.full_cover) return false;
    ++stats_.forwards;
    done = cycle_ + params_.forward_latency;
  } else {
    done = access_data(entry.address, entry.mem_size,
                       entry.is_amo ? AccessKind::kStore : AccessKind::kLoad);
    if (done == 0) {
      ++stats_.load_retries;
      entry.cpi = CpiClass::kDram;
      return false;
    }
    entry.cpi = level_of(done - cycle_);
  }
  if (done > cycle_) {
    schedule(slot, done);
  } else {
    complete(slot);
  }
  return true;
}

// One access, two when it straddles a line; 0 when the cache cannot take it now.
uint64_t Pipeline::access_data(uint64_t address, unsigned size, AccessKind kind) {
  const uint64_t last = address + size - 1;
  const uint64_t done = dcache_->access(address, kind, cycle_);
  if (done == 0 || address >> data_line_bits_ == last >> data_line_bits_) return done;
  const uint64_t second = dcache_->access(last, kind, cycle_);
  return second == 0 ? 0 : std::max(done, second);
}

void Pipeline::complete(uint32_t slot) {
  RobEntry& entry = rob_[slot];
  entry.state = RobState::kDone;
  if (trace_ != nullptr) trace_->completed(cycle_, slot);
  for (uint32_t node = entry.consumers; node != kNoNode; node = consumer_next_[node]) {
    const uint32_t waiting = node / kNodesPerEntry;
    if (--rob_[waiting].pending != 0) continue;
    make_ready(waiting);
    rob_[waiting].ready_at = cycle_;
  }
  if (entry.mispredicted) resolve_misprediction();
}

void Pipeline::resolve_misprediction() {
  const WrongBranch branch = wrong_branch_;
  ++stats_.mispredicted;
  start_refill(CpiClass::kBranch);
  redirect(branch.target, cycle_);
  predictor_.resolve(branch.before, branch.opclass, branch.fall_through,
                     branch.target != branch.fall_through);
}

}  // namespace strobe::core
