// The cell library's own measures, with the same timing tool as the blocks.
#pragma once

#include "sw/synth/library/cell_library.h"
#include "sw/synth/netlist/result.h"

namespace strobe::synth {

/// Measures FO4, the mean delay of the two edges through a chain of smallest inverters that each
/// drive four, and the flip-flop's clock-to-q and setup times. Throws std::runtime_error when a
/// tool fails.
Calibration calibrate(const CellLibrary& library);

}  // namespace strobe::synth
