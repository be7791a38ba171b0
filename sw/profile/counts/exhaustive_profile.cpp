#include "sw/profile/counts/exhaustive_profile.h"

#include <algorithm>
#include <numeric>

namespace strobe::profile {
namespace {

constexpr size_t kFirstSlots = 4096;

}  // namespace

ExhaustiveProfile::ExhaustiveProfile(size_t most_bytes, uint64_t seed)
    : most_slots_(most_bytes == 0 ? SIZE_MAX : most_bytes / kBytesPerSlot), kept_(seed) {
  static_assert(kLeastBytes == kBytesPerSlot * kFirstSlots, "the first table");
  set_places(kFirstSlots);
}

size_t ExhaustiveProfile::bytes_for(size_t tuples) {
  size_t slots = kFirstSlots;
  while (too_full(tuples, slots)) slots *= 2;
  return slots * kBytesPerSlot;
}

uint32_t ExhaustiveProfile::insert(size_t index, uint64_t hash, const Tuple& tuple, uint64_t n) {
  if (!kept_.has(tuple.pc)) return kNoNumber;
  const auto number = static_cast<uint32_t>(size());
  index_[index] = hash << 32 | (number + 1);
  counted_.push_back({tuple.pc, tuple.value, uint64_t{tuple.tag} << kCountBits | n});
  if (!too_full(size(), index_.size())) return number;
  if (index_.size() * 2 <= most_slots_) {
    set_places(index_.size() * 2);
    return number;
  }
  thin_out();
  return renumbered_[number];
}

/// Makes an index of that many places, with room for as many tuples as it can have.
void ExhaustiveProfile::set_places(size_t slots) {
  index_.assign(slots, 0);
  counted_.reserve(slots * 2 / 3 + 1);
  shift_ = 64;
  for (size_t reach = 1; reach < slots; reach *= 2) --shift_;
  uint64_t number = 0;
  for (const Counted& counted : counted_) {
    const uint64_t hash = mix(tuple_of(counted));
    size_t index = static_cast<size_t>(hash >> shift_);
    while (index_[index] != 0) index = (index + 1) & (slots - 1);
    index_[index] = hash << 32 | ++number;
  }
}

void ExhaustiveProfile::thin_out() {
  const auto left = [&] {
    return static_cast<size_t>(std::count_if(counted_.begin(), counted_.end(),
                                             [&](const auto& one) { return kept_.has(one.pc); }));
  };
  do {
    kept_.halve();
  } while (too_full(left(), index_.size()));
  renumbered_.resize(size());
  uint32_t next = 0;
  for (size_t number = 0; number < size(); ++number) {
    const bool stays = kept_.has(counted_[number].pc);
    renumbered_[number] = stays ? next : kNoNumber;
    if (stays) counted_[next++] = counted_[number];
  }
  counted_.resize(next);
  set_places(index_.size());
}

std::vector<uint32_t> ExhaustiveProfile::order() const {
  // The numbers are sorted together with copies of their tuples, because the tuples themselves are
  // far apart.
  std::vector<std::pair<Tuple, uint32_t>> numbered;
  numbered.reserve(size());
  for (const Counted& counted : counted_) {
    numbered.emplace_back(tuple_of(counted), static_cast<uint32_t>(numbered.size()));
  }
  std::sort(numbered.begin(), numbered.end(),
            [](const auto& a, const auto& b) { return tuple_before(a.first, b.first); });
  std::vector<uint32_t> result;
  result.reserve(size());
  for (const auto& one : numbered) result.push_back(one.second);
  return result;
}

Entries ExhaustiveProfile::entries(const std::vector<uint32_t>& order) const {
  Entries result;
  result.reserve(order.size());
  for (const uint32_t number : order) result.emplace_back(tuple(number), count_of(number));
  return result;
}

}  // namespace strobe::profile
