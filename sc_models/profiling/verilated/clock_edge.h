// Clock and reset of a Verilated model without logic on the falling edge of the clock.
//
// A falling edge costs no eval if Verilator's copy of the last clock value can be reached, and one
// otherwise.
#pragma once

#include <verilated.h>

namespace strobe::profiling {

/// Tells the model that the clock was low. False if this version of Verilator names its copy
/// differently.
template <class Root>
auto forget_clock(Root& root, int) -> decltype(root.__Vtrigrprev__TOP__clk_i, true) {
  root.__Vtrigrprev__TOP__clk_i = 0;
  return true;
}
template <class Root>
bool forget_clock(Root&, long) {
  return false;
}

/// Takes the rising edge with the inputs as set; the outputs follow from the new state.
template <class V>
void rising_edge(V& top) {
  top.clk_i = 1;
  top.eval();
}

/// Takes the falling edge, after rising_edge().
template <class V>
void falling_edge(V& top) {
  top.clk_i = 0;
  if (!forget_clock(*top.rootp, 0)) top.eval();
}

/// Resets the model from any state: reset falls, stays low for one clock edge, and rises.
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
