// Clock gates: a register that an enable loads gets its clock through a gate, instead of a
// multiplexer in front of each of its bits.
//
// A gate is a latch that follows the enable while the clock is low, and an AND of both. Libraries
// describe theirs differently or, as osu018 does, give the latch no area, so it is a macro of the
// flow, strobe_clock_gate.
#pragma once

#include <string>

#include "sw/synth/cell_library.h"
#include "sw/synth/result.h"

namespace strobe::synth {

/// The name of the gate: pins clk_i, enable_i, clk_o.
extern const std::string kClockGate;

/// um2: a flip-flop, which is more than a latch, and the library's NAND and inverter.
double clock_gate_area(const CellLibrary& library);

/// Its cell in Liberty. The enable has the setup time of a flip-flop; the clock has no tree, so it
/// takes no time through the gate.
std::string clock_gate_liberty(const CellLibrary& library, const Calibration& calibration);

/// The techmap of Yosys that gives the registers with an enable their gates.
std::string clock_gate_techmap();

/// A model for simulation.
std::string clock_gate_model();

/// The netlist with its gates named after the first flip-flop behind them: tuple_q[0]_reg has
/// tuple_q[0]_gate.
std::string with_named_clock_gates(const std::string& netlist);

/// What the netlist does, without gates, for a proof: their flip-flops are on the clock itself, as
/// modules <cell>_enabled with the enable at a pin more, which are appended.
std::string without_clock_gates(const std::string& netlist, const CellLibrary& library);

}  // namespace strobe::synth
