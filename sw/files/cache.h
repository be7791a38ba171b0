// The folder of what is made once and kept, and the lock of one who makes it.
#pragma once

#include <filesystem>
#include <string>

namespace strobe::files {

/// $STROBE_CACHE/NAME or ~/.cache/strobe/NAME. Throws std::runtime_error when there is neither.
/// @param what  is kept there, for the message: "Verilated objects"
std::filesystem::path cache_folder(const std::string& name, const std::string& what);

/// Holds a lock file for as long as it lives; waits for the process that has it.
class FileLock {
 public:
  /// Throws std::runtime_error when the file cannot be locked.
  explicit FileLock(const std::filesystem::path& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace strobe::files
