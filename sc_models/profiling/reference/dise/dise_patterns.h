// The decode engine's pattern table: what a production requires of an instruction and of the flags.
// docs/blocks/dise.md, "Productions"
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/port/decode_engine.h"

namespace strobe::profiling {

/// The largest number of counters; HPS needs two.
inline constexpr unsigned kMaxDiseCounters = 3;

/// What a production does to one counter (HPS, section 4.2: the micro-instructions).
enum class CounterOp : uint8_t { kNone = 0, kIncrement = 1, kDecrement = 2, kSet = 3 };

enum class DiseSign : uint8_t { kAny = 0, kNegative = 1, kNotNegative = 2 };
enum class DiseDirection : uint8_t { kAny = 0, kBackward = 1, kForward = 2 };

/// One production as the table holds it.
struct DisePattern {
  bool valid = false;
  bool replaces = false;  // false: the paper's `null`
  uint16_t start = 0;     // first entry of its sequence in the replacement table
  uint32_t value = 0, mask = 0;
  uint16_t classes = 0;  // bit k allows OpClass k
  DiseSign sign = DiseSign::kAny;
  DiseDirection direction = DiseDirection::kAny;
  uint64_t condition = 0;  // bit f: whether the entry takes part when the flags are f
  uint16_t ops = 0;        // five bits for each counter: CounterOp, then the dise register of a set

  CounterOp op(unsigned counter) const { return static_cast<CounterOp>(ops >> 5 * counter & 3); }
  unsigned op_register(unsigned counter) const { return ops >> (5 * counter + 2) & 7u; }
  /// The pattern matches the instruction; the condition is not considered.
  bool accepts(const DecodeLane& lane) const;
};

/// The immediate of the instruction's format, sign-extended. 0 where the format has none, and for
/// SYSTEM and MISC-MEM, whose upper field is not an operand.
int64_t immediate_of(uint32_t insn);
/// The instruction's immediate is negative.
bool has_negative_immediate(uint32_t insn);

/// The entries in table order, and those of them that can have an effect.
class DisePatternTable {
 public:
  /// @param entries  number of entries, a power of two
  explicit DisePatternTable(unsigned entries) : entries_(entries) {}

  unsigned size() const { return static_cast<unsigned>(entries_.size()); }
  const DisePattern& entry(unsigned index) const { return entries_[index]; }
  void write(unsigned index, const DisePattern& entry);

  /// The valid entries whose condition can hold and that change or replace something.
  const std::vector<DisePattern>& effective() const { return effective_; }

 private:
  std::vector<DisePattern> entries_;
  std::vector<DisePattern> effective_;
};

}  // namespace strobe::profiling
