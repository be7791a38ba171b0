#include "sc_models/core/warming.h"

#include "sc_models/isa/hart/run_blocks.h"
#include "sc_models/port/address_map.h"

namespace strobe::core {

Warmer::Warmer(isa::Hart& hart, Predictor& predictor, memory::Cache& l1i, memory::Cache& l1d,
               unsigned line)
    : hart_(hart), state_(hart.state()), predictor_(predictor), l1i_(l1i), l1d_(l1d) {
  while ((1u << line_bits_) < line) ++line_bits_;
}

isa::StopReason Warmer::run(uint64_t instructions) {
  return hart_.run_watched(instructions, *this);
}

void Warmer::record(const RetireRecord& r) {
  block(r.pc_rdata, r.length);
  if (r.trap != 0) return;
  const unsigned mask = r.mem_rmask | r.mem_wmask;
  if (mask != 0 && r.mem_addr < STROBE_DEVICE_BASE) {
    const bool write = r.mem_wmask != 0 || r.opclass == OpClass::kAmo;
    const uint64_t last = r.mem_addr + static_cast<unsigned>(__builtin_popcount(mask)) - 1;
    l1d_.warm(r.mem_addr, write);
    if (r.mem_addr >> line_bits_ != last >> line_bits_) l1d_.warm(last, write);
  }
  // The predictors ignore what the decode engine injects.
  if (r.injected != 0 || r.opclass < OpClass::kBranch || r.opclass > OpClass::kReturn) return;
  const bool taken = r.opclass != OpClass::kBranch || r.itype == IType::kBranchTaken;
  predictor_.enter(r.mode == PrivilegeMode::kMachine);
  // Static prediction looks at the sign of a branch's offset: bit 31 of the instruction.
  predictor_.warm(r.opclass, r.pc_rdata, r.pc_rdata + r.length, taken, r.pc_wdata,
                  static_cast<int32_t>(r.insn));
}

}  // namespace strobe::core
