// Rename and dispatch: into the reorder buffer, a reservation station and the load or store queue.
#include <algorithm>

#include "sc_models/core/pipeline.h"

namespace strobe::core {

void Pipeline::rename() {
  const uint64_t end = std::min(front_head_ + params_.decode_width, front_decoded_);
  if (front_head_ >= end) return;
  const uint64_t slots = params_.rob - (rob_tail_ - rob_head_ + wrong_in_rob_);
  const uint64_t slots_end = std::min(end, front_head_ + slots);
  const uint64_t stations_end =
      std::min(slots_end, front_head_ + params_.reservation_stations - stations_used_);
  const uint64_t right_end = std::min(stations_end, wrong_from_);
  if (front_head_ < right_end && rename_right_path(right_end) < right_end) return;
  if (front_head_ < slots_end && on_wrong_path(front_head_)) rename_wrong_path(slots_end);
  if (front_head_ == end) return;
  hold(front_head_ == slots_end ? stats_.stall.rob_full : stats_.stall.stations_full,
       CpiClass::kDependency);
}

// As far as the load and store queue have room. Returns where it ended.
uint64_t Pipeline::rename_right_path(uint64_t end) {
  const uint64_t first = front_head_;
  uint64_t position = first;
  for (; position < end; ++position) {
    const FrontEntry& entry = front(position);
    if (!queue_has_room(entry.opclass)) break;
    if (trace_ != nullptr) trace_->renamed(cycle_, position, rob_tail_);
    dispatch(entry);
  }
  front_head_ = position;
  stations_used_ += position - first;
  active_ |= position != first;
  return position;
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

bool Pipeline::queue_has_room(OpClass opclass) {
  if (opclass == OpClass::kStore) {
    if (stores_tail_ - stores_head_ < params_.store_queue) return true;
    return hold(stats_.stall.store_queue_full, store_refused_ ? CpiClass::kDram : CpiClass::kL1);
  }
  const bool is_load = opclass == OpClass::kLoad || opclass == OpClass::kAmo;
  if (!is_load || loads_used_ < params_.load_queue) return true;
  return hold(stats_.stall.load_queue_full, CpiClass::kDependency);
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
  const uint64_t number = rob_tail_++;
  const uint64_t head = rob_head_, next_cycle = cycle_ + 1;
  const uint32_t slot = static_cast<uint32_t>(number & rob_mask_);
  Wait wait{next_cycle};
  for (uint32_t i = 0; i < 3; ++i) {
    const uint64_t writer = writer_[from.registers.src[i]];
    if (writer > head) depend(wait, slot * kNodesPerEntry + i, writer - 1);
  }
  if (from.registers.dst != isa::kNoRegister) writer_[from.registers.dst] = number + 1;
  RobEntry& entry = rob_[slot];
  Unit unit = kUnitOf[static_cast<unsigned>(from.opclass)];
  if (from.memory != Memory::kNone) {
    entry.address = from.address;
    entry.mem_size = from.mem_size;
    entry.memory = from.memory;
    enter_queue(entry, number, wait);
  } else if (unit == kMemUnit) {
    unit = kAluUnit;
  }
  static_cast<Traits&>(entry) = from;
  entry.done_at = kNever;
  entry.ready_at = wait.ready_at;
  entry.consumers = kNoNode;
  entry.latency = unit_[unit].latency + from.serial_latency;
  entry.predictor_index = from.predictor_index;
  entry.pending = wait.pending;
  entry.unit = unit;
  entry.state = RobState::kWaiting;
  entry.cpi = dispatch_class(from.rename_at, wait.any);
  if (wait.pending != 0) return;
  wait.ready_at == next_cycle ? make_ready(slot) : wake_at(slot, wait.ready_at);
}

// Takes a place in the store or the load queue.
void Pipeline::enter_queue(RobEntry& entry, uint64_t number, Wait& wait) {
  if (entry.memory == Memory::kStore) {
    stores_[stores_tail_++ & stores_mask_] = {entry.address, number, entry.mem_size};
    filter_add(entry.address, entry.mem_size, 1);
    return;
  }
  ++loads_used_;
  entry.forward_store = 0;
  if (entry.memory != Memory::kLoad) return;
  find_overlapping_store(entry, static_cast<uint32_t>(number & rob_mask_), wait);
}

// By its dependence node `node`, an instruction waits for the one with number `producer`, unless
// that is done.
void Pipeline::depend(Wait& wait, uint32_t node, uint64_t producer) {
  RobEntry& from = rob(producer);
  if (from.done_at <= cycle_) return;
  wait.any = true;
  if (trace_ != nullptr) trace_->depends(node / kNodesPerEntry, producer);
  if (from.done_at != kNever) {
    wait.ready_at = std::max(wait.ready_at, from.done_at);
    return;
  }
  consumer_next_[node] = from.consumers;
  from.consumers = node;
  ++wait.pending;
}

// Addresses are known here (the hart has executed both), so disambiguation is perfect: a load waits
// for the youngest older store it overlaps and for no other.
void Pipeline::find_overlapping_store(RobEntry& entry, uint32_t slot, Wait& wait) {
  const uint64_t first = entry.address, last = entry.address + entry.mem_size - 1;
  if (filter_[first / 8 % kFilterSize] == 0 && filter_[last / 8 % kFilterSize] == 0) return;
  for (uint64_t store_number = stores_tail_; store_number > stores_head_; --store_number) {
    const StoreEntry& store = stores_[(store_number - 1) & stores_mask_];
    const uint64_t store_last = store.address + store.size - 1;
    if (last < store.address || store_last < first) continue;
    entry.forward_store = store_number;
    entry.full_cover = store.address <= first && last <= store_last;
    if (entry.full_cover && store.rob >= rob_head_) {
      depend(wait, slot * kNodesPerEntry + 3, store.rob);
    }
    return;
  }
}

}  // namespace strobe::core
