#include "sw/profile/counts/profile.h"

#include <algorithm>

namespace strobe::profile {
namespace {

using Entry = Entries::value_type;

bool entry_before(const Entry& a, const Entry& b) { return tuple_before(a.first, b.first); }

bool larger(const Entry& a, const Entry& b) {
  if (a.second != b.second) return a.second > b.second;
  return entry_before(a, b);
}

}  // namespace

Profile::Profile(Entries entries) : entries_(std::move(entries)) {
  if (!std::is_sorted(entries_.begin(), entries_.end(), entry_before)) {
    std::sort(entries_.begin(), entries_.end(), entry_before);
  }
  size_t kept = 0;
  for (const Entry& entry : entries_) {
    if (entry.second == 0) continue;
    total_ += entry.second;
    if (kept > 0 && entries_[kept - 1].first == entry.first) {
      entries_[kept - 1].second += entry.second;
    } else {
      entries_[kept++] = entry;
    }
  }
  entries_.resize(kept);
}

uint64_t Profile::count(const Tuple& tuple) const {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), Entry{tuple, 0}, entry_before);
  return at != entries_.end() && at->first == tuple ? at->second : 0;
}

std::vector<uint8_t> Profile::tags() const {
  std::vector<uint8_t> result;
  for (const Entry& entry : entries_) {
    if (result.empty() || result.back() != entry.first.tag) result.push_back(entry.first.tag);
  }
  return result;
}

Profile Profile::with_tag(uint8_t tag) const {
  const auto tag_below = [](const Entry& entry, unsigned bound) { return entry.first.tag < bound; };
  const auto first = std::lower_bound(entries_.begin(), entries_.end(), unsigned{tag}, tag_below);
  const auto last = std::lower_bound(first, entries_.end(), unsigned{tag} + 1, tag_below);
  return Profile(Entries(first, last));
}

Entries Profile::by_count(size_t limit) const {
  Entries result = entries_;
  if (limit < result.size()) {
    const auto middle = result.begin() + static_cast<Entries::difference_type>(limit);
    std::partial_sort(result.begin(), middle, result.end(), larger);
    result.resize(limit);
  } else {
    std::sort(result.begin(), result.end(), larger);
  }
  return result;
}

Profile Profile::truncated(unsigned percent) const {
  // Sorting bare counts tells at which count the cut is and how many entries of that count stay.
  // One pass in profile order then keeps the right entries, so they need no second sort.
  std::vector<uint64_t> counts;
  counts.reserve(entries_.size());
  for (const Entry& entry : entries_) counts.push_back(entry.second);
  std::sort(counts.begin(), counts.end(), std::greater<uint64_t>());
  uint64_t covered = 0, smallest = 0;
  size_t ties = 0;
  for (const uint64_t count : counts) {
    // The comparison is in whole numbers: at exactly `percent` % a rounded product could ask for
    // one more entry.
    if (covered * 100 >= total_ * percent) break;
    covered += count;
    ties = count == smallest ? ties + 1 : 1;
    smallest = count;
  }
  Entries kept;
  for (const Entry& entry : entries_) {
    if (ties > 0 && entry.second == smallest) {
      kept.push_back(entry);
      --ties;
    } else if (entry.second > smallest && covered > 0) {
      kept.push_back(entry);
    }
  }
  return Profile(std::move(kept));
}

std::vector<NamedEntry> top_entries(const Profile& profile, size_t limit,
                                    const SymbolOf& symbol_of) {
  std::vector<NamedEntry> result;
  for (const auto& [tuple, count] : profile.by_count(limit)) {
    result.push_back({tuple, count,
                      static_cast<double>(count) / static_cast<double>(profile.total()),
                      symbol_of ? symbol_of(tuple.pc) : std::string()});
  }
  return result;
}

}  // namespace strobe::profile
