// Assembles the lines of replacement sequences into entries of the replacement table.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/dise/image/image.h"
#include "sw/dise/syntax/syntax.h"

namespace strobe::dise {

/// A field of the trigger that a sequence uses. Every instruction that triggers the sequence must
/// have it.
struct TriggerUse {
  enum Field : uint8_t { kRd, kRs1, kRs2, kImmediate, kLastOnly };
  Field field = kRd;         // kLastOnly: entries follow the trigger, so it must not be a jump
  bool either_file = false;  // a floating-point register is allowed
  Place place;
};

struct AssembledSequence {
  std::string name;
  Place place;
  std::vector<uint64_t> words;       // gotos count from the sequence's first entry
  std::vector<HandlerUse> handlers;  // their entries count from there too
  std::vector<TriggerUse> uses;
};

/// Adds `entries` to the targets of the DISE branches among the words.
void move_branches(std::vector<uint64_t>& words, uint16_t entries);

/// Whether another sequence can follow in place of the trigger: the sequence ends in T.INSN and has
/// no other T.INSN.
bool ends_in_trigger(const std::vector<uint64_t>& words);

/// @param registers  the registers that the file names
AssembledSequence assemble_sequence(const Sequence& sequence,
                                    const std::vector<NamedRegister>& registers, Faults& faults);

}  // namespace strobe::dise
