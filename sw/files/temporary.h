// Files and folders on their way into place, and what killed processes left of them.
#pragma once

#include <filesystem>
#include <optional>

#include "sw/process/leftovers.h"

namespace strobe::files {

/// Where `target` is made before it is renamed: a hidden sibling, `.NAME.tmp-strobe-HOST-PID`, by
/// whose name the process that makes it is known. The host is part of it because nodes of a cluster
/// write into one folder.
std::filesystem::path temporary_of(const std::filesystem::path& target);
/// Where the old `target` is while a new one takes its place: `.NAME.old-strobe-HOST-PID`.
std::filesystem::path replaced_of(const std::filesystem::path& target);

/// The temporary_of() a target. What is made there, a file or a folder, is removed at the end of
/// this object's life, and when a signal ends the process, unless place() has renamed it.
class Temporary {
 public:
  /// Removes what an earlier process with this number left there.
  explicit Temporary(const std::filesystem::path& target);
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Renames it to the target. Throws std::filesystem::filesystem_error.
  void place();

 private:
  std::filesystem::path target_, path_;
  std::optional<RemovedOnSignal> removed_;  // until it is in place
};

/// Removes from `folder` what processes of this user and host made there and, as they have
/// ended, will not rename. An old target that has no successor gets its name back. What cannot be
/// removed stays.
void sweep_leftovers(const std::filesystem::path& folder);

}  // namespace strobe::files
