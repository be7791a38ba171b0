// Replacement sequences: from their lines to entries of the replacement table.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/dise/image.h"
#include "sw/dise/syntax.h"

namespace strobe::dise {

/// A field of the trigger that a sequence uses, so that what triggers it must have it.
struct TriggerUse {
  enum Field : uint8_t { kRd, kRs1, kRs2, kImmediate, kLastOnly };
  Field field = kRd;         // kLastOnly: something follows the trigger, so it may be no jump
  bool either_file = false;  // a floating-point register will do
  Place place;
};

struct AssembledSequence {
  std::string name;
  Place place;
  std::vector<uint64_t> words;       // gotos count from the sequence's first entry
  std::vector<HandlerUse> handlers;  // entries too
  std::vector<TriggerUse> uses;
};

/// Shifts the targets of the words' DISE branches by `entries`.
void move_branches(std::vector<uint64_t>& words, uint16_t entries);

/// Whether the sequence can be continued by another in place of its trigger: it ends in T.INSN and
/// has no other.
bool ends_in_trigger(const std::vector<uint64_t>& words);

/// @param registers  the names declared in the file
AssembledSequence assemble_sequence(const Sequence& sequence,
                                    const std::vector<NamedRegister>& registers, Faults& faults);

}  // namespace strobe::dise
