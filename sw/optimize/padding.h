// Keeps the data of an optimized program where the original has them, as far as a cache can tell.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/core/params.h"
#include "sw/object/file/object_file.h"

namespace strobe::optimize {

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
