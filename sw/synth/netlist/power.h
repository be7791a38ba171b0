// Estimates the power of a working netlist before layout.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "sw/synth/library/cell_library.h"
#include "sw/synth/memory/sram.h"
#include "sw/synth/netlist/activity.h"
#include "sw/synth/netlist/netlist.h"

namespace strobe::synth {

/// The energy of a mean cycle, and the power at a clock period.
struct PowerEstimate {
  double internal = 0;   // pJ a cycle in the cells, by the library's internal_power
  double switching = 0;  // pJ a cycle for the pins that its nets and the clock drive
  double memory = 0;     // pJ a cycle in the macros, by their reads and writes
  double leakage = 0;    // mW
  double period = 0;     // ns
  uint64_t cycles = 0;   // the recorded cycles
  double toggles = 0;    // changes a net and cycle, without the clock
  std::string source;    // the waveform's file name

  double energy() const { return internal + switching + memory; }  // pJ a cycle
  double dynamic() const { return energy() / period; }             // mW
  double total() const { return dynamic() + leakage; }             // mW
};

struct PowerInputs {
  const CellLibrary& library;
  std::map<std::string, Macro> macros;  // by the names of the macros' cells
  double transition = 0;                // ns, at every input
  double period = 0;                    // ns
  std::string clock = "clk_i";
};

/// The nets whose activity the estimate needs: all but the clocks.
std::set<std::string> nets_of(const GateNetlist& netlist, const std::string& clock);

/// A change of a net takes C V2 / 2. A change of a pin takes the mean of the library's two edges;
/// when the pin has several related pins, each is weighted by how often it changes. Wires and
/// glitches are left out. The clock has no tree; downstream of a gate it changes in the cycles
/// whose enable is 1. The energy of an input's net counts where the net is driven. Throws
/// std::runtime_error for a cell that is neither in the library nor a macro.
PowerEstimate estimate_power(const GateNetlist& netlist, const Activity& activity,
                             const PowerInputs& inputs);

void to_json(nlohmann::json& json, const PowerEstimate& value);

}  // namespace strobe::synth
