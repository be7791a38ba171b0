// The decode engine's replacement table and instantiation logic.
// docs/blocks/dise.md, "Replacement table"
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/port/decode_engine.h"

namespace strobe::profiling {

class DiseReplacementTable {
 public:
  /// @param entries  a power of two
  explicit DiseReplacementTable(unsigned entries) : entries_(entries) {}

  unsigned size() const { return static_cast<unsigned>(entries_.size()); }
  void write(unsigned index, uint64_t entry) { entries_[index] = entry; }
  /// What entry `index`, below size(), makes of the trigger.
  InstantiatedInstruction instantiate(const DecodeLane& trigger, unsigned index) const;

 private:
  std::vector<uint64_t> entries_;
};

}  // namespace strobe::profiling
