// The decode engine's replacement table and instantiation logic. docs/blocks/dise.md, "Replacement
// table"
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/port/decode_engine.h"

namespace strobe::profiling {

/// 64-bit entries, each of which makes one instruction from a trigger.
class DiseReplacementTable {
 public:
  /// @param entries  number of entries, a power of two
  explicit DiseReplacementTable(unsigned entries) : entries_(entries) {}

  unsigned size() const { return static_cast<unsigned>(entries_.size()); }
  void write(unsigned index, uint64_t entry) { entries_[index] = entry; }
  /// The instruction that entry `index` makes from the trigger; `index` is below size().
  InstantiatedInstruction instantiate(const DecodeLane& trigger, unsigned index) const;

 private:
  std::vector<uint64_t> entries_;
};

}  // namespace strobe::profiling
