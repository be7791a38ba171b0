// Is the netlist of cells the RTL? Yosys and ABC prove it.
#pragma once

#include <filesystem>
#include <string>

#include "sw/synth/cells.h"
#include "sw/synth/design.h"

namespace strobe::synth {

constexpr int kProofSeconds = 120;  // of processor time, of Yosys and of ABC each
inline const std::string kProved = "proved";

/// "proved", "not finished in ... s", "NOT EQUAL: ..." with what differs, or "not proved: ..." when
/// they differ and the netlist has registers that the RTL does not have, as where Yosys encodes the
/// states of a machine anew. Both are cut at their registers and at the memories that are macros
/// (register_cut.h), and compared by ABC's cec. Of a composed block, whose children are in `flow`,
/// this is of the glue alone: the children have proofs of their own.
std::string check_equivalence(const Point& point, const Design& design, const CellFlow& flow,
                              const std::filesystem::path& netlist);

}  // namespace strobe::synth
