// Reading and writing: bytes between guest memory and an open file.
#include <unistd.h>

#include <algorithm>

#include "sc_models/isa/linux/calls/guest_vector.h"
#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/files/memory_file.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kMostVectors = 1024;

int64_t result_of(int64_t value) { return value < 0 ? -errno : value; }

int64_t move_memory(bool out, OpenFile& file, uint8_t* data, uint64_t size, int64_t offset) {
  MemoryFile& memory = *file.memory;
  const bool moves = offset < 0;
  const bool appends = out && (file.flags & abi::kAppend) != 0;
  const uint64_t at = appends ? memory.size()
                      : moves ? file.position
                              : static_cast<uint64_t>(offset);
  const int64_t done =
      out ? memory.write(at, data, size) : static_cast<int64_t>(memory.read(at, data, size));
  if (moves && done > 0) file.position = at + static_cast<uint64_t>(done);
  return done;
}

}  // namespace

int64_t SystemCalls::check_transfer(bool out, const OpenFile& file, int64_t offset, uint64_t size) {
  using Kind = OpenFile::Kind;
  const bool no_place = file.is_stream() || file.kind == Kind::kOutput ||
                        file.kind == Kind::kEmpty || file.kind == Kind::kEventQueue;
  if (offset >= 0 && no_place) return -ESPIPE;
  if (!(out ? file.writable() : file.readable())) return -EBADF;
  if (offset >= 0 && size > static_cast<uint64_t>(INT64_MAX - offset)) return -EINVAL;
  if (file.kind == Kind::kDirectory) return -EISDIR;
  return file.kind == Kind::kEventQueue ? -EINVAL : 0;
}

int64_t SystemCalls::move_bytes(bool out, OpenFile& file, uint8_t* data, uint64_t size,
                                int64_t offset) {
  const int host = file.host.get();
  switch (file.kind) {
    case OpenFile::Kind::kMemory:
      return move_memory(out, file, data, size, offset);
    case OpenFile::Kind::kOutput:
      return put_out(file.output, reinterpret_cast<const char*>(data), size);
    case OpenFile::Kind::kFile:
      if (out) {
        return result_of(offset < 0 ? ::write(host, data, size)
                                    : ::pwrite(host, data, size, offset));
      }
      return result_of(offset < 0 ? ::read(host, data, size) : ::pread(host, data, size, offset));
    default:  // /dev/null takes everything; it and a stdin without a file end at once
      return out ? static_cast<int64_t>(size) : 0;
  }
}

int64_t SystemCalls::transfer(bool out, OpenFile& file, uint64_t address, uint64_t size,
                              int64_t offset) {
  if (const int64_t error = check_transfer(out, file, offset, size)) return error;
  if (!UserMemory::is_address_range(address, size)) return -EFAULT;
  if (file.is_stream()) return transfer_stream(out, file, {{address, size}});
  if (size == 0) return 0;
  const uint64_t usable = memory_.accessible(address, std::min(size, GuestVector::kMostBytes),
                                             out ? GuestMemory::kRead : GuestMemory::kWrite);
  if (usable == 0) return -EFAULT;
  const int64_t done = move_bytes(out, file, memory_.at(address), usable, offset);
  if (!out && done > 0) memory_.wrote(address, static_cast<uint64_t>(done));
  return done;
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

int64_t SystemCalls::get_vector(uint64_t vector, uint64_t count,
                                std::vector<abi::IoVector>& parts) const {
  if (count > kMostVectors) return -EINVAL;
  parts.resize(count);
  if (!memory_.copy_in(parts.data(), vector, count * sizeof(abi::IoVector))) return -EFAULT;
  uint64_t total = 0;
  for (abi::IoVector& part : parts) {
    if (static_cast<int64_t>(part.size) < 0) return -EINVAL;
    if (!UserMemory::is_address_range(part.base, part.size)) return -EFAULT;
    part.size = std::min(part.size, GuestVector::kMostBytes - total);
    total += part.size;
  }
  return 0;
}

int64_t SystemCalls::transfer_vector(bool out, uint64_t fd, uint64_t vector, uint64_t count,
                                     int64_t offset) {
  OpenFile* file = files_.get(fd);
  if (file == nullptr) return -EBADF;
  std::vector<abi::IoVector> parts;
  if (const int64_t error = get_vector(vector, count, parts)) return error;
  uint64_t size = 0;
  for (const abi::IoVector& part : parts) size += part.size;
  if (const int64_t error = check_transfer(out, *file, offset, size)) return error;
  if (size == 0) return 0;
  if (file->is_stream()) return transfer_stream(out, *file, parts);
  int64_t done = 0;
  for (const abi::IoVector& part : parts) {
    if (part.size == 0) continue;
    const int64_t n = transfer(out, *file, part.base, part.size, offset < 0 ? -1 : offset + done);
    if (n < 0) return done > 0 ? done : n;
    done += n;
    if (static_cast<uint64_t>(n) < part.size) break;
  }
  return done;
}

int64_t SystemCalls::transfer_at(bool out, const Args& a) {
  const auto offset = static_cast<int64_t>(a[3]);
  if (offset < 0) return -EINVAL;
  OpenFile* file = files_.get(a[0]);
  return file == nullptr ? -EBADF : transfer(out, *file, a[1], a[2], offset);
}

int64_t SystemCalls::transfer_vector_at(bool out, const Args& a) {
  const auto offset = static_cast<int64_t>(a[3]);
  return offset < 0 ? -EINVAL : transfer_vector(out, a[0], a[1], a[2], offset);
}

/// preadv2 and pwritev2, whose offset -1 stands for the position of the file.
int64_t SystemCalls::transfer_vector_with_flags(bool out, const Args& a) {
  constexpr uint64_t kHighPriority = 1, kDataSync = 2, kSync = 4;  // nothing that would differ
  if ((a[5] & ~(kHighPriority | kDataSync | kSync)) != 0) return -EOPNOTSUPP;
  if (static_cast<int64_t>(a[3]) == -1) return transfer_vector(out, a[0], a[1], a[2], -1);
  return transfer_vector_at(out, a);
}

int64_t SystemCalls::read(const Args& a) {
  OpenFile* file = files_.get(a[0]);
  return file == nullptr ? -EBADF : transfer(false, *file, a[1], a[2], -1);
}

int64_t SystemCalls::write(const Args& a) {
  OpenFile* file = files_.get(a[0]);
  return file == nullptr ? -EBADF : transfer(true, *file, a[1], a[2], -1);
}

int64_t SystemCalls::readv(const Args& a) { return transfer_vector(false, a[0], a[1], a[2], -1); }
int64_t SystemCalls::writev(const Args& a) { return transfer_vector(true, a[0], a[1], a[2], -1); }
int64_t SystemCalls::pread64(const Args& a) { return transfer_at(false, a); }
int64_t SystemCalls::pwrite64(const Args& a) { return transfer_at(true, a); }
int64_t SystemCalls::preadv(const Args& a) { return transfer_vector_at(false, a); }
int64_t SystemCalls::pwritev(const Args& a) { return transfer_vector_at(true, a); }
int64_t SystemCalls::preadv2(const Args& a) { return transfer_vector_with_flags(false, a); }
int64_t SystemCalls::pwritev2(const Args& a) { return transfer_vector_with_flags(true, a); }

}  // namespace strobe::isa
