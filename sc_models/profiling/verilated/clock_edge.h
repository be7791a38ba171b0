// Clock and reset of a Verilated model whose logic listens to no falling edge of the clock.
//
// The clock goes down unseen where Verilator's note of its last value can be reached, and with an
// eval of its own elsewhere.
#pragma once

#include <verilated.h>

namespace strobe::profiling {

/// Tells the model that the clock has been low. False when this Verilator calls its note otherwise.
template <class Root>
auto forget_clock(Root& root, int) -> decltype(root.__Vtrigrprev__TOP__clk_i, true) {
  root.__Vtrigrprev__TOP__clk_i = 0;
  return true;
}
template <class Root>
bool forget_clock(Root&, long) {
  return false;
}

/// Inputs have been set; outputs follow from the new state.
template <class V>
void rising_edge(V& top) {
  top.clk_i = 1;
  top.eval();
}

/// After rising_edge().
template <class V>
void falling_edge(V& top) {
  top.clk_i = 0;
  if (!forget_clock(*top.rootp, 0)) top.eval();
}

/// From any state: reset falls, stays low for one clock edge and rises.
template <class V>
void reset_over_an_edge(V& top) {
  top.clk_i = 0;
  for (const int level : {1, 0}) {
    top.rst_ni = static_cast<CData>(level);
    top.eval();
  }
  for (const int level : {1, 0}) {
    top.clk_i = static_cast<CData>(level);
    top.eval();
  }
  top.rst_ni = 1;
  top.eval();
}

}  // namespace strobe::profiling
