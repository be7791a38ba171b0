// Power of a netlist at work, an estimate before layout.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "sw/synth/activity.h"
#include "sw/synth/cell_library.h"
#include "sw/synth/netlist.h"
#include "sw/synth/sram.h"

namespace strobe::synth {

/// Energy of a mean cycle, and the power at a clock period.
struct PowerEstimate {
  double internal = 0;   // pJ a cycle in the cells, by the library's internal_power
  double switching = 0;  // pJ a cycle for the pins that its nets and the clock drive
  double memory = 0;     // pJ a cycle in the macros, by their reads and writes
  double leakage = 0;    // mW
  double period = 0;     // ns
  uint64_t cycles = 0;   // of the activity
  double toggles = 0;    // a net and cycle, without the clock
  std::string source;    // the waveform's file name

  double energy() const { return internal + switching + memory; }  // pJ a cycle
  double dynamic() const { return energy() / period; }             // mW
  double total() const { return dynamic() + leakage; }             // mW
};

struct PowerInputs {
  const CellLibrary& library;
  std::map<std::string, Macro> macros;  // by the names of their cells
  double transition = 0;                // ns, of every input
  double period = 0;                    // ns
  std::string clock = "clk_i";
};

/// The nets whose activity power needs: all but the clocks.
std::set<std::string> nets_of(const GateNetlist& netlist, const std::string& clock);

/// A change of a net takes C V2 / 2, one of a pin the mean of the library's two edges, and of
/// several related pins each as often as it changes itself. Without wires and glitches; the clock
/// has no tree, behind a gate it changes in the cycles whose enable is 1, and what an input's net
/// takes counts where it is driven. Throws std::runtime_error for a cell that is neither of the
/// library nor a macro.
PowerEstimate estimate_power(const GateNetlist& netlist, const Activity& activity,
                             const PowerInputs& inputs);

void to_json(nlohmann::json& json, const PowerEstimate& value);

}  // namespace strobe::synth
