// What this program was made from.
#pragma once

#include <map>
#include <string>

namespace strobe {

std::string project_version();

/// The commit of the source tree, "-dirty" appended when it was changed; empty when unknown.
std::string git_id();

/// "systemc", "verilator" and "compiler" with their versions.
std::map<std::string, std::string> tool_versions();

}  // namespace strobe
