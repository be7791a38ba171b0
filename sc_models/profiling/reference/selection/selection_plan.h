// The selection rule, prepared for speed: for each class and mode the slot that takes all of its
// instructions.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sc_models/port/retire_kinds.h"
#include "sc_models/profiling/reference/selection/selector.h"

namespace strobe::profiling {

/// Gives the same slots as matching_slot(), from one look-up where class and mode alone decide.
class SelectionPlan {
 public:
  /// @param slots  in order of priority; disabled ones never match
  explicit SelectionPlan(std::vector<SelectorSlot> slots);

  /// As matching_slot() for the record's class. Record is RetireRecord or a type with the same
  /// fields.
  template <class Record>
  const SelectorSlot* slot(const Record& record, int marker) const {
    const int first = first_[retire_kind(record)];
    if (first >= 0) return &slots_[static_cast<size_t>(first)];
    return first == kNone ? nullptr : ask_each(record, marker);
  }

  /// The kinds of instruction that some slot can select, and no others.
  RetireKinds kinds() const { return kinds_; }
  /// Some slot requires a marker, so the selection also depends on instructions that no slot
  /// selects.
  bool marked() const { return marked_; }

 private:
  static constexpr int kNone = -1, kConditional = -2;

  // Not inlined, because it would lengthen the common path.
  template <class Record>
  [[gnu::noinline]] const SelectorSlot* ask_each(const Record& record, int marker) const {
    return matching_slot(slots_.data(), static_cast<unsigned>(slots_.size()), record.opclass,
                         marker, record);
  }

  std::vector<SelectorSlot> slots_;
  int first_[kRetireKinds];  // number of a slot, kNone or kConditional
  RetireKinds kinds_;
  bool marked_ = false;
};

}  // namespace strobe::profiling
