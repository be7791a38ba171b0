// Predecoded fetch: what one look at an address can fetch, remembered by address.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sc_models/core/back_end/operation.h"
#include "sc_models/isa/hart/hart.h"

namespace strobe::core {

/// The bytes of an instruction where nothing can be executed: it traps if it is reached.
inline constexpr unsigned kUnknownLength = 4;

inline bool is_control(OpClass opclass) {
  return opclass >= OpClass::kBranch && opclass <= OpClass::kReturn;
}

/// Consecutive instructions whose last bytes lie in one aligned fetch block; only the last of them
/// may be a control instruction.
struct alignas(64) FetchRun {
  static constexpr unsigned kMost = 8;
  uint64_t pc = ~uint64_t{0};
  uint64_t generation = 0;  // the hart's, when the code was decoded
  isa::DecodedInsn control;
  PrivilegeMode mode = PrivilegeMode::kMachine;
  uint8_t count = 0;  // 0: nothing executable is there; bytes[0] is then kUnknownLength
  bool ends_in_control = false;
  uint8_t edited = 0;         // bit k: the decode engine has to see instruction k
  uint8_t bytes[kMost] = {};  // the first instruction's, the first two's, ...
  // A load is non-temporal when the hint precedes it in the run; execution knows of one before it.
  Operation operations[kMost];
};

class FetchRunTable {
 public:
  /// @param block_bits  log2 of the bytes of a fetch block
  FetchRunTable(isa::Hart& hart, unsigned block_bits, memory::NonTemporal ntl)
      : hart_(hart), block_bits_(block_bits), hint_(hint_of(ntl)), runs_(kRuns) {}

  /// The run at `pc` in the hart's mode; good until the next call.
  const FetchRun& at(uint64_t pc) {
    FetchRun& run = runs_[pc / 2 % kRuns];
    if (run.pc != pc || run.generation != hart_.code_generation() ||
        run.mode != hart_.state().mode) {
      make(run, pc);
    }
    return run;
  }

 private:
  static constexpr uint64_t kRuns = 4096;

  void make(FetchRun& run, uint64_t pc);

  isa::Hart& hart_;
  const unsigned block_bits_;
  const uint32_t hint_;
  std::vector<FetchRun> runs_;
};

}  // namespace strobe::core
