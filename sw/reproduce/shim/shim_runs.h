// The runs that the figures of SHIM are made of. Each function runs what is not kept.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/reproduce/kept_results.h"
#include "sw/reproduce/reproduction_programs.h"
#include "sw/reproduce/shim/shim.h"
#include "sw/reproduce/shim/shim_grain.h"
#include "sw/reproduce/shim/shim_phases.h"
#include "sw/reproduce/shim/shim_producer.h"

namespace strobe::shim {

/// The instructions of each run; those of figure 1 are longer, for its coarse samples.
inline constexpr uint64_t kInstructions = 2'000'000, kGrainInstructions = 10'000'000;

/// What the configuration of the program sets for the machine and the observer of a setting.
std::vector<std::string> sets_of(const ReproductionProgram& program,
                                 const reproduce::shim::Setting& setting, uint64_t instructions);

/// The program with each setting.
reproduce::shim::Program observed(KeptResults& kept, const ReproductionProgram& program,
                                  const std::vector<reproduce::shim::Setting>& settings);

reproduce::shim::GrainedProgram grained(KeptResults& kept, const ReproductionProgram& program);
reproduce::shim::Producer producer(KeptResults& kept, bool smt);
std::vector<reproduce::shim::Collector> collectors(KeptResults& kept);

}  // namespace strobe::shim
