#include "sc_models/watch/recorder.h"

#include "sc_models/isa/hart/hart_run.h"
#include "sc_models/isa/hart/run_blocks.h"

namespace strobe::platform {
namespace {

/// The classes whose every field of a tuple the block interpreter shows.
constexpr uint16_t kShown = class_bit(OpClass::kLoad) | class_bit(OpClass::kStore) |
                            class_bit(OpClass::kBranch) | class_bit(OpClass::kJump) |
                            class_bit(OpClass::kJumpIndirect) | class_bit(OpClass::kCall) |
                            class_bit(OpClass::kCallIndirect) | class_bit(OpClass::kReturn);

}  // namespace

Recorder::Recorder(const std::vector<config::SelectorConfig>& selectors, TupleSink& sink)
    : tap_(selectors), sink_(sink), opclasses_(tap_.selection.kinds().opclasses()) {}

isa::StopReason Recorder::run(isa::Hart& hart, uint64_t instructions) {
  state_ = &hart.state();
  if ((opclasses_ & ~kShown) != 0) return hart.run_observed(instructions, *this);
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
