// How long a sweep will take, before it starts.
#pragma once

#include <string>

#include "sw/explore/launch/run_keys.h"
#include "sw/explore/space/plan.h"
#include "sw/explore/space/space.h"

namespace strobe {

/// "about 40 s", with `jobs` processors and nothing reused: each workload is executed once in mode
/// functional to count its instructions, the rest are the speeds of docs/performance.md,
/// and two and a half minutes a synthesis of a whole path. "unknown" when a workload cannot be
/// executed.
std::string estimated_time(const explore::Space& space, const explore::Plan& plan,
                           const explore::Distinct& distinct, size_t syntheses, unsigned jobs);

}  // namespace strobe
