// Compares a block with its reference, cycle by cycle.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

#include "sc_models/port/tuple.h"

namespace strobe::tb {

using Random = std::mt19937_64;

/// The types of a typed suite, without the first: Types<void, A, B> has A and B. So each element of
/// a list that a macro writes can begin with a comma.
template <class, class... Each>
struct TypeList {
  using Of = testing::Types<Each...>;
};
template <class... Each>
using Types = typename TypeList<Each...>::Of;

/// Number of cycles of a random bench: $STROBE_TB_CYCLES or 400000.
inline uint64_t bench_cycles() {
  const char* text = std::getenv("STROBE_TB_CYCLES");
  return text == nullptr ? 400000 : std::strtoull(text, nullptr, 10);
}

/// Seed of a random bench: $STROBE_TB_SEED or 1. It is printed, so that a failure can be repeated.
inline uint64_t bench_seed() {
  const char* text = std::getenv("STROBE_TB_SEED");
  const uint64_t seed = text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
  fmt::print("seed {} (STROBE_TB_SEED), {} cycles (STROBE_TB_CYCLES)\n", seed, bench_cycles());
  return seed;
}

inline uint64_t below(Random& random, uint64_t bound) { return random() % bound; }
inline bool chance(Random& random, uint64_t percent) { return below(random, 100) < percent; }

/// Records the first signal that differs between RTL and reference in a cycle.
class Difference {
 public:
  template <typename A, typename B>
  void check(const char* signal, A rtl, B reference) {
    const auto a = static_cast<uint64_t>(rtl), b = static_cast<uint64_t>(reference);
    if (text_.empty() && a != b)
      text_ = fmt::format("{}: rtl {:#x}, reference {:#x}", signal, a, b);
  }
  void check_tuple(const char* signal, const Tuple& rtl, const Tuple& reference) {
    if (rtl == reference) return;
    check(fmt::format("{}.tag", signal).c_str(), rtl.tag, reference.tag);
    check(fmt::format("{}.pc", signal).c_str(), rtl.pc, reference.pc);
    check(fmt::format("{}.value", signal).c_str(), rtl.value, reference.value);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Steps both for `cycles` cycles with the inputs of `stimulus(cycle)`; those of the reference are
/// first changed by `mutate(inputs, cycle)`. `difference(rtl, reference, report)` compares the
/// outputs.
/// @return the first difference with its cycle, empty when there is none
template <class Rtl, class Reference, class Stimulus, class Compare, class Mutate>
std::string first_difference(Rtl& rtl, Reference& reference, uint64_t cycles, Stimulus stimulus,
                             Compare compare, Mutate mutate) {
  for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
    auto inputs = stimulus(cycle);
    const auto from_rtl = rtl.step(inputs);
    mutate(inputs, cycle);
    const auto from_reference = reference.step(inputs);
    Difference difference;
    compare(from_rtl, from_reference, difference);
    if (!difference.text().empty()) return fmt::format("cycle {}: {}", cycle, difference.text());
  }
  return "";
}

/// Leaves the reference's inputs as they are.
struct Unchanged {
  template <class Inputs>
  void operator()(Inputs&, uint64_t) const {}
};

}  // namespace strobe::tb
