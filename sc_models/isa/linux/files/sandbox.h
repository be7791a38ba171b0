// Maps guest paths to host files: the only access of the guest to the host's file system.
//
// A path is made absolute against the working directory, and its '.' and '..' are resolved
// lexically. The result must lie in one of the configured directories. From there the path is
// walked component by component (host_files.h). A symbolic link is read and its target is walked in
// the same way, so a link that leads out of the sandbox fails the same check as a path that does.
// Outside, only the directories above the configured ones exist, and they are empty.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sc_models/isa/linux/files/host_files.h"
#include "sc_models/isa/linux/files/refusals.h"

namespace strobe::isa {

/// Type and permissions of a directory above a sandbox directory.
constexpr mode_t kModeAbove = S_IFDIR | 0555;

/// Where a guest path leads: a name in an open host directory, which is not followed further.
struct ResolvedPath {
  std::string asked;       // the path as the guest gave it
  HostFd parent;           // O_PATH; empty for a directory above the sandbox
  std::string name;        // "." for the sandbox directory itself
  HostFd target;           // O_PATH; empty when nothing has that name yet
  struct stat status {};   // the target's, or that of a directory above the sandbox
  std::string guest_path;  // absolute, with links resolved: identifies the file
  bool writable = false;
  bool must_be_directory = false;  // the path ended in '/'
  bool above = false;              // a directory above a sandbox directory
  bool kept = false;               // a sandbox directory, or one that leads to it
  Refusal refusal = Refusal::kNone;

  bool exists() const { return above || target; }
};

class Sandbox {
 public:
  /// The directories are host paths and have the same absolute paths in the guest. A directory
  /// inside a writable one is writable. Throws std::runtime_error when one cannot be opened or is
  /// the kernel's.
  Sandbox(const std::vector<std::string>& read, const std::vector<std::string>& write);

  /// Resolves `path`. Returns 0 or an error number. ENOENT with `result.refusal` set means that the
  /// path leads out of the sandbox or to a file of the kernel. ELOOP, ENOENT or ENOTDIR concern a
  /// component before the last; the last one need not exist.
  int resolve(const std::string& cwd, const std::string& path, bool follow_last,
              ResolvedPath& result) const;

  /// The working directory in which a program starts: the first sandbox directory, or "/" without
  /// any.
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
  /// Walks from a sandbox directory to `wanted`, or to the first symbolic link on the way. At a
  /// link, `next` is the path at which to continue.
  static int walk(const Root& root, const std::string& wanted, bool follow_last,
                  ResolvedPath& result, std::string& next);
  int resolve_above(const std::string& wanted, ResolvedPath& result) const;
  bool is_kept(const ResolvedPath& place) const;

  std::vector<Root> roots_;
};

}  // namespace strobe::isa
