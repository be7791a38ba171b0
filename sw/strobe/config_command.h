// `strobe config`: what a run file says, before anything runs.
#pragma once

#include <string>
#include <vector>

namespace strobe {

/// Prints "FILE: ok" or everything that is wrong with the file. @return the exit code
int config_check(const std::string& file, const std::vector<std::string>& sets);

/// Prints each value at or below `key` (empty: all), its origin and its meaning. @return the exit
/// code
int config_explain(const std::string& file, const std::string& key,
                   const std::vector<std::string>& sets);

/// Prints the JSON schema of run files, or of sweep files. @return the exit code
int config_schema(bool of_sweeps);

}  // namespace strobe
