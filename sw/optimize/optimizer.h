// The superblock scheduler: what becomes of each function of a program, by a profile of its
// branches and for a core.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sw/object/analysis/program.h"
#include "sw/object/edit/rebuild.h"
#include "sw/optimize/frequencies.h"
#include "sw/optimize/schedule/machine.h"
#include "sw/optimize/traces.h"

namespace strobe::optimize {

struct Options {
  bool local = false;  // schedules each block alone: the paper's baseline
  TraceOptions traces;
};

/// What was done. `cycles` is the scheduler's own estimate: how often a block is executed, times
/// the length of its schedule.
struct Counts {
  uint64_t functions = 0;                                    // that were laid out anew
  uint64_t superblocks = 0;                                  // of more than one block
  uint64_t instructions_before = 0, instructions_after = 0;  // of these functions
  double cycles = 0;
};

/// The counts of a branch, by the object and the offset of its section.
using CountsOf = std::function<BranchCounts(uint32_t object, uint32_t section,
                                            const object::Instruction& branch)>;

/// Lays the functions out anew that the profile has seen. The objects of `program` are edited.
/// @param left_alone  gets the functions that were executed and could not be edited
Counts optimize(object::Program* program, const CountsOf& counts_of, const Machine& machine,
                const Options& options, std::vector<object::LeftAlone>* left_alone);

}  // namespace strobe::optimize
