// Runs a program and collects what it prints.
#pragma once

#include <string>
#include <vector>

namespace strobe::files {

struct ToolResult {
  int exit_code = -1;  // 128 + n after signal n
  std::string output;  // stdout and stderr together
};

/// Runs `command` (found in PATH) to its end, in `directory` if that is not empty. Throws
/// std::runtime_error when it cannot be started.
ToolResult run_tool(const std::vector<std::string>& command, const std::string& directory = "");

/// Throws std::runtime_error naming the Debian package when `program` is not in PATH.
void require_tool(const std::string& program, const std::string& debian_package);

}  // namespace strobe::files
