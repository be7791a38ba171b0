// A finished profile: how often each tuple occurred, sorted, so that two of them can be compared.
// A profile that is still growing is an ExhaustiveProfile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sc_models/port/tuple.h"

namespace strobe::profile {

/// Counts by tuple, in any order.
using Entries = std::vector<std::pair<Tuple, uint64_t>>;

/// The order of a profile: tag, then pc, then value.
inline bool tuple_before(const Tuple& a, const Tuple& b) {
  if (a.tag != b.tag) return a.tag < b.tag;
  if (a.pc != b.pc) return a.pc < b.pc;
  return a.value < b.value;
}

/// An immutable profile. Every tuple appears once, with a count of at least 1.
class Profile {
 public:
  Profile() = default;
  /// Sorts the entries, adds up the counts of a tuple that appears twice, and leaves out counts of
  /// 0.
  explicit Profile(Entries entries);

  /// The entries by tag, pc, value.
  const Entries& entries() const { return entries_; }
  /// The sum of all counts.
  uint64_t total() const { return total_; }
  /// The number of distinct tuples.
  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  /// The count of a tuple; 0 for a tuple that is not there.
  uint64_t count(const Tuple& tuple) const;
  /// The tags that occur, in rising order.
  std::vector<uint8_t> tags() const;
  /// The part with this tag.
  Profile with_tag(uint8_t tag) const;
  /// At most `limit` entries with the largest count first; equal counts are ordered by tag, pc,
  /// value.
  Entries by_count(size_t limit = SIZE_MAX) const;
  /// The largest entries that together reach `percent` % of the total: the shortest prefix of
  /// by_count() that does.
  Profile truncated(unsigned percent) const;

 private:
  Entries entries_;
  uint64_t total_ = 0;
};

/// Names an address, as in "main+0x12". The name is an empty string when the address has none.
using SymbolOf = std::function<std::string(uint64_t pc)>;

struct NamedEntry {
  Tuple tuple;
  uint64_t count = 0;
  double share = 0;    // the share of the profile's total, 0 to 1
  std::string symbol;  // the symbol of tuple.pc; empty without a name
};

/// The `limit` largest entries with their names. `symbol_of` may be empty.
std::vector<NamedEntry> top_entries(const Profile& profile, size_t limit,
                                    const SymbolOf& symbol_of);

}  // namespace strobe::profile
