#include "sc_models/core/front_end/fetch_runs.h"

namespace strobe::core {

void FetchRunTable::make(FetchRun& run, uint64_t pc) {
  run = FetchRun();
  const isa::DecodedInsn* insn = hart_.peek(pc);
  if (insn == nullptr) {  // not remembered: the page may be mapped later
    run.generation = ~uint64_t{0};
    run.bytes[0] = kUnknownLength;
    return;
  }
  run.pc = pc;
  run.generation = hart_.code_generation();
  run.mode = hart_.state().mode;
  const uint64_t block = (pc + insn->length - 1) >> block_bits_;
  uint64_t end = pc;
  bool hinted = false;
  while (insn != nullptr && (end + insn->length - 1) >> block_bits_ == block) {
    end += insn->length;
    if ((insn->flags & isa::kEdited) != 0) run.edited |= static_cast<uint8_t>(1u << run.count);
    run.operations[run.count] = operation_of(*insn, hinted);
    hinted = insn->insn == hint_;
    run.bytes[run.count++] = static_cast<uint8_t>(end - pc);
    if (is_control(insn->opclass)) {
      run.control = *insn;
      run.ends_in_control = true;
      return;
    }
    if (run.count == FetchRun::kMost) return;
    insn = hart_.peek(end);
  }
}

}  // namespace strobe::core
