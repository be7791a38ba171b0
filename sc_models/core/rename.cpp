// Rename and dispatch: into the reorder buffer, a reservation station and the load or store queue.
#include "sc_models/core/pipeline.h"

namespace strobe::core {

void Pipeline::rename() {
  for (unsigned n = 0; n < params_.decode_width && front_head_ < front_decoded_; ++n) {
    const FrontEntry& entry = front(front_head_);
    if (entry.rename_at > cycle_) return;
    if (rob_tail_ - rob_head_ + wrong_in_rob_ >= params_.rob) {
      hold(stats_.stall.rob_full, CpiClass::kDependency);
      return;
    }
    if (on_wrong_path(front_head_)) {
      ++wrong_in_rob_;  // takes a slot until the squash and does nothing else
      if (trace_ != nullptr) trace_->renamed_on_wrong_path(cycle_, front_head_);
    } else {
      if (!has_room(entry)) return;
      if (trace_ != nullptr) trace_->renamed(cycle_, front_head_, rob_tail_);
      dispatch(entry);
    }
    ++front_head_;
    active_ = true;
  }
}

bool Pipeline::has_room(const FrontEntry& entry) {
  if (stations_used_ >= params_.reservation_stations) {
    return hold(stats_.stall.stations_full, CpiClass::kDependency);
  }
  const bool is_load = entry.opclass == OpClass::kLoad || entry.opclass == OpClass::kAmo;
  if (is_load && loads_used_ >= params_.load_queue) {
    return hold(stats_.stall.load_queue_full, CpiClass::kDependency);
  }
  if (entry.opclass == OpClass::kStore && stores_tail_ - stores_head_ >= params_.store_queue) {
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
  const uint64_t number = rob_tail_++;
  const uint32_t slot = static_cast<uint32_t>(number & rob_mask_);
  const RetireRecord& record = records_[from.record & records_mask_];
  RobEntry& entry = rob_[slot];
  static constexpr RobEntry kBlank{};
  entry = kBlank;
  entry.record = from.record;
  entry.predictor_index = from.predictor_index;
  entry.dst = from.dst;
  entry.mispredicted = from.mispredicted;
  entry.serial = from.serial;
  entry.flush = from.flush;
  // A device access has happened already; what trapped and a failed SC touch no memory.
  const bool in_memory = !from.is_device && (record.mem_rmask | record.mem_wmask) != 0;
  const bool memory_class = from.opclass >= OpClass::kLoad && from.opclass <= OpClass::kAmo;
  entry.unit = memory_class && !in_memory ? kAluUnit : kUnitOf[static_cast<unsigned>(from.opclass)];
  entry.latency = unit_[entry.unit].latency + static_cast<uint32_t>(from.serial_latency);
  ++stations_used_;
  for (uint32_t i = 0; i < 3; ++i) {
    const uint8_t source = from.src[i];
    if (source != isa::kNoRegister && writer_[source] > rob_head_) {
      depend(entry, slot * kNodesPerEntry + i, writer_[source] - 1);
    }
  }
  if (from.dst != isa::kNoRegister) writer_[from.dst] = number + 1;
  if (memory_class && in_memory) {
    entry.address = record.mem_addr;
    entry.mem_size = from.mem_size;
    entry.is_load = from.opclass == OpClass::kLoad;
    entry.is_amo = from.opclass == OpClass::kAmo;
    entry.is_store = from.opclass == OpClass::kStore;
    if (entry.is_store) {
      stores_[stores_tail_++ & stores_mask_] = {entry.address, number, entry.mem_size};
      filter_add(entry.address, entry.mem_size, 1);
    } else {
      ++loads_used_;
      if (entry.is_load) find_overlapping_store(entry, slot);
    }
  }
  entry.ready_at = cycle_ + 1;
  entry.cpi = dispatch_class(from, entry.pending > 0);
  if (entry.pending == 0) ready_[slot / 64] |= uint64_t{1} << slot % 64;
}

// Makes `entry` wait, at dependence node `node`, for the instruction with number `producer`.
void Pipeline::depend(RobEntry& entry, uint32_t node, uint64_t producer) {
  if (producer < rob_head_ || rob(producer).state == RobState::kDone) return;
  if (trace_ != nullptr) trace_->depends(node / kNodesPerEntry, producer);
  consumer_next_[node] = rob(producer).consumers;
  rob(producer).consumers = node;
  ++entry.pending;
}

// Addresses are known here (the hart has executed both), so disambiguation is perfect: a load waits
// for the youngest older store it overlaps and for no other.
void Pipeline::find_overlapping_store(RobEntry& entry, uint32_t slot) {
  const uint64_t first = entry.address, last = entry.address + entry.mem_size - 1;
  if (filter_[first / 8 % kFilterSize] == 0 && filter_[last / 8 % kFilterSize] == 0) return;
  for (uint64_t number = stores_tail_; number > stores_head_; --number) {
    const StoreEntry& store = stores_[(number - 1) & stores_mask_];
    const uint64_t store_last = store.address + store.size - 1;
    if (last < store.address || store_last < first) continue;
    entry.forward_store = number;
    entry.full_cover = store.address <= first && last <= store_last;
    if (entry.full_cover) depend(entry, slot * kNodesPerEntry + 3, store.rob);
    return;
  }
}

}  // namespace strobe::core
