// A selector in software, with the rule of the selector block: makes the tuples that passive
// observers and the exhaustive profile watch. docs/blocks/selector.md
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sc_models/port/retire.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/selection_plan.h"
#include "sc_models/profiling/reference/selector.h"

namespace strobe::profiling {

class SelectorSet {
 public:
  /// @param slots  any number, in order of priority; disabled ones never match
  explicit SelectorSet(std::vector<SelectorSlot> slots) : plan_(std::move(slots)) {}

  /// Makes the record's tuple. False, and `tuple` as it was, when no slot picks the record. The
  /// class is the record's own (RetireRecord::opclass), so nothing is decoded again.
  /// @tparam Record  RetireRecord, or what has its fields that tuples are made of
  template <class Record>
  bool select(const Record& record, Tuple& tuple) {
    if (record.trap != 0) return false;
    int marker = -1;
    if (plan_.marked()) {
      const auto mode = static_cast<unsigned>(record.mode);
      marker = markers_.before(mode);
      markers_.retire(mode, record.insn);
    }
    const SelectorSlot* slot = plan_.slot(record, marker);
    if (slot == nullptr) return false;
    tuple = make_tuple_of(*slot, record);
    return true;
  }

  /// What select() must be shown. All where some slot looks for markers.
  RetireKinds kinds() const { return plan_.marked() ? RetireKinds(0xffff, 0xffff) : plan_.kinds(); }

 private:
  SelectionPlan plan_;
  MarkerTrack markers_;
};

}  // namespace strobe::profiling
