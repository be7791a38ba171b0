// System calls on the address space.
#include <unistd.h>

#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/files/memory_file.h"

namespace strobe::isa {

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
  if (start < 0 || file == nullptr) return start;
  const auto address = static_cast<uint64_t>(start);
  uint64_t done = 0;
  if (file->kind == OpenFile::Kind::kMemory) {
    done = file->memory->read(offset, memory_.at(address), size);
  }
  while (file->kind == OpenFile::Kind::kFile && done < size) {
    const ssize_t n = ::pread(file->host.get(), memory_.at(address + done), size - done,
                              static_cast<off_t>(offset + done));
    if (n <= 0) break;  // the mapping reads as zero after the end of the file
    done += static_cast<uint64_t>(n);
  }
  memory_.wrote(address, done);
  return start;
}

int64_t SystemCalls::munmap(const Args& a) { return space_.unmap(a[0], a[1]); }

int64_t SystemCalls::mprotect(const Args& a) { return space_.protect(a[0], a[1], a[2]); }

int64_t SystemCalls::mremap(const Args& a) { return space_.remap(a[0], a[1], a[2], a[3], a[4]); }

int64_t SystemCalls::madvise(const Args& a) {
  constexpr uint64_t kDontNeed = 4, kWillNeed = 3, kFree = 8, kHugePage = 14, kDoDump = 17;
  const uint64_t advice = a[2];
  if (advice == kDontNeed) return space_.discard(a[0], a[1]);
  const bool a_hint =
      advice <= kWillNeed || advice == kFree || (advice >= kHugePage && advice <= kDoDump);
  return a_hint && a[0] % abi::kPageSize == 0 ? 0 : -EINVAL;
}

int64_t SystemCalls::mincore(const Args& a) {
  if (const int64_t error = space_.check_mapped(a[0], a[1])) return error;
  const std::string present((a[1] + abi::kPageSize - 1) / abi::kPageSize, '\1');
  return memory_.copy_out(a[2], present.data(), present.size()) ? 0 : -EFAULT;
}

int64_t SystemCalls::riscv_flush_icache(const Args&) {
  memory_.code_changed(0, STROBE_USER_TOP);  // the whole user address space, as in the kernel
  return 0;
}

}  // namespace strobe::isa
