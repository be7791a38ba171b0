// Rename and dispatch: into the reorder buffer, a reservation station and the load or store queue.
#include <algorithm>

#include "sc_models/core/pipeline.h"

namespace strobe::core {

void Pipeline::rename() {
  const uint64_t end = std::min(front_head_ + params_.decode_width, front_decoded_);
  while (front_head_ < end) {
    const uint64_t used = rob_tail_ - rob_head_ + wrong_in_rob_;
    if (used >= params_.rob) {
      hold(stats_.stall.rob_full, CpiClass::kDependency);
      return;
    }
    if (on_wrong_path(front_head_)) {
      rename_wrong_path(std::min(end, front_head_ + params_.rob - used));
      continue;
    }
    const FrontEntry& entry = front(front_head_);
    if (!has_room(entry)) return;
    if (trace_ != nullptr) trace_->renamed(cycle_, front_head_, rob_tail_);
    dispatch(entry);
    ++front_head_;
    active_ = true;
  }
}

// They take slots until the squash and do nothing else.
void Pipeline::rename_wrong_path(uint64_t end) {
  wrong_in_rob_ += end - front_head_;
  if (trace_ != nullptr) {
    for (uint64_t i = front_head_; i < end; ++i) trace_->renamed_on_wrong_path(cycle_, i);
  }
  front_head_ = end;
  active_ = true;
}

bool Pipeline::has_room(const FrontEntry& entry) {
  if (stations_used_ >= params_.reservation_stations) {
    return hold(stats_.stall.stations_full, CpiClass::kDependency);
  }
  const bool is_load = entry.insn.opclass == OpClass::kLoad || entry.insn.opclass == OpClass::kAmo;
  if (is_load && loads_used_ >= params_.load_queue) {
    return hold(stats_.stall.load_queue_full, CpiClass::kDependency);
  }
  if (entry.insn.opclass == OpClass::kStore && stores_tail_ - stores_head_ >= params_.store_queue) {
    return hold(stats_.stall.store_queue_full, store_refused_ ? CpiClass::kDram : CpiClass::kL1);
  }
  return true;
}

// Counts a cycle in which rename waits. Returns false.
bool Pipeline::hold(uint64_t& stall, CpiClass what) {
  ++stall;
  held_ = what;
  held_at_ = cycle_;
  return false;
}

void Pipeline::dispatch(const FrontEntry& from) {
  static constexpr Unit kUnitOf[kOpClassCount] = {
      kAluUnit, kMulUnit, kDivUnit, kMemUnit, kMemUnit, kMemUnit,   kAluUnit, kAluUnit,
      kAluUnit, kAluUnit, kAluUnit, kAluUnit, kFpUnit,  kFpDivUnit, kAluUnit, kAluUnit};
  const isa::DecodedInsn& insn = from.insn;
  const uint64_t number = rob_tail_++;
  const uint32_t slot = static_cast<uint32_t>(number & rob_mask_);
  RobEntry& entry = rob_[slot];
  static constexpr RobEntry kBlank{};
  entry = kBlank;
  entry.predictor_index = from.predictor_index;
  entry.mispredicted = front_head_ + 1 == wrong_from_;
  entry.serial = from.serial;
  entry.flush = from.flush;
  ++stations_used_;
  uint8_t pending = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    const uint8_t source = insn.src[i];
    if (source == isa::kNoRegister || writer_[source] <= rob_head_) continue;
    pending += depend(slot * kNodesPerEntry + i, writer_[source] - 1);
  }
  if (insn.dst != isa::kNoRegister) writer_[insn.dst] = number + 1;
  Unit unit = kUnitOf[static_cast<unsigned>(insn.opclass)];
  if (unit == kMemUnit) {
    const RetireRecord& done = record(number);
    // A device access has happened already; what trapped and a failed SC touch no memory.
    if (from.is_device || (done.mem_rmask | done.mem_wmask) == 0) {
      unit = kAluUnit;
    } else {
      entry.address = done.mem_addr;
      entry.mem_size = insn.mem_size;
      pending += enter_queue(entry, insn.opclass, number);
    }
  }
  entry.unit = unit;
  entry.latency = unit_[unit].latency + from.serial_latency;
  entry.pending = pending;
  entry.ready_at = cycle_ + 1;
  entry.cpi = dispatch_class(from.rename_at, pending > 0);
  if (pending == 0) make_ready(slot);
}

// Takes a place in the store or the load queue. Returns the instructions it has to wait for.
uint8_t Pipeline::enter_queue(RobEntry& entry, OpClass opclass, uint64_t number) {
  if (opclass == OpClass::kStore) {
    entry.is_store = true;
    stores_[stores_tail_++ & stores_mask_] = {entry.address, number, entry.mem_size};
    filter_add(entry.address, entry.mem_size, 1);
    return 0;
  }
  ++loads_used_;
  entry.is_amo = opclass == OpClass::kAmo;
  entry.is_load = !entry.is_amo;
  return entry.is_load ? find_overlapping_store(entry, number) : 0;
}

// Makes the instruction of dependence node `node` wait for the one with number `producer`; 1 when
// it has to, 0 when the producer is done.
uint8_t Pipeline::depend(uint32_t node, uint64_t producer) {
  RobEntry& from = rob(producer);
  if (producer < rob_head_ || from.state == RobState::kDone) return 0;
  if (trace_ != nullptr) trace_->depends(node / kNodesPerEntry, producer);
  consumer_next_[node] = from.consumers;
  from.consumers = node;
  return 1;
}

// Addresses are known here (the hart has executed both), so disambiguation is perfect: a load waits
// for the youngest older store it overlaps and for no other. Returns the stores to wait for.
uint8_t Pipeline::find_overlapping_store(RobEntry& entry, uint64_t number) {
  const uint64_t first = entry.address, last = entry.address + entry.mem_size - 1;
  if (filter_[first / 8 % kFilterSize] == 0 && filter_[last / 8 % kFilterSize] == 0) return 0;
  for (uint64_t store_number = stores_tail_; store_number > stores_head_; --store_number) {
    const StoreEntry& store = stores_[(store_number - 1) & stores_mask_];
    const uint64_t store_last = store.address + store.size - 1;
    if (last < store.address || store_last < first) continue;
    entry.forward_store = store_number;
    entry.full_cover = store.address <= first && last <= store_last;
    if (!entry.full_cover) return 0;
    return depend(static_cast<uint32_t>(number & rob_mask_) * kNodesPerEntry + 3, store.rob);
  }
  return 0;
}

}  // namespace strobe::core
