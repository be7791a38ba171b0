// A block on an iCE40 HX8K: Yosys, nextpnr and icetime.
#pragma once

#include <string>

#include "sw/files/run_tool.h"
#include "sw/synth/design.h"
#include "sw/synth/result.h"

namespace strobe::synth {

/// Processor time for placing and routing; a net that cannot be routed is tried for ever.
constexpr int kRouteSeconds = 60;

/// What the block alone uses, and how fast it is between registers. A block that is too large or
/// is not routed in kRouteSeconds has no frequency and says why. Throws
/// std::runtime_error when a tool fails.
FpgaResult synthesize_fpga(const Point& point, const Design& design);

/// Why nextpnr, as it ended, did not route a block: its time was up, or what it packed is more than
/// the FPGA has. "" if it did, or for another reason.
std::string not_routed(const files::ToolResult& nextpnr);

/// The module around strobe_block that needs four pins: its inputs are bits of a shift register,
/// its outputs are registered and reduced to one bit over several clocks.
std::string collapsing_wrapper(const std::vector<Port>& ports);

}  // namespace strobe::synth
