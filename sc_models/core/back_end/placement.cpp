#include "sc_models/core/back_end/placement.h"

#include <algorithm>
#include <iterator>

namespace strobe::core {

Placement::Placement(const CoreParams& params, ExecutionResources& resources,
                     const ReorderBuffer& rob, FrontEnd& front_end, PipelineStats& stats,
                     Tracer& tracer, CoreShare* share)
    : params_(params),
      slots_(resources.slots),
      rob_(rob),
      front_end_(front_end),
      lsu_(params, rob, stats),
      cpi_(params, rob, stats),
      stats_(stats),
      tracer_(tracer),
      share_(share),
      perfect_(front_end.predictor().perfect()),
      in_order_(params.issue == Issue::kInOrder),
      where_(perfect_ || in_order_ ? Where::kAny
             : share == nullptr    ? Where::kAlone
                                   : Where::kBesideOther) {
  for (unsigned unit = 0; unit < kUnitCount; ++unit) latency_[unit] = resources.unit[unit].latency;
  if (share == nullptr) return;
  lsu_.set_share(*share);
  share->set_lsu(lsu_);
}

void Placement::clear(uint64_t cycle) {
  std::fill(std::begin(value_at_), std::end(value_at_), 0);
  lsu_.clear();
  if (share_ == nullptr) slots_.clear(cycle);
  decode_at_ = last_renamed_ = last_commit_ = last_issued_ = cycle;
}

uint64_t Placement::place(const Operation& op, const RetireRecord& done, Placing& at) {
  at.fetched_at = front_end_.group().fetched_at;
  return place_as<Where::kAny>(op, done, rob_.place(), at);
}

template <Placement::Where kWhere>
[[gnu::noinline]] uint64_t Placement::place_all(const Operation* operations,
                                                const RetireRecord* done, unsigned count,
                                                bool mispredicted) {
  Placing at;
  at.serial_latency = 0;
  at.serial = at.mispredicted = false;
  at.fetched_at = front_end_.group().fetched_at;
  const Operation* const last = operations + count - 1;
  uint64_t number = rob_.place(count);
  for (; operations != last; ++operations, ++done, ++number) {
    if (kWhere == Where::kAny) at.decoded = decoded<kWhere>(number);
    place_as<kWhere>(*operations, *done, number, at);
  }
  at.mispredicted = mispredicted;
  if (kWhere == Where::kAny) at.decoded = decoded<kWhere>(number);
  return place_as<kWhere>(*last, *done, number, at);
}

template uint64_t Placement::place_all<Placement::Where::kAny>(const Operation*,
                                                               const RetireRecord*, unsigned, bool);
template uint64_t Placement::place_all<Placement::Where::kAlone>(const Operation*,
                                                                 const RetireRecord*, unsigned,
                                                                 bool);
template uint64_t Placement::place_all<Placement::Where::kBesideOther>(const Operation*,
                                                                       const RetireRecord*,
                                                                       unsigned, bool);

// Counts the stalls of the structure without room for the instruction in this cycle; null: there is
// room in each.
inline uint64_t* Placement::full_structure(const Operation& op, uint64_t number, uint64_t cycle) {
  StallStats& stall = stats_.stall;
  if (rob_.committed_at(number - params_.rob) > cycle || share_->rob_full(cycle)) {
    return &stall.rob_full;
  }
  if (share_->stations_full(cycle)) return &stall.stations_full;
  if (op.opclass < OpClass::kLoad || op.opclass > OpClass::kAmo) return nullptr;
  const bool own = queue_room_at(op.opclass == OpClass::kStore) > cycle;
  if (op.opclass == OpClass::kStore) {
    return own || share_->store_queue_full(cycle) ? &stall.store_queue_full : nullptr;
  }
  return own || share_->load_queue_full(cycle) ? &stall.load_queue_full : nullptr;
}

// Rename on a core that another hart shares: the first cycle with bandwidth and room.
[[gnu::always_inline]] inline uint64_t Placement::rename_beside_other(const Operation& op,
                                                                      uint64_t number,
                                                                      Placing& at) {
  uint64_t cycle = at.rename_from = share_->rename_slot(at.rename_from);
  if (full_structure(op, number, cycle) != nullptr) cycle = wait_beside_other(op, number, at);
  share_->rename(cycle);
  return cycle;
}

template <Placement::Where kWhere>
[[gnu::always_inline]] inline uint64_t Placement::place_as(const Operation& op,
                                                           const RetireRecord& done,
                                                           uint64_t number, Placing& at) {
  constexpr bool kPlain = kWhere != Where::kAny;
  // at.decoded of a plain instruction is not asked for, nor is at.done without a memory access.
  const uint64_t decoded_at = kPlain ? decoded<kWhere>(number) : at.decoded;
  const uint64_t from = std::max(decoded_at + 1, last_renamed_);
  uint64_t renamed;
  at.rename_from = from;
  if (shares<kWhere>()) {
    renamed = at.renamed = rename_beside_other(op, number, at);
  } else {
    renamed = std::max(from, rob_.committed_at(number - params_.rob));
    slots_.advance(renamed);
    at.renamed = renamed;
    // A plain instruction of these classes accesses memory, and no other one does.
    const bool queues = kPlain ? op.memory != Memory::kNone
                               : op.opclass >= OpClass::kLoad && op.opclass <= OpClass::kAmo;
    const bool store = kPlain ? op.memory == Memory::kStore : op.opclass == OpClass::kStore;
    if (renamed != from || slots_.waiting() >= params_.reservation_stations ||
        (queues && queue_room_at(store) > renamed)) {
      wait_in_rename(op, at);
      renamed = at.renamed;
    }
  }
  const uint64_t place = rob_.place_of(number);
  last_renamed_ = rob_.renamed_in(place) = renamed;
  uint64_t ready =
      std::max(std::max(value_at_[op.src[0]], value_at_[op.src[1]]), value_at_[op.src[2]]);
  if (!kPlain && in_order_) ready = std::max(ready, in_order_from(op));
  at.ready = ready;
  if (!kPlain && tracer_.on()) tracer_.producers(op, number, at, value_at_);
  uint64_t done_at;
  if (op.memory == Memory::kNone) {
    at.issued = issue<kWhere>(op.unit, std::max(renamed + 1, ready));
    done_at = at.issued + latency_[op.unit] + (kPlain ? 0 : at.serial_latency);
    if (!kPlain) at.done = done_at;
  } else {
    place_access<kWhere>(op, done.mem_addr, number, at);
    done_at = at.done;
  }
  if (!kPlain && in_order_) last_issued_ = at.issued;
  value_at_[op.dst] = done_at;
  const uint64_t before = last_commit_;
  uint64_t commit_at =
      std::max(std::max(done_at + 1, before), rob_.committed_at(number - params_.commit_width) + 1);
  if (shares<kWhere>()) {
    commit_at = share_->commit_slot(commit_at);
    share_->placed(op, at, commit_at);
  }
  last_commit_ = rob_.committed_in(place) = commit_at;
  if (op.memory > Memory::kStore) lsu_.add_load(commit_at);
  if (commit_at > before) {
    cpi_.note(op, done, at, number, latency_[op.unit]);
  }
  if (is_control(op.opclass) && (kPlain || (done.trap | done.injected) == 0)) {
    front_end_.add_update(done, commit_at);
  }
  if (!kPlain && tracer_.on()) tracer_.placed(op, done, at, commit_at);
  return done_at;
}

// Where issue is in order: the first cycle after the predecessor's issue, or with it, in which the
// instruction can issue. There is no renaming, so the result must be there later than that of the
// last instruction that writes the same register; a load counts as a hit.
uint64_t Placement::in_order_from(const Operation& op) const {
  if (op.dst == Operation::kNowhere) return last_issued_;
  const uint64_t latency =
      latency_[op.unit] + (op.memory == Memory::kNone ? 0 : params_.memory.l1d.latency);
  return std::max(last_issued_ + latency, value_at_[op.dst] + 1) - latency;
}

// Rename waits for a slot of the reorder buffer, a station, and room in the load or store queue.
void Placement::wait_in_rename(const Operation& op, Placing& at) {
  const uint64_t slot_at = at.renamed;
  if (slot_at > at.rename_from) {
    stats_.stall.rob_full += slot_at - at.rename_from;
    cpi_.hold_rename(slot_at, CpiClass::kDependency);
  }
  while (slots_.waiting() >= params_.reservation_stations) {
    ++stats_.stall.stations_full;
    const bool stuck = at.renamed - slot_at > params_.watchdog_cycles;
    slots_.advance(at.renamed = stuck ? kNever : at.renamed + 1);
    cpi_.hold_rename(at.renamed, CpiClass::kDependency);
    if (stuck) break;
  }
  const bool queues = op.opclass >= OpClass::kLoad && op.opclass <= OpClass::kAmo;
  const bool store = op.opclass == OpClass::kStore;
  const uint64_t room_at = queues ? queue_room_at(store) : 0;
  if (room_at <= at.renamed) return;
  (store ? stats_.stall.store_queue_full : stats_.stall.load_queue_full) += room_at - at.renamed;
  at.renamed = room_at;
  slots_.advance(room_at);
  cpi_.hold_rename(room_at, !store           ? CpiClass::kDependency
                            : lsu_.refused() ? CpiClass::kDram
                                             : CpiClass::kL1);
}

// There is no room in the first cycle with bandwidth.
uint64_t Placement::wait_beside_other(const Operation& op, uint64_t number, Placing& at) {
  for (uint64_t cycle = at.rename_from;; ++cycle) {
    if (cycle - at.rename_from > params_.watchdog_cycles) return kNever;
    if (uint64_t* const stalled = full_structure(op, number, cycle)) {
      ++*stalled;
      cpi_.hold_rename(cycle + 1, stalled != &stats_.stall.store_queue_full ? CpiClass::kDependency
                                  : lsu_.refused()                          ? CpiClass::kDram
                                                                            : CpiClass::kL1);
      continue;
    }
    const uint64_t slot = share_->rename_slot(cycle);
    if (slot == cycle) return cycle;
    cycle = slot - 1;
  }
}

// Through the data cache: the address is there `mem.latency` cycles after issue.
template <Placement::Where kWhere>
void Placement::place_access(const Operation& op, uint64_t address, uint64_t number, Placing& at) {
  const uint64_t next = at.renamed + 1;
  if (op.memory == Memory::kStore) {
    at.issued = issue<kWhere>(op.unit, std::max(next, at.ready));
    at.done = at.issued + latency_[op.unit] + at.serial_latency;
    lsu_.add_store(address, op.mem_size, number, at.done);
    return;
  }
  LoadStoreUnit::Forward forward;
  if (op.memory == Memory::kAmo) {  // alone at the head, after every store
    at.ready = std::max(at.ready, next);
    at.issued =
        issue<kWhere>(op.unit, std::max({at.ready, last_commit_, lsu_.all_written_at(kNever)}));
  } else {
    forward = lsu_.overlapping_store(address, op.mem_size, at.renamed);
    if (forward.store != nullptr && forward.full_cover) {
      at.ready = std::max(at.ready, forward.store->done_at);
      if (tracer_.on() && forward.store->done_at > at.renamed) {
        tracer_.store_producer(forward.store->number);
      }
    }
    at.issued = issue<kWhere>(op.unit, std::max(next, at.ready));
  }
  at.address_at = at.issued + latency_[op.unit] + at.serial_latency;
  lsu_.access(op, address, forward, at);
}

}  // namespace strobe::core
