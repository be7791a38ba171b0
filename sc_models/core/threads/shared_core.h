// What the two harts of a core share, besides its caches (docs/blocks/threads.md), and the view
// that each of them has of it.
//
// D. Tullsen, S. Eggers and H. Levy, "Simultaneous Multithreading: Maximizing On-Chip Parallelism",
// ISCA 1995; ICOUNT is from D. Tullsen et al., "Exploiting Choice: Instruction Fetch and Issue on
// an Implementable Simultaneous Multithreading Processor", ISCA 1996, section 5.2.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sc_models/core/back_end/execution_resources.h"
#include "sc_models/core/back_end/operation.h"
#include "sc_models/core/back_end/placing.h"
#include "sc_models/core/front_end/predictor.h"
#include "sc_models/core/params.h"
#include "sc_models/core/threads/bandwidth.h"
#include "sc_models/core/threads/fetch_port.h"
#include "sc_models/core/threads/occupancy.h"

namespace strobe::core {

class LoadStoreUnit;

struct SharedCore {
  static constexpr unsigned kHarts = 2;

  /// Throws std::invalid_argument when a parameter is not usable.
  explicit SharedCore(const CoreParams& core);

  /// The parameters of one hart, with its part of what the core splits in halves.
  CoreParams hart_params() const;
  /// The harts have come to cycle `cycle`: what is placed from now on is renamed later.
  void reach(uint64_t cycle);

  const CoreParams params;
  ExecutionResources resources;
  Predictor predictor;  // whose siblings the harts have
  FetchPort fetch_port;
  Bandwidth rename, commit, store_port;
  Occupancy stations;
  Occupancy rob, load_queue, store_queue;  // used where they are shared
  Occupancy not_issued[kHarts];            // fetched by the hart; counted for ICOUNT

  struct HartView {
    uint64_t now = 0;              // the cycle of rename of its last instruction
    uint64_t next_fetch = kNever;  // it fetches next in this cycle or later
    bool low_priority = false;
    LoadStoreUnit* lsu = nullptr;
  };
  HartView harts[kHarts];
  uint64_t cycle = 0;  // to which the harts have come
};

/// What one hart uses of a core that it shares.
class CoreShare {
 public:
  /// Keeps a reference.
  CoreShare(SharedCore& core, unsigned hart) : core_(core), hart_(hart), params_(core.params) {}

  SharedCore& core() { return core_; }
  void set_lsu(LoadStoreUnit& lsu) { mine().lsu = &lsu; }
  void set_low_priority(bool low) { mine().low_priority = low; }

  /// Fetch: the first cycle from `from` on that the other hart has not taken.
  uint64_t next_fetch_slot(uint64_t from) const { return core_.fetch_port.first_free(hart_, from); }
  /// The same, and takes it.
  uint64_t fetch_slot(uint64_t from) { return take_fetch(next_fetch_slot(from)); }
  /// The same for a wrong path, which is fetched before the other hart can ask for its cycles: from
  /// the other's next fetch on this hart takes every second cycle; all of them if the other has low
  /// priority, and none (kNever) if this one has.
  uint64_t wrong_path_slot(uint64_t from);

  /// Rename: the first cycle from `from` on that has bandwidth.
  uint64_t rename_slot(uint64_t from) const { return core_.rename.first_free(from); }
  bool stations_full(uint64_t cycle) {
    return core_.stations.at(hart_, cycle) >= params_.reservation_stations;
  }
  /// In the cycle that the hart last asked about, by instructions of both harts.
  unsigned stations_taken() const { return core_.stations.at(hart_, 0); }
  /// Whether what the harts share is full; never where each has its half.
  bool rob_full(uint64_t cycle) { return shared() && core_.rob.at(hart_, cycle) >= params_.rob; }
  bool load_queue_full(uint64_t cycle) {
    return shared() && core_.load_queue.at(hart_, cycle) >= params_.load_queue;
  }
  bool store_queue_full(uint64_t cycle);
  /// The instruction is renamed in this cycle.
  [[gnu::always_inline]] void rename(uint64_t cycle) {
    core_.rename.take(cycle);
    mine().now = std::max(mine().now, cycle);
    core_.resources.slots.advance(std::min(mine().now, other().now));
  }
  /// An instruction of a wrong path is renamed in cycle `from` or as soon as there is room, and is
  /// dropped in cycle `until`. @return the cycle; `until` or later: it is not renamed
  uint64_t rename_wrong_path(uint64_t from, uint64_t until);

  /// Issue: as IssueSlots::take().
  [[gnu::always_inline]] uint64_t issue(Unit unit, uint64_t from) {
    IssueSlots& slots = core_.resources.slots;
    return mine().low_priority ? slots.take_left_over(unit, from) : slots.take(unit, from);
  }
  /// The first cycle from `from` on with bandwidth to commit; it is taken.
  uint64_t commit_slot(uint64_t from) {
    const uint64_t cycle = core_.commit.first_free(from);
    core_.commit.take(cycle);
    return cycle;
  }
  /// The cycles of an instruction are known.
  [[gnu::always_inline]] void placed(const Operation& op, const Placing& at, uint64_t commit_at) {
    core_.stations.occupy(hart_, at.renamed, at.issued);
    if (params_.smt.fetch == FetchPolicy::kIcount) {
      core_.not_issued[hart_].enter(at.fetched_at);
      core_.not_issued[hart_].leave(at.issued);
    }
    if (shared()) placed_in_shared(op, at, commit_at);
  }
  /// Stores: the first cycle from `from` on in which the data cache's port for stores is free.
  uint64_t store_slot(uint64_t from) const { return core_.store_port.first_free(from); }
  /// A store is written through it in this cycle, and leaves its queue.
  void write_store(uint64_t cycle) {
    core_.store_port.take(cycle);
    if (shared()) core_.store_queue.leave(cycle);
  }
  /// A store that has not been written is dropped.
  void drop_store() {
    if (shared()) core_.store_queue.leave(mine().now);
  }

 private:
  void placed_in_shared(const Operation& op, const Placing& at, uint64_t commit_at);
  bool shared() const { return params_.smt.buffers == Buffers::kShared; }
  SharedCore::HartView& mine() { return core_.harts[hart_]; }
  const SharedCore::HartView& other() const { return core_.harts[hart_ ^ 1]; }
  uint64_t take_fetch(uint64_t cycle) {
    core_.fetch_port.take(hart_, cycle);
    return last_fetch_ = cycle;
  }

  SharedCore& core_;
  const unsigned hart_;
  const CoreParams& params_;
  uint64_t last_fetch_ = 0;
};

}  // namespace strobe::core
