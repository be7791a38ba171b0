// System calls that name files: status, permissions, links, directories.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>

#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/files/memory_file.h"

namespace strobe::isa {
namespace {

constexpr const char* kSelf = "/proc/self/exe";
constexpr uint64_t kNullDeviceNumber = 0x103;  // 1:3

int64_t result_of(int value) { return value < 0 ? -errno : value; }

/// The file's inode number, by FNV-1a: it is the same in every run, on every host.
uint64_t inode_of(const std::string& identity) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : identity) {
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  }
  return hash | 1;  // 0 means "no entry" to old readers of directories
}

}  // namespace

int SystemCalls::get_base(uint64_t directory, const std::string& path, std::string& base) const {
  base = cwd_;
  if (!path.empty() && path[0] == '/') return 0;
  if (static_cast<int32_t>(directory) == abi::kAtFdCwd) return 0;
  const OpenFile* file = files_.get(directory);
  if (file == nullptr) return EBADF;
  if (file->kind != OpenFile::Kind::kDirectory) return ENOTDIR;
  base = file->guest_path;
  return 0;
}

int SystemCalls::get_path(uint64_t directory, uint64_t address, std::string& base,
                          std::string& path) const {
  if (const int error = memory_.get_path(path, address)) return error;
  return path.empty() ? ENOENT : get_base(directory, path, base);
}

int SystemCalls::resolve(const std::string& base, const std::string& path, bool follow,
                         bool changes, ResolvedPath& result) {
  const int error = sandbox_.resolve(base, path, follow, result);
  if (result.refusal != Refusal::kNone)
    refusals_.add(call_name(thread().call), path, result.refusal, changes);
  return error;
}

int SystemCalls::locate_writable(uint64_t directory, uint64_t address, bool follow,
                                 ResolvedPath& result) {
  std::string base, path;
  if (const int error = get_path(directory, address, base, path)) return error;
  if (const int error = resolve(base, path, follow, /*changes=*/true, result)) return error;
  if (result.writable) return 0;
  refuse(result, Refusal::kReadOnly, EROFS);
  return EROFS;
}

int64_t SystemCalls::refuse(const ResolvedPath& place, Refusal why, int error) {
  refusals_.add(call_name(thread().call), place.asked, why, /*changes=*/true);
  return -error;
}

abi::Stat SystemCalls::stat_of(const struct stat& host, const std::string& identity) {
  abi::Stat result{};
  result.dev = 1;
  result.ino = inode_of(identity);
  result.mode = host.st_mode;
  result.nlink = 1;
  result.uid = result.gid = static_cast<uint32_t>(abi::kUserId);
  // The size of a directory depends on the host's file system, so a constant is reported.
  result.size = S_ISDIR(host.st_mode) ? static_cast<int64_t>(abi::kPageSize) : host.st_size;
  result.blksize = static_cast<int32_t>(abi::kPageSize);
  result.blocks = (result.size + 511) / 512;
  return result;
}

int64_t SystemCalls::stat_file(const OpenFile& file, abi::Stat& result) {
  struct stat host {};
  switch (file.kind) {
    case OpenFile::Kind::kOutput:
    case OpenFile::Kind::kEmpty:
    case OpenFile::Kind::kPipe:
      host.st_mode = S_IFIFO | 0600;
      result = stat_of(host, "pipe:" + std::to_string(file.output));
      return 0;
    case OpenFile::Kind::kSocket:
      host.st_mode = S_IFSOCK | 0777;
      result = stat_of(host, "socket:" + std::to_string(file.output));
      return 0;
    case OpenFile::Kind::kEventCounter:
    case OpenFile::Kind::kEventQueue:
      host.st_mode = 0600;
      result = stat_of(host, "nameless");  // one for all, as on Linux
      return 0;
    case OpenFile::Kind::kMemory:
      host.st_mode = S_IFREG | 0777;
      host.st_size = static_cast<off_t>(file.memory->size());
      result = stat_of(host, "memory:" + std::to_string(file.output));
      result.nlink = 0;
      result.blocks = static_cast<int64_t>(file.memory->pages() * abi::kPageSize / 512);
      return 0;
    case OpenFile::Kind::kNull:
      host.st_mode = S_IFCHR | 0666;
      result = stat_of(host, abi::kNullDevice);
      result.rdev = kNullDeviceNumber;
      return 0;
    default:
      if (!file.host) {
        host.st_mode = kModeAbove;
      } else if (::fstat(file.host.get(), &host) != 0) {
        return -errno;
      }
      result = stat_of(host, file.guest_path);
      return 0;
  }
}

int64_t SystemCalls::stat_path(uint64_t directory, uint64_t address, uint64_t flags,
                               abi::Stat& result, ResolvedPath& place) {
  std::string path, base;
  if (const int error = memory_.get_path(path, address)) return -error;
  const bool empty = path.empty();
  if (empty) {
    if ((flags & abi::kAtEmptyPath) == 0) return -ENOENT;
    if (static_cast<int32_t>(directory) != abi::kAtFdCwd) {
      const OpenFile* file = files_.get(directory);
      return file == nullptr ? -EBADF : stat_file(*file, result);
    }
    path = ".";
  }
  if (const int error = get_base(directory, path, base)) return -error;
  if (Sandbox::normalize(base, path) == abi::kNullDevice) {
    OpenFile null;
    null.kind = OpenFile::Kind::kNull;
    return stat_file(null, result);
  }
  const bool follow = (flags & abi::kAtSymlinkNofollow) == 0;
  if (const int error = resolve(base, path, follow, /*changes=*/false, place)) return -error;
  if (!place.exists()) return -ENOENT;
  if (place.must_be_directory && !S_ISDIR(place.status.st_mode)) return -ENOTDIR;
  result = stat_of(place.status, place.guest_path);
  return 0;
}

int64_t SystemCalls::fstat(const Args& a) {
  abi::Stat result{};
  const OpenFile* file = files_.get(a[0]);
  if (file == nullptr) return -EBADF;
  const int64_t error = stat_file(*file, result);
  if (error != 0) return error;
  return memory_.put(a[1], result) ? 0 : -EFAULT;
}

int64_t SystemCalls::newfstatat(const Args& a) {
  constexpr uint64_t kHowToSync = 0x6000;
  constexpr uint64_t kKnown =
      abi::kAtSymlinkNofollow | abi::kAtNoAutomount | abi::kAtEmptyPath | kHowToSync;
  abi::Stat result{};
  ResolvedPath place;
  if ((a[3] & ~kKnown) != 0) return -EINVAL;
  const int64_t error = stat_path(a[0], a[1], a[3], result, place);
  if (error != 0) return error;
  return memory_.put(a[2], result) ? 0 : -EFAULT;
}

int64_t SystemCalls::statx(const Args& a) {
  constexpr uint64_t kHowToSync = 0x6000, kReservedMask = 0x80000000;
  constexpr uint64_t kKnown =
      abi::kAtSymlinkNofollow | abi::kAtNoAutomount | abi::kAtEmptyPath | kHowToSync;
  if ((a[3] & kReservedMask) != 0 || (a[2] & kHowToSync) == kHowToSync) return -EINVAL;
  if ((a[2] & ~kKnown) != 0) return -EINVAL;
  abi::Stat status{};
  ResolvedPath place;
  const int64_t error = stat_path(a[0], a[1], a[2], status, place);
  if (error != 0) return error;
  abi::Statx result{};
  result.mask = abi::kStatxBasic;
  result.blksize = static_cast<uint32_t>(status.blksize);
  result.nlink = status.nlink;
  result.uid = status.uid;
  result.gid = status.gid;
  result.mode = static_cast<uint16_t>(status.mode);
  result.ino = status.ino;
  result.size = static_cast<uint64_t>(status.size);
  result.blocks = static_cast<uint64_t>(status.blocks);
  result.rdev_major = static_cast<uint32_t>(status.rdev >> 8);
  result.rdev_minor = static_cast<uint32_t>(status.rdev & 0xff);
  result.dev_minor = static_cast<uint32_t>(status.dev);
  return memory_.put(a[4], result) ? 0 : -EFAULT;
}

int64_t SystemCalls::faccessat(const Args& a) { return faccessat2({a[0], a[1], a[2], 0, 0, 0}); }

int64_t SystemCalls::faccessat2(const Args& a) {
  constexpr uint64_t kMayRead = 4, kMayWrite = 2, kMayExecute = 1, kEffectiveIds = 0x200;
  constexpr uint64_t kKnown = abi::kAtSymlinkNofollow | abi::kAtEmptyPath | kEffectiveIds;
  const uint64_t wanted = a[2];
  if (wanted > (kMayRead | kMayWrite | kMayExecute) || (a[3] & ~kKnown) != 0) return -EINVAL;
  abi::Stat status{};
  ResolvedPath place;
  const int64_t error = stat_path(a[0], a[1], a[3], status, place);
  if (error != 0) return error;
  // The guest owns every file it sees.
  if ((((status.mode >> 6) & 7) & wanted) != wanted) return -EACCES;
  if ((wanted & kMayWrite) == 0 || !place.exists() || place.writable) return 0;
  return refuse(place, Refusal::kReadOnly, EROFS);
}

int64_t SystemCalls::readlinkat(const Args& a) {
  std::string base, path;
  if (static_cast<int64_t>(a[3]) <= 0) return -EINVAL;
  if (const int error = get_path(a[0], a[1], base, path)) return -error;
  std::string target;
  if (Sandbox::normalize(base, path) == kSelf) {
    target = "/" + program_;  // glibc wants it absolute
  } else {
    ResolvedPath place;
    if (const int error = resolve(base, path, false, /*changes=*/false, place)) return -error;
    if (!place.exists()) return -ENOENT;
    if (place.must_be_directory && !S_ISDIR(place.status.st_mode)) return -ENOTDIR;
    if (S_ISLNK(place.status.st_mode)) target = link_target(place.target.get());
    if (target.empty()) return -EINVAL;
  }
  const uint64_t size = std::min<uint64_t>(target.size(), static_cast<uint32_t>(a[3]));
  return memory_.copy_out(a[2], target.data(), size) ? static_cast<int64_t>(size) : -EFAULT;
}

int64_t SystemCalls::getcwd(const Args& a) {
  const uint64_t size = cwd_.size() + 1;
  if (a[1] < size) return -ERANGE;
  return memory_.copy_out(a[0], cwd_.c_str(), size) ? static_cast<int64_t>(size) : -EFAULT;
}

int64_t SystemCalls::chdir(const Args& a) {
  const uint64_t here = static_cast<uint64_t>(abi::kAtFdCwd);
  abi::Stat status{};
  ResolvedPath place;
  const int64_t error = stat_path(here, a[0], 0, status, place);
  if (error != 0) return error;
  if (!S_ISDIR(status.mode)) return -ENOTDIR;
  cwd_ = place.guest_path;
  return 0;
}

int64_t SystemCalls::fchdir(const Args& a) {
  const OpenFile* file = files_.get(a[0]);
  if (file == nullptr) return -EBADF;
  if (file->kind != OpenFile::Kind::kDirectory) return -ENOTDIR;
  cwd_ = file->guest_path;
  return 0;
}

int64_t SystemCalls::unlinkat(const Args& a) {
  if ((a[2] & ~abi::kAtRemoveDir) != 0) return -EINVAL;
  ResolvedPath place;
  if (const int error = locate_writable(a[0], a[1], false, place)) return -error;
  const bool directory = a[2] != 0;
  if (place.kept) return refuse(place, Refusal::kKept, directory ? EBUSY : EISDIR);
  if (place.must_be_directory && !directory) return -ENOTDIR;
  return result_of(
      ::unlinkat(place.parent.get(), place.name.c_str(), directory ? AT_REMOVEDIR : 0));
}

int64_t SystemCalls::mkdirat(const Args& a) {
  std::string base, path;
  if (const int error = get_path(a[0], a[1], base, path)) return -error;
  ResolvedPath place;
  if (const int error = resolve(base, path, false, /*changes=*/true, place)) return -error;
  if (place.exists()) return -EEXIST;
  if (!place.writable) return refuse(place, Refusal::kReadOnly, EROFS);
  const auto bits = static_cast<mode_t>(a[2] & ~umask_ & 0777);
  if (::mkdirat(place.parent.get(), place.name.c_str(), bits) != 0) return -errno;
  // The host's umask must not affect the permissions.
  const HostFd made = open_component(place.parent.get(), place.name, O_RDONLY | O_DIRECTORY);
  return made ? result_of(::fchmod(made.get(), bits)) : 0;
}

int64_t SystemCalls::renameat2(const Args& a) {
  constexpr uint64_t kNoReplace = 1, kExchange = 2;
  if (a[4] != 0 && a[4] != kNoReplace && a[4] != kExchange) return -EINVAL;
  ResolvedPath from, to;
  if (const int error = locate_writable(a[0], a[1], false, from)) return -error;
  if (const int error = locate_writable(a[2], a[3], false, to)) return -error;
  if (from.kept) return refuse(from, Refusal::kKept, EBUSY);
  if (to.kept && a[4] == kNoReplace) return -EEXIST;
  if (to.kept) return refuse(to, Refusal::kKept, EBUSY);
  const bool of_directory = from.must_be_directory || (to.must_be_directory && a[4] != kExchange);
  if (from.exists() && !S_ISDIR(from.status.st_mode) && of_directory) return -ENOTDIR;
  const unsigned flags = (a[4] == kNoReplace ? static_cast<unsigned>(RENAME_NOREPLACE) : 0u) |
                         (a[4] == kExchange ? static_cast<unsigned>(RENAME_EXCHANGE) : 0u);
  return result_of(
      ::renameat2(from.parent.get(), from.name.c_str(), to.parent.get(), to.name.c_str(), flags));
}

int64_t SystemCalls::truncate(const Args& a) {
  const auto size = static_cast<int64_t>(a[1]);
  if (size < 0) return -EINVAL;
  ResolvedPath place;
  if (const int error = locate_writable(static_cast<uint64_t>(abi::kAtFdCwd), a[0], true, place)) {
    return -error;
  }
  OpenFile file;
  const int64_t error = open_host(place, abi::kWriteOnly, 0, file);
  return error < 0 ? error : result_of(::ftruncate(file.host.get(), size));
}

int64_t SystemCalls::fchmodat(const Args& a) {
  ResolvedPath place;
  if (const int error = locate_writable(a[0], a[1], true, place)) return -error;
  if (place.kept) return refuse(place, Refusal::kKept, EPERM);
  OpenFile file;
  const int64_t error = open_host(place, abi::kReadOnly, 0, file);
  return error < 0 ? error : result_of(::fchmod(file.host.get(), static_cast<mode_t>(a[2] & 0777)));
}

// File times always read as 0, so there is nothing to set. The errors are those of the real call.
int64_t SystemCalls::utimensat(const Args& a) {
  constexpr int64_t kNow = 0x3fffffff, kOmit = 0x3ffffffe;
  std::array<abi::Timespec, 2> times{};
  if (a[2] != 0 && !memory_.get(times, a[2])) return -EFAULT;
  const auto is_left_out = [](const abi::Timespec& time) { return time.nanoseconds == kOmit; };
  if (std::all_of(times.begin(), times.end(), is_left_out)) return 0;
  for (const abi::Timespec& time : times) {
    const int64_t part = time.nanoseconds;
    if (part != kNow && part != kOmit && (part < 0 || part >= static_cast<int64_t>(abi::kSecond)))
      return -EINVAL;
  }
  if (a[1] == 0 && static_cast<int32_t>(a[0]) != abi::kAtFdCwd) {
    return a[3] != 0 ? -EINVAL : check_descriptor(a);
  }
  if ((a[3] & ~(abi::kAtSymlinkNofollow | abi::kAtEmptyPath)) != 0) return -EINVAL;
  ResolvedPath place;
  const bool follow = (a[3] & abi::kAtSymlinkNofollow) == 0;
  if (const int error = locate_writable(a[0], a[1], follow, place)) return -error;
  if (!place.exists()) return -ENOENT;
  return place.must_be_directory && !S_ISDIR(place.status.st_mode) ? -ENOTDIR : 0;
}

}  // namespace strobe::isa
