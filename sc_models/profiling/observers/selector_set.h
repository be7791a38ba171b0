// A selector in software, with the rules of the selector block. It makes the tuples for passive
// observers and the exhaustive profile. docs/blocks/selector.md
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sc_models/port/retire.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/selection/selection_plan.h"
#include "sc_models/profiling/reference/selection/selector.h"

namespace strobe::profiling {

class SelectorSet {
 public:
  /// @param slots  any number, in order of priority; disabled ones never match
  explicit SelectorSet(std::vector<SelectorSlot> slots) : plan_(std::move(slots)) {}

  /// Makes the record's tuple. Returns false, and leaves `tuple` unchanged, when no slot picks the
  /// record. The opcode class comes from the record (RetireRecord::opclass), so nothing is decoded
  /// again.
  /// @tparam Record  RetireRecord, or a type with those of its fields from which tuples are made
  template <class Record>
  bool select(const Record& record, Tuple& tuple) {
    if (record.trap != 0) return false;
    int marker = -1;
    if (__builtin_expect(plan_.marked(), 0)) {
      const auto mode = static_cast<unsigned>(record.mode);
      marker = markers_.before(mode);
      markers_.retire(mode, record.insn);
    }
    const SelectorSlot* slot = plan_.slot(record, marker);
    if (slot == nullptr) return false;
    tuple = make_tuple_of(*slot, record);
    return true;
  }

  /// The instructions that select() must be shown: all of them if some slot looks for markers.
  RetireKinds kinds() const { return plan_.marked() ? RetireKinds(0xffff, 0xffff) : plan_.kinds(); }

 private:
  SelectionPlan plan_;
  MarkerTrack markers_;
};

}  // namespace strobe::profiling
