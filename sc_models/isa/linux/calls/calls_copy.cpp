// Bytes from one descriptor into another, and space for a file: sendfile, copy_file_range,
// fallocate.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/files/memory_file.h"
#include "sc_models/isa/linux/files/socket.h"
#include "sc_models/isa/linux/files/stream_end.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kChunk = 65536;

bool has_bytes(const OpenFile& file) {
  return file.kind == OpenFile::Kind::kFile || file.kind == OpenFile::Kind::kMemory;
}

bool is_byte_stream(const OpenFile& file) {
  return file.kind == OpenFile::Kind::kPipe ||
         (file.kind == OpenFile::Kind::kSocket && !file.socket->has_messages());
}

/// Two descriptors of one file.
bool are_the_same(const OpenFile& one, const OpenFile& other) {
  if (&one == &other) return true;
  if (one.kind != other.kind) return false;
  struct stat x {
  }, y{};
  return one.kind == OpenFile::Kind::kFile && ::fstat(one.host.get(), &x) == 0 &&
         ::fstat(other.host.get(), &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/// Where the descriptor's next byte is.
int64_t position_of(const OpenFile& file) {
  return file.kind == OpenFile::Kind::kMemory ? static_cast<int64_t>(file.position)
                                              : ::lseek(file.host.get(), 0, SEEK_CUR);
}

/// What the file has from an offset on.
uint64_t bytes_after(const OpenFile& file, int64_t offset) {
  struct stat status {};
  if (file.kind == OpenFile::Kind::kMemory) {
    status.st_size = static_cast<off_t>(file.memory->size());
  } else if (::fstat(file.host.get(), &status) != 0) {
    return 0;
  }
  return static_cast<uint64_t>(std::max<int64_t>(status.st_size - offset, 0));
}

/// Whether Linux knows this mode of fallocate. No file here has one but 0.
bool is_mode(uint64_t mode) {
  constexpr uint64_t kKeepSize = 1, kPunch = 2, kCollapse = 8, kZero = 16, kInsert = 32,
                     kUnshare = 64;
  const bool keeps = (mode & kKeepSize) != 0;
  switch (mode & ~kKeepSize) {
    case 0:
    case kZero:
    case kUnshare:
      return true;
    case kPunch:
      return keeps;
    case kCollapse:
    case kInsert:
      return !keeps;
    default:
      return false;
  }
}

}  // namespace

int64_t SystemCalls::get_offset(uint64_t address, const OpenFile& file, int64_t& offset) const {
  offset = -1;  // the position of the file
  if (address == 0) return 0;
  if (!has_bytes(file)) return -ESPIPE;
  if (!memory_.get(offset, address)) return -EFAULT;
  return offset < 0 ? -EINVAL : 0;
}

int64_t SystemCalls::copy_bytes(OpenFile& from, OpenFile& to, int64_t& from_offset,
                                int64_t& to_offset, uint64_t size) {
  std::vector<uint8_t> data(std::min(size, kChunk));
  int64_t copied = 0;
  while (static_cast<uint64_t>(copied) < size && !stopped()) {
    const uint64_t most = std::min(size - static_cast<uint64_t>(copied), kChunk);
    // The position moves by what is written, so what is read comes from a place of its own.
    const int64_t at = from_offset >= 0 ? from_offset : position_of(from);
    const int64_t got = move_bytes(false, from, data.data(), most, at);
    if (got <= 0) return copied > 0 ? copied : got;
    const int64_t put = move_bytes(true, to, data.data(), static_cast<uint64_t>(got), to_offset);
    if (put < 0) return copied > 0 ? copied : put;
    if (from_offset >= 0) {
      from_offset += put;
    } else {
      seek(from, at + put);
    }
    if (to_offset >= 0) to_offset += put;
    copied += put;
    if (put < got) break;
  }
  return copied;
}

void SystemCalls::seek(OpenFile& file, int64_t position) {
  if (file.kind == OpenFile::Kind::kMemory) {
    file.position = static_cast<uint64_t>(position);
  } else {
    ::lseek(file.host.get(), position, SEEK_SET);
  }
}

/// As much as there is room for: then the program calls again.
int64_t SystemCalls::copy_to_stream(OpenFile& from, OpenFile& to, int64_t& offset, uint64_t size) {
  if (is_broken(to)) {
    send_signal_to_itself(abi::kSigPipe);
    return -EPIPE;
  }
  const uint64_t room = room_of(to);
  if (room == 0 && size > 0) {
    if ((to.flags & abi::kNonblock) != 0) return -EAGAIN;
    return wait_at_most(std::nullopt, "sends a file into a full pipe or socket");
  }
  std::vector<uint8_t> data(std::min(size, room));
  const int64_t got = move_bytes(false, from, data.data(), data.size(), offset);
  if (got <= 0) return got;
  if (push(to, data.data(), static_cast<size_t>(got), files_changed())) {
    if (offset >= 0) offset += got;
    return got;
  }
  if (offset < 0) seek(from, position_of(from) - got);
  return -ENOBUFS;
}

int64_t SystemCalls::sendfile(const Args& a) {
  OpenFile* const to = files_.get(a[0]);
  OpenFile* const from = files_.get(a[1]);
  if (to == nullptr || from == nullptr || !from->readable() || !to->writable()) return -EBADF;
  int64_t offset = 0, end = -1;
  if (const int64_t error = get_offset(a[2], *from, offset)) return error;
  const bool takes = has_bytes(*to) || is_byte_stream(*to) || to->kind == OpenFile::Kind::kOutput ||
                     to->kind == OpenFile::Kind::kNull;
  if (!has_bytes(*from) || !takes || (to->flags & abi::kAppend) != 0) return -EINVAL;
  if (static_cast<int64_t>(a[3]) < 0) return -EINVAL;
  const uint64_t size = std::min(a[3], GuestVector::kMostBytes);
  const int64_t copied = is_byte_stream(*to) ? copy_to_stream(*from, *to, offset, size)
                                             : copy_bytes(*from, *to, offset, end, size);
  if (waits() || copied < 0 || a[2] == 0) return copied;
  return memory_.put(a[2], offset) ? copied : -EFAULT;
}

int64_t SystemCalls::copy_file_range(const Args& a) {
  OpenFile* const from = files_.get(a[0]);
  OpenFile* const to = files_.get(a[2]);
  if (from == nullptr || to == nullptr) return -EBADF;
  int64_t from_offset = 0, to_offset = 0;
  if (a[5] != 0) return -EINVAL;
  if (const int64_t error = get_offset(a[1], *from, from_offset)) return error;
  if (const int64_t error = get_offset(a[3], *to, to_offset)) return error;
  const bool has_directory =
      from->kind == OpenFile::Kind::kDirectory || to->kind == OpenFile::Kind::kDirectory;
  if (has_directory) return -EISDIR;
  if (!has_bytes(*from) || !has_bytes(*to)) return -EINVAL;
  if (!from->readable() || !to->writable() || (to->flags & abi::kAppend) != 0) return -EBADF;
  uint64_t size = std::min(a[4], GuestVector::kMostBytes);
  if (are_the_same(*from, *to)) {
    const int64_t x = from_offset >= 0 ? from_offset : position_of(*from);
    const int64_t y = to_offset >= 0 ? to_offset : position_of(*to);
    size = std::min(size, bytes_after(*from, x));
    if (static_cast<uint64_t>(std::max(x, y) - std::min(x, y)) < size) return -EINVAL;
  }
  const int64_t copied = copy_bytes(*from, *to, from_offset, to_offset, size);
  if (copied < 0) return copied;
  if (a[1] != 0 && !memory_.put(a[1], from_offset)) return -EFAULT;
  return a[3] == 0 || memory_.put(a[3], to_offset) ? copied : -EFAULT;
}

int64_t SystemCalls::fallocate(const Args& a) {
  OpenFile* const file = files_.get(a[0]);
  if (file == nullptr) return -EBADF;
  const auto offset = static_cast<int64_t>(a[2]), size = static_cast<int64_t>(a[3]);
  if (offset < 0 || size <= 0) return -EINVAL;
  if (!is_mode(a[1])) return -EOPNOTSUPP;
  if (!file->writable()) return -EBADF;
  if (file->kind == OpenFile::Kind::kPipe) return -ESPIPE;
  if (!has_bytes(*file)) return -ENODEV;
  if (offset > INT64_MAX - size) return -EFBIG;
  if (a[1] != 0) return -EOPNOTSUPP;
  if (file->kind == OpenFile::Kind::kMemory) return file->memory->allocate(a[2], a[3]);
  struct stat status {};
  if (::fstat(file->host.get(), &status) != 0) return -errno;
  if (status.st_size >= offset + size) return 0;
  return ::ftruncate(file->host.get(), offset + size) == 0 ? 0 : -errno;
}

}  // namespace strobe::isa
