// A flat design of simple gates, registers and memories, as Yosys writes it to JSON.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace strobe::synth {

/// Names and their nets. A net is a number, or the constant "$0" or "$1", or "$x" when it is
/// undriven.
using Pins = std::vector<std::pair<std::string, std::string>>;

struct Gate {
  std::string a, b, y;  // b is empty for an inverter; otherwise the gate is an AND
};

/// A bit of a register, identified by the names of its output; or a memory or a block, identified
/// by the name of its instance.
struct Element {
  std::string type;
  std::set<std::string> names;
  Pins reads, drives;

  bool is_register() const { return type.rfind("$_", 0) == 0; }
};

struct GateNetwork {
  Pins inputs, outputs;
  std::vector<Gate> gates;
  std::vector<Element> elements;
  std::map<std::string, std::string> nets;  // by each name that the source gave
};

/// The top module "strobe_block" of Yosys' write_json: gates $_AND_ and $_NOT_, registers $_DFF...;
/// all other cells are memories or blocks.
GateNetwork read_gate_network(const nlohmann::json& design);

/// The value of each net under 256 random states and inputs, which are the same in every run. Two
/// nets that differ here are different; two that do not are most likely the same.
using Signature = std::array<uint64_t, 4>;
using Signatures = std::unordered_map<std::string, Signature>;
/// @param given  the values of some nets that no gate drives
Signatures signatures(const GateNetwork& network, const Signatures& given = {});

}  // namespace strobe::synth
