// The selection rule, prepared: for each class and mode, the slot that takes all of it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sc_models/port/retire_kinds.h"
#include "sc_models/profiling/reference/selector.h"

namespace strobe::profiling {

class SelectionPlan {
 public:
  /// @param slots  in order of priority; disabled ones never match
  explicit SelectionPlan(std::vector<SelectorSlot> slots);

  /// As matching_slot(), of the record's own class; Record is RetireRecord or what has its fields.
  template <class Record>
  const SelectorSlot* slot(const Record& record, int marker) const {
    const int first = first_[retire_kind(record)];
    if (first >= 0) return &slots_[static_cast<size_t>(first)];
    return first == kNone ? nullptr : ask_each(record, marker);
  }

  /// Those that some slot names, and those only.
  RetireKinds kinds() const { return kinds_; }
  /// Some slot looks for markers: it depends on the instructions that no slot names, too.
  bool marked() const { return marked_; }

 private:
  static constexpr int kNone = -1, kConditional = -2;

  // Apart: inlined, it makes the usual way longer.
  template <class Record>
  [[gnu::noinline]] const SelectorSlot* ask_each(const Record& record, int marker) const {
    return matching_slot(slots_.data(), static_cast<unsigned>(slots_.size()), record.opclass,
                         marker, record);
  }

  std::vector<SelectorSlot> slots_;
  int first_[kRetireKinds];  // number of a slot, or one of these
  RetireKinds kinds_;
  bool marked_ = false;
};

}  // namespace strobe::profiling
