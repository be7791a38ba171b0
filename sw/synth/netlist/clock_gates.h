// Clock gates: a register that an enable loads gets its clock through a gate, so that its bits need
// no multiplexers at their inputs.
//
// A gate is a latch that follows the enable while the clock is low, and an AND of the latch and the
// clock. Libraries describe their gates differently or, as osu018 does, give the latch no area. The
// flow therefore has a macro of its own, strobe_clock_gate.
#pragma once

#include <string>

#include "sw/synth/library/cell_library.h"
#include "sw/synth/netlist/result.h"

namespace strobe::synth {

/// The name of the gate's cell, whose pins are clk_i, enable_i and clk_o.
extern const std::string kClockGate;

/// The area in um2: a flip-flop, which is larger than a latch, and the library's NAND and inverter.
double clock_gate_area(const CellLibrary& library);

/// The gate as a cell in Liberty. The enable has the setup time of a flip-flop. The clock has no
/// tree, so it takes no time through the gate.
std::string clock_gate_liberty(const CellLibrary& library, const Calibration& calibration);

/// The techmap of Yosys that gives the registers with an enable their gates.
std::string clock_gate_techmap();

/// A Verilog model of the gate, for simulation.
std::string clock_gate_model();

/// The netlist with each gate named after the first flip-flop that it clocks: tuple_q[0]_reg has
/// tuple_q[0]_gate.
std::string with_named_clock_gates(const std::string& netlist);

/// The netlist without clock gates, for a proof. A gated flip-flop becomes a module <cell>_enabled,
/// which is on the clock itself and has the enable at an additional pin. These modules are
/// appended.
std::string without_clock_gates(const std::string& netlist, const CellLibrary& library);

}  // namespace strobe::synth
