#include "sc_models/isa/linux/calls/guest_vector.h"

#include <algorithm>

namespace strobe::isa {

GuestVector::GuestVector(UserMemory& memory, const std::vector<abi::IoVector>& parts, uint8_t need)
    : memory_(memory) {
  for (const abi::IoVector& part : parts) {
    const uint64_t wanted = std::min(part.size, kMostBytes - asked_);
    asked_ += wanted;
    const uint64_t usable = memory.accessible(part.base, wanted, need);
    parts_.push_back({part.base, usable});
    size_ += usable;
    if (is_cut()) break;
  }
}

template <class Copy>
void GuestVector::for_each_part(uint64_t from, uint64_t size, const Copy& copy) const {
  uint64_t done = 0;
  for (const abi::IoVector& part : parts_) {
    if (from >= part.size) {
      from -= part.size;
      continue;
    }
    const uint64_t bytes = std::min(size - done, part.size - from);
    if (bytes == 0) return;
    copy(part.base + from, done, bytes);
    done += bytes;
    from = 0;
  }
}

void GuestVector::copy_in(uint8_t* to, uint64_t from, uint64_t size) const {
  for_each_part(from, size, [&](uint64_t address, uint64_t done, uint64_t bytes) {
    memory_.copy_in(to + done, address, bytes);
  });
}

void GuestVector::copy_out(const uint8_t* data, uint64_t from, uint64_t size) {
  for_each_part(from, size, [&](uint64_t address, uint64_t done, uint64_t bytes) {
    memory_.copy_out(address, data + done, bytes);
  });
}

}  // namespace strobe::isa
