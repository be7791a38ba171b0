// The data references of a run, or of its bursts, as the trace that hot streams are found in.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/profile/exhaustive_profile.h"
#include "sw/profile/sequitur.h"

namespace strobe::profile {

/// One executed load or store. Two executions are the same symbol of the trace when both agree.
struct Reference {
  uint64_t pc = 0;
  uint64_t address = 0;
  friend bool operator==(const Reference& a, const Reference& b) {
    return a.pc == b.pc && a.address == b.address;
  }
};

/// Numbers the references and feeds them to Sequitur. Memory follows the distinct references (at
/// most 88 bytes each, and half as much again while the table grows) and the grammar.
class ReferenceTrace {
 public:
  /// @param max_symbols  of the grammar (Sequitur's bound on memory); references that come when it
  ///                     is full are dropped
  explicit ReferenceTrace(size_t max_symbols = size_t{1} << 26) : sequitur_(max_symbols) {}

  void add(const Reference& reference);
  /// From now on nothing follows what came before: a terminal of its own goes between, so that no
  /// stream spans two bursts.
  void separate();

  /// In the trace.
  uint64_t references() const { return references_; }
  uint64_t dropped() const { return dropped_; }
  Grammar grammar() const { return sequitur_.grammar(); }
  /// Which reference a terminal of the grammar is; of a separator, the empty one.
  const Reference& reference(uint32_t terminal) const { return by_number_[terminal]; }
  size_t bytes() const;

 private:
  Sequitur sequitur_;
  ExhaustiveProfile numbers_;  // its "count" of a reference is the reference's number plus one
  std::vector<Reference> by_number_;
  uint64_t references_ = 0, dropped_ = 0;
};

}  // namespace strobe::profile
