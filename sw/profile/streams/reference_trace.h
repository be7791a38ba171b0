// The data references of a run, or of its bursts, as the trace in which hot streams are found.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/profile/counts/exhaustive_profile.h"
#include "sw/profile/streams/sequitur.h"

namespace strobe::profile {

/// One executed load or store. Two executions are the same symbol of the trace when both agree.
struct Reference {
  uint64_t pc = 0;
  uint64_t address = 0;
  friend bool operator==(const Reference& a, const Reference& b) {
    return a.pc == b.pc && a.address == b.address;
  }
};

/// Numbers the references and feeds them to Sequitur. The memory follows the number of distinct
/// references (at most 88 bytes each, and half as much again while the table grows) and the size of
/// the grammar.
class ReferenceTrace {
 public:
  /// @param max_symbols  the bound of the grammar (Sequitur's bound on memory); references that
  /// come when it is full are dropped
  explicit ReferenceTrace(size_t max_symbols = size_t{1} << 26) : sequitur_(max_symbols) {}

  void add(const Reference& reference);
  /// Ends a burst: a terminal that occurs nowhere else separates the references before and after,
  /// so that no stream spans two bursts.
  void separate();

  /// The number of references in the trace.
  uint64_t references() const { return references_; }
  uint64_t dropped() const { return dropped_; }
  Grammar grammar() const { return sequitur_.grammar(); }
  /// The reference that a terminal of the grammar stands for; the empty one for a separator.
  const Reference& reference(uint32_t terminal) const { return by_number_[terminal]; }
  size_t bytes() const;

 private:
  Sequitur sequitur_;
  ExhaustiveProfile numbers_;  // The "count" of a reference is its number plus one.
  std::vector<Reference> by_number_;
  uint64_t references_ = 0, dropped_ = 0;
};

}  // namespace strobe::profile
