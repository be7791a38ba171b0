// Compiles a Boolean expression into entries of the pattern table.
#pragma once

#include <vector>

#include "sw/dise/image/image.h"
#include "sw/dise/syntax/syntax.h"

namespace strobe::dise {

/// A pattern of the table and the flags under which it matches.
struct Match {
  InstructionPattern pattern;
  uint64_t condition = 0;
};

/// The alternatives of `expression`, after equal ones are merged. Empty when the expression has a
/// fault.
std::vector<Match> compile_pattern(const Expression& expression, const Limits& limits,
                                   Faults& faults);

/// Sets `both` to the pattern of the instructions that match `a` and `b`. Returns false when there
/// are none.
bool intersect(const InstructionPattern& a, const InstructionPattern& b, InstructionPattern& both);

/// How specific a pattern is: the number of bits of the word, excluded classes and comparisons that
/// it tests.
unsigned specificity(const InstructionPattern& pattern);

/// The truth table that has a 1 wherever the flag is 1. The flag is the zero flag or the overflow
/// flag of `counter`, which counts from 1.
uint64_t flag_table(unsigned counter, bool zero, unsigned counters);
/// The truth table that is 1 everywhere.
uint64_t always(unsigned counters);

/// The number N in a name such as inc_N or zero_N, after `prefix`; 0 when the name has another
/// form.
unsigned numbered(const std::string& name, const std::string& prefix);

}  // namespace strobe::dise
