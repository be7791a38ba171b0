// Placing an instruction: rename, issue, memory, completion and commit, each in its cycle.
#include <algorithm>

#include "sc_models/core/pipeline.h"

namespace strobe::core {

// Plain instructions, one behind the other; `mispredicted` is the last of them. Returns the cycle
// in which its result is there.
uint64_t Pipeline::place_run(const Operation* operations, const RetireRecord* done, unsigned count,
                             bool mispredicted) {
  const bool plain = trace_ == nullptr && !perfect_;
  return plain ? place_all<true>(operations, done, count, mispredicted)
               : place_all<false>(operations, done, count, mispredicted);
}

uint64_t Pipeline::place(const Operation& op, const RetireRecord& done, Placing& at) {
  return place_as<false>(op, done, at);
}

template <bool kPlain>
[[gnu::noinline]] uint64_t Pipeline::place_all(const Operation* operations,
                                               const RetireRecord* done, unsigned count,
                                               bool mispredicted) {
  Placing at;
  at.serial_latency = 0;
  at.serial = at.mispredicted = false;
  const Operation* const last = operations + count - 1;
  for (; operations != last; ++operations, ++done) {
    at.decoded = decoded_now<kPlain>();
    place_as<kPlain>(*operations, *done, at);
  }
  at.mispredicted = mispredicted;
  at.decoded = decoded_now<kPlain>();
  return place_as<kPlain>(*last, *done, at);
}

// kPlain: predicted by tables, neither traced nor serialized, nor of a replacement sequence.
template <bool kPlain>
[[gnu::always_inline]] inline uint64_t Pipeline::place_as(const Operation& op,
                                                          const RetireRecord& done, Placing& at) {
  const uint64_t number = placed_, mask = mask_;
  placed_ = number + 1;
  const uint64_t from = std::max(at.decoded + 1, last_renamed_);
  uint64_t renamed = std::max(from, committed_at_[(number - params_.rob) & mask]);
  slots_.advance(renamed);
  at.rename_from = from;
  at.renamed = renamed;
  const bool queues = op.opclass >= OpClass::kLoad && op.opclass <= OpClass::kAmo;
  if (renamed != from || slots_.waiting() >= params_.reservation_stations ||
      (queues && queue_room_at(op.opclass) > renamed)) {
    wait_in_rename(op, at);
    renamed = at.renamed;
  }
  last_renamed_ = renamed_[number & mask] = renamed;
  const uint64_t ready =
      std::max(std::max(value_at_[op.src[0]], value_at_[op.src[1]]), value_at_[op.src[2]]);
  at.ready = ready;
  if (!kPlain && trace_ != nullptr) trace_producers(op, number, at);
  if (op.memory == Memory::kNone) {
    at.issued = slots_.take(op.unit, std::max(renamed + 1, ready));
    at.done = at.issued + unit_[op.unit].latency + (kPlain ? 0 : at.serial_latency);
  } else {
    place_access(op, done.mem_addr, number, at);
  }
  const uint64_t done_at = at.done;
  value_at_[op.dst] = done_at;
  const uint64_t before = last_commit_;
  const uint64_t commit_at = std::max(std::max(done_at + 1, before),
                                      committed_at_[(number - params_.commit_width) & mask] + 1);
  last_commit_ = committed_at_[number & mask] = commit_at;
  if (op.memory > Memory::kStore) loads_[loads_tail_++ & loads_mask_] = commit_at;
  if (commit_at > before) note_held(op, done, at, number);
  if (is_control(op.opclass) && (kPlain || (done.trap | done.injected) == 0)) {
    note_control(done, piece_.predictor_index);
  }
  if (!kPlain && trace_ != nullptr) trace_placed(op, done, at);
  return done_at;
}

// Rename waits for a slot of the reorder buffer, a station, and room in the load or store queue.
void Pipeline::wait_in_rename(const Operation& op, Placing& at) {
  const uint64_t slot_at = at.renamed;
  if (slot_at > at.rename_from) {
    stats_.stall.rob_full += slot_at - at.rename_from;
    hold(slot_at, CpiClass::kDependency);
  }
  while (slots_.waiting() >= params_.reservation_stations) {
    ++stats_.stall.stations_full;
    const bool stuck = at.renamed - slot_at > params_.watchdog_cycles;
    slots_.advance(at.renamed = stuck ? kNever : at.renamed + 1);
    hold(at.renamed, CpiClass::kDependency);
    if (stuck) break;
  }
  const bool queues = op.opclass >= OpClass::kLoad && op.opclass <= OpClass::kAmo;
  const uint64_t room_at = queues ? queue_room_at(op.opclass) : 0;
  if (room_at <= at.renamed) return;
  const bool store = op.opclass == OpClass::kStore;
  (store ? stats_.stall.store_queue_full : stats_.stall.load_queue_full) += room_at - at.renamed;
  at.renamed = room_at;
  slots_.advance(room_at);
  hold(room_at, !store ? CpiClass::kDependency : write_refused_ ? CpiClass::kDram : CpiClass::kL1);
}

// The cycle in which the oldest store has left a full queue; 0: it has never been full.
uint64_t Pipeline::store_room_at() {
  if (stores_tail_ < params_.store_queue) return 0;
  const uint64_t oldest = stores_tail_ - params_.store_queue;
  while (stores_written_ <= oldest) write_store(kUnwritten);
  return store(oldest).written_at;
}

// Through the data cache: the address is there `mem.latency` cycles after issue.
void Pipeline::place_access(const Operation& op, uint64_t address, uint64_t number, Placing& at) {
  const uint64_t next = at.renamed + 1;
  if (op.memory == Memory::kStore) {
    at.issued = slots_.take(op.unit, std::max(next, at.ready));
    at.done = at.issued + unit_[op.unit].latency + at.serial_latency;
    store(stores_tail_) = {address, number, at.done, kUnwritten, op.mem_size};
    ++stores_tail_;
    store_of_[address / 8 % kGranules] = stores_tail_;
    store_of_[(address + op.mem_size - 1) / 8 % kGranules] = stores_tail_;
    return;
  }
  Forward forward;
  if (op.memory == Memory::kAmo) {  // alone at the head, behind every store
    at.ready = std::max(at.ready, next);
    at.issued = slots_.take(op.unit, std::max({at.ready, last_commit_, all_written_at(kNever)}));
  } else {
    forward = find_overlapping_store(address, op.mem_size, at.renamed);
    if (forward.store != nullptr && forward.full_cover) {
      at.ready = std::max(at.ready, forward.store->done_at);
      if (trace_ != nullptr && forward.store->done_at > at.renamed) {
        life_.producers[3] = forward.store->number;
      }
    }
    at.issued = slots_.take(op.unit, std::max(next, at.ready));
  }
  at.address_at = at.issued + unit_[op.unit].latency + at.serial_latency;
  access(op, address, forward, at);
}

// The load takes its data from a store or from the cache.
[[gnu::always_inline]] inline void Pipeline::access(const Operation& op, uint64_t address,
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
    while (forward.store->written_at == kUnwritten) write_store(kUnwritten);
    now = forward.store->written_at;
  }
  const AccessKind kind = op.memory == Memory::kAmo ? AccessKind::kStore : AccessKind::kLoad;
  uint64_t done = kNever;
  while (now < kNever && (done = access_data(address, op.mem_size, kind, now)) == 0) {
    ++stats_.load_retries;
    at.waiting_class = CpiClass::kDram;
    if (++now - at.address_at > params_.watchdog_cycles) now = done = kNever;
  }
  at.accepted = now;
  at.done = done;
  at.level = level_of(done - now);
}

// One access, two when it straddles a line; 0 when the cache cannot take it now.
uint64_t Pipeline::access_data(uint64_t address, unsigned size, AccessKind kind, uint64_t at) {
  const uint64_t last = address + size - 1;
  const uint64_t done = dcache_->access(address, kind, at);
  if (done == 0 || address >> data_line_bits_ == last >> data_line_bits_) return done;
  const uint64_t second = dcache_->access(last, kind, at);
  return second == 0 ? 0 : std::max(done, second);
}

// Addresses are known here (the hart has executed both), so disambiguation is perfect: a load waits
// for the youngest older store it overlaps that is not written when it is renamed, and for no
// other.
Pipeline::Forward Pipeline::find_overlapping_store(uint64_t address, unsigned size,
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

// Committed stores reach the data cache in order, one a cycle, from the cycle behind commit on.
// False: the oldest is not written by cycle `through`.
bool Pipeline::write_store(uint64_t through) {
  Store& oldest = store(stores_written_);
  uint64_t at = std::max(committed_at(oldest.number) + 1, write_at_);
  const uint64_t first = at;
  write_refused_ = false;
  for (; at <= through; write_at_ = ++at) {
    if (at - first > params_.watchdog_cycles) at = kNever;
    if (at >= kNever || access_data(oldest.address, oldest.size, AccessKind::kStore, at) != 0) {
      oldest.written_at = at;
      write_at_ = at + 1;
      ++stores_written_;
      return true;
    }
    write_refused_ = true;
    ++stats_.store_retries;
  }
  return false;
}

// The cycle in which the last store is written; `until`: not before that.
uint64_t Pipeline::all_written_at(uint64_t until) {
  write_stores(until - 1);
  if (stores_written_ < stores_tail_) return until;
  return write_at_ == 0 ? 0 : write_at_ - 1;
}

void Pipeline::note_control(const RetireRecord& done, uint32_t index) {
  ++stats_.control;
  if (perfect_) return;
  const bool taken = done.opclass != OpClass::kBranch || done.itype == IType::kBranchTaken;
  lessons_[lessons_tail_++ & mask_] = {last_commit_, done.pc_rdata, done.pc_wdata,
                                       index,        done.opclass,  taken};
}

}  // namespace strobe::core
