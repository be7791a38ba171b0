// openat, and how a resolved path becomes an open host file.
#include <fcntl.h>
#include <sys/stat.h>

#include "sc_models/isa/linux/calls/system_calls.h"

namespace strobe::isa {

int64_t SystemCalls::open_host(const ResolvedPath& place, uint64_t flags, uint64_t mode,
                               OpenFile& file) {
  const bool create = (flags & abi::kCreate) != 0, exclusive = (flags & abi::kExclusive) != 0;
  const bool changes =
      (flags & abi::kAccessMode) != abi::kReadOnly || (flags & abi::kTruncate) != 0;
  const bool exists = place.exists(), directory = S_ISDIR(place.status.st_mode);
  file.kind = directory ? OpenFile::Kind::kDirectory : OpenFile::Kind::kFile;
  file.guest_path = place.guest_path;
  file.writable_place = place.writable;
  file.kept = place.kept;
  if (create && place.must_be_directory) return -EISDIR;
  if (!exists) {
    if (!create) return -ENOENT;
  } else {
    if (create && exclusive) return -EEXIST;
    if (S_ISLNK(place.status.st_mode)) return -ELOOP;
    if (directory && (changes || create)) return -EISDIR;
    if (!directory && (place.must_be_directory || (flags & abi::kDirectory) != 0)) return -ENOTDIR;
    // A pipe, a socket or a device would lead out of the sandbox.
    if (!directory && !S_ISREG(place.status.st_mode))
      return refuse(place, Refusal::kSpecial, EACCES);
  }
  if ((changes || !exists) && !place.writable) return refuse(place, Refusal::kReadOnly, EROFS);
  if (place.above) return 0;

  constexpr int kAccess[] = {O_RDONLY, O_WRONLY, O_RDWR};
  int host_flags = kAccess[flags & abi::kAccessMode] | O_NONBLOCK | O_NOCTTY;
  if (!exists) host_flags |= O_CREAT | O_EXCL;
  if ((flags & abi::kTruncate) != 0) host_flags |= O_TRUNC;
  if ((flags & abi::kAppend) != 0) host_flags |= O_APPEND;
  const auto bits = static_cast<mode_t>(mode & ~umask_ & 0777);
  file.host = open_component(place.parent.get(), place.name, host_flags, exists ? 0 : bits);
  if (!file.host) return errno == EXDEV ? -ENOENT : -errno;
  // Another file may have got that name after the path was resolved.
  struct stat opened {};
  if (::fstat(file.host.get(), &opened) != 0) return -errno;
  if (directory ? !S_ISDIR(opened.st_mode) : !S_ISREG(opened.st_mode)) {
    return refuse(place, Refusal::kSpecial, EACCES);
  }
  // The host's umask must not affect the permissions.
  if (!exists && ::fchmod(file.host.get(), bits) != 0) return -errno;
  return 0;
}

int64_t SystemCalls::openat(const Args& a) {
  const uint64_t flags = a[2];
  if ((flags & abi::kAccessMode) == abi::kAccessMode) return -EINVAL;
  if ((flags & abi::kTemporary) != 0) return -EOPNOTSUPP;
  std::string base, path;
  if (const int error = get_path(a[0], a[1], base, path)) return -error;
  auto file = std::make_shared<OpenFile>();
  file->flags = flags & (abi::kAccessMode | abi::kAppend | abi::kNonblock | abi::kPathOnly |
                         abi::kDirectory | abi::kLargeFile);
  if (Sandbox::normalize(base, path) == abi::kNullDevice) {
    constexpr uint64_t kNewOnly = abi::kCreate | abi::kExclusive;
    if ((flags & kNewOnly) == kNewOnly) return -EEXIST;
    if ((flags & abi::kDirectory) != 0) return -ENOTDIR;
    file->kind = OpenFile::Kind::kNull;
  } else {
    ResolvedPath place;
    const bool follow =
        (flags & abi::kNofollow) == 0 &&
        (flags & (abi::kCreate | abi::kExclusive)) != (abi::kCreate | abi::kExclusive);
    const bool changes = (flags & abi::kAccessMode) != abi::kReadOnly ||
                         (flags & (abi::kCreate | abi::kTruncate)) != 0;
    if (const int error = resolve(base, path, follow, changes, place)) return -error;
    const int64_t result = open_host(place, flags, a[3], *file);
    if (result < 0) return result;
  }
  return files_.add(std::move(file), (flags & abi::kCloseOnExec) != 0);
}

}  // namespace strobe::isa
