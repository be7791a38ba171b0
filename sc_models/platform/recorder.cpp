#include "sc_models/platform/recorder.h"

#include "sc_models/isa/hart_run.h"
#include "sc_models/isa/run_blocks.h"

namespace strobe::platform {
namespace {

constexpr uint16_t bit(OpClass opclass) {
  return static_cast<uint16_t>(1u << static_cast<unsigned>(opclass));
}

/// The classes whose every field of a tuple the block interpreter shows.
constexpr uint16_t kShown = bit(OpClass::kLoad) | bit(OpClass::kStore) | bit(OpClass::kBranch) |
                            bit(OpClass::kJump) | bit(OpClass::kJumpIndirect) |
                            bit(OpClass::kCall) | bit(OpClass::kCallIndirect) |
                            bit(OpClass::kReturn);

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
