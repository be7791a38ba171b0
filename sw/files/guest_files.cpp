#include "sw/files/guest_files.h"

#include <cstdlib>
#include <filesystem>

#include "sw/files/own_files.h"

namespace strobe::files {

std::string guest_directory() {
  if (const char* set = std::getenv("STROBE_GUEST_DIR")) return set;
  return (built_directory() / "guest").string();
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
