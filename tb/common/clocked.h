// A Verilated block with a clock and a reset, stepped cycle by cycle.
#pragma once

#include <verilated.h>

#include <cstdlib>

#include "sc_models/profiling/verilated/clock_edge.h"
#include "sc_models/profiling/verilated/coverage.h"
#include "tb/common/waves.h"

namespace strobe::tb {

/// The seed of a block's random state at power-up: $STROBE_TB_X_SEED, not 0.
inline int power_up_seed() {
  const char* given = std::getenv("STROBE_TB_X_SEED");
  return given != nullptr ? std::atoi(given) : 1;
}

/// Owns the model `V` of one block, which powers up in a random state and is reset. Set the inputs
/// on top() before settle(), and read the outputs between settle() and edge().
template <class V>
class Clocked {
 public:
  explicit Clocked(int power_up = power_up_seed()) : top_(random_state(&context_, power_up)) {
    reset();
    profiling::forget_coverage(context_);
    reset();
  }
  ~Clocked() {
    top_.final();
    profiling::keep_coverage(context_);
  }
  Clocked(const Clocked&) = delete;
  Clocked& operator=(const Clocked&) = delete;

  V& top() { return top_; }
  /// The low half of the cycle; combinational outputs follow the inputs.
  void settle() {
    top_.clk_i = 0;
    top_.eval();
    waves_.dump();
  }
  /// The rising edge.
  void edge() {
    top_.clk_i = 1;
    top_.eval();
    waves_.dump();
  }
  void reset() { profiling::reset_over_an_edge(top_); }

 private:
  static VerilatedContext* random_state(VerilatedContext* context, int seed) {
    context->randReset(2);
    context->randSeed(seed);
    return context;
  }

  VerilatedContext context_;
  V top_;
  Waves<V> waves_{context_, top_};
};

}  // namespace strobe::tb
