#include "sw/files/guest_files.h"

#include <cstdlib>
#include <filesystem>

namespace strobe::files {

std::string guest_directory() {
  if (const char* set = std::getenv("STROBE_GUEST_DIR")) return set;
  std::error_code code;
  const std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe", code);
  return (executable.parent_path().parent_path() / "guest").string();
}

std::string guest_file(const std::string& name) { return guest_directory() + "/" + name; }

std::string fetched_directory() {
  if (const char* set = std::getenv("STROBE_WORKLOADS")) return set;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"))
    return std::string(cache) + "/strobe/workloads";
  const char* home = std::getenv("HOME");
  return std::string(home != nullptr ? home : "") + "/.cache/strobe/workloads";
}

std::optional<std::string> prefixed_path(const std::string& written) {
  const auto behind = [&written](const std::string& prefix) -> std::optional<std::string> {
    if (written.rfind(prefix, 0) != 0) return std::nullopt;
    return written.substr(prefix.size());
  };
  if (const auto name = behind("build:")) return guest_file(*name);
  if (const auto name = behind("cache:")) return fetched_directory() + "/" + *name;
  return std::nullopt;
}

}  // namespace strobe::files
