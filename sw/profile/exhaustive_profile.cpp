#include "sw/profile/exhaustive_profile.h"

#include <algorithm>

namespace strobe::profile {
namespace {

constexpr unsigned kFirstLog2 = 12;

}  // namespace

ExhaustiveProfile::ExhaustiveProfile() : slots_(size_t{1} << kFirstLog2), shift_(64 - kFirstLog2) {}

size_t ExhaustiveProfile::bytes_for(size_t tuples) {
  size_t slots = size_t{1} << kFirstLog2;
  while (too_full(tuples, slots)) slots *= 2;
  return slots * sizeof(Slot);
}

void ExhaustiveProfile::insert(Slot& slot, const Tuple& tuple, uint64_t n) {
  slot = {tuple.pc, tuple.value, uint64_t{tuple.tag} << kCountBits | n};
  ++size_;
  if (too_full(size_, slots_.size())) grow();
}

void ExhaustiveProfile::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  --shift_;
  for (const Slot& slot : old) {
    if (slot.tag_and_count == 0) continue;
    const Tuple tuple{slot.pc, slot.value, static_cast<uint8_t>(slot.tag_and_count >> kCountBits)};
    size_t index = static_cast<size_t>(mix(tuple) >> shift_);
    while (slots_[index].tag_and_count != 0) index = (index + 1) & (slots_.size() - 1);
    slots_[index] = slot;
  }
}

uint64_t ExhaustiveProfile::count(const Tuple& tuple) const {
  size_t index = static_cast<size_t>(mix(tuple) >> shift_);
  for (;; index = (index + 1) & (slots_.size() - 1)) {
    const Slot& slot = slots_[index];
    if (slot.tag_and_count == 0) return 0;
    if (slot.pc == tuple.pc && slot.value == tuple.value &&
        slot.tag_and_count >> kCountBits == tuple.tag) {
      return slot.tag_and_count & kCountMask;
    }
  }
}

Entries ExhaustiveProfile::entries() const {
  Entries result;
  result.reserve(size_);
  for_each([&](const Tuple& tuple, uint64_t count) { result.push_back({tuple, count}); });
  std::sort(result.begin(), result.end(),
            [](const auto& a, const auto& b) { return tuple_before(a.first, b.first); });
  return result;
}

}  // namespace strobe::profile
