// Rename, issue and completion: each instruction is placed as soon as it is executed, in the
// cycles that the instructions before it, the slots and units they have left, and the caches give
// it. docs/blocks/core.md
#pragma once

#include <cstdint>

#include "sc_models/core/back_end/execution_resources.h"
#include "sc_models/core/back_end/load_store_unit.h"
#include "sc_models/core/back_end/operation.h"
#include "sc_models/core/back_end/placing.h"
#include "sc_models/core/back_end/reorder_buffer.h"
#include "sc_models/core/cpi/cpi_stack.h"
#include "sc_models/core/cpi/stats.h"
#include "sc_models/core/front_end/front_end.h"
#include "sc_models/core/params.h"
#include "sc_models/core/threads/shared_core.h"
#include "sc_models/core/trace/tracer.h"

namespace strobe::core {

class Placement {
 public:
  /// Keeps references. @param share  what another hart on the core leaves; null: there is none
  Placement(const CoreParams& params, ExecutionResources& resources, const ReorderBuffer& rob,
            FrontEnd& front_end, PipelineStats& stats, Tracer& tracer, CoreShare* share);

  /// Nothing is in flight in cycle `cycle`.
  void clear(uint64_t cycle);

  /// Plain instructions of the present group, one after the other, as the hart has executed them;
  /// `mispredicted` is the last of them. @return the cycle in which its result is there
  uint64_t place_run(const Operation* operations, const RetireRecord* done, unsigned count,
                     bool mispredicted) {
    switch (tracer_.on() ? Where::kAny : where_) {
      case Where::kAlone:
        return place_all<Where::kAlone>(operations, done, count, mispredicted);
      case Where::kBesideOther:
        return place_all<Where::kBesideOther>(operations, done, count, mispredicted);
      default:
        return place_all<Where::kAny>(operations, done, count, mispredicted);
    }
  }
  /// Any instruction; at.decoded, serial, serial_latency and mispredicted are given.
  uint64_t place(const Operation& op, const RetireRecord& done, Placing& at);

  /// The cycle of decode of the next instruction, which is executed now: no more than decode_width
  /// that rename has not taken.
  uint64_t decoded_now() { return decoded<Where::kAny>(rob_.placed()); }
  /// The cycle in which decode is.
  uint64_t decode_at() const { return decode_at_; }
  void set_decode_at(uint64_t cycle) { decode_at_ = cycle; }
  LoadStoreUnit& lsu() { return lsu_; }
  const LoadStoreUnit& lsu() const { return lsu_; }
  CpiStack& cpi() { return cpi_; }
  /// When the last instruction commits.
  uint64_t last_commit() const { return last_commit_; }

 private:
  // What is known of the instruction when this is compiled. Alone and beside the other hart of a
  // core it is predicted by tables, issues out of order, is neither traced nor serialized, and
  // belongs to no replacement sequence.
  enum class Where : uint8_t { kAny, kAlone, kBesideOther };

  template <Where kWhere>
  uint64_t decoded(uint64_t number) {
    const uint64_t room_at = rob_.renamed(number - params_.decode_width);
    if (kWhere != Where::kAny || !perfect_) return decode_at_ = std::max(decode_at_, room_at);
    return std::max(front_end_.group().fetched_at + params_.front_end_stages - 1, room_at);
  }
  template <Where kWhere>
  uint64_t place_as(const Operation& op, const RetireRecord& done, uint64_t number, Placing& at);
  template <Where kWhere>
  uint64_t place_all(const Operation* operations, const RetireRecord* done, unsigned count,
                     bool mispredicted);
  template <Where kWhere>
  bool shares() const {
    return kWhere == Where::kBesideOther || (kWhere == Where::kAny && share_ != nullptr);
  }
  uint64_t in_order_from(const Operation& op) const;
  void wait_in_rename(const Operation& op, Placing& at);
  uint64_t rename_beside_other(const Operation& op, uint64_t number, Placing& at);
  uint64_t wait_beside_other(const Operation& op, uint64_t number, Placing& at);
  // The cycle in which there is room in the queue of stores, or in that of loads and atomics.
  uint64_t queue_room_at(bool store) { return store ? lsu_.store_room_at() : lsu_.load_room_at(); }
  uint64_t* full_structure(const Operation& op, uint64_t number, uint64_t cycle);
  template <Where kWhere>
  [[gnu::always_inline]] uint64_t issue(Unit unit, uint64_t from) {
    return shares<kWhere>() ? share_->issue(unit, from) : slots_.take(unit, from);
  }
  template <Where kWhere>
  void place_access(const Operation& op, uint64_t address, uint64_t number, Placing& at);

  const CoreParams params_;
  IssueSlots& slots_;
  uint64_t latency_[kUnitCount];  // by unit
  ReorderBuffer rob_;
  FrontEnd& front_end_;
  LoadStoreUnit lsu_;
  CpiStack cpi_;
  PipelineStats& stats_;
  Tracer& tracer_;
  CoreShare* const share_;
  const bool perfect_, in_order_;
  const Where where_;
  uint64_t decode_at_ = 0;  // the last instruction's
  uint64_t last_renamed_ = 0, last_commit_ = 0;
  uint64_t last_issued_ = 0;     // where issue is in order
  uint64_t value_at_[256] = {};  // by register: the cycle its value is there
};

}  // namespace strobe::core
