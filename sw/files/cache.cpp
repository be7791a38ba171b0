#include "sw/files/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace strobe::files {

namespace fs = std::filesystem;

fs::path cache_folder(const std::string& name, const std::string& what) {
  const auto environment = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return std::string(value == nullptr ? "" : value);
  };
  if (const std::string set = environment("STROBE_CACHE"); !set.empty())
    return fs::path(set) / name;
  if (const std::string home = environment("HOME"); !home.empty()) {
    return fs::path(home) / ".cache" / "strobe" / name;
  }
  throw std::runtime_error(
      fmt::format("no place to keep {}: neither STROBE_CACHE nor HOME is set; set STROBE_CACHE to "
                  "a folder that "
                  "can be written",
                  what));
}

FileLock::FileLock(const fs::path& path)
    : descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0 || flock(descriptor_, LOCK_EX) != 0) {
    if (descriptor_ >= 0) close(descriptor_);
    throw std::runtime_error(
        fmt::format("cannot lock {}; check that the folder can be written or set STROBE_CACHE to "
                    "one that can",
                    path.string()));
  }
}

FileLock::~FileLock() { close(descriptor_); }

}  // namespace strobe::files
