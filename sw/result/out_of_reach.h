// What Strobe writes and what it loads must be out of the reach of the program that it runs.
#pragma once

#include <filesystem>
#include <string>

#include "sc_models/machine/config/run_config.h"
#include "sw/result/loaded_things.h"

namespace strobe::result {

/// Refuses a run whose program may write where its own results go, or what Strobe executes or loads
/// from a path (loaded_things.h). Also one with a sandbox directory inside the output directory,
/// whose contents Strobe replaces. Directories count by their real paths. Throws ResultError.
/// @param what    how messages call the output: "the output directory"
/// @param output  file or directory that the run makes; it need not exist
void check_out_of_reach(const NamedFiles& run, const std::string& what,
                        const std::filesystem::path& output);

/// Whether the program may write the file: it lies in a sandbox directory that is writable.
bool may_write(const config::WorkloadConfig& workload, const std::filesystem::path& file);

}  // namespace strobe::result
