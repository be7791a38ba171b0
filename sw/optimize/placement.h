// Where the linker puts the code and the data of an optimized program: hot code together, and the
// data where the original has them, as far as a cache can tell.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sc_models/core/params.h"
#include "sw/object/file/object_file.h"

namespace strobe::optimize {

/// A section of code, as the number of its object and its own.
using CodeSection = std::pair<uint32_t, uint32_t>;

/// Puts the sections that are executed before all others, those with the most executions for each
/// byte first, so that they do not meet in an instruction cache. They get the names
/// `.text.sorted.NUMBER`, which ld's own script sorts.
/// @param executed  instructions executed in each section
/// @param objects  the files of the program's objects
void place_hot_code(const std::map<CodeSection, double>& executed,
                    const std::vector<object::ObjectFile*>& objects);

/// Bytes to be put after the code, and after the other read-only sections.
struct Padding {
  uint64_t code = 0, read_only = 0;
};

/// What gives the read-only data and the data of a linked program the addresses that they have in
/// the original, modulo the bytes of a way of each of the core's caches. Otherwise more code moves
/// them, and other data meet in a set.
Padding padding_of(const std::vector<uint8_t>& original, const std::vector<uint8_t>& linked,
                   const core::CoreParams& core);

/// Appends the padding to the last object of a program.
void append(const Padding& padding, object::ObjectFile* last);

}  // namespace strobe::optimize
