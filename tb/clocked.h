// A Verilated block with a clock and a reset, one step a cycle.
#pragma once

#include <verilated.h>

namespace strobe::tb {

/// Owns the model `V` of one block. Inputs are set on top() before settle(); outputs are read
/// between settle() and edge().
template <class V>
class Clocked {
 public:
  Clocked() : top_(&context_) { reset(); }
  ~Clocked() { top_.final(); }
  Clocked(const Clocked&) = delete;
  Clocked& operator=(const Clocked&) = delete;

  V& top() { return top_; }
  /// The low half of the cycle: combinational outputs follow the inputs.
  void settle() {
    top_.clk_i = 0;
    top_.eval();
  }
  /// The rising edge.
  void edge() {
    top_.clk_i = 1;
    top_.eval();
  }
  void reset() {
    top_.clk_i = 0;
    for (const int level : {1, 0, 1}) {
      top_.rst_ni = static_cast<CData>(level);
      top_.eval();
    }
  }

 private:
  VerilatedContext context_;
  V top_;
};

}  // namespace strobe::tb
