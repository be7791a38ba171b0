// The file of memfd_create: pages in the simulator's memory, which count as the program's.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>

#include "sc_models/isa/linux/abi.h"
#include "sc_models/isa/linux/address_space.h"

namespace strobe::isa {

class MemoryFile {
 public:
  // Seals, which forbid changes for good.
  static constexpr uint32_t kSealSeals = 1, kSealShrinking = 2, kSealGrowing = 4, kSealWrites = 8,
                            kSealFutureWrites = 16, kAllSeals = 31;

  /// The pages count against the limit of `space`, which must live longer.
  explicit MemoryFile(AddressSpace& space) : space_(space) {}
  ~MemoryFile() { space_.release(pages_.size()); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  uint64_t size() const { return size_; }
  /// Pages that hold something; the others read as zero and take no memory.
  uint64_t pages() const { return pages_.size(); }

  /// Copies up to `size` bytes; returns how many there are.
  uint64_t read(uint64_t offset, uint8_t* to, uint64_t size) const;
  /// Returns the number of bytes written, which is less than `size` when memory is exhausted, or
  /// EPERM (a seal), EFBIG or ENOSPC as a negative number.
  int64_t write(uint64_t offset, const uint8_t* from, uint64_t size);
  /// Returns 0, EPERM or EINVAL as a negative number.
  int64_t resize(int64_t size);
  /// Gives each page of a range memory, and makes the file end no earlier than the range. Returns
  /// 0, EPERM, EFBIG or ENOSPC as a negative number.
  int64_t allocate(uint64_t offset, uint64_t size);

  uint32_t seals = kSealSeals;

 private:
  using Page = std::array<uint8_t, abi::kPageSize>;
  static constexpr uint64_t kLargest = INT64_MAX;

  Page* page_of(uint64_t offset);  // nullptr: memory is exhausted

  AddressSpace& space_;
  uint64_t size_ = 0;
  std::map<uint64_t, std::unique_ptr<Page>> pages_;  // by offset / page size
};

}  // namespace strobe::isa
