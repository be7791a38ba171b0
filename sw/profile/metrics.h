// How good a profile is, against the exhaustive one of the same run, and what it cost to get.
// docs/metrics.md has the definitions with examples.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sw/profile/profile.h"

namespace strobe::profile {

/// Sum over all tuples of min(a's share, b's share), 0 to 1 (the relative-contribution
/// metric of Feller, UCSD CS1998-581; Arnold and Ryder's overlap, PLDI 2001). Two empty profiles
/// are identical: 1; one empty: 0. Blind to scale: only the shares count.
double overlap(const Profile& a, const Profile& b);

/// The overlap of the two after each was cut to its largest entries that reach `percent` % of its
/// total; shares are of what is left, so that identical profiles give 1 (HPS paper, section 5).
double overlap_truncated(const Profile& a, const Profile& b, unsigned percent = 90);

/// What a realistic value-reuse optimizer would look at (Sastry, Bodik and Smith, ISCA 2001,
/// section 5.3.1). Percentages are whole, compared exactly; at the limit is in.
struct InvarianceLimits {
  uint64_t min_executions = 1000;   // of a load, in the ideal profile
  unsigned min_tuple_percent = 10;  // of its load's executions: "sufficiently invariant"
  unsigned min_load_percent = 40;   // of its executions, by such tuples together
};

struct InvarianceError {
  double error = 0;        // 0 to 1
  uint64_t loads = 0;      // that qualified
  uint64_t tuples = 0;     // selected in them
  uint64_t frequency = 0;  // executions of the selected tuples: the weight f
};

/// e = sum over the tuples v selected in `ideal` of f(v)/f * |I_ideal(v) - I_profile(v)|, where
/// I(v) = n(v)/n(pc), and I_profile(v) = 0 for a load the profile never saw (same section). Loads
/// are told apart by tag and pc. No value when no load qualifies.
std::optional<InvarianceError> invariance_error(const Profile& ideal, const Profile& profile,
                                                const InvarianceLimits& limits = {});

struct EntryError {
  Tuple tuple;
  double error = 0;  // difference of the two shares, 0 to 1
};

/// The tuple whose shares differ most; the first in profile order of several. No value when both
/// are empty.
std::optional<EntryError> max_entry_error(const Profile& a, const Profile& b);

/// All of the above for one profile against the ideal one.
struct Accuracy {
  double overlap = 0, overlap_90 = 0;
  std::optional<InvarianceError> invariance;
  std::optional<EntryError> max_entry;
};

/// The loads of an ideal profile that invariance_error() looks at, and of each the tuples.
class InvariantLoads {
 public:
  explicit InvariantLoads(const Profile& ideal, const InvarianceLimits& limits = {});
  std::optional<InvarianceError> error(const Profile& profile) const;

 private:
  struct Load {
    Tuple load;           // one of its tuples
    uint64_t executions;  // in the ideal profile
    size_t tuples_end;    // behind its last in tuples_
  };
  std::vector<Load> loads_;
  Entries tuples_;
  uint64_t frequency_ = 0;
};

/// An exhaustive profile to score many others against: what depends on it alone is done once.
struct Ideal {
  explicit Ideal(Profile profile);
  Profile whole, at_90;
  InvariantLoads loads;
  Entries largest;  // of the whole, by count
};
Accuracy accuracy(const Ideal& ideal, const Profile& profile);

/// The analytical overhead: a fixed price a message and an interrupt (ISCA 2001, section 5.3.2; the
/// interrupt is there as 214 cycles after Anderson et al., the message as 30).
struct CostModel {
  uint64_t cycles_per_message = 30;
  uint64_t cycles_per_interrupt = 214;

  uint64_t cycles(uint64_t messages, uint64_t interrupts) const {
    return messages * cycles_per_message + interrupts * cycles_per_interrupt;
  }
};

/// The interrupts a profiler that only watches would have caused: one for every `watermark`
/// messages begun. A watermark of 0 means 1.
uint64_t interrupts_for(uint64_t messages, uint64_t watermark = 100);

}  // namespace strobe::profile
