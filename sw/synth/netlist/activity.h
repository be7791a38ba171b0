// How often the nets of a netlist change, from a recorded waveform.
#pragma once

#include <cstdint>
#include <istream>
#include <set>
#include <string>
#include <unordered_map>

namespace strobe::synth {

struct NetActivity {
  uint64_t toggles = 0;  // cycles that end with a value other than the previous cycle's
  uint64_t ones = 0;     // cycles that end with 1
};

/// Values are sampled just before the rising edges of the clock. A net therefore changes at most
/// once a cycle, so glitches are not counted. The clock's own changes are not counted.
struct Activity {
  uint64_t cycles = 0;  // those after the first edge
  std::unordered_map<std::string, NetActivity> nets;
};

/// Reads a VCD. The nets are those in the first scope called `module` or below it ("u_ram.we_i");
/// each bit of a vector is a net ("pc_i[3]"). Nets that are not in `wanted` are passed over. `file`
/// stands for the VCD in messages. Throws std::runtime_error when the text is not a VCD, when it
/// has no such scope, no such clock or no whole cycle, or when one of the wanted nets is missing.
Activity read_activity(std::istream& vcd, const std::string& file, const std::string& module,
                       const std::string& clock, const std::set<std::string>& wanted);

}  // namespace strobe::synth
