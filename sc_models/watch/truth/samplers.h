// Samplers of time as processors have them, all at the same cycles. They only observe: a sample
// costs the program nothing.
//
// timer              An interrupt is raised in the sample's cycle. The core executes nothing more,
//                    what has been decoded commits, and the handler finds the address of the next
//                    instruction: perf without a profiling unit. The skid is the whole pipeline.
// dispatch           The first instruction that is renamed in the sample's cycle or later is tagged
//                    and reported when it commits: AMD IBS, Arm SPE. (The tag of an instruction on
//                    a wrong path would be lost; here the next one on the right path has it.)
// next_commit        The first instruction that commits in the sample's cycle or later, of several
//                    the oldest: Intel PEBS.
// time_proportional  Those that the sample's cycle belongs to (attribution.h), with their shares:
//                    TIP.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "sc_models/core/back_end/reorder_buffer.h"
#include "sc_models/core/params.h"
#include "sc_models/machine/outcome/truth_outcome.h"
#include "sc_models/port/retire.h"
#include "sc_models/watch/truth/code_map.h"
#include "sc_models/watch/truth/sample_clock.h"

namespace strobe::truth {

/// What each sampler needs in a core beside the counter of the period, which all need; in bits.
std::array<uint64_t, platform::kTimeSamplers> sampler_storage_bits(const core::CoreParams& params);

class Samplers {
 public:
  /// Samples in 1/kCycleParts, by TimeSampler.
  using Samples = std::array<uint64_t, platform::kTimeSamplers>;

  /// @param rob     of the hart that is observed
  /// @param period  cycles, as SampleClock
  Samplers(const core::ReorderBuffer& rob, uint64_t period, uint64_t seed);

  /// The first period begins with `cycle`.
  void begin(uint64_t cycle);
  /// Every cycle from then on, in which `count` instructions committed, the last ones before the
  /// head of the reorder buffer.
  void cycle(uint64_t cycle, unsigned count);
  /// Cycles that belong to an instruction, as Attribution::commit() hands them out.
  void attribute(const RetireRecord& record, uint64_t from, uint64_t cycles, uint64_t parts);

  const CodeMap<Samples>& program() const { return program_; }
  /// Samples of instructions in machine mode.
  const Samples& machine() const { return machine_; }

 private:
  /// Interrupts that wait for an instruction to be the next one.
  struct Waiting {
    uint64_t number;  // its number in the reorder buffer
    uint64_t samples;
  };

  SampleClock& clock(platform::TimeSampler sampler) {
    return clocks_[static_cast<size_t>(sampler)];
  }
  void credit(platform::TimeSampler sampler, const RetireRecord& record, uint64_t parts);
  void interrupt(uint64_t cycle);
  void show(const RetireRecord& record, uint64_t number);

  const core::ReorderBuffer rob_;
  std::array<SampleClock, platform::kTimeSamplers> clocks_;  // equal; each is as far as its sampler
  std::deque<Waiting> waiting_;  // rising numbers; no more than instructions are in flight
  uint64_t owed_ = platform::kCycleParts;  // what is left of the time-proportional sample
  CodeMap<Samples> program_;
  Samples machine_ = {};
};

}  // namespace strobe::truth
