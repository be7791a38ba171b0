// The quality of a profile compared with the exhaustive one of the same run, and the cost to get
// it. docs/metrics.md has the definitions with examples.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sw/profile/counts/profile.h"

namespace strobe::profile {

/// The sum over all tuples of min(a's share, b's share), 0 to 1 (the relative-contribution metric
/// of Feller, UCSD CS1998-581; Arnold and Ryder's overlap, PLDI 2001). More is better. Two empty
/// profiles are identical: 1; one empty: 0. The scale does not matter, because only shares count.
double overlap(const Profile& a, const Profile& b);

/// The overlap with `ideal` that a random sample of `events` of its events has on average, 0 to 1:
/// what chance alone takes. 1 for an empty profile, 0 for no events.
double random_overlap(const Profile& ideal, uint64_t events);

/// The overlap of the two profiles after each was cut to its largest entries that reach `percent` %
/// of its total. Shares refer to the cut profile, so that identical profiles give 1 (HPS paper,
/// section 5).
double overlap_truncated(const Profile& a, const Profile& b, unsigned percent = 90);

/// The limits of what a realistic value-reuse optimizer would consider (Sastry, Bodik and Smith,
/// ISCA 2001, section 5.3.1). Percentages are whole and compared exactly; a value at the limit
/// counts.
struct InvarianceLimits {
  uint64_t min_executions = 1000;  // a load's, in the ideal profile
  /// A tuple's share of its load's executions: "sufficiently invariant".
  unsigned min_tuple_percent = 10;
  unsigned min_load_percent = 40;  // the share of a load's executions by such tuples together
};

struct InvarianceError {
  double error = 0;        // 0 to 1
  uint64_t loads = 0;      // the loads that qualified
  uint64_t tuples = 0;     // the tuples selected in them
  uint64_t frequency = 0;  // the executions of the selected tuples: the weight f
};

/// e = sum over the tuples v selected in `ideal` of f(v)/f * |I_ideal(v) - I_profile(v)|, where
/// I(v) = n(v)/n(pc), and I_profile(v) = 0 for a load the profile never saw (same section). Loads
/// are told apart by tag and pc. No value when no load qualifies.
std::optional<InvarianceError> invariance_error(const Profile& ideal, const Profile& profile,
                                                const InvarianceLimits& limits = {});

struct EntryError {
  Tuple tuple;
  double error = 0;  // the difference of the two shares, 0 to 1
};

/// The tuple whose shares differ most; of several, the first in profile order. No value when both
/// profiles are empty.
std::optional<EntryError> max_entry_error(const Profile& a, const Profile& b);

/// All of the above metrics for one profile compared with the ideal one.
struct Accuracy {
  double overlap = 0, overlap_90 = 0;
  std::optional<InvarianceError> invariance;
  std::optional<EntryError> max_entry;
};

/// The loads of an ideal profile that invariance_error() looks at, and the tuples of each.
class InvariantLoads {
 public:
  explicit InvariantLoads(const Profile& ideal, const InvarianceLimits& limits = {});
  std::optional<InvarianceError> error(const Profile& profile) const;

 private:
  struct Load {
    Tuple load;           // one of its tuples
    uint64_t executions;  // its executions in the ideal profile
    size_t tuples_end;    // one past its last tuple in tuples_
  };
  std::vector<Load> loads_;
  Entries tuples_;
  uint64_t frequency_ = 0;
};

/// An exhaustive profile that many others are scored against. What depends on it alone is computed
/// once.
struct Ideal {
  explicit Ideal(Profile profile);
  Profile whole, at_90;
  InvariantLoads loads;
  Entries largest;  // the largest entries of the whole, by count
};
Accuracy accuracy(const Ideal& ideal, const Profile& profile);

/// The analytical overhead: a fixed price for each message and each interrupt (ISCA 2001, section
/// 5.3.2, which takes 214 cycles for the interrupt after Anderson et al. and 30 for the message).
struct CostModel {
  uint64_t cycles_per_message = 30;
  uint64_t cycles_per_interrupt = 214;

  uint64_t cycles(uint64_t messages, uint64_t interrupts) const {
    return messages * cycles_per_message + interrupts * cycles_per_interrupt;
  }
};

/// The interrupts that a profiler that only watches would have caused: one for every `watermark`
/// messages begun. A watermark of 0 counts as 1.
uint64_t interrupts_for(uint64_t messages, uint64_t watermark = 100);

}  // namespace strobe::profile
