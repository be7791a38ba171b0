// Files of a cache that a later process loads or believes. Each has its SHA-256 beside it, in
// FILE.sha256, and belongs to the user.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace strobe::files {

/// Someone else could have written a file of the cache: one sentence with what to do.
class ForeignFile : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Records what the file holds now. Throws std::runtime_error when that cannot be written.
void seal(const std::filesystem::path& file);
/// Renames `made`, of the same file system, to `target` with a seal: is_whole() then or not there.
void place_sealed(const std::filesystem::path& made, const std::filesystem::path& target);

/// How a file differs from what its seal says: one sentence; empty: it does not.
std::string damage_of_sealed(const std::filesystem::path& file);

/// Whether the file is there and holds what was sealed. Throws ForeignFile when it, its seal or its
/// folder belongs to another user than this one or root, or others may write it.
bool is_whole(const std::filesystem::path& file);

/// Makes a folder for such files, that only its user may write, and the folders above it. Throws
/// ForeignFile when it is there and another user could write it, std::filesystem::filesystem_error
/// when it cannot be made.
void make_own_folder(const std::filesystem::path& folder);

}  // namespace strobe::files
