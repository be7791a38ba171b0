// The measurements that the results of ephemeral instrumentation are made of.
#pragma once

#include <map>
#include <string>

#include "sw/reproduce/ephemeral/ephemeral.h"
#include "sw/reproduce/kept_results.h"
#include "sw/reproduce/reproduction_programs.h"

namespace strobe::ephemeral {

/// Each runs what is not kept. Throw std::runtime_error when a run fails, or an optimized program
/// says something else than the original.
reproduce::ephemeral::Persistences persistences_of(KeptResults& kept,
                                                   const ReproductionProgram& program);
reproduce::ephemeral::EpochLengths epoch_lengths_of(KeptResults& kept,
                                                    const ReproductionProgram& program);
reproduce::ephemeral::Profilers profilers_of(KeptResults& kept, const ReproductionProgram& program);
/// Runs configs/runs/phases.yaml, at several starts.
reproduce::ephemeral::Aliasing aliasing_of(KeptResults& kept);

}  // namespace strobe::ephemeral
