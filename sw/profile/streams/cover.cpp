#include "sw/profile/streams/cover.h"

#include <algorithm>
#include <utility>

namespace strobe::profile {
namespace {

using Detector = HotStreams (*)(const Grammar& grammar, StreamLengths lengths, uint64_t heat);

class Search {
 public:
  Search(Detector detector, const Grammar& grammar, StreamLengths lengths, uint64_t references,
         unsigned percent)
      : detector_(detector),
        grammar_(grammar),
        lengths_(lengths),
        references_(references),
        percent_(percent) {}

  bool enough(uint64_t covered) const { return covered * 100 >= references_ * percent_; }

  Threshold at(uint64_t heat) const {
    Threshold threshold{heat, detector_(grammar_, lengths_, heat), false};
    threshold.reached = enough(covered_references(threshold.streams));
    return threshold;
  }

  /// @return the first heat on the way down that covers enough, and the one before
  std::pair<Threshold, uint64_t> descend(uint64_t divisor) const {
    const uint64_t lowest = uint64_t{2} * lengths_.min;
    uint64_t above = references_ + 1;
    Threshold found = at(std::max(references_ / divisor, lowest));
    while (!found.reached && found.heat > lowest) {
      above = found.heat;
      found = at(std::max(found.heat / divisor, lowest));
    }
    return {std::move(found), above};
  }

 private:
  Detector detector_;
  const Grammar& grammar_;
  StreamLengths lengths_;
  uint64_t references_;
  unsigned percent_;
};

}  // namespace

Threshold symbols_covering(const Grammar& grammar, StreamLengths lengths, uint64_t references,
                           unsigned percent) {
  const Search search(hot_symbols, grammar, lengths, references, percent);
  auto [found, above] = search.descend(2);
  while (found.reached && found.heat + 1 < above) {
    Threshold middle = search.at(found.heat + (above - found.heat) / 2);
    if (middle.reached) {
      found = std::move(middle);
    } else {
      above = middle.heat;
    }
  }
  return found;
}

Threshold subpaths_covering(const Grammar& grammar, StreamLengths lengths, uint64_t references,
                            unsigned percent) {
  const Search search(hot_subpaths, grammar, lengths, references, percent);
  Threshold found = search.descend(8).first;
  if (!found.reached) return found;
  uint64_t covered = 0;
  auto stream = found.streams.begin();
  for (; stream != found.streams.end() && !search.enough(covered); ++stream) {
    covered += stream->heat();
    found.heat = stream->heat();
  }
  while (stream != found.streams.end() && stream->heat() == found.heat) ++stream;
  found.streams.erase(stream, found.streams.end());
  return found;
}

}  // namespace strobe::profile
