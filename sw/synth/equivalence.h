// Is the netlist of cells the RTL? Yosys proves it for blocks without memories.
#pragma once

#include <filesystem>
#include <string>

#include "sw/synth/cell_library.h"
#include "sw/synth/design.h"

namespace strobe::synth {

constexpr int kProofSeconds = 120;  // of processor time

/// "proved", "has memories", "not finished in ... s", or "NOT EQUAL: ..." with what differs.
std::string check_equivalence(const Point& point, const Design& design, const CellLibrary& library,
                              const std::filesystem::path& netlist);

}  // namespace strobe::synth
