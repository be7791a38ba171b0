// The cell library's own measures, with the same timing tool as the blocks.
#pragma once

#include "sw/synth/cell_library.h"
#include "sw/synth/result.h"

namespace strobe::synth {

/// FO4: the mean of the two edges through a chain of smallest inverters, each of which drives four.
/// Throws std::runtime_error when the tools fail.
Calibration calibrate(const CellLibrary& library);

}  // namespace strobe::synth
