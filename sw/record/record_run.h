// One run of which the selected tuples go into a stream.
#pragma once

#include <filesystem>

#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/machine/outcome/run_hooks.h"
#include "sw/config/load.h"

namespace strobe {

/// Runs without an active profiler and writes what the profilers' selectors pick. Throws
/// std::runtime_error (stream::StreamError among them).
/// @param hooks     its recorder, program, loaded and elaborated are set here
/// @param confined  the process gives up what a recording does not need (sw/confine)
platform::RunOutcome record_run(const config::LoadResult& loaded, const std::filesystem::path& out,
                                platform::RunHooks hooks, bool confined);

}  // namespace strobe
