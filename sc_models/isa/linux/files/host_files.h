// How a file of the host is opened for the guest: one component of a path at a time, never through
// a link, and never on a file system that shows the kernel instead of stored files.
#pragma once

#include <sys/types.h>

#include <string>

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

/// Whether an open file, O_PATH or not, lies on a file system of the kernel's own: proc, sysfs,
/// cgroup, debugfs and their like, or the device directory /dev. Returns true also when the file
/// system cannot be determined.
bool is_kernel_file(int fd);

/// Opens `name`, one component of a path, in an open directory, and adds O_NOFOLLOW and O_CLOEXEC
/// to `flags`. On failure the result is empty and errno has the reason: EXDEV for a file of the
/// kernel.
HostFd open_component(int directory, const std::string& name, int flags, mode_t mode = 0);

/// The two ways in which open_component() opens a file; it uses openat2 where the kernel has it.
/// openat2 itself refuses a name that is no single component; for openat the caller must refuse it.
/// Both return a descriptor, or -1 with errno.
int open_by_openat2(int directory, const char* name, int flags, mode_t mode);
int open_by_openat(int directory, const char* name, int flags, mode_t mode);

/// The target of an open symbolic link (O_PATH, O_NOFOLLOW); empty when it cannot be read.
std::string link_target(int link);

}  // namespace strobe::isa
