// A hart in U-mode with the reference decode engine attached.
#pragma once

#include <vector>

#include "sc_models/profiling/reference/dise/dise_engine.h"
#include "tests/unit/dise/productions.h"
#include "tests/unit/isa/machine.h"

namespace strobe::isa {

using profiling::From;

class EditedMachine : public Machine {
 public:
  EditedMachine() {
    user();
    memory.protect(kHandler, 0x1000, 0, 7);
    hart.attach(engine);
  }
  /// Every instruction of these classes is replaced by the entries, the last of which ends it.
  void replace(uint16_t classes, std::vector<uint64_t> entries, uint16_t start = 0) {
    entries.back() |= profiling::kLastEntry;
    profiling::load_replacements(engine, start, entries);
    profiling::write_pattern(
        engine, productions_++,
        profiling::replaced_at(profiling::production(classes, profiling::kAlways, 0), start));
    enable();
  }
  void enable() { hart.write_engine(profiling::kDiseCtrl, profiling::kDiseCtrlEnable); }
  uint64_t& d(unsigned number) { return hart.state().x[32 + number]; }
  /// Steps until the pc is `pc`, outside of any sequence, in U-mode.
  std::vector<RetireRecord> run_to(uint64_t pc) {
    std::vector<RetireRecord> records;
    const HartState& s = hart.state();
    while (records.size() < 1000 &&
           (s.pc != pc || hart.in_sequence() || s.mode != PrivilegeMode::kUser)) {
      step();
      if (hart.record_valid()) records.push_back(record);
    }
    return records;
  }

  profiling::DiseEngine engine{profiling::DiseParams()};

 private:
  unsigned productions_ = 0;
};

/// dise register `number` as a CSR, read into rd.
inline uint32_t read_dise(unsigned rd, unsigned number) {
  return csr_insn(Op::kCsrrs, rd, kCsrDise0 + number, 0);
}
inline constexpr uint32_t kDret = 0x8c000073;

}  // namespace strobe::isa
