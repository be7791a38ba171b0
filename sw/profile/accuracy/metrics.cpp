#include "sw/profile/accuracy/metrics.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>

#include "sw/profile/accuracy/ratio.h"

namespace strobe::profile {
namespace {

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

/// The mean distance of a binomial number of `events` trials from its mean: 2 k (n over k) p^k
/// (1 - p)^(n - k + 1), where k is the least whole number above the mean (De Moivre, 1730).
double mean_deviation(uint64_t events, double share) {
  if (share >= 1) return 0;
  const auto n = static_cast<double>(events);
  const double k = std::floor(n * share) + 1;
  return 2 *
         std::exp(std::log(k) + std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                  k * std::log(share) + (n - k + 1) * std::log1p(-share));
}

using Iterator = Entries::const_iterator;

/// The first entry of [first, end) that is not before the tuple. The search takes steps that
/// double, because the entry is near.
Iterator next_from(Iterator first, Iterator end, const Tuple& tuple) {
  Entries::difference_type step = 1;
  while (end - first > step && tuple_before((first + step)->first, tuple)) {
    first += step;
    step *= 2;
  }
  return std::lower_bound(
      first, end - first > step ? first + step + 1 : end, tuple,
      [](const auto& entry, const Tuple& key) { return tuple_before(entry.first, key); });
}

/// Calls visit(tuple, count in few, count in many) for every tuple of `few`, in profile order.
template <typename Visit>
void look_up(const Profile& few, const Profile& many, Visit visit) {
  auto at = many.entries().begin();
  const auto end = many.entries().end();
  for (const auto& [tuple, count] : few.entries()) {
    at = next_from(at, end, tuple);
    visit(tuple, count, at != end && at->first == tuple ? at->second : 0);
  }
}

/// Calls visit(count in a, count in b) for every tuple of both, in profile order. One of the two
/// may have far more tuples.
template <typename Visit>
void in_both(const Profile& a, const Profile& b, Visit visit) {
  const bool swapped = a.size() > b.size();
  look_up(swapped ? b : a, swapped ? a : b,
          [&](const Tuple& /*tuple*/, uint64_t in_few, uint64_t in_many) {
            if (in_many != 0) visit(swapped ? in_many : in_few, swapped ? in_few : in_many);
          });
}

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

/// The number of largest entries that an Ideal keeps; a profile usually has fewer tuples.
constexpr size_t kLargest = 1 << 14;

/// Does what max_entry_error() does without a look at every tuple of the ideal profile: among the
/// tuples that the other profile does not have, the largest differs most.
std::optional<EntryError> largest_error(const Ideal& ideal, const Profile& profile) {
  const auto absent = std::find_if(ideal.largest.begin(), ideal.largest.end(),
                                   [&](const auto& e) { return profile.count(e.first) == 0; });
  if (absent == ideal.largest.end() && ideal.largest.size() < ideal.whole.size()) {
    return max_entry_error(ideal.whole, profile);
  }
  std::optional<EntryError> result;
  if (absent != ideal.largest.end()) {
    result = {absent->first, ratio(absent->second, ideal.whole.total())};
  }
  look_up(profile, ideal.whole, [&](const Tuple& tuple, uint64_t count, uint64_t in_ideal) {
    const double error =
        std::abs(ratio(in_ideal, ideal.whole.total()) - ratio(count, profile.total()));
    if (!result || error > result->error ||
        (error == result->error && tuple_before(tuple, result->tuple))) {
      result = EntryError{tuple, error};
    }
  });
  return result;
}

}  // namespace

double overlap(const Profile& a, const Profile& b) {
  if (a.empty() && b.empty()) return 1.0;
  double result = 0;
  in_both(a, b, [&](uint64_t in_a, uint64_t in_b) {
    result += std::min(ratio(in_a, a.total()), ratio(in_b, b.total()));
  });
  // A sum of rounded shares may be slightly above 1.
  return std::min(result, 1.0);
}

double random_overlap(const Profile& ideal, uint64_t events) {
  if (ideal.empty()) return 1;
  if (events == 0) return 0;
  double apart = 0;
  std::unordered_map<uint64_t, double> deviations;  // by count, which most tuples share with others
  for (const auto& [tuple, count] : ideal.entries()) {
    const auto [known, added] = deviations.try_emplace(count);
    if (added) known->second = mean_deviation(events, ratio(count, ideal.total()));
    apart += known->second;
  }
  return 1 - apart / (2 * static_cast<double>(events));
}

double overlap_truncated(const Profile& a, const Profile& b, unsigned percent) {
  return overlap(a.truncated(percent), b.truncated(percent));
}

InvariantLoads::InvariantLoads(const Profile& ideal, const InvarianceLimits& limits) {
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
      frequency_ += covered;
      std::copy_if(first, last, std::back_inserter(tuples_),
                   [&](const auto& entry) { return selected(entry.second); });
      loads_.push_back({load, executions, tuples_.size()});
    }
    first = last;
  }
}

std::optional<InvarianceError> InvariantLoads::error(const Profile& profile) const {
  if (loads_.empty()) return std::nullopt;
  double weighted = 0;
  size_t at = 0;
  for (const Load& load : loads_) {
    const auto [seen_first, seen_last] = load_range(profile, load.load);
    const uint64_t seen = sum(seen_first, seen_last);
    for (; at != load.tuples_end; ++at) {
      const auto& [tuple, count] = tuples_[at];
      const double difference = ratio(count, load.executions) - ratio(profile.count(tuple), seen);
      weighted += static_cast<double>(count) * std::abs(difference);
    }
  }
  return InvarianceError{weighted / static_cast<double>(frequency_), loads_.size(), tuples_.size(),
                         frequency_};
}

std::optional<InvarianceError> invariance_error(const Profile& ideal, const Profile& profile,
                                                const InvarianceLimits& limits) {
  return InvariantLoads(ideal, limits).error(profile);
}

std::optional<EntryError> max_entry_error(const Profile& a, const Profile& b) {
  std::optional<EntryError> result;
  merge(a, b, [&](const Tuple& tuple, uint64_t in_a, uint64_t in_b) {
    const double error = std::abs(ratio(in_a, a.total()) - ratio(in_b, b.total()));
    if (!result || error > result->error) result = EntryError{tuple, error};
  });
  return result;
}

Ideal::Ideal(Profile profile)
    : whole(std::move(profile)),
      at_90(whole.truncated(90)),
      loads(whole),
      largest(whole.by_count(kLargest)) {}

Accuracy accuracy(const Ideal& ideal, const Profile& profile) {
  return {overlap(ideal.whole, profile), overlap(ideal.at_90, profile.truncated(90)),
          ideal.loads.error(profile), largest_error(ideal, profile)};
}

uint64_t interrupts_for(uint64_t messages, uint64_t watermark) {
  const uint64_t batch = std::max<uint64_t>(watermark, 1);
  return messages / batch + (messages % batch != 0);
}

}  // namespace strobe::profile
