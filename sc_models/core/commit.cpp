// Commit: in order, precise, up to `commit_width` a cycle; hands the records to the retire sink.
#include <algorithm>

#include "sc_models/core/pipeline.h"

namespace strobe::core {

void Pipeline::commit() {
  drain_stores();
  const uint64_t first = rob_head_ & records_mask_;
  const unsigned count = commit_ready();
  if (sink_ != nullptr && (count > 0 || sink_->busy())) {
    const RetireRecord* lanes = &records_[first];
    if (first + count > records_mask_ + 1) {  // the ring ends in between
      for (unsigned i = 0; i < count; ++i) lanes_[i] = records_[(first + i) & records_mask_];
      lanes = lanes_;
    }
    sink_->retire(cycle_, lanes, count);
  }
  account_cycle(count);
  if (user_committed_ >= interval_at_) {
    stop_ = CoreStop::kInterval;
    while (interval_at_ <= user_committed_) interval_at_ += interval_;
  }
  if (user_committed_ >= user_limit_) stop_ = CoreStop::kUserLimit;
  if (hart_stopped_ && drained() && stores_empty()) stop_ = CoreStop::kHart;
  if (count > 0) {
    active_ = true;
    last_progress_ = cycle_;
  } else if (cycle_ - last_progress_ >= params_.watchdog_cycles) {
    stop_ = CoreStop::kDeadlock;
  }
}

unsigned Pipeline::commit_ready() {
  const unsigned width = params_.commit_width;
  if (user_committed_ + width <= user_limit_) return retire(width);
  unsigned count = 0;
  while (count < width && user_committed_ < user_limit_ && retire(1) == 1) ++count;
  return count;
}

// The oldest instructions whose results are there, up to `most` of them. Returns how many.
unsigned Pipeline::retire(unsigned most) {
  const uint64_t first = rob_head_, now = cycle_;
  const uint64_t end = std::min(first + most, rob_tail_);
  const uint64_t rob_mask = rob_mask_, records_mask = records_mask_;
  uint64_t number = first, user = 0, beside = 0;
  for (; number < end; ++number) {
    const RobEntry& entry = rob_[number & rob_mask];
    if (entry.done_at >= now) break;  // writeback comes behind commit in a cycle
    const RetireRecord& done = records_[number & records_mask];
    if (trace_ != nullptr) trace_->committed(now, number, done.trap != 0, done.intr != 0);
    if (entry.memory == Memory::kStore) {
      ++stores_committed_;
    } else if (entry.memory != Memory::kNone) {
      --loads_used_;
    }
    if ((done.trap | done.injected) != 0) {
      ++(done.trap != 0 ? stats_.traps : stats_.injected);
      ++beside;
      continue;
    }
    ++stats_.opclass[static_cast<unsigned>(done.opclass)];
    user += done.mode == PrivilegeMode::kUser ? 1 : 0;
    if (is_control(done.opclass)) retire_control(entry, done);
  }
  if (number == first) return 0;
  rob_head_ = number;
  const uint64_t counted = number - first - beside;
  committed_ += counted;
  user_committed_ += user;
  stats_.user += user;
  stats_.machine += counted - user;
  const RobEntry& last = rob_[(number - 1) & rob_mask];
  // Nothing is younger than one that serializes.
  if (last.serial) end_serial(last, records_[(number - 1) & records_mask]);
  return static_cast<unsigned>(number - first);
}

void Pipeline::retire_control(const RobEntry& entry, const RetireRecord& record) {
  ++stats_.control;
  if (perfect_) return;
  const bool taken = record.opclass != OpClass::kBranch || record.itype == IType::kBranchTaken;
  predictor_.train(record.opclass, record.pc_rdata, entry.predictor_index, taken, record.pc_wdata);
}

void Pipeline::end_serial(const RobEntry& entry, const RetireRecord& record) {
  serial_in_flight_ = false;
  start_refill(serial_class(record));
  if (!entry.flush) return;
  const bool trap = record.trap != 0 || record.itype == IType::kTrapReturn;
  redirect(hart_.state().pc, cycle_ + (trap ? params_.trap_cycles : 0));
}

// Committed stores reach the data cache in order, through its write port.
void Pipeline::drain_stores() {
  store_refused_ = false;
  for (unsigned n = 0; n < kStoresPerCycle && stores_head_ < stores_committed_; ++n) {
    active_ = true;
    const StoreEntry& store = stores_[stores_head_ & stores_mask_];
    if (access_data(store.address, store.size, AccessKind::kStore) == 0) {
      ++stats_.store_retries;
      store_refused_ = true;
      return;
    }
    filter_add(store.address, store.size, -1);
    ++stores_head_;
  }
}

// Counts the stores in the queue by (hashed) eight-byte granule: a load that finds none need not
// look.
void Pipeline::filter_add(uint64_t address, unsigned size, int change) {
  const uint64_t first = address / 8, last = (address + size - 1) / 8;
  for (uint64_t granule = first; granule <= last; ++granule) {
    uint16_t& count = filter_[granule % kFilterSize];
    count = static_cast<uint16_t>(count + change);
  }
}

}  // namespace strobe::core
