// A straight-line grammar of a trace. Sequitur makes it, and the hot-stream detectors read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::profile {

/// Every rule has one body, and no rule comes before one that uses it (reverse postorder), so a
/// loop over rising numbers sees each rule after all its users. Rule 0 is the whole trace.
class Grammar {
 public:
  /// Symbols below are terminals; kRule + r stands for rule r.
  static constexpr uint32_t kRule = uint32_t{1} << 31;
  static bool is_rule(uint32_t symbol) { return symbol >= kRule; }

  /// The body of a rule, for range-for.
  struct Body {
    const uint32_t *first, *last;
    const uint32_t* begin() const { return first; }
    const uint32_t* end() const { return last; }
    size_t size() const { return static_cast<size_t>(last - first); }
  };

  /// Appends the next rule, while the grammar is made.
  void add_rule(const std::vector<uint32_t>& body);

  size_t rules() const { return ends_.size(); }
  /// The number of symbols in all bodies together: the size of the grammar.
  size_t symbols() const { return symbols_.size(); }
  Body body(size_t rule) const {
    const size_t first = rule == 0 ? 0 : ends_[rule - 1];
    return {symbols_.data() + first, symbols_.data() + ends_[rule]};
  }
  /// The number of terminals that each rule stands for.
  std::vector<uint64_t> lengths() const;
  /// How often each rule is used in the derivation of the trace; 1 for rule 0.
  std::vector<uint64_t> uses() const;
  /// The terminals that a rule stands for.
  std::vector<uint32_t> expansion(size_t rule = 0) const;

 private:
  std::vector<uint32_t> symbols_;
  std::vector<size_t> ends_;  // ends_[r]: one past rule r's last symbol
};

}  // namespace strobe::profile
