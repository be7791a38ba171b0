#include "sw/config/guest_files.h"

#include <cstdlib>
#include <filesystem>

namespace strobe::config {

std::string guest_directory() {
  if (const char* set = std::getenv("STROBE_GUEST_DIR")) return set;
  std::error_code code;
  const std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe", code);
  return (executable.parent_path().parent_path() / "guest").string();
}

std::string guest_file(const std::string& name) { return guest_directory() + "/" + name; }

}  // namespace strobe::config
