#include "sw/profile/streams/hot_streams.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace strobe::profile {

void sort_streams(HotStreams& streams) {
  std::sort(streams.begin(), streams.end(), [](const HotStream& a, const HotStream& b) {
    if (a.heat() != b.heat()) return a.heat() > b.heat();
    if (a.terminals.size() != b.terminals.size()) return a.terminals.size() > b.terminals.size();
    return a.terminals < b.terminals;
  });
}

HotStreams hot_symbols(const Grammar& grammar, StreamLengths lengths, uint64_t heat) {
  check_lengths(lengths);
  const std::vector<uint64_t> length = grammar.lengths(), uses = grammar.uses();
  std::vector<uint64_t> cold = uses;  // the uses outside every hot stream found so far
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

void check_lengths(StreamLengths lengths) {
  if (lengths.min >= 2 && lengths.min <= lengths.max) return;
  throw std::invalid_argument("lengths of hot streams: expected 2 <= minimum <= maximum, got " +
                              std::to_string(lengths.min) + " to " + std::to_string(lengths.max));
}

}  // namespace strobe::profile
