// The runs that the figures of SHIM are made of.
#pragma once

#include <string>
#include <vector>

#include "sw/reproduce/kept_results.h"
#include "sw/reproduce/reproduction_programs.h"
#include "sw/reproduce/shim/shim.h"

namespace strobe::shim {

/// The instructions of each run.
inline constexpr uint64_t kInstructions = 2'000'000;

/// The program with each setting. Runs what is not kept.
reproduce::shim::Program observed(KeptResults& kept, const ReproductionProgram& program,
                                  const std::vector<reproduce::shim::Setting>& settings);

reproduce::shim::Producer producer(KeptResults& kept, bool smt);
std::vector<reproduce::shim::Collector> collectors(KeptResults& kept);

}  // namespace strobe::shim
