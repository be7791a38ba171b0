#include "sc_models/isa/linux/files/host_files.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <iterator>
#include <utility>

namespace strobe::isa {
namespace {

/// f_type of the file systems that are interfaces to the kernel. They are numbers because
/// <linux/magic.h> lacks some of them. The type does not tell devtmpfs from tmpfs: see
/// device_directory().
constexpr uint64_t kKernelFileSystems[] = {
    0x00009fa0,  // proc
    0x62656572,  // sysfs
    0x00001cd1,  // devpts
    0x0027e0eb,  // cgroup
    0x63677270,  // cgroup2
    0x07655821,  // resctrl
    0x64626720,  // debugfs
    0x74726163,  // tracefs
    0xcafe4a11,  // bpf
    0x73636673,  // securityfs
    0xf97cff8c,  // selinuxfs
    0x43415d53,  // smackfs
    0x5a3c69f0,  // apparmorfs
    0x62656570,  // configfs
    0x19800202,  // mqueue
    0x65735543,  // fusectl
    0x42494e4d,  // binfmt_misc
    0xde5e81e4,  // efivarfs
    0x6165676c,  // pstore
    0x6c6f6f70,  // binderfs
    0x6e667364,  // nfsd
    0x67596969,  // rpc_pipefs
    0xabba1974,  // xenfs
    0x00009fa1,  // openpromfs
    0x00009fa2,  // usbfs
    0x50494446,  // pidfs
    0x6e736673,  // nsfs
    0x50495045,  // pipefs
    0x534f434b,  // sockfs
    0x09041934,  // anon_inode
    0x444d4142,  // dma-buf
    0x5345434d,  // secretmem
};

/// /dev is a devtmpfs on a usual host and a tmpfs in a container. In both cases it is a file system
/// of its own. Where it is not, only the directory itself is refused.
struct DeviceDirectory {
  bool known = false, own_file_system = false;
  dev_t device = 0;
  ino_t inode = 0;
};

DeviceDirectory find_device_directory() {
  struct stat root {
  }, dev{};
  if (::stat("/", &root) != 0 || ::stat("/dev", &dev) != 0) return {};
  return {true, dev.st_dev != root.st_dev, dev.st_dev, dev.st_ino};
}

bool is_in_device_directory(const struct stat& status) {
  static const DeviceDirectory dev = find_device_directory();
  return dev.known && status.st_dev == dev.device &&
         (dev.own_file_system || status.st_ino == dev.inode);
}

/// Whether openat2 works: kernels before 5.6 and filters of old container runtimes refuse it.
bool has_openat2() {
  static const bool has = [] {
    const HostFd root(open_by_openat2(AT_FDCWD, ".", O_PATH | O_CLOEXEC, 0));
    return static_cast<bool>(root);
  }();
  return has;
}

}  // namespace

HostFd& HostFd::operator=(HostFd&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

HostFd::~HostFd() {
  if (fd_ >= 0) ::close(fd_);
}

bool is_kernel_file(int fd) {
  struct statfs system {};
  struct stat status {};
  if (::fstatfs(fd, &system) != 0 || ::fstat(fd, &status) != 0) return true;
  const auto type = static_cast<uint64_t>(static_cast<uint32_t>(system.f_type));
  return std::find(std::begin(kKernelFileSystems), std::end(kKernelFileSystems), type) !=
             std::end(kKernelFileSystems) ||
         is_in_device_directory(status);
}

int open_by_openat2(int directory, const char* name, int flags, mode_t mode) {
  open_how how{};
  how.flags = static_cast<uint64_t>(flags);
  how.mode = mode;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS;
  return static_cast<int>(::syscall(SYS_openat2, directory, name, &how, sizeof how));
}

int open_by_openat(int directory, const char* name, int flags, mode_t mode) {
  return ::openat(directory, name, flags, mode);
}

HostFd open_component(int directory, const std::string& name, int flags, mode_t mode) {
  const int all = flags | O_NOFOLLOW | O_CLOEXEC;
  HostFd file(has_openat2() ? open_by_openat2(directory, name.c_str(), all, mode)
                            : open_by_openat(directory, name.c_str(), all, mode));
  if (file && is_kernel_file(file.get())) {
    errno = EXDEV;
    return HostFd();
  }
  return file;
}

std::string link_target(int link) {
  char target[PATH_MAX];
  const ssize_t size = ::readlinkat(link, "", target, sizeof target);
  return size > 0 ? std::string(target, static_cast<size_t>(size)) : std::string();
}

}  // namespace strobe::isa
