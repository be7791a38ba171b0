// Patterns: from a Boolean expression to entries of the pattern table.
#pragma once

#include <vector>

#include "sw/dise/image.h"
#include "sw/dise/syntax.h"

namespace strobe::dise {

/// A pattern of the table and the flags under which it matches.
struct Match {
  InstructionPattern pattern;
  uint64_t condition = 0;
};

/// The alternatives of `expression`, as few as its form gives. Empty when it has a fault.
std::vector<Match> compile_pattern(const Expression& expression, const Limits& limits,
                                   Faults& faults);

/// Instructions both patterns can match; false when there are none.
bool intersect(const InstructionPattern& a, const InstructionPattern& b, InstructionPattern& both);

/// How much a pattern asks for: bits of the word, classes excluded, comparisons.
unsigned specificity(const InstructionPattern& pattern);

/// The truth table with a 1 wherever the flag is 1: number from 1, its zero or its overflow flag.
uint64_t flag_table(unsigned counter, bool zero, unsigned counters);
/// The truth table that is always 1.
uint64_t always(unsigned counters);

/// `N` of a name such as inc_N or zero_N behind `prefix`; 0 when it is none.
unsigned numbered(const std::string& name, const std::string& prefix);

}  // namespace strobe::dise
