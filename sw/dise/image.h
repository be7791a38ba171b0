// What a production file becomes: the contents of the decode engine's tables. docs/blocks/dise.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sw/dise/place.h"

namespace strobe::dise {

inline constexpr unsigned kMaxCounters = 3;
inline constexpr unsigned kRegisters = 8;

/// What the engine that is to be loaded has room for.
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

/// What an instruction must be, whatever the flags are.
struct InstructionPattern {
  uint32_t value = 0, mask = 0;  // (insn ^ value) & mask == 0
  uint16_t classes = 0xffff;     // one bit an opcode class
  Sign sign = Sign::kAny;
  Direction direction = Direction::kAny;
};

struct PatternEntry {
  InstructionPattern pattern;
  uint64_t condition = 0;  // bit f: whether it matches when the flags are f
  MicroOps ops;
  bool replaces = false;
  uint16_t start = 0;      // of its sequence
  std::string production;  // whose it is
  Place place;
};

/// A word of the replacement table that waits for the address of a handler.
struct HandlerUse {
  std::string symbol;
  uint16_t entry = 0;
  Place place;
};

struct NamedRegister {
  std::string name;
  uint8_t number = 0;
  uint64_t value = 0;  // when loaded
};

struct Image {
  Limits limits;
  std::vector<PatternEntry> patterns;  // in table order: first wins
  std::vector<uint64_t> replacements;
  std::vector<HandlerUse> handlers;
  std::vector<NamedRegister> registers;
  /// Of a counter that does not start with what the first production that sets it would set it to.
  std::array<std::optional<uint64_t>, kMaxCounters> counter_starts;
};

/// One write to the engine's register block.
using RegisterWrite = std::pair<uint32_t, uint64_t>;  // offset, value

/// The writes that load `image`, in order, the unused patterns made invalid; the engine stays
/// disabled.
std::vector<RegisterWrite> register_writes(const Image& image);

/// What an engine's tables hold after these writes, names apart.
Image image_of_writes(const std::vector<RegisterWrite>& writes, const Limits& limits);

}  // namespace strobe::dise
