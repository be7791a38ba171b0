// A folder for files that are not kept.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sw/process/leftovers.h"

namespace strobe::files {

/// In the folder of temporary files, for this user alone; removed with everything in it at the end
/// of its life, when a signal ends the process, or at the next start of Strobe when its process was
/// killed.
class ScratchFolder {
 public:
  /// Throws std::runtime_error when it cannot be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::optional<RemovedOnSignal> removed_;
};

}  // namespace strobe::files
