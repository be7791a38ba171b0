// Hot subpaths: which occurrences of the windows that may be hot count, settled in the trace
// itself.
#include <algorithm>
#include <unordered_map>

#include "sw/profile/hot_streams.h"
#include "sw/profile/windows.h"

namespace strobe::profile {
namespace {

struct Candidate {
  std::vector<uint32_t> at;  // where it occurs among references not yet counted, rising
  uint64_t apart = 0;        // occurrences that do not overlap each other
};

/// Takes the hot windows of one length out of the trace.
class Harvest {
 public:
  explicit Harvest(const Grammar& grammar) : trace_(grammar.expansion()), taken_(trace_.size()) {}

  void take(uint32_t length, const std::vector<uint64_t>& hashes, uint64_t heat,
            HotStreams& streams) {
    if (hashes.empty() || trace_.size() < length) return;
    std::vector<Candidate> candidates = occurrences(length, hashes);
    for (Candidate& candidate : candidates) candidate.apart = count_apart(candidate, length);
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.apart > b.apart; });
    for (const Candidate& candidate : candidates) {
      const uint64_t frequency = count_apart(candidate, length);
      if (frequency < 2 || frequency * length < heat) continue;
      const auto first = trace_.begin() + candidate.at.front();
      streams.push_back({{first, first + length}, frequency});
      for (const uint32_t at : candidate.at) {
        if (is_free(at, length)) std::fill_n(taken_.begin() + at, length, true);
      }
    }
  }

 private:
  /// What was taken before is at least as long as the window, so it covers one of its ends.
  bool is_free(size_t at, uint32_t length) const { return !taken_[at] && !taken_[at + length - 1]; }

  bool same(uint32_t a, size_t b, uint32_t length) const {
    return std::equal(&trace_[a], &trace_[a] + length, &trace_[b]);
  }

  /// In the order of their first occurrences.
  std::vector<Candidate> occurrences(uint32_t length, const std::vector<uint64_t>& hashes) const {
    constexpr uint32_t kUnseen = ~uint32_t{0};
    constexpr unsigned kFilterBits = 18;
    std::unordered_map<uint64_t, uint32_t> number;
    std::vector<bool> filter(size_t{1} << kFilterBits);  // most windows are no candidate
    for (const uint64_t hash : hashes) {
      number[hash] = kUnseen;
      filter[hash >> (64 - kFilterBits)] = true;
    }
    uint64_t hash = 0, leaving = 1;  // leaving: base^length, for the terminal that drops out
    for (uint32_t i = 0; i < length; ++i) {
      hash = WindowHash::extend(hash, trace_[i]);
      leaving *= WindowHash::kBase;
    }
    std::vector<Candidate> candidates;
    for (size_t at = 0;; ++at) {
      if (filter[hash >> (64 - kFilterBits)] && is_free(at, length)) {
        if (const auto found = number.find(hash); found != number.end()) {
          if (found->second == kUnseen) {
            found->second = static_cast<uint32_t>(candidates.size());
            candidates.emplace_back();
          }
          // Of two windows with one hash the later is left out.
          std::vector<uint32_t>& places = candidates[found->second].at;
          if (places.empty() || same(places.front(), at, length)) {
            places.push_back(static_cast<uint32_t>(at));
          }
        }
      }
      if (at + length == trace_.size()) return candidates;
      hash =
          WindowHash::extend(hash, trace_[at + length]) - leaving * WindowHash::digit(trace_[at]);
    }
  }

  uint64_t count_apart(const Candidate& candidate, uint32_t length) const {
    uint64_t count = 0, next = 0;
    for (const uint32_t at : candidate.at) {
      if (at < next || !is_free(at, length)) continue;
      ++count;
      next = uint64_t{at} + length;
    }
    return count;
  }

  std::vector<uint32_t> trace_;
  std::vector<bool> taken_;  // references that count for a stream
};

}  // namespace

HotStreams hot_subpaths(const Grammar& grammar, StreamLengths lengths, uint64_t heat) {
  const std::vector<std::vector<uint64_t>> hashes = candidate_windows(grammar, lengths, heat);
  Harvest harvest(grammar);
  HotStreams streams;
  for (uint32_t length = lengths.max; length >= lengths.min; --length) {
    harvest.take(length, hashes[length - lengths.min], heat, streams);
  }
  sort_streams(streams);
  return streams;
}

}  // namespace strobe::profile
