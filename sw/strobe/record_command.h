// `strobe record`: one run, its selected tuples into a stream.
#pragma once

#include <filesystem>
#include <functional>

#include "sc_models/platform/run.h"
#include "sw/config/load.h"
#include "sw/strobe/run_command.h"

namespace strobe {

/// Runs without an active profiler and writes what the profilers' selectors pick. Throws
/// std::runtime_error (stream::StreamError among them).
/// @param hooks     its recorder, program, loaded and elaborated are set here
/// @param confined  the process gives up what a recording does not need (sw/confine)
platform::RunOutcome record_run(const config::LoadResult& loaded, const std::filesystem::path& out,
                                platform::RunHooks hooks, bool confined);

/// @return the exit code of the process; what went wrong is on stderr. RunOptions::out is the
/// stream.
int record_command(const RunOptions& options);

}  // namespace strobe
