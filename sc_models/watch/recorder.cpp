#include "sc_models/watch/recorder.h"

#include "sc_models/isa/hart/hart_run.h"
#include "sc_models/isa/hart/run_blocks.h"

namespace strobe::platform {
Recorder::Recorder(const std::vector<config::SelectorConfig>& selectors, TupleSink& sink)
    : tap_(selectors), sink_(sink), opclasses_(tap_.selection.kinds().opclasses()) {}

isa::StopReason Recorder::run(isa::Hart& hart, uint64_t instructions) {
  state_ = &hart.state();
  if ((opclasses_ & ~isa::kShownInBlocks) != 0) return hart.run_observed(instructions, *this);
  return hart.run_watched(instructions, *this);
}

void Recorder::finish() {
  if (tap_.size != 0) flush();
}

void Recorder::flush() {
  sink_.take(tap_.batch.data(), tap_.size, cycles_);
  tap_.size = 0;
}

}  // namespace strobe::platform
