// Replacement sequences in the front end. The hart executes them; here they take time and places.
// docs/blocks/core.md, "The decode engine"
#include <algorithm>

#include "sc_models/core/pipeline.h"
#include "sc_models/isa/dise.h"

namespace strobe::core {

void Pipeline::set_decode_engine(DecodeEngine& engine, const ExpansionParams& params) {
  engine_ = &engine;
  expansion_ = params;
}

// Has the next instruction looked up. False while its sequence is on the way.
bool Pipeline::sequence_ready() {
  if (!hart_.look_up_replacement()) return true;
  ++stats_.expansions;
  if (refill_ == CpiClass::kFetch) start_refill(CpiClass::kExpansion);
  decode_at_ += expansion_.stall_cycles;
  return expansion_.stall_cycles == 0;
}

// The engine sees the wrong path, too. Its sequences there are not followed. `count` instructions
// of the run, the first with number `position`, as far as they are decoded before cycle `until`.
void Pipeline::present_wrong_path(const FetchRun& run, unsigned count, uint64_t position,
                                  uint64_t until) {
  if (engine_ == nullptr || hart_.state().mode != PrivilegeMode::kUser) return;
  if (fetch_cycle_ + params_.front_end_stages - 1 >= until) return;
  DecodeLane lanes[kMaxDecodeLanes];
  unsigned waiting = 0, first = 0;
  const auto present = [&] {
    const uint8_t slot = static_cast<uint8_t>((right_path_.slot + 1) % kDecodeSlots);
    while (first < waiting) {
      first += engine_->decode(lanes + first, waiting - first, slot).consumed;
    }
    first = waiting = 0;
  };
  uint64_t pc = run.pc;
  for (unsigned i = 0; i < count; ++i, ++position) {
    const isa::DecodedInsn* insn = hart_.peek(pc);
    if (insn == nullptr) break;
    const DecodeLane lane = isa::lane_of(*insn, pc);  // before the next look-up
    // Decode waits for rename, which waits for the reorder buffer.
    if (renamed(position - params_.decode_width) >= until) break;
    if (position >= engine_from_ && (run.edited >> i & 1) != 0) {
      if (!engine_on_wrong_path_ && !hart_.save_engine_state(wrong_branch_pc_, right_path_)) return;
      engine_on_wrong_path_ = true;
      lanes[waiting++] = lane;
      if (waiting == params_.decode_width || waiting == kMaxDecodeLanes) present();
    }
    pc += lane.length;
  }
  present();
}

// The wrong path is squashed.
void Pipeline::leave_wrong_path() {
  engine_on_wrong_path_ = false;
  if (!expansion_.leak) engine_->restore(right_path_);
}

}  // namespace strobe::core
