// System calls on open files.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "sc_models/isa/linux/calls/guest_vector.h"
#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/files/memory_file.h"
#include "sc_models/isa/linux/files/pipe.h"
#include "sc_models/isa/linux/files/socket.h"

namespace strobe::isa {
namespace {

// A program may open a large directory as often as it has descriptors.
constexpr size_t kMostListedBytes = size_t{32} << 20;

int64_t result_of(int64_t value) { return value < 0 ? -errno : value; }

/// Whether what is written to the file is kept somewhere.
bool has_storage(const OpenFile& file) {
  return file.kind == OpenFile::Kind::kFile || file.kind == OpenFile::Kind::kDirectory ||
         file.kind == OpenFile::Kind::kMemory;
}

bool is_fifo(const OpenFile& file) {
  return file.kind == OpenFile::Kind::kPipe || file.kind == OpenFile::Kind::kOutput ||
         file.kind == OpenFile::Kind::kEmpty;
}

}  // namespace

int64_t SystemCalls::close(const Args& a) {
  if (!files_.close(a[0])) return -EBADF;
  files_changed();
  return 0;
}

int64_t SystemCalls::close_range(const Args& a) {
  constexpr uint64_t kUnshare = 2, kSetCloseOnExec = 4;
  const uint64_t first = static_cast<uint32_t>(a[0]), last = static_cast<uint32_t>(a[1]);
  if (first > last || (a[2] & ~(kUnshare | kSetCloseOnExec)) != 0) return -EINVAL;
  for (uint64_t fd = first; fd <= last && fd < FileTable::kMost; ++fd) {
    if (files_.get(fd) == nullptr) continue;
    if ((a[2] & kSetCloseOnExec) != 0) {
      files_.close_on_exec(fd) = true;
    } else {
      files_.close(fd);
    }
  }
  files_changed();
  return 0;
}

int64_t SystemCalls::lseek(const Args& a) {
  OpenFile* file = files_.get(a[0]);
  if (file == nullptr || (file->flags & abi::kPathOnly) != 0) return -EBADF;
  const auto offset = static_cast<int64_t>(a[1]);
  constexpr uint64_t kSet = 0, kCurrent = 1, kEnd = 2, kLast = 4;
  if (a[2] > kLast) return -EINVAL;
  switch (file->kind) {
    case OpenFile::Kind::kFile:
      if (a[2] > kEnd) return -EINVAL;
      return result_of(::lseek(file->host.get(), offset,
                               a[2] == kSet       ? SEEK_SET
                               : a[2] == kCurrent ? SEEK_CUR
                                                  : SEEK_END));
    case OpenFile::Kind::kDirectory:
      if (a[2] == kCurrent && offset == 0) return static_cast<int64_t>(file->position);
      if (a[2] != kSet || offset < 0) return -EINVAL;
      file->position = static_cast<uint64_t>(offset);
      if (offset == 0) file->listed = false;  // rewinddir reads the directory anew
      return offset;
    case OpenFile::Kind::kMemory:
      return seek_memory(*file, offset, a[2]);
    case OpenFile::Kind::kNull:
    case OpenFile::Kind::kEventCounter:
    case OpenFile::Kind::kEventQueue:
    case OpenFile::Kind::kTimer:
      return 0;
    default:
      return -ESPIPE;
  }
}

int64_t SystemCalls::ftruncate(const Args& a) {
  if (static_cast<int64_t>(a[1]) < 0) return -EINVAL;
  const OpenFile* file = files_.get(a[0]);
  if (file == nullptr) return -EBADF;
  if (file->kind == OpenFile::Kind::kMemory) {
    return file->memory->resize(static_cast<int64_t>(a[1]));
  }
  if (file->kind != OpenFile::Kind::kFile || !file->writable()) return -EINVAL;
  return result_of(::ftruncate(file->host.get(), static_cast<off_t>(a[1])));
}

int64_t SystemCalls::fcntl(const Args& a) {
  constexpr uint64_t kDup = 0, kGetFd = 1, kSetFd = 2, kGetFlags = 3, kSetFlags = 4, kGetLock = 5,
                     kSetLock = 6, kSetLockWait = 7, kDupCloseOnExec = 1030, kSetPipeSize = 1031,
                     kGetPipeSize = 1032, kAddSeals = 1033, kGetSeals = 1034;
  constexpr uint16_t kUnlocked = 2;
  OpenFile* file = files_.get(a[0]);
  if (file == nullptr) return -EBADF;
  switch (a[1]) {
    case kDup:
    case kDupCloseOnExec:
      if (a[2] >= FileTable::kMost) return -EINVAL;
      return files_.add(files_.share(a[0]), a[1] == kDupCloseOnExec, a[2]);
    case kGetFd:
      return files_.close_on_exec(a[0]) ? 1 : 0;
    case kSetFd:
      files_.close_on_exec(a[0]) = (a[2] & 1) != 0;
      return 0;
    case kGetFlags:
      return static_cast<int64_t>(file->flags);
    case kSetFlags: {
      constexpr uint64_t kChangeable = abi::kAppend | abi::kNonblock;
      file->flags = (file->flags & ~kChangeable) | (a[2] & kChangeable);
      const bool append = (a[2] & abi::kAppend) != 0;
      if (!file->host) return 0;
      return result_of(::fcntl(file->host.get(), F_SETFL, O_NONBLOCK | (append ? O_APPEND : 0)));
    }
    case kGetLock:  // there is no other process that could hold a lock
      return memory_.put(a[2], kUnlocked) ? 0 : -EFAULT;
    case kSetLock:
    case kSetLockWait:
      return 0;
    case kSetPipeSize:
    case kGetPipeSize:
      return file->kind == OpenFile::Kind::kPipe ? static_cast<int64_t>(Pipe::kCapacity) : -EBADF;
    case kAddSeals:
      return add_seals(*file, a[2]);
    case kGetSeals:
      return file->kind == OpenFile::Kind::kMemory ? int64_t{file->memory->seals} : -EINVAL;
    default:
      return -EINVAL;
  }
}

int64_t SystemCalls::dup(const Args& a) {
  return files_.get(a[0]) == nullptr ? -EBADF : files_.add(files_.share(a[0]), false);
}

int64_t SystemCalls::dup3(const Args& a) {
  if ((a[2] & ~abi::kCloseOnExec) != 0 || a[0] == a[1]) return -EINVAL;
  if (files_.get(a[0]) == nullptr || a[1] >= FileTable::kMost) return -EBADF;
  files_.set(a[1], files_.share(a[0]), a[2] != 0);
  files_changed();  // what a[1] was may be closed now
  return static_cast<int64_t>(a[1]);
}

int64_t SystemCalls::bytes_left(const OpenFile& file) {
  switch (file.kind) {
    case OpenFile::Kind::kPipe:
      return static_cast<int64_t>(file.pipe->data.size());
    case OpenFile::Kind::kSocket: {
      const Socket& socket = *file.socket;
      const bool next_only = socket.type == Socket::Type::kDatagram && !socket.lengths.empty();
      return static_cast<int64_t>(next_only ? socket.lengths.front() : socket.data.size());
    }
    case OpenFile::Kind::kMemory:
      return std::max<int64_t>(static_cast<int64_t>(file.memory->size() - file.position), 0);
    case OpenFile::Kind::kFile: {
      struct stat status {};
      const off_t position = ::lseek(file.host.get(), 0, SEEK_CUR);
      if (position < 0 || ::fstat(file.host.get(), &status) != 0) return -errno;
      return std::max<int64_t>(status.st_size - position, 0);
    }
    default:
      return -ENOTTY;
  }
}

int64_t SystemCalls::ioctl(const Args& a) {
  constexpr uint64_t kNonblocking = 0x5421, kBytesLeft = 0x541b, kNoCloseOnExec = 0x5450,
                     kCloseOnExec = 0x5451;
  OpenFile* file = files_.get(a[0]);
  if (file == nullptr) return -EBADF;
  switch (a[1]) {
    case kCloseOnExec:
    case kNoCloseOnExec:
      files_.close_on_exec(a[0]) = a[1] == kCloseOnExec;
      return 0;
    case kNonblocking: {
      uint32_t on = 0;
      if (!memory_.get(on, a[2])) return -EFAULT;
      file->flags = on != 0 ? file->flags | abi::kNonblock : file->flags & ~abi::kNonblock;
      return 0;
    }
    case kBytesLeft: {
      const int64_t left = bytes_left(*file);
      if (left < 0) return left;
      return memory_.put(a[2], static_cast<int32_t>(std::min<int64_t>(left, INT32_MAX))) ? 0
                                                                                         : -EFAULT;
    }
    default:
      return -ENOTTY;  // no file here is a terminal
  }
}

int64_t SystemCalls::list(OpenFile& file) const {
  file.entries = {{".", DT_DIR}, {"..", DT_DIR}};
  file.listed = true;
  if (!file.host) return 0;  // above the sandbox
  const int copy = ::openat(file.host.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* directory = copy < 0 ? nullptr : ::fdopendir(copy);
  if (directory == nullptr) {
    if (copy >= 0) ::close(copy);
    return 0;
  }
  size_t bytes = files_.listed_bytes();
  while (const dirent* entry = ::readdir(directory)) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    // An entry that cannot be opened is left out: it is gone, or the kernel's.
    const HostFd found = open_component(copy, name, O_PATH);
    struct stat status {};
    if (!found || ::fstat(found.get(), &status) != 0) continue;
    file.entries.push_back({name, static_cast<uint8_t>(IFTODT(status.st_mode))});
    bytes += file.entries.back().size();
    if (bytes <= kMostListedBytes) continue;
    file.entries = {};
    file.listed = false;
    ::closedir(directory);
    return -ENOMEM;
  }
  ::closedir(directory);
  // The host's order is arbitrary.
  std::sort(file.entries.begin() + 2, file.entries.end(),
            [](const DirectoryEntry& x, const DirectoryEntry& y) { return x.name < y.name; });
  return 0;
}

int64_t SystemCalls::getdents64(const Args& a) {
  OpenFile* file = files_.get(a[0]);
  if (file == nullptr || (file->flags & abi::kPathOnly) != 0) return -EBADF;
  if (file->kind != OpenFile::Kind::kDirectory) return -ENOTDIR;
  if (!file->listed) {
    if (const int64_t error = list(*file)) return error;
  }
  constexpr size_t kHead = 19;  // inode, next position, length, type
  const uint64_t size = std::min<uint64_t>(static_cast<uint32_t>(a[2]), GuestVector::kMostBytes);
  uint64_t done = 0;
  while (file->position < file->entries.size()) {
    const DirectoryEntry& entry = file->entries[file->position];
    const auto length = static_cast<uint16_t>((kHead + entry.name.size() + 1 + 7) & ~size_t{7});
    if (length > size - done) break;
    const uint64_t inode = stat_of({}, Sandbox::normalize(file->guest_path, entry.name)).ino;
    const uint64_t next = file->position + 1;
    std::string record(length, '\0');
    std::memcpy(&record[0], &inode, 8);
    std::memcpy(&record[8], &next, 8);
    std::memcpy(&record[16], &length, 2);
    record[18] = static_cast<char>(entry.type);
    entry.name.copy(&record[kHead], entry.name.size());
    if (!memory_.copy_out(a[1] + done, record.data(), length))
      return done > 0 ? static_cast<int64_t>(done) : -EFAULT;
    done += length;
    file->position = next;
  }
  return done == 0 && file->position < file->entries.size() ? -EINVAL : static_cast<int64_t>(done);
}

int64_t SystemCalls::check_descriptor(const Args& a) {
  return files_.get(a[0]) == nullptr ? -EBADF : 0;
}

int64_t SystemCalls::fsync(const Args& a) {
  const OpenFile* const file = files_.get(a[0]);
  if (file == nullptr || (file->flags & abi::kPathOnly) != 0) return -EBADF;
  return has_storage(*file) ? 0 : -EINVAL;
}

/// There is no other process that could hold a lock.
int64_t SystemCalls::flock(const Args& a) {
  constexpr uint64_t kShared = 1, kExclusive = 2, kDoNotBlock = 4, kUnlock = 8, kMandatory = 32;
  if ((a[1] & kMandatory) != 0) return 0;  // of old kernels
  const uint64_t kind = a[1] & ~kDoNotBlock;
  if (kind != kShared && kind != kExclusive && kind != kUnlock) return -EINVAL;
  const OpenFile* const file = files_.get(a[0]);
  return file == nullptr || (file->flags & abi::kPathOnly) != 0 ? -EBADF : 0;
}

int64_t SystemCalls::fadvise64(const Args& a) {
  constexpr int64_t kLastAdvice = 5;
  const OpenFile* const file = files_.get(a[0]);
  if (file == nullptr || (file->flags & abi::kPathOnly) != 0) return -EBADF;
  if (is_fifo(*file)) return -ESPIPE;
  const auto size = static_cast<int64_t>(a[2]), advice = static_cast<int64_t>(a[3]);
  return size < 0 || advice < 0 || advice > kLastAdvice ? -EINVAL : 0;
}

int64_t SystemCalls::readahead(const Args& a) {
  const OpenFile* const file = files_.get(a[0]);
  if (file == nullptr || !file->readable()) return -EBADF;
  const bool regular = file->kind == OpenFile::Kind::kFile || file->kind == OpenFile::Kind::kMemory;
  return regular && static_cast<int64_t>(a[2]) >= 0 ? 0 : -EINVAL;
}

int64_t SystemCalls::sync_file_range(const Args& a) {
  constexpr uint64_t kFlags = 7;
  const OpenFile* const file = files_.get(a[0]);
  if (file == nullptr || (file->flags & abi::kPathOnly) != 0) return -EBADF;
  const auto offset = static_cast<int64_t>(a[1]), end = static_cast<int64_t>(a[1] + a[2]);
  if ((a[3] & ~kFlags) != 0 || offset < 0 || end < offset) return -EINVAL;
  return has_storage(*file) ? 0 : -ESPIPE;
}

int64_t SystemCalls::fchmod(const Args& a) {
  const OpenFile* file = files_.get(a[0]);
  if (file == nullptr || (file->flags & abi::kPathOnly) != 0) return -EBADF;
  if (!file->host || file->guest_path.empty() || file->kept) return -EPERM;
  if (!file->writable_place) return -EROFS;
  return result_of(::fchmod(file->host.get(), static_cast<mode_t>(a[1] & 0777)));
}

}  // namespace strobe::isa
