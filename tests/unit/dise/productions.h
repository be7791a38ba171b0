// Production sets for tests, written into an engine through its registers as software would.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sc_models/port/branch_on_random.h"
#include "sc_models/port/decode_engine.h"
#include "sc_models/port/retire.h"
#include "sc_models/profiling/reference/dise/dise_map.h"
#include "sc_models/profiling/reference/dise/dise_patterns.h"

namespace strobe::profiling {

inline constexpr uint16_t kCalls = class_bit(OpClass::kCall) | class_bit(OpClass::kCallIndirect);
inline constexpr uint16_t kBranches = class_bit(OpClass::kBranch);
inline constexpr uint16_t kMemory = class_bit(OpClass::kLoad) | class_bit(OpClass::kStore);
inline constexpr uint64_t kAlways = ~uint64_t{0};

/// The flags of the two counters, as a condition sees them.
struct Flags {
  bool overflow_1, zero_1, overflow_2, zero_2;
};

/// The truth table of a condition over two counters.
inline uint64_t when(const std::function<bool(const Flags&)>& holds) {
  uint64_t table = 0;
  for (unsigned f = 0; f < 16; ++f) {
    const Flags flags{(f & 1) != 0, (f & 2) != 0, (f & 4) != 0, (f & 8) != 0};
    if (holds(flags)) table |= uint64_t{1} << f;
  }
  return table;
}

inline constexpr uint16_t on_counter(unsigned number, CounterOp op, unsigned reg = 0) {
  return static_cast<uint16_t>((static_cast<unsigned>(op) | reg << 2) << 5 * (number - 1));
}

inline DisePattern production(uint16_t classes, uint64_t condition, uint16_t ops) {
  DisePattern p;
  p.valid = true;
  p.classes = classes;
  p.condition = condition;
  p.ops = ops;
  return p;
}

inline DisePattern backward(DisePattern p) {
  p.direction = DiseDirection::kBackward;
  return p;
}

inline DisePattern replaced_at(DisePattern p, uint16_t start) {
  p.replaces = true;
  p.start = start;
  return p;
}

/// The sampling framework of the HPS paper's Figure 4 as docs/blocks/dise.md corrects it: events
/// are calls and backward branches; d0 is sampleFreq, d1 burstLength.
inline std::vector<DisePattern> framework() {
  const uint64_t sparse = when([](const Flags& f) { return !f.overflow_1; });
  const uint64_t burst = when([](const Flags& f) { return f.overflow_1 && !f.overflow_2; });
  const uint64_t over = when([](const Flags& f) { return f.overflow_1 && f.overflow_2; });
  const uint16_t cc1 = on_counter(1, CounterOp::kIncrement);
  const uint16_t cc2 = on_counter(2, CounterOp::kIncrement);
  const uint16_t cc3 = on_counter(1, CounterOp::kSet, 0) | on_counter(2, CounterOp::kSet, 1);
  return {production(kCalls, sparse, cc1), backward(production(kBranches, sparse, cc1)),
          production(kCalls, burst, cc2),  backward(production(kBranches, burst, cc2)),
          production(kCalls, over, cc3),   backward(production(kBranches, over, cc3))};
}

inline uint64_t while_sampling() {
  return when([](const Flags& f) { return f.overflow_1; });
}

inline void write_pattern(DecodeEngine& engine, unsigned index, const DisePattern& p) {
  engine.write(kDisePatternIndex, index);
  engine.write(kDisePatternWord, p.value | uint64_t{p.mask} << 32);
  engine.write(kDisePatternCondition, p.condition);
  engine.write(kDisePatternOps, p.ops);
  engine.write(kDisePatternKind, p.classes | static_cast<uint64_t>(p.sign) << 16 |
                                     static_cast<uint64_t>(p.direction) << 18 |
                                     uint64_t{p.replaces} << 20 | uint64_t{p.valid} << 21 |
                                     uint64_t{p.start} << 32);
}

inline void load_patterns(DecodeEngine& engine, const std::vector<DisePattern>& patterns) {
  for (unsigned i = 0; i < patterns.size(); ++i) write_pattern(engine, i, patterns[i]);
}

inline void load_replacements(DecodeEngine& engine, unsigned first,
                              const std::vector<uint64_t>& entries) {
  engine.write(kDiseReplacementIndex, first);
  for (const uint64_t entry : entries) engine.write(kDiseReplacementData, entry);
}

/// Programs the thresholds (events until an overflow) and starts both counters from them.
inline void set_thresholds(DecodeEngine& engine, uint64_t sparsity, uint64_t burst) {
  const uint64_t bits = engine.read(kDiseCap) >> 12 & 0xff;
  const uint64_t range = uint64_t{1} << bits;
  engine.write(kDiseReg, range - sparsity);
  engine.write(kDiseReg + 8, range - burst);
  engine.write(kDiseCounter, range - sparsity);
  engine.write(kDiseCounter + 8, range - burst);
}

// Entries of the replacement table.
enum class From : uint8_t { kTemplate = 0, kRd = 1, kRs1 = 2, kRs2 = 3, kDise = 4 };
inline constexpr uint64_t kLastEntry = uint64_t{1} << 63;
inline constexpr uint64_t kTriggerImmediate = uint64_t{1} << 41;

inline constexpr uint64_t entry(ReplacementKind kind, uint32_t word, From rd = From::kTemplate,
                                From rs1 = From::kTemplate, From rs2 = From::kTemplate) {
  return word | static_cast<uint64_t>(rd) << 32 | static_cast<uint64_t>(rs1) << 35 |
         static_cast<uint64_t>(rs2) << 38 | static_cast<uint64_t>(kind) << 42;
}
inline constexpr uint64_t plain(uint32_t word, From rd = From::kTemplate,
                                From rs1 = From::kTemplate, From rs2 = From::kTemplate) {
  return entry(ReplacementKind::kInstruction, word, rd, rs1, rs2);
}
inline constexpr uint64_t the_trigger() { return entry(ReplacementKind::kTrigger, 0); }
/// d<number> = T.<what>: 0 PC, 1 NPC, 2 TARGET, 3 IMM, 4 INSN.
inline constexpr uint64_t value_load(unsigned number, unsigned what) {
  return entry(ReplacementKind::kValueLoad, number << 7, From::kDise) | uint64_t{what} << 45;
}
inline constexpr uint64_t dise_branch(uint32_t word, uint16_t go_to, From rs1 = From::kDise,
                                      From rs2 = From::kDise) {
  return entry(ReplacementKind::kDiseBranch, word, From::kTemplate, rs1, rs2) | uint64_t{go_to}
                                                                                    << 48;
}
inline constexpr uint64_t random_branch(unsigned code, uint16_t go_to) {
  return dise_branch(branch_on_random(code), go_to, From::kTemplate, From::kTemplate);
}
inline constexpr uint64_t dcall(uint32_t address) { return entry(ReplacementKind::kCall, address); }

}  // namespace strobe::profiling
