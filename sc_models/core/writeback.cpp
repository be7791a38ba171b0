// Writeback: results that are there in this cycle, the loads' way to the data cache, and wake-up.
#include <algorithm>

#include "sc_models/core/pipeline.h"

namespace strobe::core {

void Pipeline::writeback() {
  if (!retries_.empty()) retry_loads();
  for (; addresses_head_ < addresses_tail_; ++addresses_head_) {
    const AddressEvent& event = addresses_[addresses_head_ & rob_mask_];
    if (event.at != cycle_) break;
    address_known(event.slot);
  }
  wake_up();
  if (trace_ != nullptr) trace_completed();
  if (resolve_at_ == cycle_) resolve_misprediction();
}

// Loads that were turned away. One waiting for a store's write lets the others pass; a cache that
// takes nothing now takes nothing from the others either.
void Pipeline::retry_loads() {
  active_ = true;
  for (size_t i = 0; i < retries_.size();) {
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
}

void Pipeline::address_known(uint32_t slot) {
  active_ = true;
  RobEntry& entry = rob_[slot];
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
                       entry.memory == Memory::kAmo ? AccessKind::kStore : AccessKind::kLoad);
    if (done == 0) {
      ++stats_.load_retries;
      entry.cpi = CpiClass::kDram;
      return false;
    }
    entry.cpi = level_of(done - cycle_);
  }
  result_at(entry, done);
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

// The result will be there in `cycle`: whoever waits for nothing else can issue then.
void Pipeline::result_at(RobEntry& entry, uint64_t cycle) {
  entry.done_at = cycle;
  for (uint32_t node = entry.consumers; node != kNoNode; node = consumer_next_[node]) {
    const uint32_t slot = node / kNodesPerEntry;
    RobEntry& waiting = rob_[slot];
    waiting.ready_at = std::max(waiting.ready_at, cycle);
    if (--waiting.pending == 0) wake_at(slot, waiting.ready_at);
  }
}

// Makes an instruction ready in writeback of a later cycle. One beyond the wheel gets the last
// place of this turn, from where it is moved on.
void Pipeline::wake_at(uint32_t slot, uint64_t cycle) {
  if (cycle - cycle_ >= kWheelSize) {
    ++wheel_early_;
    cycle = cycle_ + kWheelSize - 1;
  }
  const uint64_t place = cycle % kWheelSize;
  wheel_used_[place / 64] |= uint64_t{1} << place % 64;
  wheel_[place * ready_.size() + slot / 64] |= uint64_t{1} << slot % 64;
}

void Pipeline::wake_up() {
  const uint64_t place = cycle_ % kWheelSize;
  if ((wheel_used_[place / 64] >> place % 64 & 1) == 0) return;
  wheel_used_[place / 64] &= ~(uint64_t{1} << place % 64);
  active_ = true;
  uint64_t* due = &wheel_[place * ready_.size()];
  for (size_t word = 0; word < ready_.size(); ++word) {
    uint64_t bits = due[word];
    if (bits == 0) continue;
    due[word] = 0;
    for (uint64_t left = wheel_early_ == 0 ? 0 : bits; left != 0; left &= left - 1) {
      const auto slot = static_cast<uint32_t>(word * 64) + __builtin_ctzll(left);
      if (rob_[slot].ready_at <= cycle_) continue;
      bits &= ~(left & -left);
      --wheel_early_;
      wake_at(static_cast<uint32_t>(slot), rob_[slot].ready_at);
    }
    ready_[word] |= bits;
    if (bits != 0) ready_words_ |= uint64_t{1} << word;
  }
}

void Pipeline::resolve_misprediction() {
  const WrongBranch branch = wrong_branch_;
  resolve_at_ = kNever;
  ++stats_.mispredicted;
  start_refill(CpiClass::kBranch);
  redirect(branch.target, cycle_);
  predictor_.resolve(branch.before, branch.opclass, branch.fall_through,
                     branch.target != branch.fall_through);
}

}  // namespace strobe::core
