#include "sw/profile/hot_streams.h"

#include <algorithm>

namespace strobe::profile {

void sort_streams(HotStreams& streams) {
  std::sort(streams.begin(), streams.end(), [](const HotStream& a, const HotStream& b) {
    if (a.heat() != b.heat()) return a.heat() > b.heat();
    if (a.terminals.size() != b.terminals.size()) return a.terminals.size() > b.terminals.size();
    return a.terminals < b.terminals;
  });
}

HotStreams hot_symbols(const Grammar& grammar, StreamLengths lengths, uint64_t heat) {
  const std::vector<uint64_t> length = grammar.lengths(), uses = grammar.uses();
  std::vector<uint64_t> cold = uses;  // uses outside every hot stream found so far
  HotStreams streams;
  for (size_t rule = 0; rule < grammar.rules(); ++rule) {
    const bool hot = length[rule] >= lengths.min && length[rule] <= lengths.max && cold[rule] > 0 &&
                     length[rule] * cold[rule] >= heat;
    if (hot) streams.push_back({grammar.expansion(rule), cold[rule]});
    const uint64_t taken = hot ? uses[rule] : uses[rule] - cold[rule];
    for (const uint32_t symbol : grammar.body(rule)) {
      if (Grammar::is_rule(symbol)) cold[symbol - Grammar::kRule] -= taken;
    }
  }
  sort_streams(streams);
  return streams;
}

uint64_t covered_references(const HotStreams& streams) {
  uint64_t covered = 0;
  for (const HotStream& stream : streams) covered += stream.heat();
  return covered;
}

Threshold threshold_for_cover(const std::function<HotStreams(uint64_t heat)>& detect,
                              StreamLengths lengths, uint64_t references, unsigned percent) {
  const auto at = [&](uint64_t heat) {
    Threshold threshold{heat, detect(heat), false};
    threshold.reached = covered_references(threshold.streams) * 100 >= references * percent;
    return threshold;
  };
  const uint64_t lowest = uint64_t{2} * lengths.min;
  uint64_t too_high = references + 1;
  Threshold best = at(std::max(references / 2, lowest));
  while (!best.reached && best.heat > lowest) {
    too_high = best.heat;
    best = at(std::max(best.heat / 2, lowest));
  }
  while (best.reached && best.heat + 1 < too_high) {
    Threshold middle = at(best.heat + (too_high - best.heat) / 2);
    if (middle.reached) {
      best = std::move(middle);
    } else {
      too_high = middle.heat;
    }
  }
  return best;
}

}  // namespace strobe::profile
