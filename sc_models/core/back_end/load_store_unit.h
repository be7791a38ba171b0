// The load and store queues of a hart, and its way to the data cache. docs/blocks/core.md, "Loads
// and stores"
//
// Addresses are known when an instruction is placed (the hart has executed it), so disambiguation
// is perfect: a load waits for the youngest older store it overlaps, and for no other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sc_models/core/back_end/operation.h"
#include "sc_models/core/back_end/placing.h"
#include "sc_models/core/back_end/reorder_buffer.h"
#include "sc_models/core/cpi/stats.h"
#include "sc_models/core/params.h"
#include "sc_models/core/threads/shared_core.h"
#include "sc_models/port/timing_port.h"

namespace strobe::core {

class LoadStoreUnit {
 public:
  struct Store {
    static constexpr uint64_t kUnwritten = ~uint64_t{0};
    uint64_t address = 0;
    uint64_t number = 0;  // its instruction's
    uint64_t done_at = 0;
    uint64_t written_at = kUnwritten;
    uint32_t size = 0;
  };
  /// The store that a load overlaps.
  struct Forward {
    const Store* store = nullptr;
    bool full_cover = false;  // it has every byte of the load
  };

  /// Keeps references.
  LoadStoreUnit(const CoreParams& params, const ReorderBuffer& rob, PipelineStats& stats);

  void bind(TimingPort& cache) { cache_ = &cache; }
  /// Another hart uses the port for stores, and perhaps the queues.
  void set_share(CoreShare& share) { share_ = &share; }
  /// Forgets everything in flight.
  void clear();

  /// Through which cycle stores may be presented early, for the loads after them.
  void set_visible_until(uint64_t cycle) { visible_until_ = cycle; }
  uint64_t visible_until() const { return visible_until_; }

  /// The cycle in which there is room in the load queue, in which atomics wait, too; 0: it has
  /// never been full.
  uint64_t load_room_at() const { return loads_[(loads_tail_ - params_.load_queue) & loads_mask_]; }
  /// The same of the store queue: the cycle in which its oldest store has left it.
  uint64_t store_room_at() {
    if (stores_tail_ < params_.store_queue) return 0;
    const uint64_t oldest = stores_tail_ - params_.store_queue;
    while (stores_written_ <= oldest) write_store(Store::kUnwritten);
    return store(oldest).written_at;
  }
  /// Whether the data cache has refused the oldest store.
  bool refused() const { return write_refused_; }

  /// A load or an atomic that leaves its queue when it commits.
  void add_load(uint64_t commit_at) { loads_[loads_tail_++ & loads_mask_] = commit_at; }
  /// @param number   of its instruction
  /// @param done_at  the cycle in which address and data are there
  void add_store(uint64_t address, unsigned size, uint64_t number, uint64_t done_at) {
    store(stores_tail_) = {address, number, done_at, Store::kUnwritten, size};
    ++stores_tail_;
    store_of_[address / 8 % kGranules] = stores_tail_;
    store_of_[(address + size - 1) / 8 % kGranules] = stores_tail_;
  }
  /// The youngest store that the load overlaps and that is not written when the load is renamed.
  Forward overlapping_store(uint64_t address, unsigned size, uint64_t renamed_at) {
    const uint64_t number = std::max(store_of_[address / 8 % kGranules],
                                     store_of_[(address + size - 1) / 8 % kGranules]);
    if (number <= stores_gone_) return {};
    return search(number, address, size, renamed_at);
  }
  /// The load or atomic gets its data from the store or from the cache, from at.address_at on. Sets
  /// accepted, done and the classes.
  void access(const Operation& op, uint64_t address, const Forward& forward, Placing& at);

  /// Presents to the cache the stores that can be by cycle `through`, in order.
  [[gnu::always_inline]] void write_stores(uint64_t through) {
    while (stores_written_ < stores_tail_) {
      if (oldest_ready_at() > through) {
        write_refused_ = false;
        return;
      }
      if (!write_store(through)) return;
    }
  }
  /// The cycle in which the last store is written; `until`: not before that.
  uint64_t all_written_at(uint64_t until);
  /// Whether there are no stores, and the last one is written in cycle `cycle` or before.
  bool all_written_by(uint64_t cycle) const {
    return stores_written_ == stores_tail_ && write_at_ <= cycle + 1;
  }
  /// If the oldest store has been ready since cycle `cycle` or before, it is written in the first
  /// cycle in which the cache takes it, however late that is.
  void force_oldest(uint64_t cycle) {
    if (unwritten() == 0 || rob_.committed_at(oldest_unwritten().number) >= cycle) return;
    write_store(Store::kUnwritten);
  }
  uint64_t unwritten() const { return stores_tail_ - stores_written_; }
  /// The oldest that is not written; there is one.
  const Store& oldest_unwritten() const { return stores_[stores_written_ & stores_mask_]; }

 private:
  static constexpr unsigned kGranules = 512;

  // The cycle from which on the oldest store can be written.
  uint64_t oldest_ready_at() const {
    return std::max(rob_.committed_at(oldest_unwritten().number) + 1, write_at_);
  }
  // The youngest store before the one with this number that overlaps.
  Forward search(uint64_t number, uint64_t address, unsigned size, uint64_t renamed_at);
  bool write_store(uint64_t through);
  uint64_t present(uint64_t address, unsigned size, AccessKind kind, uint64_t at);
  // What a load's time says about where its data comes from.
  CpiClass level_of(uint64_t cycles) const {
    const memory::MemoryParams& memory = params_.memory;
    if (cycles <= memory.l1d.latency) return CpiClass::kL1;
    return cycles <= memory.l1d.latency + memory.l2.latency ? CpiClass::kL2 : CpiClass::kDram;
  }
  Store& store(uint64_t number) { return stores_[number & stores_mask_]; }

  const CoreParams params_;
  const ReorderBuffer rob_;
  PipelineStats& stats_;
  TimingPort* cache_ = nullptr;
  CoreShare* share_ = nullptr;  // where two harts share the core
  const unsigned line_bits_;
  uint64_t visible_until_ = kNever;

  std::vector<uint64_t> loads_;  // by load number: cycle of commit
  uint64_t loads_mask_, loads_tail_;
  std::vector<Store> stores_;
  uint64_t stores_mask_;
  uint64_t stores_written_ = 0, stores_tail_ = 0;  // [written, tail) have not been presented
  uint64_t write_at_ = 0;                          // no store is written before this cycle
  bool write_refused_ = false;                     // the last one, by the data cache
  uint64_t stores_gone_ = 0;           // below it all were written before rename's present cycle
  uint64_t store_of_[kGranules] = {};  // by hashed eight bytes: number + 1 of the last store there
};

[[gnu::always_inline]] inline void LoadStoreUnit::access(const Operation& op, uint64_t address,
                                                         const Forward& forward, Placing& at) {
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

}  // namespace strobe::core
