// A window of the trace lies across two neighboring symbols in the body of exactly one rule, the
// smallest one that holds it, and occurs there as often as the rule is used. The windows across
// neighboring symbols of all bodies, weighted by uses, are therefore those of the trace, and a
// stretch that repeats is counted once (J. Larus, "Whole Program Paths", PLDI 1999, section 4).
#include "sw/profile/streams/windows.h"

#include <algorithm>
#include <vector>

#include "sw/profile/counts/exhaustive_profile.h"

namespace strobe::profile {
namespace {

class Counter {
 public:
  Counter(const Grammar& grammar, uint32_t length) : grammar_(grammar), length_(length) {}

  /// Counts windows as "tuples" whose pc is the window's hash.
  ExhaustiveProfile count() {
    const std::vector<uint64_t> lengths = grammar_.lengths(), uses = grammar_.uses();
    for (size_t rule = 0; rule < grammar_.rules(); ++rule) {
      for (const uint32_t symbol : grammar_.body(rule)) {
        neighbours_.push_back(text_.size());
        append_end(symbol, /*front=*/true);
        if (!Grammar::is_rule(symbol) || lengths[symbol - Grammar::kRule] < length_) continue;
        // No window spans the whole symbol, so the text continues with its other end.
        count_text(uses[rule]);
        append_end(symbol, /*front=*/false);
      }
      count_text(uses[rule]);
    }
    return std::move(counts_);
  }

 private:
  /// Appends the first or last terminals that a symbol stands for, in their order, as far as a
  /// window that begins or ends in the adjacent symbol can reach.
  void append_end(uint32_t symbol, bool front) {
    const size_t begin = text_.size(), reach = length_ - 1;
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
      for (size_t i = needed; i-- > 0;) {
        open_.push_back(front ? body.first[i] : *(body.last - 1 - i));
      }
    }
    if (!front) std::reverse(text_.begin() + static_cast<std::ptrdiff_t>(begin), text_.end());
  }

  /// Counts the windows of the text that lie across two symbols, and empties the text.
  void count_text(uint64_t uses) {
    const WindowHash windows(length_);
    uint64_t hash = 0;
    size_t neighbour = 0;  // the first symbol that begins after the window's begin
    for (size_t end = 0; end < text_.size(); ++end) {
      if (end < length_) {
        hash = WindowHash::append(hash, text_[end]);
      } else {
        hash = windows.slide(hash, text_[end - length_], text_[end]);
      }
      if (end + 1 < length_) continue;
      const size_t begin = end + 1 - length_;
      while (neighbour < neighbours_.size() && neighbours_[neighbour] <= begin) ++neighbour;
      if (neighbour == neighbours_.size()) break;
      if (neighbours_[neighbour] <= end) counts_.add(Tuple{hash, 0, 0}, uses);
    }
    text_.clear();
    neighbours_.clear();
  }

  const Grammar& grammar_;
  uint32_t length_;
  ExhaustiveProfile counts_;
  std::vector<uint32_t> text_;      // a rule's, between two symbols longer than a window
  std::vector<size_t> neighbours_;  // the places where the symbols of the text begin
  std::vector<uint32_t> open_;
};

}  // namespace

std::unordered_set<uint64_t> frequent_windows(const Grammar& grammar, uint32_t length,
                                              uint64_t frequency) {
  std::unordered_set<uint64_t> frequent;
  Counter(grammar, length).count().for_each([&](const Tuple& window, uint64_t count) {
    if (count >= frequency) frequent.insert(window.pc);
  });
  return frequent;
}

}  // namespace strobe::profile
