// The runs that tables 2 to 6 of ephemeral instrumentation are made of.
#pragma once

#include "sw/reproduce/ephemeral/ephemeral.h"
#include "sw/reproduce/kept_results.h"
#include "sw/reproduce/million.h"
#include "sw/reproduce/reproduction_programs.h"

namespace strobe::ephemeral {

/// The inputs of the project's programs: profiles are of the one, cycles of the other.
inline constexpr const char* kTraining = "small";
inline constexpr const char* kTest = "tiny";
inline constexpr uint64_t kEpoch = kMillion;  // cycles; fixed, as in the paper

/// The input of a fetched program that is not the one it is trained with; null: it has none.
const char* test_input(const ReproductionProgram& program);

/// Runs what is not kept. Throws std::runtime_error when a run fails, or an optimized program says
/// something else than the original.
reproduce::ephemeral::Measured measured(KeptResults& kept, const ReproductionProgram& program);

}  // namespace strobe::ephemeral
