// A block on an iCE40 HX8K: Yosys, nextpnr and icetime.
#pragma once

#include <string>

#include "sw/files/run_tool.h"
#include "sw/synth/design/design.h"
#include "sw/synth/netlist/result.h"

namespace strobe::synth {

/// The limit of processor time for placing and routing; nextpnr tries to route an unroutable net
/// without end.
constexpr int kRouteSeconds = 60;

/// What the block alone uses, and how fast it is between registers. A block that is too large or is
/// not routed in kRouteSeconds has no frequency, and the result says why. Throws std::runtime_error
/// when a tool fails.
FpgaResult synthesize_fpga(const Point& point, const Design& design);

/// Why nextpnr did not route a block: it ran out of time, or the packed block is larger than the
/// FPGA. Returns "" when it did route the block or failed for another reason.
std::string not_routed(const files::ToolResult& nextpnr);

/// A module around strobe_block that needs only four pins. The inputs of strobe_block are bits of a
/// shift register; its outputs are registered and reduced to one bit over several clocks.
std::string collapsing_wrapper(const std::vector<Port>& ports);

}  // namespace strobe::synth
