// Guest paths to host files: the only door from the guest to the host's file system.
//
// A path is made absolute against the working directory, its '.' and '..' are taken lexically, and
// the result must lie in one of the configured directories. From there it is walked component by
// component with O_NOFOLLOW; a symbolic link is read and its target walked in the same way, so one
// that leads out ends at the same check as a path that does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::isa {

/// A host file descriptor that closes itself.
class HostFd {
 public:
  explicit HostFd(int fd = -1) : fd_(fd) {}
  HostFd(HostFd&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  HostFd& operator=(HostFd&& other) noexcept;
  ~HostFd();
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

/// Where a guest path leads: a name in an open host directory, not followed any further.
struct ResolvedPath {
  HostFd parent;           // O_PATH
  std::string name;        // "." for the sandbox directory itself
  std::string guest_path;  // absolute, links resolved: identifies the file
  bool writable = false;
  bool must_be_directory = false;  // the path ended in '/'
};

class Sandbox {
 public:
  /// Directories are host paths; they appear in the guest under the same absolute paths. A
  /// directory inside a writable one is writable. Throws std::runtime_error when one cannot be
  /// opened.
  Sandbox(const std::vector<std::string>& read, const std::vector<std::string>& write);

  /// Resolves `path` (not empty). Returns 0 or an error number: EACCES when it leads out, ELOOP,
  /// ENOENT or ENOTDIR for a component before the last; the last one need not exist.
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
  };
  const Root* root_of(const std::string& path) const;

  std::vector<Root> roots_;
};

}  // namespace strobe::isa
