#include "sw/profile/metrics.h"

#include <algorithm>
#include <cmath>

namespace strobe::profile {
namespace {

double ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// Calls visit(tuple, count in a, count in b) for every tuple of either, in profile order.
template <typename Visit>
void merge(const Profile& a, const Profile& b, Visit visit) {
  auto at_a = a.entries().begin();
  auto at_b = b.entries().begin();
  const auto end_a = a.entries().end();
  const auto end_b = b.entries().end();
  while (at_a != end_a || at_b != end_b) {
    if (at_b == end_b || (at_a != end_a && tuple_before(at_a->first, at_b->first))) {
      visit(at_a->first, at_a->second, uint64_t{0});
      ++at_a;
    } else if (at_a == end_a || tuple_before(at_b->first, at_a->first)) {
      visit(at_b->first, uint64_t{0}, at_b->second);
      ++at_b;
    } else {
      visit(at_a->first, at_a->second, at_b->second);
      ++at_a;
      ++at_b;
    }
  }
}

using Iterator = Entries::const_iterator;

bool same_load(const Tuple& a, const Tuple& b) { return a.tag == b.tag && a.pc == b.pc; }

uint64_t sum(Iterator first, Iterator last) {
  uint64_t result = 0;
  for (; first != last; ++first) result += first->second;
  return result;
}

/// The entries of one load, [first, second).
std::pair<Iterator, Iterator> load_range(const Profile& profile, const Tuple& load) {
  const Entries& entries = profile.entries();
  const auto first = std::lower_bound(entries.begin(), entries.end(), load,
                                      [](const auto& entry, const Tuple& key) {
                                        return tuple_before(entry.first, Tuple{key.pc, 0, key.tag});
                                      });
  const auto last = std::find_if_not(
      first, entries.end(), [&](const auto& entry) { return same_load(entry.first, load); });
  return {first, last};
}

}  // namespace

double overlap(const Profile& a, const Profile& b) {
  if (a.empty() && b.empty()) return 1.0;
  double result = 0;
  merge(a, b, [&](const Tuple&, uint64_t in_a, uint64_t in_b) {
    result += std::min(ratio(in_a, a.total()), ratio(in_b, b.total()));
  });
  return std::min(result, 1.0);  // a sum of rounded shares may end a hair above
}

double overlap_truncated(const Profile& a, const Profile& b, unsigned percent) {
  return overlap(a.truncated(percent), b.truncated(percent));
}

std::optional<InvarianceError> invariance_error(const Profile& ideal, const Profile& profile,
                                                const InvarianceLimits& limits) {
  InvarianceError result;
  double weighted = 0;
  const auto end = ideal.entries().end();
  for (auto first = ideal.entries().begin(); first != end;) {
    const Tuple load = first->first;
    const auto last =
        std::find_if_not(first, end, [&](const auto& e) { return same_load(e.first, load); });
    const uint64_t executions = sum(first, last);
    const auto selected = [&](uint64_t count) {
      return count * 100 >= executions * limits.min_tuple_percent;
    };
    uint64_t covered = 0;
    for (auto at = first; at != last; ++at) covered += selected(at->second) ? at->second : 0;
    if (executions >= limits.min_executions &&
        covered * 100 >= executions * limits.min_load_percent && covered > 0) {
      const auto [seen_first, seen_last] = load_range(profile, load);
      const uint64_t seen = sum(seen_first, seen_last);
      ++result.loads;
      result.frequency += covered;
      for (auto at = first; at != last; ++at) {
        if (!selected(at->second)) continue;
        const double difference =
            ratio(at->second, executions) - ratio(profile.count(at->first), seen);
        ++result.tuples;
        weighted += static_cast<double>(at->second) * std::abs(difference);
      }
    }
    first = last;
  }
  if (result.loads == 0) return std::nullopt;
  result.error = weighted / static_cast<double>(result.frequency);
  return result;
}

std::optional<EntryError> max_entry_error(const Profile& a, const Profile& b) {
  std::optional<EntryError> result;
  merge(a, b, [&](const Tuple& tuple, uint64_t in_a, uint64_t in_b) {
    const double error = std::abs(ratio(in_a, a.total()) - ratio(in_b, b.total()));
    if (!result || error > result->error) result = EntryError{tuple, error};
  });
  return result;
}

Accuracy accuracy(const Ideal& ideal, const Profile& profile) {
  return {overlap(ideal.whole, profile), overlap(ideal.at_90, profile.truncated(90)),
          invariance_error(ideal.whole, profile), max_entry_error(ideal.whole, profile)};
}

uint64_t interrupts_for(uint64_t messages, uint64_t watermark) {
  const uint64_t batch = std::max<uint64_t>(watermark, 1);
  return messages / batch + (messages % batch != 0);
}

}  // namespace strobe::profile
