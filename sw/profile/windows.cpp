// A window of the trace lies across two neighbours in the body of exactly one rule, the smallest
// one that holds it, and occurs there as often as the rule is used. So the windows across
// neighbours of all bodies, weighted by uses, are those of the trace, and a stretch that repeats is
// counted once.
//
// J. Larus, "Whole Program Paths", PLDI 1999, section 4, has the search; what differs is in
// docs/hot-streams.md.
#include "sw/profile/windows.h"

#include <algorithm>

#include "sw/profile/exhaustive_profile.h"

namespace strobe::profile {
namespace {

Tuple as_tuple(uint64_t hash) { return Tuple{hash, 0, 0}; }

class Counter {
 public:
  Counter(const Grammar& grammar, StreamLengths lengths, uint64_t heat)
      : grammar_(grammar),
        lengths_(lengths),
        heat_(heat),
        // Less often, and no length makes it hot.
        min_frequency_(std::max<uint64_t>(2, (heat + lengths.max - 1) / lengths.max)) {}

  std::vector<std::vector<uint64_t>> candidates() {
    collect_starts();
    std::vector<std::vector<uint64_t>> result;
    ExhaustiveProfile shorter;
    for (uint32_t length = lengths_.min; length <= lengths_.max; ++length) {
      ExhaustiveProfile counts = count(length, shorter);
      result.emplace_back();
      counts.for_each([&](const Tuple& window, uint64_t frequency) {
        if (frequency >= 2 && frequency * length >= heat_) result.back().push_back(window.pc);
      });
      shorter = std::move(counts);
    }
    return result;
  }

 private:
  struct Start {
    uint64_t hash;   // of the window that was counted last
    uint64_t uses;   // of the rule
    uint32_t at;     // in text_
    uint32_t cross;  // the shortest window from here that goes on in the next neighbour
    uint32_t reach;  // the longest from here in the text, or to the next rare terminal
  };

  void collect_starts() {
    const std::vector<uint64_t> length = grammar_.lengths(), uses = grammar_.uses();
    count_terminals(uses);
    for (size_t rule = 0; rule < grammar_.rules(); ++rule) {
      begin_stretch();
      for (const uint32_t symbol : grammar_.body(rule)) {
        neighbours_.push_back(text_.size());
        append_end(symbol, /*front=*/true);
        const bool whole =
            !Grammar::is_rule(symbol) || length[symbol - Grammar::kRule] < lengths_.max;
        if (whole) continue;
        // No window goes over all of the symbol: the text goes on with its end.
        end_stretch(uses[rule]);
        begin_stretch();
        append_end(symbol, /*front=*/false);
      }
      end_stretch(uses[rule]);
    }
  }

  void count_terminals(const std::vector<uint64_t>& uses) {
    for (size_t rule = 0; rule < grammar_.rules(); ++rule) {
      for (const uint32_t symbol : grammar_.body(rule)) {
        if (Grammar::is_rule(symbol)) continue;
        if (symbol >= frequencies_.size()) frequencies_.resize(symbol + size_t{1});
        frequencies_[symbol] += uses[rule];
      }
    }
  }

  /// The first or last terminals of what a symbol stands for, in their order, as far as a window
  /// that begins or ends in a neighbour can reach.
  void append_end(uint32_t symbol, bool front) {
    const size_t begin = text_.size(), reach = lengths_.max - 1;
    open_.assign(1, symbol);
    while (!open_.empty() && text_.size() - begin < reach) {
      const uint32_t top = open_.back();
      open_.pop_back();
      if (!Grammar::is_rule(top)) {
        text_.push_back(top);
        continue;
      }
      const Grammar::Body body = grammar_.body(top - Grammar::kRule);
      const size_t needed = std::min(body.size(), reach);  // a symbol is at least one terminal
      for (size_t i = needed; i-- > 0;)
        open_.push_back(front ? body.first[i] : *(body.last - 1 - i));
    }
    if (!front) std::reverse(text_.begin() + static_cast<std::ptrdiff_t>(begin), text_.end());
  }

  void begin_stretch() {
    stretch_ = text_.size();
    neighbours_.clear();
  }

  void end_stretch(uint64_t uses) {
    uint32_t reach = 0;
    for (size_t at = text_.size(); at-- > stretch_;) {
      reach = frequencies_[text_[at]] < min_frequency_ ? 0 : std::min(reach + 1, lengths_.max);
      while (!neighbours_.empty() && neighbours_.back() > at + lengths_.max) neighbours_.pop_back();
      // The nearest neighbour behind this place.
      while (neighbours_.size() > 1 && neighbours_[neighbours_.size() - 2] > at) {
        neighbours_.pop_back();
      }
      if (neighbours_.empty() || neighbours_.back() <= at) continue;
      const auto cross = static_cast<uint32_t>(neighbours_.back() - at + 1);
      if (reach < std::max(cross, lengths_.min)) continue;
      Start start{0, uses, static_cast<uint32_t>(at), cross, reach};
      for (uint32_t i = 0; i < lengths_.min - 1; ++i) {
        start.hash = WindowHash::extend(start.hash, text_[at + i]);
      }
      starts_.push_back(start);
    }
  }

  /// The windows of a length, and away with the starts of none. A window occurs no more often than
  /// its beginning, which was counted in `shorter`.
  ExhaustiveProfile count(uint32_t length, const ExhaustiveProfile& shorter) {
    ExhaustiveProfile counts;
    size_t kept = 0;
    for (Start start : starts_) {
      if (start.reach < length) continue;
      if (length > lengths_.min && shorter.count(as_tuple(start.hash)) < min_frequency_) continue;
      start.hash = WindowHash::extend(start.hash, text_[start.at + length - 1]);
      if (start.cross <= length) counts.add(as_tuple(start.hash), start.uses);
      starts_[kept++] = start;
    }
    starts_.resize(kept);
    return counts;
  }

  const Grammar& grammar_;
  StreamLengths lengths_;
  uint64_t heat_, min_frequency_;
  std::vector<uint64_t> frequencies_;  // of the terminals
  std::vector<uint32_t> text_;
  std::vector<Start> starts_;
  std::vector<size_t> neighbours_;  // where symbols begin in the present stretch of text
  std::vector<uint32_t> open_;
  size_t stretch_ = 0;
};

}  // namespace

std::vector<std::vector<uint64_t>> candidate_windows(const Grammar& grammar, StreamLengths lengths,
                                                     uint64_t heat) {
  return Counter(grammar, lengths, heat).candidates();
}

}  // namespace strobe::profile
