// The order of what was read of configs/blocks.
#pragma once

#include <string>
#include <vector>

#include "sw/gen/blocks/block.h"
#include "sw/gen/blocks/parameter_reader.h"

namespace strobe::gen {

/// Sorts the compressors of `blocks` by their kinds and fills in its parameters and keys.
/// @param first, later  the path's parameters, before and after those of the compressors
/// Adds a fault at `mark` when the kinds are not 1, 2, ..., or when two parameters that a path can
/// have together share bits of CAP2.
void arrange(const yaml::Mark& mark, const ParameterReader& parameters,
             const std::vector<std::string>& first, const std::vector<std::string>& later,
             Blocks* blocks, text::Diagnostics* diagnostics);

}  // namespace strobe::gen
