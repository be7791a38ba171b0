#include "sw/profile/exhaustive_profile.h"

#include <algorithm>

namespace strobe::profile {
namespace {

constexpr unsigned kFirstLog2 = 12;

}  // namespace

ExhaustiveProfile::ExhaustiveProfile(size_t most_bytes, uint64_t seed)
    : slots_(size_t{1} << kFirstLog2),
      shift_(64 - kFirstLog2),
      most_slots_(most_bytes == 0 ? SIZE_MAX : most_bytes / sizeof(Slot)),
      kept_(seed) {
  static_assert(kLeastBytes == sizeof(Slot) << kFirstLog2, "the first table");
}

size_t ExhaustiveProfile::bytes_for(size_t tuples) {
  size_t slots = size_t{1} << kFirstLog2;
  while (too_full(tuples, slots)) slots *= 2;
  return slots * sizeof(Slot);
}

void ExhaustiveProfile::insert(Slot& slot, const Tuple& tuple, uint64_t n) {
  if (!kept_.has(tuple.pc)) return;
  slot = {tuple.pc, tuple.value, uint64_t{tuple.tag} << kCountBits | n};
  ++size_;
  while (too_full(size_, slots_.size())) {
    if (slots_.size() * 2 <= most_slots_) {
      grow();
    } else {
      PcSample half = kept_;
      half.halve();
      drop_all_but(half);
    }
  }
}

void ExhaustiveProfile::place(const Slot& slot) {
  size_t index = static_cast<size_t>(mix(tuple_of(slot)) >> shift_);
  while (slots_[index].tag_and_count != 0) index = (index + 1) & (slots_.size() - 1);
  slots_[index] = slot;
}

void ExhaustiveProfile::drop_all_but(const PcSample& sample) {
  kept_ = sample;
  std::vector<Slot> left;
  for (Slot& slot : slots_) {
    if (slot.tag_and_count != 0 && kept_.has(slot.pc)) left.push_back(slot);
    slot = Slot();
  }
  for (const Slot& slot : left) place(slot);
  size_ = left.size();
}

void ExhaustiveProfile::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  --shift_;
  for (const Slot& slot : old) {
    if (slot.tag_and_count != 0) place(slot);
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
