// The observer thread of SHIM in a run: it is started on a hart of its own, its samples are taken
// out of the buffer, and the truth is noted beside them. docs/shim.md
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sc_models/core/core.h"
#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/guest/observer_image.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/machine/system/system.h"
#include "sc_models/port/retire_sink.h"
#include "sc_models/watch/observed_truth.h"

namespace strobe::platform {

class ObserverThread final : public RetireSink {
 public:
  /// Keeps references. Loads the thread and starts it on the second core of `system`, or on the
  /// second hart of its first core. Throws isa::ElfError and std::runtime_error.
  ObserverThread(System& system, isa::GuestMemory& memory, const config::RunConfig& configuration,
                 const isa::ElfFile& program);

  /// What is to be shown the instructions of the program.
  ObservedTruth& truth() { return truth_; }

  void begin_region(uint64_t cycle);
  /// Gives what has been observed in the region, when truth() has seen all of it.
  ShimOutcome end_region();
  /// Throws std::runtime_error with the reason when the thread has stopped.
  void expect_running() const;

  // RetireSink: of the observer's hart
  RetireInterest interest() const override;
  RetireInterest retire(uint64_t cycle, const RetireRecord* lanes, unsigned count,
                        const RetireRecord* const* picked, unsigned picks) override;

 private:
  void take_sample(uint64_t cycle);
  void analyzed(const strobe_observer_block_t& now, ShimOutcome& outcome) const;

  uint64_t count(const strobe_observer_sample_t& sample, size_t counter) const;

  core::Core& core_;            // the observer's; with where: smt also the program's
  core::HardwareThread& hart_;  // the observer's
  const isa::GuestMemory& memory_;
  const config::ShimConfig& shim_;
  ObserverImage image_;
  ObservedTruth truth_;
  std::unique_ptr<strobe_observer_block_t> before_;  // as the region began
  uint64_t begin_ = 0, own_before_ = 0;
  uint64_t taken_ = 0;    // samples marked since reset
  uint64_t read_at_ = 0;  // the cycle of the last read of the first counter
  uint64_t dropped_ = 0;
  bool in_region_ = false;
  std::vector<ObservedSample> buffer_;
};

}  // namespace strobe::platform
