// Commit: in order, precise, up to `commit_width` a cycle; hands the records to the retire sink.
#include "sc_models/core/pipeline.h"

namespace strobe::core {

void Pipeline::commit() {
  drain_stores();
  const uint64_t first = rob_head_ & records_mask_;
  const unsigned count = commit_ready();
  if (sink_ != nullptr && (count > 0 || sink_->busy())) {
    const RetireRecord* lanes = &records_[first];
    if (first + count > records_.size()) {  // the ring ends in between
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
  unsigned count = 0;
  while (count < params_.commit_width && rob_head_ < rob_tail_ && user_committed_ < user_limit_) {
    const RobEntry& entry = rob(rob_head_);
    if (entry.done_at >= cycle_) break;  // writeback comes behind commit in a cycle
    ++count;
    const RetireRecord& done = record(rob_head_);
    if (trace_ != nullptr) {
      trace_->committed(cycle_, rob_head_, done.trap != 0, done.intr != 0);
    }
    ++rob_head_;
    retire_one(entry, done);
  }
  return count;
}

void Pipeline::retire_one(const RobEntry& entry, const RetireRecord& record) {
  if (entry.memory == Memory::kStore) ++stores_committed_;
  if (entry.memory >= Memory::kLoad) --loads_used_;
  if (record.trap != 0) {
    ++stats_.traps;
  } else if (record.injected != 0) {
    ++stats_.injected;
  } else {
    ++committed_;
    ++stats_.opclass[static_cast<unsigned>(record.opclass)];
    if (record.mode == PrivilegeMode::kUser) {
      ++user_committed_;
      ++stats_.user;
    } else {
      ++stats_.machine;
    }
    const bool control = record.opclass >= OpClass::kBranch && record.opclass <= OpClass::kReturn;
    if (control) {
      ++stats_.control;
      const bool taken = record.opclass != OpClass::kBranch || record.itype == IType::kBranchTaken;
      if (!perfect_) {
        predictor_.train(record.opclass, record.pc_rdata, entry.predictor_index, taken,
                         record.pc_wdata);
      }
    }
  }
  if (!entry.serial) return;
  serial_in_flight_ = false;
  start_refill(serial_class(record));
  if (entry.flush) {
    const bool trap = record.trap != 0 || record.itype == IType::kTrapReturn;
    redirect(hart_.state().pc, cycle_ + (trap ? params_.trap_cycles : 0));
  }
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
