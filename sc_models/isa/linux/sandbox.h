// Guest paths to host files: the only door from the guest to the host's file system.
//
// A path is made absolute against the working directory, its '.' and '..' are taken lexically, and
// the result must lie in one of the configured directories. From there it is walked component by
// component (host_files.h); a symbolic link is read and its target walked in the same way, so one
// that leads out ends at the same check as a path that does. Outside nothing exists, but for the
// directories above the configured ones: they are there, empty.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sc_models/isa/linux/host_files.h"
#include "sc_models/isa/linux/refusals.h"

namespace strobe::isa {

/// Type and permissions of a directory above a sandbox directory.
constexpr mode_t kModeAbove = S_IFDIR | 0555;

/// Where a guest path leads: a name in an open host directory, not followed any further.
struct ResolvedPath {
  std::string asked;       // the path as the guest gave it
  HostFd parent;           // O_PATH; empty for a directory above the sandbox
  std::string name;        // "." for the sandbox directory itself
  HostFd target;           // O_PATH; empty when nothing has that name yet
  struct stat status {};   // of the target, or of a directory above the sandbox
  std::string guest_path;  // absolute, links resolved: identifies the file
  bool writable = false;
  bool must_be_directory = false;  // the path ended in '/'
  bool above = false;              // a directory above a sandbox directory
  bool kept = false;               // a sandbox directory, or one that leads to it
  Refusal refusal = Refusal::kNone;

  bool exists() const { return above || target; }
};

class Sandbox {
 public:
  /// Directories are host paths; they appear in the guest under the same absolute paths. A
  /// directory inside a writable one is writable. Throws std::runtime_error when one cannot be
  /// opened or is the kernel's.
  Sandbox(const std::vector<std::string>& read, const std::vector<std::string>& write);

  /// Resolves `path`. Returns 0 or an error number: ENOENT when it leads out or to a file of the
  /// kernel, which `result.refusal` then tells; ELOOP, ENOENT or ENOTDIR for a component before the
  /// last. The last one need not exist.
  int resolve(const std::string& cwd, const std::string& path, bool follow_last,
              ResolvedPath& result) const;

  /// The first directory, or "/" without any: where a program starts.
  std::string first_directory() const;

  /// Absolute path without '.', '..', double or trailing slashes.
  static std::string normalize(const std::string& cwd, const std::string& path);

 private:
  struct Root {
    std::string path;
    HostFd fd;
    bool writable;
    dev_t device;
    ino_t inode;
  };
  const Root* root_of(const std::string& path) const;
  /// The way from a sandbox directory to `wanted`, or to the first symbolic link in it: then `next`
  /// is where it sends the walk.
  static int walk(const Root& root, const std::string& wanted, bool follow_last,
                  ResolvedPath& result, std::string& next);
  int resolve_above(const std::string& wanted, ResolvedPath& result) const;
  bool is_kept(const ResolvedPath& place) const;

  std::vector<Root> roots_;
};

}  // namespace strobe::isa
