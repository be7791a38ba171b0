// System calls on open files.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/files/pipe.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kMostBytesPerCall = 0x7ffff000;  // limit of one call, as in the kernel
constexpr uint64_t kMostVectors = 1024;
// A program may open a large directory as often as it has descriptors.
constexpr size_t kMostListedBytes = size_t{32} << 20;

int64_t result_of(int64_t value) { return value < 0 ? -errno : value; }

/// Whether a read would find nothing yet.
bool would_wait(const OpenFile& file) {
  return file.kind == OpenFile::Kind::kPipe && file.pipe->data.empty();
}

}  // namespace

int64_t SystemCalls::close(const Args& a) {
  if (!files_.close(a[0])) return -EBADF;
  files_changed();  // it may have been the last of a pipe's end
  return 0;
}

int64_t SystemCalls::transfer(bool out, OpenFile& file, uint64_t address, uint64_t size,
                              int64_t offset) {
  using Kind = OpenFile::Kind;
  if (!(out ? file.writable() : file.readable())) return -EBADF;
  if (file.kind == Kind::kDirectory) return -EISDIR;
  if (offset >= 0 && (file.kind == Kind::kOutput || file.kind == Kind::kEmpty ||
                      file.kind == Kind::kPipe || file.kind == Kind::kTimer)) {
    return -ESPIPE;
  }
  if (size == 0) return 0;
  const uint64_t usable = memory_.accessible(address, std::min(size, kMostBytesPerCall),
                                             out ? GuestMemory::kRead : GuestMemory::kWrite);
  if (usable == 0) return -EFAULT;
  const auto bytes = static_cast<int64_t>(usable);
  uint8_t* data = memory_.at(address);
  if (out) {
    switch (file.kind) {
      case Kind::kOutput:
        return put_out(file.output, reinterpret_cast<const char*>(data), usable);
      case Kind::kNull:
        return bytes;
      case Kind::kPipe:
        return write_pipe(file, data, usable);
      default:
        return result_of(offset < 0 ? ::write(file.host.get(), data, usable)
                                    : ::pwrite(file.host.get(), data, usable, offset));
    }
  }
  if (file.kind == Kind::kPipe) return read_pipe(file, address, data, usable);
  if (file.kind == Kind::kTimer) return read_timer(file, address, usable);
  if (file.kind != Kind::kFile) return 0;  // /dev/null and a stdin without a file end at once
  const int64_t got = result_of(offset < 0 ? ::read(file.host.get(), data, usable)
                                           : ::pread(file.host.get(), data, usable, offset));
  if (got > 0) memory_.wrote(address, static_cast<uint64_t>(got));
  return got;
}

// Writes output up to the limit. The run ends when the limit is exceeded.
int64_t SystemCalls::put_out(int fd, const char* data, uint64_t size) {
  const bool ends = output_limit_ != 0 && size > output_limit_ - output_bytes_;
  const uint64_t written = ends ? output_limit_ - output_bytes_ : size;
  output_bytes_ += written;
  if (output_) {
    output_(fd, data, written);
  } else {
    captured_[static_cast<size_t>(fd - 1)].append(data, written);
  }
  if (!ends) return static_cast<int64_t>(size);
  return fail(
      "the program wrote more than limits.output, which is " + std::to_string(output_limit_) +
          " bytes, to its standard output and error",
      "what it wrote before is kept; raise the limit if it needs more, or look there for an "
      "endless loop");
}

int64_t SystemCalls::transfer_vector(bool out, uint64_t fd, uint64_t vector, uint64_t count,
                                     int64_t offset) {
  OpenFile* file = files_.get(fd);
  if (file == nullptr) return -EBADF;
  if (count > kMostVectors) return -EINVAL;
  std::vector<abi::IoVector> parts(count);
  if (!memory_.copy_in(parts.data(), vector, count * sizeof(abi::IoVector))) return -EFAULT;
  uint64_t total = 0;
  for (const abi::IoVector& part : parts) {
    if (static_cast<int64_t>(part.size) < 0) return -EINVAL;
    total += part.size;
    if (static_cast<int64_t>(total) < 0) return -EINVAL;
  }
  return transfer_parts(out, *file, parts, offset);
}

int64_t SystemCalls::transfer_parts(bool out, OpenFile& file,
                                    const std::vector<abi::IoVector>& parts, int64_t offset) {
  int64_t done = transfer(out, file, 0, 0, offset);  // the descriptor's own errors come first
  if (done < 0) return done;
  uint64_t before = thread().call.done;  // what this call wrote before it waited
  for (const abi::IoVector& part : parts) {
    const uint64_t skipped = std::min(before, part.size);
    before -= skipped;
    done += static_cast<int64_t>(skipped);
    if (part.size == skipped) continue;
    if (!out && done > 0 && would_wait(file)) break;
    const int64_t n = transfer(out, file, part.base + skipped, part.size - skipped,
                               offset < 0 ? -1 : offset + done);
    if (n < 0) return done > 0 ? done : n;
    done += n;
    if (thread().waits()) {
      thread().call.done = static_cast<uint64_t>(done);
      return 0;
    }
    if (static_cast<uint64_t>(n) < part.size - skipped) break;
  }
  return done;
}

int64_t SystemCalls::transfer_at(bool out, const Args& a) {
  OpenFile* file = files_.get(a[0]);
  if (file == nullptr) return -EBADF;
  const auto offset = static_cast<int64_t>(a[3]);
  return offset < 0 ? -EINVAL : transfer(out, *file, a[1], a[2], offset);
}

int64_t SystemCalls::transfer_vector_at(bool out, const Args& a) {
  const auto offset = static_cast<int64_t>(a[3]);
  return offset < 0 ? -EINVAL : transfer_vector(out, a[0], a[1], a[2], offset);
}

int64_t SystemCalls::read(const Args& a) {
  OpenFile* file = files_.get(a[0]);
  return file == nullptr ? -EBADF : transfer(false, *file, a[1], a[2], -1);
}

int64_t SystemCalls::write(const Args& a) {
  OpenFile* file = files_.get(a[0]);
  return file == nullptr ? -EBADF : transfer_parts(true, *file, {{a[1], a[2]}}, -1);
}

int64_t SystemCalls::readv(const Args& a) { return transfer_vector(false, a[0], a[1], a[2], -1); }
int64_t SystemCalls::writev(const Args& a) { return transfer_vector(true, a[0], a[1], a[2], -1); }
int64_t SystemCalls::pread64(const Args& a) { return transfer_at(false, a); }
int64_t SystemCalls::pwrite64(const Args& a) { return transfer_at(true, a); }
int64_t SystemCalls::preadv(const Args& a) { return transfer_vector_at(false, a); }
int64_t SystemCalls::pwritev(const Args& a) { return transfer_vector_at(true, a); }

int64_t SystemCalls::lseek(const Args& a) {
  OpenFile* file = files_.get(a[0]);
  if (file == nullptr || (file->flags & abi::kPathOnly) != 0) return -EBADF;
  const auto offset = static_cast<int64_t>(a[1]);
  constexpr uint64_t kSet = 0, kCurrent = 1, kEnd = 2;
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
    case OpenFile::Kind::kNull:
      return 0;
    default:
      return -ESPIPE;
  }
}

int64_t SystemCalls::ftruncate(const Args& a) {
  const OpenFile* file = files_.get(a[0]);
  if (file == nullptr) return -EBADF;
  if (file->kind != OpenFile::Kind::kFile || !file->writable()) return -EINVAL;
  return result_of(::ftruncate(file->host.get(), static_cast<off_t>(a[1])));
}

int64_t SystemCalls::fcntl(const Args& a) {
  constexpr uint64_t kDup = 0, kGetFd = 1, kSetFd = 2, kGetFlags = 3, kSetFlags = 4, kGetLock = 5,
                     kSetLock = 6, kSetLockWait = 7, kDupCloseOnExec = 1030, kSetPipeSize = 1031,
                     kGetPipeSize = 1032;
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
  return static_cast<int64_t>(a[1]);
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
      if (file->kind == OpenFile::Kind::kPipe) {
        const auto waiting = static_cast<int32_t>(file->pipe->data.size());
        return memory_.put(a[2], waiting) ? 0 : -EFAULT;
      }
      if (file->kind != OpenFile::Kind::kFile) return -ENOTTY;
      struct stat status {};
      const off_t position = ::lseek(file->host.get(), 0, SEEK_CUR);
      if (position < 0 || ::fstat(file->host.get(), &status) != 0) return -errno;
      const auto left =
          static_cast<int32_t>(std::clamp<int64_t>(status.st_size - position, 0, INT32_MAX));
      return memory_.put(a[2], left) ? 0 : -EFAULT;
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
  const uint64_t size = std::min<uint64_t>(static_cast<uint32_t>(a[2]), kMostBytesPerCall);
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

int64_t SystemCalls::no_socket(const Args& a) {
  return files_.get(a[0]) == nullptr ? -EBADF : -ENOTSOCK;
}

int64_t SystemCalls::fchmod(const Args& a) {
  const OpenFile* file = files_.get(a[0]);
  if (file == nullptr || (file->flags & abi::kPathOnly) != 0) return -EBADF;
  if (!file->host || file->guest_path.empty() || file->kept) return -EPERM;
  if (!file->writable_place) return -EROFS;
  return result_of(::fchmod(file->host.get(), static_cast<mode_t>(a[1] & 0777)));
}

}  // namespace strobe::isa
