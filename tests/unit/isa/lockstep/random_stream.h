// Seeded random instruction streams: every instruction of RV64GC that both implementations can run
// without a trap, control flow only forward, memory accesses inside an arena.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "sc_models/isa/decode/op.h"

namespace strobe::isa::lockstep {

/// Registers that hold 8-byte aligned addresses in the middle of the arena; streams never write
/// them.
inline constexpr unsigned kBaseRegisters[] = {2, 8, 9};
/// Single-precision values live in f registers whose number has bit 3 clear, doubles in the others:
/// Unicorn 2.0.1 (QEMU 5.0) does not check NaN boxes, so a double is never read as a float.
inline constexpr bool is_single_register(unsigned r) { return (r & 8) == 0; }

class RandomStream {
 public:
  explicit RandomStream(uint64_t seed) : rng_(seed) {}

  /// `units` instructions or short inseparable groups, ending with an ecall.
  std::vector<uint8_t> code(unsigned units);

  uint64_t integer();   // with many corner values
  uint64_t binary64();  // zeros, subnormals, limits, infinities, quiet and signaling NaNs
  uint64_t binary32();
  uint64_t below(uint64_t limit) { return rng_() % limit; }

 private:
  struct Unit {
    std::vector<uint32_t> insns;  // a 16-bit encoding has low bits other than 3
    unsigned jump = 0;            // index of the jump in `insns` plus 1; 0: none
    unsigned skip = 0;            // units to jump over
  };
  Unit unit();
  Unit compressed_unit();
  Unit jump_unit(Op op);
  Unit compressed_jump_unit();
  uint32_t encode(Op op);
  unsigned integer_destination();
  unsigned base_register();
  unsigned fp_register(bool single);

  std::mt19937_64 rng_;
};

}  // namespace strobe::isa::lockstep
