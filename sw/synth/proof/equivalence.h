// Proves with Yosys and ABC that the netlist of cells does what the RTL does.
#pragma once

#include <filesystem>
#include <string>

#include "sw/synth/design/design.h"
#include "sw/synth/mapping/cells.h"

namespace strobe::synth {

constexpr int kProofSeconds = 120;  // processor time, for Yosys and for ABC each
inline const std::string kProved = "proved";

/// Returns "proved", "not finished in ... s", "NOT EQUAL: ..." with what differs, or "not proved:
/// ...". The last one means that they differ and that the netlist has registers that the RTL does
/// not have, as when Yosys encodes the states of a machine anew. Both designs are cut at their
/// registers and at the memories that are macros (register_cut.h), and ABC's cec compares them. For
/// a composed block, whose children are in `flow`, the result covers the glue alone: the children
/// have proofs of their own.
std::string check_equivalence(const Point& point, const Design& design, const CellFlow& flow,
                              const std::filesystem::path& netlist);

}  // namespace strobe::synth
