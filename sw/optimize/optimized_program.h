// A program whose hot functions have been scheduled for a core, by a profile of its branches.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/core/params.h"
#include "sw/instrument/edited_program.h"
#include "sw/optimize/edge_counts.h"
#include "sw/optimize/optimizer.h"

namespace strobe::optimize {

struct OptimizedProgram {
  std::vector<uint8_t> elf;
  Counts counts;
  std::vector<object::LeftAlone> left_alone;  // functions that were executed and are as they were
};

/// Edits the objects of the program and links them. Throws object::ObjectError: what cannot be
/// read, edited or linked; ProfileError: a profile of another program, or one without a branch of
/// this one.
OptimizedProgram optimize_program(const instrument::LinkedProgram& program,
                                  const EdgeCounts& profile, const core::CoreParams& core,
                                  const Options& options);

}  // namespace strobe::optimize
