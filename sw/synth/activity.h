// How often the nets of a netlist change, from a recorded waveform.
#pragma once

#include <cstdint>
#include <istream>
#include <set>
#include <string>
#include <unordered_map>

namespace strobe::synth {

struct NetActivity {
  uint64_t toggles = 0;  // cycles that end with another value than the one before
  uint64_t ones = 0;     // cycles that end with 1
};

/// Values as they are just before the rising edges of the clock: a net changes once a cycle at
/// most, so glitches are not counted. Of the clock itself nothing is.
struct Activity {
  uint64_t cycles = 0;  // after the first edge
  std::unordered_map<std::string, NetActivity> nets;
};

/// Reads a VCD. The nets are in the first scope called `module` or below it ("u_ram.we_i"), those
/// of a vector with their bit ("pc_i[3]"); others than `wanted` are passed over. `file` stands for
/// the VCD in messages. Throws std::runtime_error for what is no VCD, has no such scope, clock or
/// cycle, or not one of the nets.
Activity read_activity(std::istream& vcd, const std::string& file, const std::string& module,
                       const std::string& clock, const std::set<std::string>& wanted);

}  // namespace strobe::synth
