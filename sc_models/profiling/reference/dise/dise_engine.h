// The reference of the decode engine: DISE (Corliss, Lewis and Roth, ISCA 2003) with the
// conditional control of HPS (2005, section 4.2). docs/blocks/dise.md
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/port/decode_engine.h"
#include "sc_models/profiling/reference/dise/dise_jitter.h"
#include "sc_models/profiling/reference/dise/dise_patterns.h"
#include "sc_models/profiling/reference/dise/dise_replacements.h"

namespace strobe::profiling {

inline constexpr unsigned kDiseRegisters = 8;

/// The parameters of strobe_dise that decide results; timing is not modeled.
struct DiseParams {
  unsigned lanes = 4;            // 1 to kMaxDecodeLanes
  unsigned patterns = 32;        // a power of two, 1 to 128
  unsigned replacements = 2048;  // a power of two, 1 to 2048
  unsigned counters = 2;         // 1 to kMaxDiseCounters
  unsigned counter_width = 20;   // bits, 2 to 32
  bool flags_after = false;      // FlagTiming: replacements see the flags that null entries leave
  bool jitter = false;           // Jitter: there is a DISE_JITTER
};

/// Counters, their sticky flags and the random state: what a checkpoint holds.
struct DiseState {
  std::array<uint32_t, kMaxDiseCounters> counter{};
  uint8_t flags = 0;    // bit 2n: overflow of counter n; bit 2n + 1: its zero
  uint16_t random = 1;  // the jitter's

  /// Gives counter n a value and clears its flags.
  void set(unsigned n, uint32_t value) {
    counter[n] = value;
    flags = static_cast<uint8_t>(flags & ~(3u << 2 * n));
  }
  friend bool operator==(const DiseState& a, const DiseState& b) {
    return a.counter == b.counter && a.flags == b.flags && a.random == b.random;
  }
};

/// What an instruction can do at most under given flags. Masks have one bit for each counter.
struct DiseReach {
  bool replaced = false;
  uint8_t moved = 0;  // counters that it may count up or down by one
  uint8_t set = 0;    // counters that it may set, which clears their flags
};

/// Decodes one bundle a call, without timing. The meaning of the calls is in
/// sc_models/port/decode_engine.h.
class DiseEngine : public DecodeEngine {
 public:
  /// Throws std::invalid_argument for a parameter out of range.
  explicit DiseEngine(const DiseParams& params);

  DecodeDecision decode(const DecodeLane* lanes, unsigned count, uint8_t slot) override;
  void restore(DecodeCheckpoint checkpoint) override;
  InstantiatedInstruction instantiate(const DecodeLane& trigger, uint16_t entry) override;
  bool concerns(const DecodeLane& lane) const override;
  uint64_t generation() const override { return generation_; }
  bool burst() override { return (state_.flags & 5) == 1; }
  uint64_t read(uint32_t offset) override;
  void write(uint32_t offset, uint64_t value) override;

  const DiseState& state() const { return state_; }
  /// What `lane` can do under `flags`, by the tables alone: state() does not matter.
  DiseReach reach(const DecodeLane& lane, uint8_t flags) const;

 private:
  using Operations = std::array<const DisePattern*, kMaxDiseCounters>;

  const DisePattern* advance(const DecodeLane& lane);
  void claim(Operations& operations, const DisePattern& fired) const;
  DiseState after(const Operations& operations) const;
  // Defined in dise_registers.cpp.
  uint64_t jitter() const;
  void write_control(uint64_t value);
  void write_jitter(uint64_t value);
  void write_pattern(uint32_t offset, uint64_t value);
  uint64_t capabilities() const;

  const DiseParams params_;
  const uint32_t counter_mask_;
  DisePatternTable patterns_;
  DiseReplacementTable replacements_;
  bool enable_ = false;
  uint64_t generation_ = 0;
  DiseState state_;
  DiseJitter jitter_;
  std::array<std::array<DiseState, kMaxDecodeLanes>, kDecodeSlots> saved_{};
  std::array<uint32_t, kDiseRegisters> control_copy_{};
  unsigned pattern_index_ = 0, replacement_index_ = 0;
};

}  // namespace strobe::profiling
