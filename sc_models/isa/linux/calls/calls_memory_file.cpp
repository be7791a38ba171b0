// Files of memfd_create.
#include <algorithm>

#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/files/memory_file.h"

namespace strobe::isa {

int64_t SystemCalls::memfd_create(const Args& a) {
  constexpr uint64_t kCloseOnExec = 1, kAllowSealing = 2;
  constexpr size_t kLongestName = 249;
  if ((a[1] & ~(kCloseOnExec | kAllowSealing)) != 0) return -EINVAL;
  std::string name;
  if (const int error = memory_.get_path(name, a[0])) {
    return error == ENAMETOOLONG ? -EINVAL : -error;
  }
  if (name.size() > kLongestName) return -EINVAL;
  std::shared_ptr<OpenFile> file;
  const int64_t fd =
      add_file(OpenFile::Kind::kMemory, (a[1] & kCloseOnExec) != 0 ? abi::kCloseOnExec : 0, &file);
  file->flags |= abi::kLargeFile;
  file->memory = std::make_shared<MemoryFile>(space_);
  if ((a[1] & kAllowSealing) != 0) file->memory->seals = 0;
  return fd;
}

int64_t SystemCalls::seek_memory(OpenFile& file, int64_t offset, uint64_t from) {
  constexpr uint64_t kSet = 0, kCurrent = 1, kEnd = 2;
  if (from > kEnd) return -EINVAL;
  const uint64_t start = from == kSet ? 0 : from == kCurrent ? file.position : file.memory->size();
  const auto base = static_cast<int64_t>(start);
  if (offset > INT64_MAX - base) return -EOVERFLOW;
  if (base + offset < 0) return -EINVAL;
  file.position = static_cast<uint64_t>(base + offset);
  return base + offset;
}

int64_t SystemCalls::add_seals(OpenFile& file, uint64_t seals) {
  if (!file.writable()) return -EPERM;
  if (file.kind != OpenFile::Kind::kMemory) return -EINVAL;
  if ((seals & ~uint64_t{MemoryFile::kAllSeals}) != 0) return -EINVAL;
  if ((file.memory->seals & MemoryFile::kSealSeals) != 0) return -EPERM;
  file.memory->seals |= static_cast<uint32_t>(seals);
  return 0;
}

}  // namespace strobe::isa
