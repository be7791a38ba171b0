// Runs with the test input: what a profile is worth to the optimizer.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sw/reproduce/kept_results.h"
#include "sw/reproduce/reproduction_programs.h"

namespace strobe::ephemeral {

/// What the program is scheduled as.
enum class Schedule { kSuperblocks, kLocal };

/// Cycles of the program as it is.
uint64_t original_cycles(KeptResults& kept, const ReproductionProgram& program);

/// Cycles of the program optimized by a profile, of rows [pc, target, count]. Throws
/// std::runtime_error when a run fails or the optimized program does something else than the
/// original. @param profile  its name in messages
uint64_t optimized_cycles(KeptResults& kept, const ReproductionProgram& program,
                          const std::string& profile, const nlohmann::json& edges,
                          Schedule schedule);

/// Cycles of the program as BOLT lays it out by a profile of such rows; empty when BOLT fails on
/// it. Throws as optimized_cycles().
std::optional<uint64_t> bolt_cycles(KeptResults& kept, const ReproductionProgram& program,
                                    const nlohmann::json& edges);

}  // namespace strobe::ephemeral
