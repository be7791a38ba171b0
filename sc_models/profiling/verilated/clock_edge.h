// One rising clock edge of a Verilated model whose logic listens to no falling one.
//
// The clock goes down unseen where Verilator's note of its last value can be reached, and with an
// eval of its own elsewhere.
#pragma once

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

}  // namespace strobe::profiling
