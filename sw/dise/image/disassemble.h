// The tables of an engine as text: what `strobe dise explain` prints.
#pragma once

#include <cstdint>
#include <string>

#include "sw/dise/image/image.h"

namespace strobe::dise {

/// A pattern as text, such as `T.OPCODE == ld && T.RD == x10`; "any instruction" for the pattern
/// without a condition.
std::string pattern_text(const InstructionPattern& pattern);

/// A condition as a sum of products, such as `overflow_1 && !zero_2`; or "always" or "never".
std::string condition_text(uint64_t condition, unsigned counters);

/// Counter operations as text, such as `inc_1, set_2(d7)`; "null" for none.
std::string ops_text(const MicroOps& ops);

/// One entry as a line of a sequence, with its gotos as `@entry`.
std::string replacement_text(uint64_t word);

/// The whole image, in table order, and how much of the tables it uses.
std::string explain(const Image& image);

}  // namespace strobe::dise
