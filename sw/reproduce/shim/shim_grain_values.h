// The numbers of a program that the claims of figure 1 are about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sw/reproduce/shim/shim_grain.h"

namespace strobe::reproduce::shim {

/// The share of the finest samples that makes the hot methods.
inline constexpr double kHotShare = 0.9;

/// Identifiers of the methods with samples, those with the most first.
std::vector<uint64_t> by_samples(const Methods& methods);
/// The fewest methods that have kHotShare of the finest samples.
std::vector<uint64_t> hot_methods(const GrainedProgram& program);
/// The share of the hot methods that are among as many with the most samples at another rate.
double found_hot(const GrainedProgram& program, size_t grain);
/// The share of the cycles that the samples give to another method than the truth does.
double wrong_method(const GrainedProgram& program, size_t grain);
/// How far the IPC by method is from the true one, as a fraction of it, weighted with the true
/// cycles of the methods; over those that have kept samples.
std::optional<double> ipc_error(const GrainedProgram& program, size_t grain);
/// The standard deviation of the IPC over the hot methods; none where fewer than two have samples.
std::optional<double> ipc_deviation(const GrainedProgram& program, size_t grain);
/// The share of the finest samples below or above everything that the coarsest see.
double outside(const GrainedProgram& program);

}  // namespace strobe::reproduce::shim
