// The tables of an engine as text: what `strobe dise explain` prints.
#pragma once

#include <cstdint>
#include <string>

#include "sw/dise/image.h"

namespace strobe::dise {

/// `T.OPCODE == ld && T.RD == x10`; "any instruction" for the pattern that asks for nothing.
std::string pattern_text(const InstructionPattern& pattern);

/// A sum of products such as `overflow_1 && !zero_2`; "always", "never".
std::string condition_text(uint64_t condition, unsigned counters);

/// `inc_1, set_2(d7)`; "null".
std::string ops_text(const MicroOps& ops);

/// One entry as a line of a sequence, its gotos as `@entry`.
std::string replacement_text(uint64_t word);

/// The whole image, in table order, with its use of the tables.
std::string explain(const Image& image);

}  // namespace strobe::dise
