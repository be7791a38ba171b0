// Finds hot subpaths in three steps. The grammar tells which stretches of the trace repeat often
// enough to matter. Sorting these brings the occurrences of every window of every length together.
// Then the windows are taken hottest first.
//
// Taking a window can only lower the heat of the others, so a heat that was found once is an upper
// bound from then on. The hottest window of a heap is computed again and goes back when it is not
// the hottest with its new heat.
#include <algorithm>
#include <cstring>
#include <queue>
#include <tuple>

#include "sw/profile/streams/hot_streams.h"
#include "sw/profile/streams/windows.h"

namespace strobe::profile {
namespace {

constexpr uint64_t kMinFrequency = 2;

class Subpaths {
 public:
  Subpaths(const Grammar& grammar, StreamLengths lengths, uint64_t heat)
      : lengths_(lengths), heat_(heat), trace_(grammar.expansion()), taken_(trace_.size()) {
    // A rarer window is not hot at any length. All windows within a hot one are as frequent as it.
    const uint64_t frequency = std::max(kMinFrequency, (heat + lengths.max - 1) / lengths.max);
    find_starts(frequent_windows(grammar, lengths.min, frequency));
    std::sort(starts_.begin(), starts_.end(),
              [this](uint32_t a, uint32_t b) { return before(a, b); });
    group();
  }

  HotStreams take() {
    HotStreams streams;
    while (!candidates_.empty()) {
      Candidate candidate = candidates_.top();
      candidates_.pop();
      const std::vector<uint32_t> places = places_apart(candidate);
      const uint64_t heat = places.size() * candidate.length;
      if (places.size() < kMinFrequency || heat < heat_) continue;
      if (heat < candidate.heat) {
        candidate.heat = heat;
        candidates_.push(candidate);
        continue;
      }
      for (const uint32_t place : places) std::memset(&taken_[place], 1, candidate.length);
      const uint32_t* first = &trace_[places.front()];
      streams.push_back({{first, first + candidate.length}, places.size()});
    }
    return streams;
  }

 private:
  /// All occurrences of a window, which are a range of starts_.
  struct Candidate {
    uint64_t heat;  // upper bound
    uint32_t length, first, begin, end;
    friend bool operator<(const Candidate& a, const Candidate& b) {
      return std::tuple(a.heat, a.length, b.first) < std::tuple(b.heat, b.length, a.first);
    }
  };

  void find_starts(const std::unordered_set<uint64_t>& frequent) {
    const uint32_t length = lengths_.min;
    if (trace_.size() < length || frequent.empty()) return;
    reach_.resize(trace_.size());
    // The filter rejects most windows, which are not frequent.
    constexpr unsigned kFilterBits = 18;
    std::vector<bool> filter(size_t{1} << kFilterBits);
    for (const uint64_t hash : frequent) filter[hash >> (64 - kFilterBits)] = true;
    const WindowHash windows(length);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < length; ++i) hash = WindowHash::append(hash, trace_[i]);
    for (size_t at = 0;; ++at) {
      if (filter[hash >> (64 - kFilterBits)] && frequent.count(hash) != 0) {
        starts_.push_back(static_cast<uint32_t>(at));
      }
      if (at + length == trace_.size()) break;
      hash = windows.slide(hash, trace_[at], trace_[at + length]);
    }
    for (size_t i = starts_.size(); i-- > 0;) {
      const uint32_t at = starts_[i];
      const bool goes_on = i + 1 < starts_.size() && starts_[i + 1] == at + 1;
      reach_[at] = goes_on ? std::min(reach_[at + 1] + 1, lengths_.max) : length;
    }
  }

  /// The length of the common continuation of two places, limited to the longest window that may be
  /// hot.
  uint32_t common_length(uint32_t a, uint32_t b) const {
    const uint32_t reach = std::min(reach_[a], reach_[b]);
    uint32_t common = 0;
    while (common < reach && trace_[a + common] == trace_[b + common]) ++common;
    return common;
  }

  /// Compares what follows the places, a shorter text before a longer one; equal ones compare by
  /// place.
  bool before(uint32_t a, uint32_t b) const {
    const uint32_t common = common_length(a, b);
    if (common == std::min(reach_[a], reach_[b])) {
      return std::tuple(reach_[a], a) < std::tuple(reach_[b], b);
    }
    return trace_[a + common] < trace_[b + common];
  }

  void group() {
    if (starts_.empty()) return;
    std::vector<uint32_t> common(starts_.size());  // the length in common with the previous start
    for (size_t i = 1; i < starts_.size(); ++i) {
      common[i] = common_length(starts_[i - 1], starts_[i]);
    }
    for (uint32_t length = lengths_.min; length <= lengths_.max; ++length) {
      for (size_t begin = 0, end; begin < starts_.size(); begin = end) {
        for (end = begin + 1; end < starts_.size() && common[end] >= length;) ++end;
        const uint64_t most = end - begin;
        if (most < kMinFrequency || most * length < heat_) continue;
        const uint32_t first = *std::min_element(&starts_[begin], &starts_[begin] + most);
        candidates_.push({most * length, length, first, static_cast<uint32_t>(begin),
                          static_cast<uint32_t>(end)});
      }
    }
  }

  bool is_free(uint32_t at, uint32_t length) const {
    return std::memchr(&taken_[at], 1, length) == nullptr;
  }

  /// The largest set of occurrences that do not overlap and of which no reference is taken.
  std::vector<uint32_t> places_apart(const Candidate& candidate) const {
    std::vector<uint32_t> places;  // Most places are taken when a candidate is looked at again.
    for (uint32_t i = candidate.begin; i < candidate.end; ++i) {
      if (is_free(starts_[i], candidate.length)) places.push_back(starts_[i]);
    }
    std::sort(places.begin(), places.end());
    size_t kept = 0;
    uint64_t next = 0;
    for (const uint32_t at : places) {
      if (at < next) continue;
      places[kept++] = at;
      next = uint64_t{at} + candidate.length;
    }
    places.resize(kept);
    return places;
  }

  StreamLengths lengths_;
  uint64_t heat_;
  std::vector<uint32_t> trace_;
  std::vector<uint8_t> taken_;  // the references that count for a stream
  /// The places where a frequent window begins, sorted by what follows.
  std::vector<uint32_t> starts_;
  /// By the place of a start: the length of the longest window that may be hot.
  std::vector<uint32_t> reach_;
  std::priority_queue<Candidate> candidates_;
};

}  // namespace

HotStreams hot_subpaths(const Grammar& grammar, StreamLengths lengths, uint64_t heat) {
  check_lengths(lengths);
  HotStreams streams = Subpaths(grammar, lengths, heat).take();
  sort_streams(streams);
  return streams;
}

}  // namespace strobe::profile
