// A program laid out by BOLT ("BOLT: A Practical Binary Optimizer for Data Centers and Beyond", CGO
// 2019): the order of blocks and functions by a profile, and cold code apart. Nothing is scheduled.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sw/instrument/edited_program.h"
#include "sw/optimize/edge_counts.h"

namespace strobe::optimize {

/// The profile in BOLT's own form (llvm/bolt, Profile/DataReader.h), a line for each branch and
/// where it went:
///
///     1 FUNCTION OFFSET 1 FUNCTION OFFSET MISPREDICTIONS COUNT
///
/// with offsets in hexadecimal. The n-th local function of a name is called NAME/n. What is in no
/// function is left out; no misprediction is known, so that number is 0.
/// @param elf  the linked program, with its symbols
/// Throws object::ObjectError when the file has no symbols.
std::string bolt_profile(const std::vector<uint8_t>& elf, const profile::Profile& edges);

/// Links the program with its relocations and has llvm-bolt-19 lay it out, with `ext-tsp` for
/// blocks, `hfsort` for functions, and cold code split off.
/// Throws object::ObjectError: what cannot be linked, a relinked program that is not the profiled
/// one, a failure of BOLT with its own words; ProfileError: a profile of another program;
/// std::runtime_error without llvm-bolt-19.
std::vector<uint8_t> lay_out_with_bolt(const instrument::LinkedProgram& program,
                                       const EdgeCounts& profile);

}  // namespace strobe::optimize
