// statfs and fstatfs: constants, because the host's file systems are none of the program's
// business.
#include "sc_models/isa/linux/calls/system_calls.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kDiskType = 0xef53, kMemoryType = 0x01021994, kPipeType = 0x50495045,
                   kSocketType = 0x534f434b, kNamelessType = 0x09041934;

abi::FileSystem file_system(uint64_t type, bool read_only) {
  constexpr uint64_t kValid = 0x20, kReadOnly = 1;
  abi::FileSystem result{};
  result.type = type;
  result.block_size = result.fragment_size = abi::kPageSize;
  result.longest_name = 255;
  result.flags = kValid | (read_only ? kReadOnly : 0);
  if (type != kDiskType) return result;
  result.blocks = uint64_t{1} << 28;  // 1 TiB, of which half is free
  result.free = result.available = result.blocks / 2;
  result.files = uint64_t{1} << 24;
  result.free_files = result.files / 2;
  return result;
}

uint64_t type_of(const OpenFile& file) {
  switch (file.kind) {
    case OpenFile::Kind::kFile:
    case OpenFile::Kind::kDirectory:
      return kDiskType;
    case OpenFile::Kind::kSocket:
      return kSocketType;
    case OpenFile::Kind::kEventCounter:
    case OpenFile::Kind::kEventQueue:
      return kNamelessType;
    case OpenFile::Kind::kMemory:
    case OpenFile::Kind::kNull:
      return kMemoryType;
    default:
      return kPipeType;
  }
}

}  // namespace

int64_t SystemCalls::statfs(const Args& a) {
  abi::Stat status{};
  ResolvedPath place;
  const auto here = static_cast<uint64_t>(abi::kAtFdCwd);
  const int64_t error = stat_path(here, a[0], 0, status, place);
  if (error != 0) return error;
  const bool on_disk = place.exists();  // else it is /dev/null
  const abi::FileSystem result =
      file_system(on_disk ? kDiskType : kMemoryType, on_disk && !place.writable);
  return memory_.put(a[1], result) ? 0 : -EFAULT;
}

int64_t SystemCalls::fstatfs(const Args& a) {
  const OpenFile* const file = files_.get(a[0]);
  if (file == nullptr) return -EBADF;
  const uint64_t type = type_of(*file);
  const abi::FileSystem result = file_system(type, type == kDiskType && !file->writable_place);
  return memory_.put(a[1], result) ? 0 : -EFAULT;
}

}  // namespace strobe::isa
