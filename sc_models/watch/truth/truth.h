// The truth about time: every cycle of the region of interest, attributed to the instructions that
// it belongs to, and beside it what samplers of time find in the same cycles.
//
//   truth::Truth truth(core.reorder_buffer(), {period, seed});
//   truth.begin(cycle);                 // the region's first cycle
//   truth.cycle(cycle, count);          // each of its cycles, in order
//   truth.end(cycle);                   // the first cycle after it
//   truth.fill_in(&outcome);
//
// It observes one hart, costs the program nothing, and does not know SystemC. The cycles of all
// instructions add up to the region's exactly. Memory is bounded by the pages of code that are
// executed, kMostCodePages of them; what lies beyond is one row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>

#include "sc_models/core/back_end/reorder_buffer.h"
#include "sc_models/machine/outcome/truth_outcome.h"
#include "sc_models/port/retire.h"
#include "sc_models/watch/truth/attribution.h"
#include "sc_models/watch/truth/code_map.h"
#include "sc_models/watch/truth/samplers.h"

namespace strobe::truth {

struct SamplerParams {
  uint64_t period = 0;  // cycles, below 2^32; 0: no samplers
  uint64_t seed = 1;    // decides which cycles are sampled
};

class Truth {
 public:
  /// Jumps of one instruction to different places that are noted for the loops; others are not.
  static constexpr size_t kMostJumps = size_t{1} << 20;

  /// @param rob  of the hart that is observed
  Truth(const core::ReorderBuffer& rob, const SamplerParams& samplers);

  void begin(uint64_t cycle);
  /// In `cycle`, the last `count` instructions before the head of the reorder buffer committed; 0
  /// to kMaxRetireWidth. Called for each cycle of the region; before it, for those that have
  /// commits. After the region nothing is counted.
  void cycle(uint64_t cycle, unsigned count);
  void end(uint64_t cycle);

  /// After end(). Fills in all but the storage.
  void fill_in(platform::TruthOutcome* outcome) const;

 private:
  enum class Phase : uint8_t { kBefore, kRegion, kAfter };
  struct Place {
    uint64_t parts = 0;   // cycles, in 1/kCycleParts
    uint64_t target = 0;  // where it last jumped; 0: it never has
    uint8_t length = 0;   // when it has gone on to the next instruction
  };

  void attribute(const RetireRecord& record, uint64_t from, uint64_t cycles, uint64_t parts);
  void follow(const RetireRecord& record);
  platform::TimeParts parts_of(uint64_t cycles, const Samplers::Samples* samples) const;

  const core::ReorderBuffer rob_;
  const uint64_t period_;
  Attribution attribution_;
  std::optional<Samplers> samplers_;
  Phase phase_ = Phase::kBefore;
  uint64_t begin_ = 0, end_ = 0;
  CodeMap<Place> program_;
  uint64_t machine_ = 0;                   // in 1/kCycleParts
  std::set<profile::ExecutedJump> jumps_;  // those that are no instruction's last
};

}  // namespace strobe::truth
