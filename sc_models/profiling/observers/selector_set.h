// A selector in software, with the rule of the selector block: makes the tuples that passive
// observers and the exhaustive profile watch. docs/blocks/selector.md
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sc_models/port/retire.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/selector.h"

namespace strobe::profiling {

class SelectorSet {
 public:
  /// @param slots  any number, in order of priority; disabled ones never match
  explicit SelectorSet(std::vector<SelectorSlot> slots) : slots_(std::move(slots)) {
    for (const SelectorSlot& slot : slots_) {
      if (!slot.enable) continue;
      opclasses_ |= slot.opclass;
      marked_ |= slot.marked;
    }
  }

  /// Makes the record's tuple. False, and `tuple` as it was, when no slot picks the record. The
  /// class is the record's own (RetireRecord::opclass), so nothing is decoded again.
  /// @tparam Record  RetireRecord, or what has its fields that tuples are made of
  template <class Record>
  bool select(const Record& record, Tuple& tuple) {
    const auto mode = static_cast<unsigned>(record.mode);
    int marker = -1;
    if (marked_ && record.trap == 0) {
      marker = markers_.before(mode);
      markers_.retire(mode, record.insn);
    }
    // Most records are of a class that nobody profiles: one test settles them.
    if (((opclasses_ >> static_cast<unsigned>(record.opclass)) & 1) == 0) return false;
    if (record.trap != 0) return false;
    const SelectorSlot* slot = matching_slot(slots_.data(), static_cast<unsigned>(slots_.size()),
                                             record.opclass, marker, record);
    if (slot == nullptr) return false;
    tuple = make_tuple_of(*slot, record);
    return true;
  }

  /// The classes that select() must be shown; bit k is OpClass k. All where some slot looks for
  /// markers.
  uint16_t opclasses() const { return marked_ ? uint16_t{0xffff} : opclasses_; }

 private:
  std::vector<SelectorSlot> slots_;
  uint16_t opclasses_ = 0;
  bool marked_ = false;  // some slot looks for markers: every instruction counts
  MarkerTrack markers_;
};

}  // namespace strobe::profiling
