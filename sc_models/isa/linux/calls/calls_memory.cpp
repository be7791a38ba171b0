// System calls on the address space.
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/files/memory_file.h"

namespace strobe::isa {
namespace {

constexpr size_t kMostMapped = 128;  // files that mappings keep open

}  // namespace

int64_t SystemCalls::brk(const Args& a) { return static_cast<int64_t>(space_.set_break(a[0])); }

int64_t SystemCalls::mmap(const Args& a) {
  const uint64_t size = a[1], flags = a[3], offset = a[5];
  const uint64_t type = flags & abi::kMapType;
  if (type != abi::kMapPrivate && type != abi::kMapShared && type != abi::kMapSharedValidate) {
    return -EINVAL;
  }
  const OpenFile* file = nullptr;
  if ((flags & abi::kMapAnonymous) == 0) {
    file = files_.get(a[4]);
    if (file == nullptr) return -EBADF;
    if (offset % abi::kPageSize != 0 || static_cast<int64_t>(offset) < 0) return -EINVAL;
    if (file->kind != OpenFile::Kind::kFile && file->kind != OpenFile::Kind::kMemory) {
      return -ENODEV;
    }
    if (!file->readable()) return -EACCES;
    // A mapping is a copy of the file, so writes to it stay in memory.
    if (type != abi::kMapPrivate && (a[2] & abi::kProtWrite) != 0) return -ENODEV;
  }
  const int64_t start = space_.map(a[0], size, a[2], flags);
  if (start == -ENOMEM) return refuse_mapping(a);
  if (start >= 0) back_mapping(static_cast<uint64_t>(start), a);
  return start;
}

/// Gives a new mapping what is beneath it: a file, whose bytes it gets, or shared memory.
void SystemCalls::back_mapping(uint64_t address, const Args& a) {
  const bool shared = (a[3] & abi::kMapType) != abi::kMapPrivate;
  if ((a[3] & abi::kMapAnonymous) != 0) {
    if (shared) space_.back(address, a[1], {});
    return;
  }
  const std::shared_ptr<OpenFile> file = files_.share(a[4]);
  const auto read = [file](uint64_t offset, uint8_t* to, uint64_t size) -> uint64_t {
    if (file->kind == OpenFile::Kind::kMemory) return file->memory->read(offset, to, size);
    uint64_t done = 0;
    while (done < size) {
      const ssize_t n =
          ::pread(file->host.get(), to + done, size - done, static_cast<off_t>(offset + done));
      if (n <= 0) break;  // the mapping reads as zero after the end of the file
      done += static_cast<uint64_t>(n);
    }
    return done;
  };
  memory_.wrote(address, read(a[5], memory_.at(address), a[1]));
  const bool kept = keeps_mapped(file);
  space_.back(address, a[1],
              {kept ? std::make_shared<const Backing::Source>(read) : nullptr, a[5]});
}

/// Whether a mapping may keep the file open after its descriptor is closed: the host has only so
/// many. The pages of a mapping that may not stay as they are.
bool SystemCalls::keeps_mapped(const std::shared_ptr<OpenFile>& file) {
  const auto is_gone = [](const std::weak_ptr<OpenFile>& one) { return one.expired(); };
  mapped_.erase(std::remove_if(mapped_.begin(), mapped_.end(), is_gone), mapped_.end());
  const auto is_it = [&](const std::weak_ptr<OpenFile>& one) { return one.lock() == file; };
  if (std::any_of(mapped_.begin(), mapped_.end(), is_it)) return true;
  if (mapped_.size() >= kMostMapped) return false;
  mapped_.push_back(file);
  return true;
}

/// Says once why a mapping does not fit, because the program may not.
int64_t SystemCalls::refuse_mapping(const Args& a) {
  const auto bytes = [](uint64_t number) { return std::to_string(number) + " bytes"; };
  if (std::exchange(told_of_memory_, true)) return -ENOMEM;
  const bool fixed = (a[3] & (abi::kMapFixed | abi::kMapFixedNoreplace)) != 0;
  if (a[1] > STROBE_USER_TOP || (fixed && a[0] > STROBE_USER_TOP - a[1])) {
    suspect("a mapping of " + bytes(a[1]) + (fixed ? " at " + hexadecimal(a[0]) : "") +
            " ends above the end of the modeled address space, " + hexadecimal(STROBE_USER_TOP) +
            "; the call returned ENOMEM");
    return -ENOMEM;
  }
  if (space_.room_for(a[1])) return -ENOMEM;
  const bool reserves = (a[2] & (abi::kProtRead | abi::kProtWrite | abi::kProtExec)) == 0;
  suspect(std::string(reserves ? "a reservation of " : "a mapping of ") + bytes(a[1]) +
          (reserves ? " (PROT_NONE)" : "") + " counts against workload.memory, which is " +
          bytes(memory_limit_) + ", of which " + bytes(space_.used()) +
          " are used; the call returned ENOMEM: raise workload.memory if the program needs more");
  return -ENOMEM;
}

int64_t SystemCalls::munmap(const Args& a) { return space_.unmap(a[0], a[1]); }

int64_t SystemCalls::mprotect(const Args& a) { return space_.protect(a[0], a[1], a[2]); }

int64_t SystemCalls::mremap(const Args& a) { return space_.remap(a[0], a[1], a[2], a[3], a[4]); }

int64_t SystemCalls::madvise(const Args& a) {
  constexpr uint64_t kDontNeed = 4, kFree = 8, kRemove = 9, kLast = 24, kDontNeedLocked = 24;
  constexpr uint64_t kPoison = 5;  // to kFree there is nothing that a program may ask for
  const uint64_t address = a[0], advice = a[2];
  if (advice > kLast || (advice >= kPoison && advice < kFree)) return -EINVAL;
  const uint64_t size = (a[1] + abi::kPageSize - 1) & ~(abi::kPageSize - 1);
  if (address % abi::kPageSize != 0 || size < a[1] || address + size < address) return -EINVAL;
  if (size == 0) return 0;
  if (const int64_t error = space_.check_mapped(address, size)) return error;
  if (advice == kDontNeed || advice == kDontNeedLocked) space_.discard(address, size);
  const bool backed = space_.is_backed(address, size);
  // What is freed may stay as it is; a hole is punched into shared memory, which others may see.
  if ((advice == kFree && backed) || (advice == kRemove && !backed)) return -EINVAL;
  return advice == kRemove ? -EOPNOTSUPP : 0;
}

int64_t SystemCalls::msync(const Args& a) {
  constexpr uint64_t kAsynchronous = 1, kInvalidate = 2, kSynchronous = 4;
  const uint64_t address = a[0], flags = a[2];
  const bool both = (flags & kAsynchronous) != 0 && (flags & kSynchronous) != 0;
  if ((flags & ~(kAsynchronous | kInvalidate | kSynchronous)) != 0 || both) return -EINVAL;
  if (address % abi::kPageSize != 0) return -EINVAL;
  const uint64_t size = (a[1] + abi::kPageSize - 1) & ~(abi::kPageSize - 1);
  if (address + size < address) return -ENOMEM;
  return space_.check_mapped(address, size);
}

/// Memory is always there; what is not mapped is an error.
int64_t SystemCalls::mlock(const Args& a) {
  const uint64_t within = a[0] % abi::kPageSize, start = a[0] - within;
  const uint64_t size = (a[1] + within + abi::kPageSize - 1) & ~(abi::kPageSize - 1);
  if (start + size < start) return -EINVAL;
  return space_.check_mapped(start, size);
}

int64_t SystemCalls::mlock2(const Args& a) {
  constexpr uint64_t kOnFault = 1;
  return (a[2] & ~kOnFault) != 0 ? -EINVAL : mlock(a);
}

int64_t SystemCalls::mlockall(const Args& a) {
  constexpr uint64_t kOnFault = 4, kAll = 7;
  return a[0] == 0 || a[0] == kOnFault || (a[0] & ~kAll) != 0 ? -EINVAL : 0;
}

int64_t SystemCalls::mincore(const Args& a) {
  if (a[0] % abi::kPageSize != 0) return -EINVAL;
  if (!UserMemory::is_address_range(a[0], a[1])) return -ENOMEM;
  const uint64_t pages = (a[1] + abi::kPageSize - 1) / abi::kPageSize;
  if (!UserMemory::is_address_range(a[2], pages)) return -EFAULT;
  if (const int64_t error = space_.check_mapped(a[0], a[1])) return error;
  const std::string present((a[1] + abi::kPageSize - 1) / abi::kPageSize, '\1');
  return memory_.copy_out(a[2], present.data(), present.size()) ? 0 : -EFAULT;
}

int64_t SystemCalls::riscv_flush_icache(const Args&) {
  memory_.code_changed(0, STROBE_USER_TOP);  // the whole user address space, as in the kernel
  return 0;
}

}  // namespace strobe::isa
