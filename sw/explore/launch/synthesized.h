// The hardware that a sweep synthesizes: the profilers whose area or timing it asks for.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "sw/explore/space/space.h"

namespace strobe::explore {

/// Follows `profilers.N` in the key of a figure that synthesis reports for a profiler.
inline constexpr const char* kSynthesisPart = ".synthesis.";

/// The block that `strobe synth --block` takes for a profiler of a run.
using BlockOf = std::function<std::string(const config::RunConfig&, size_t profiler)>;

/// The profilers whose area or period an objective or a constraint names.
std::vector<size_t> synthesized_profilers(const Space& space);

/// The block of a profiler at a point; "" when the point is not a valid configuration.
std::string block_at(const Space& space, const Point& point, size_t profiler, const BlockOf& block);

/// The distinct blocks of the designs. Each is synthesized once.
std::set<std::string> synthesized_blocks(const Space& space, const std::vector<uint64_t>& designs,
                                         const BlockOf& block);

}  // namespace strobe::explore
