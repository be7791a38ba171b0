// A flat netlist as Yosys writes it: the instances of cells, and the nets that their pins are on.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace strobe::synth {

struct Instance {
  std::string cell, name;
  /// The nets of each pin, most significant first: "pc_i[3]"; "" for a constant.
  std::map<std::string, std::vector<std::string>> pins;
};

struct GateNetlist {
  std::vector<Instance> instances;
  /// The assignments: a net, and the net or constant that drives it.
  std::vector<std::pair<std::string, std::string>> assigns;
  std::vector<std::string> inputs, outputs;  // names of single bits
};

/// Reads the first module of a netlist. Throws std::runtime_error with the line when the netlist is
/// not flat and structural.
GateNetlist parse_netlist(const std::string& text);

}  // namespace strobe::synth
