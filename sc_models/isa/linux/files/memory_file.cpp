#include "sc_models/isa/linux/files/memory_file.h"

#include <algorithm>
#include <cstring>

namespace strobe::isa {
namespace {

/// The part of [offset, offset + size) that lies in the page of `offset`.
uint64_t within_page(uint64_t offset, uint64_t size) {
  return std::min(size, abi::kPageSize - offset % abi::kPageSize);
}

}  // namespace

MemoryFile::Page* MemoryFile::page_of(uint64_t offset) {
  std::unique_ptr<Page>& page = pages_[offset / abi::kPageSize];
  if (page == nullptr) {
    if (!space_.reserve(1)) {
      pages_.erase(offset / abi::kPageSize);
      return nullptr;
    }
    page = std::make_unique<Page>();
  }
  return page.get();
}

uint64_t MemoryFile::read(uint64_t offset, uint8_t* to, uint64_t size) const {
  if (offset >= size_) return 0;
  const uint64_t got = std::min(size, size_ - offset);
  for (uint64_t done = 0; done < got;) {
    const uint64_t at = offset + done, bytes = within_page(at, got - done);
    const auto page = pages_.find(at / abi::kPageSize);
    if (page == pages_.end()) {
      std::memset(to + done, 0, bytes);
    } else {
      std::memcpy(to + done, page->second->data() + at % abi::kPageSize, bytes);
    }
    done += bytes;
  }
  return got;
}

int64_t MemoryFile::write(uint64_t offset, const uint8_t* from, uint64_t size) {
  if ((seals & (kSealWrites | kSealFutureWrites)) != 0) return -EPERM;
  if (offset >= kLargest) return -EFBIG;
  size = std::min(size, kLargest - offset);
  const bool may_grow = (seals & kSealGrowing) == 0;
  uint64_t done = 0;
  while (done < size) {
    const uint64_t at = offset + done, bytes = within_page(at, size - done);
    if (at + bytes > size_ && !may_grow) break;
    Page* const page = page_of(at);
    if (page == nullptr) break;
    std::memcpy(page->data() + at % abi::kPageSize, from + done, bytes);
    done += bytes;
  }
  if (done == 0 && size > 0) return may_grow || offset + size <= size_ ? -ENOSPC : -EPERM;
  size_ = std::max(size_, offset + done);
  return static_cast<int64_t>(done);
}

int64_t MemoryFile::resize(int64_t size) {
  if (size < 0) return -EINVAL;
  const auto wanted = static_cast<uint64_t>(size);
  if (wanted < size_ && (seals & kSealShrinking) != 0) return -EPERM;
  if (wanted > size_ && (seals & kSealGrowing) != 0) return -EPERM;
  if (wanted < size_) {
    const auto first = pages_.lower_bound((wanted + abi::kPageSize - 1) / abi::kPageSize);
    space_.release(static_cast<uint64_t>(std::distance(first, pages_.end())));
    pages_.erase(first, pages_.end());
    const auto last = pages_.find(wanted / abi::kPageSize);  // bytes after the end read as zero
    if (last != pages_.end()) {
      const auto used = static_cast<std::ptrdiff_t>(wanted % abi::kPageSize);
      std::fill(last->second->begin() + used, last->second->end(), uint8_t{0});
    }
  }
  size_ = wanted;
  return 0;
}

int64_t MemoryFile::allocate(uint64_t offset, uint64_t size) {
  if (offset > kLargest || size > kLargest - offset) return -EFBIG;
  const uint64_t end = offset + size;
  if (end > size_ && (seals & kSealGrowing) != 0) return -EPERM;
  const uint64_t first = offset / abi::kPageSize,
                 last = (end + abi::kPageSize - 1) / abi::kPageSize;
  const auto present =
      static_cast<uint64_t>(std::distance(pages_.lower_bound(first), pages_.lower_bound(last)));
  if (!space_.room_for((last - first - present) * abi::kPageSize)) return -ENOSPC;
  for (uint64_t page = first; page < last; ++page) page_of(page * abi::kPageSize);
  size_ = std::max(size_, end);
  return 0;
}

}  // namespace strobe::isa
