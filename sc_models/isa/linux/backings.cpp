#include "sc_models/isa/linux/backings.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace strobe::isa {

void Backings::for_each(uint64_t address, uint64_t size, const Act& act) const {
  const uint64_t end = address + size;
  auto next = ranges_.upper_bound(address);
  if (next != ranges_.begin() && std::prev(next)->second.end > address) --next;
  for (uint64_t at = address; at < end;) {
    if (next == ranges_.end() || next->first >= end) {
      act(at, end - at, nullptr);
      return;
    }
    const auto& [start, range] = *next;
    if (start > at) act(at, start - at, nullptr);
    const uint64_t first = std::max(start, at), last = std::min(range.end, end);
    const Backing part{range.backing.source, range.backing.offset + (first - start)};
    act(first, last - first, &part);
    at = last;
    ++next;
  }
}

void Backings::forget(uint64_t address, uint64_t size) {
  const uint64_t end = address + size;
  auto next = ranges_.upper_bound(address);
  if (next != ranges_.begin() && std::prev(next)->second.end > address) --next;
  while (next != ranges_.end() && next->first < end) {
    const uint64_t start = next->first;
    const Range range = next->second;
    next = ranges_.erase(next);
    if (start < address) ranges_[start] = {address, range.backing};
    if (range.end > end) {
      ranges_[end] = {range.end, {range.backing.source, range.backing.offset + (end - start)}};
    }
  }
}

void Backings::copy(uint64_t from, uint64_t to, uint64_t size) {
  std::vector<std::pair<uint64_t, std::pair<uint64_t, Backing>>> parts;
  for_each(from, size, [&](uint64_t address, uint64_t bytes, const Backing* backing) {
    if (backing != nullptr) parts.push_back({address - from + to, {bytes, *backing}});
  });
  for (const auto& [address, part] : parts) add(address, part.first, part.second);
}

}  // namespace strobe::isa
