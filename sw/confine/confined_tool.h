// Runs a tool of the system on files that may come from anyone: with no environment of the user's,
// within limits, and confined to the files that it needs.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sw/files/run_tool.h"

namespace strobe::confine {

/// Where such a tool is looked for, in this order; $PATH is not asked. One that is elsewhere is
/// found through a symbolic link in the first folder.
inline constexpr std::array<const char*, 3> kToolFolders = {"/usr/local/bin", "/usr/bin", "/bin"};
/// The same with a colon between them.
std::string tool_path();
bool is_tool_folder(const std::filesystem::path& folder);
/// The tool of that name; empty when it is in none of kToolFolders.
std::filesystem::path find_tool(const std::string& name);

inline constexpr unsigned kToolSeconds = 300;  // by the clock, and by each process's processor time
inline constexpr uint64_t kToolMemory = uint64_t{8} << 30;  // bytes of address space a process

struct ConfinedTool {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  std::filesystem::path folder;              // in which it runs
  std::vector<std::filesystem::path> reads;  // files and folders, beside its own installation
  std::filesystem::path writes = {};         // the one folder in which it may write; empty: none
  unsigned seconds = kToolSeconds;
};

/// Runs it to its end, without a shell. Where the kernel has Landlock it opens nothing but what is
/// named here and the system's own programs and libraries. Throws std::runtime_error when it cannot
/// be started, and when it takes longer or prints more than it may.
files::ToolResult run_confined(const ConfinedTool& tool);

}  // namespace strobe::confine
