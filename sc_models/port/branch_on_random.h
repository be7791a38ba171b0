// Branch-on-random: the instruction `brr`, taken at random with the frequency that it names (Lee
// and Zilles, "Branch-on-random", CGO 2008). docs/blocks/branch_on_random.md
//
// The bit-exact reference of rtl/hps/strobe_branch_on_random.sv. Standard library only.
#pragma once

#include <cstdint>

namespace strobe {

/// Frequency codes of `brr`: code f stands for the probability 1/2^(f + 1).
inline constexpr unsigned kRandomFrequencies = 16;

/// The word of `brr` with frequency code `code`: RISC-V's branch opcode with funct3 2, which the
/// base instruction set leaves free, and the code in bits 18:15.
constexpr uint32_t branch_on_random(unsigned code) { return 0x2063 | code << 15; }
constexpr bool is_branch_on_random(uint32_t insn) { return (insn & 0xfff8'7fff) == 0x2063; }
constexpr unsigned random_frequency(uint32_t insn) { return insn >> 15 & 15; }

/// The random bits of a hart: a linear-feedback shift register of 20 bits. A step is Marsaglia's
/// xorshift with the shifts (5, 9, 7); the state runs through all 2^20 - 1 values but 0.
class BranchOnRandom {
 public:
  /// What the register has after reset, and in place of 0, which it could not leave.
  static constexpr uint32_t kStart = 0x9e377;

  uint32_t state() const { return state_; }
  /// Takes the low 20 bits of `value`: a seed, or a state saved before.
  void load(uint64_t value) {
    const auto low = static_cast<uint32_t>(value & kBits);
    state_ = low == 0 ? kStart : low;
  }
  /// Whether a branch with this frequency code would be taken now: code + 1 bits of the state
  /// are 1.
  bool taken(unsigned code) const {
    const uint32_t needed = kNeeded[code % kRandomFrequencies];
    return (state_ & needed) == needed;
  }
  /// Executes a branch: whether it is taken. Steps once, also when it is not.
  bool draw(unsigned code) {
    const bool result = taken(code);
    state_ ^= state_ << 5 & kBits;
    state_ ^= state_ >> 9;
    state_ ^= state_ << 7 & kBits;
    return result;
  }

 private:
  static constexpr uint32_t kBits = 0xfffff;
  // Each code needs the bits of the code before it and one more, in the order 3, 8, 4, 12, 17, 15,
  // 14, 9, 16, 18, 19, 11, 1, 0, 5, 7. The page says what the order is good for.
  static constexpr uint32_t kNeeded[kRandomFrequencies] = {
      0x00008, 0x00108, 0x00118, 0x01118, 0x21118, 0x29118, 0x2d118, 0x2d318,
      0x3d318, 0x7d318, 0xfd318, 0xfdb18, 0xfdb1a, 0xfdb1b, 0xfdb3b, 0xfdbbb};

  uint32_t state_ = kStart;
};

}  // namespace strobe
