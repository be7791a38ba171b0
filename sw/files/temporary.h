// Files and folders on their way into place, and what killed processes left of them.
#pragma once

#include <filesystem>

namespace strobe::files {

/// Where `target` is made before it is renamed: a hidden sibling, `.NAME.tmp-strobe-HOST-PID`, by
/// whose name the process that makes it is known. The host is part of it because nodes of a cluster
/// write into one folder.
std::filesystem::path temporary_of(const std::filesystem::path& target);
/// Where the old `target` is while a new one takes its place: `.NAME.old-strobe-HOST-PID`.
std::filesystem::path replaced_of(const std::filesystem::path& target);

/// Removes from `folder` what processes of this user and host made there and, as they have
/// ended, will not rename. An old target that has no successor gets its name back. What cannot be
/// removed stays.
void sweep_leftovers(const std::filesystem::path& folder);

}  // namespace strobe::files
