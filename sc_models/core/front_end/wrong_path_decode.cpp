#include "sc_models/core/front_end/wrong_path_decode.h"

#include "sc_models/isa/hart/dise.h"

namespace strobe::core {

void WrongPathDecode::present(const FetchRun& run, unsigned count, uint64_t position,
                              uint64_t fetched_at, uint64_t until) {
  if (engine_ == nullptr || hart_.state().mode != PrivilegeMode::kUser) return;
  if (fetched_at + params_.front_end_stages - 1 >= until) return;
  DecodeLane lanes[kMaxDecodeLanes];
  unsigned waiting = 0, first = 0;
  const auto decode_waiting = [&] {
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
    if (rob_.renamed(position - params_.decode_width) >= until) break;
    if (position >= from_ && (run.edited >> i & 1) != 0) {
      if (!presented_ && !hart_.save_engine_state(branch_pc_, right_path_)) return;
      presented_ = true;
      lanes[waiting++] = lane;
      if (waiting == params_.decode_width || waiting == kMaxDecodeLanes) decode_waiting();
    }
    pc += lane.length;
  }
  decode_waiting();
}

void WrongPathDecode::end() {
  if (!presented_) return;
  presented_ = false;
  if (!expansion_.leak) engine_->restore(right_path_);
}

}  // namespace strobe::core
