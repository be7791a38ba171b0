// The result of assembling production files: the contents of the decode engine's tables.
// docs/blocks/dise.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sw/dise/syntax/place.h"

namespace strobe::dise {

inline constexpr unsigned kMaxCounters = 3;
inline constexpr unsigned kRegisters = 8;

/// The capacity of the engine that is to be loaded.
struct Limits {
  unsigned patterns = 32;
  unsigned replacements = 2048;
  unsigned counters = 2;
};

enum class Sign : uint8_t { kAny = 0, kNegative = 1, kNotNegative = 2 };
enum class Direction : uint8_t { kAny = 0, kBackward = 1, kForward = 2 };

/// An operation on a counter; `reg` is the dise register of a set.
struct MicroOp {
  enum Kind : uint8_t { kNone = 0, kInc = 1, kDec = 2, kSet = 3 };
  Kind kind = kNone;
  uint8_t reg = 0;
};
using MicroOps = std::array<MicroOp, kMaxCounters>;

/// The conditions on an instruction that do not depend on the flags.
struct InstructionPattern {
  uint32_t value = 0, mask = 0;  // (insn ^ value) & mask == 0
  uint16_t classes = 0xffff;     // one bit per opcode class
  Sign sign = Sign::kAny;
  Direction direction = Direction::kAny;
};

struct PatternEntry {
  InstructionPattern pattern;
  uint64_t condition = 0;  // bit f: whether the entry matches when the flags have the value f
  MicroOps ops;
  bool replaces = false;
  uint16_t start = 0;      // first entry of its sequence
  std::string production;  // name of its production
  Place place;
};

/// A word of the replacement table into which the address of a handler is to be filled.
struct HandlerUse {
  std::string symbol;
  uint16_t entry = 0;
  Place place;
};

struct NamedRegister {
  std::string name;
  uint8_t number = 0;
  uint64_t value = 0;  // initial value
};

struct Image {
  Limits limits;
  std::vector<PatternEntry> patterns;  // in table order: first wins
  std::vector<uint64_t> replacements;
  std::vector<HandlerUse> handlers;
  std::vector<NamedRegister> registers;
  /// The start of each counter that does not start with the value to which the first production
  /// that sets it would set it.
  std::array<std::optional<uint64_t>, kMaxCounters> counter_starts;
  uint64_t jitter = 0;  // what DISE_JITTER gets; 0: no jitter
};

/// One write to the engine's register block.
using RegisterWrite = std::pair<uint32_t, uint64_t>;  // offset, value

/// The writes that load `image`, in order. They make the unused patterns invalid and leave the
/// engine disabled.
std::vector<RegisterWrite> register_writes(const Image& image);

/// The contents of an engine's tables after these writes, without names.
Image image_of_writes(const std::vector<RegisterWrite>& writes, const Limits& limits);

}  // namespace strobe::dise
