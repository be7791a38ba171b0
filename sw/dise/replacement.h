// The bits of an entry of the replacement table; docs/blocks/dise.md.
#pragma once

#include <cstdint>

#include "sc_models/port/branch_on_random.h"

namespace strobe::dise {

enum class RegisterFrom : uint8_t { kTemplate = 0, kRd = 1, kRs1 = 2, kRs2 = 3, kDise = 4 };
enum class EntryKind : uint8_t {
  kInstruction = 0,
  kTrigger = 1,
  kValueLoad = 2,
  kBranch = 3,
  kCall = 4,
};
enum class TriggerValue : uint8_t { kPc = 0, kNextPc = 1, kTarget = 2, kImmediate = 3, kInsn = 4 };

struct ReplacementEntry {
  uint32_t word = 0;  // template; for a call the address
  RegisterFrom rd = RegisterFrom::kTemplate, rs1 = RegisterFrom::kTemplate,
               rs2 = RegisterFrom::kTemplate;
  bool immediate = false;  // take the trigger's immediate
  EntryKind kind = EntryKind::kInstruction;
  TriggerValue what = TriggerValue::kPc;
  uint16_t go_to = 0;
  bool last = false;

  uint64_t encode() const {
    return word | field(static_cast<uint64_t>(rd), 32) | field(static_cast<uint64_t>(rs1), 35) |
           field(static_cast<uint64_t>(rs2), 38) | field(immediate ? 1 : 0, 41) |
           field(static_cast<uint64_t>(kind), 42) | field(static_cast<uint64_t>(what), 45) |
           field(go_to, 48) | field(last ? 1 : 0, 63);
  }
  static ReplacementEntry decode(uint64_t bits) {
    const auto part = [bits](unsigned low, unsigned width) {
      return static_cast<unsigned>(bits >> low & ((1u << width) - 1));
    };
    ReplacementEntry entry;
    entry.word = static_cast<uint32_t>(bits);
    entry.rd = static_cast<RegisterFrom>(part(32, 3));
    entry.rs1 = static_cast<RegisterFrom>(part(35, 3));
    entry.rs2 = static_cast<RegisterFrom>(part(38, 3));
    entry.immediate = part(41, 1) != 0;
    entry.kind = static_cast<EntryKind>(part(42, 3));
    entry.what = static_cast<TriggerValue>(part(45, 3));
    entry.go_to = static_cast<uint16_t>(part(48, 11));
    entry.last = part(63, 1) != 0;
    return entry;
  }

 private:
  static uint64_t field(uint64_t value, unsigned low) { return value << low; }
};

/// Whether the entry is a branch-on-random.
inline bool draws_at_random(const ReplacementEntry& entry) {
  return entry.kind == EntryKind::kBranch && is_branch_on_random(entry.word);
}

}  // namespace strobe::dise
