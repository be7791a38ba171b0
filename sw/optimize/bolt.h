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

/// Links the program with its relocations and has llvm-bolt-19 lay it out, with `ext-tsp` for
/// blocks, `hfsort` for functions, and cold code split off.
/// Throws object::ObjectError: what cannot be linked, a relinked program that is not the profiled
/// one, a failure of BOLT with its own words; ProfileError: a profile of another program;
/// std::runtime_error without llvm-bolt-19.
std::vector<uint8_t> lay_out_with_bolt(const instrument::LinkedProgram& program,
                                       const EdgeCounts& profile);

}  // namespace strobe::optimize
