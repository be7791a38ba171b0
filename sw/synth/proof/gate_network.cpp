#include "sw/synth/proof/gate_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>

namespace strobe::synth {
namespace {

using nlohmann::json;

std::string net_of(const json& bit) {
  if (bit.is_number()) return std::to_string(bit.get<long>());
  return "$" + (bit == "z" ? "x" : bit.get<std::string>());
}

// Removes unnamed blocks and memory_wrapper's block from a name. They vary with the other sizes
// that a memory has.
std::string without_varying_blocks(const std::string& name) {
  static const std::regex varying("(genblk[0-9]+|gen_flip_flops)\\.");
  return name.find("gen") == std::string::npos ? name : std::regex_replace(name, varying, "");
}

// Bits have names of their own where nets are split; elsewhere they count from `offset` on. Bit 0
// has the name of its vector, because Yosys calls it so where it leaves out the other bits.
Pins pins_of(const std::string& name, const json& bits, size_t offset = 0) {
  const std::string low = "[0]";
  Pins pins;
  for (size_t i = 0; i < bits.size(); ++i) {
    std::string bit = bits.size() == 1 ? name : fmt::format("{}[{}]", name, i + offset);
    if (bit.size() > low.size() && bit.substr(bit.size() - low.size()) == low)
      bit.resize(bit.size() - low.size());
    pins.emplace_back(bit, net_of(bits[i]));
  }
  return pins;
}

void append(const Pins& more, Pins* pins) { pins->insert(pins->end(), more.begin(), more.end()); }

// Libraries have one kind of flip-flop for both set and reset. When one of the two is tied off, the
// flip-flop is renamed to one with the other alone: $_DFFSR_PNN_ becomes $_DFF_PN0_ or $_DFF_PN1_,
// and the remaining pin becomes R.
void leave_out_what_is_tied_off(Element* element) {
  const std::string prefix = "$_DFFSR_";
  if (element->type.rfind(prefix, 0) != 0) return;
  const std::string levels = element->type.substr(prefix.size(), 3);  // the levels of C, S and R
  const auto tied_off = [&](const char* pin, char active) {
    const std::pair<std::string, std::string> off(pin, active == 'P' ? "$0" : "$1");
    return std::find(element->reads.begin(), element->reads.end(), off);
  };
  if (const auto set = tied_off("S", levels[1]); set != element->reads.end()) {
    element->reads.erase(set);
    element->type = fmt::format("$_DFF_{}{}0_", levels[0], levels[2]);
  } else if (const auto reset = tied_off("R", levels[2]); reset != element->reads.end()) {
    element->reads.erase(reset);
    for (auto& [pin, net] : element->reads) {
      if (pin == "S") pin = "R";
    }
    element->type = fmt::format("$_DFF_{}{}1_", levels[0], levels[1]);
  }
}

Element element_of(const std::string& instance, const json& cell,
                   const std::map<std::string, std::set<std::string>>& names) {
  Element element{cell["type"], {}, {}, {}};
  for (const auto& [pin, bits] : cell["connections"].items()) {
    const bool drives = cell["port_directions"][pin] == "output";
    append(pins_of(pin, bits), drives ? &element.drives : &element.reads);
  }
  if (!element.is_register())
    element.names = {without_varying_blocks(instance)};
  else if (const auto found = names.find(element.drives[0].second); found != names.end())
    element.names = found->second;
  leave_out_what_is_tied_off(&element);
  return element;
}

}  // namespace

GateNetwork read_gate_network(const json& design) {
  const json& module = design["modules"]["strobe_block"];
  GateNetwork network;
  std::map<std::string, std::set<std::string>> names;
  for (const auto& [name, wire] : module["netnames"].items()) {
    if (wire["hide_name"] != 0) continue;
    for (const auto& [bit, net] :
         pins_of(without_varying_blocks(name), wire["bits"], wire.value("offset", 0))) {
      if (net == "$x") continue;
      names[net].insert(bit);
      network.nets[bit] = net;
    }
  }
  for (const auto& [name, port] : module["ports"].items())
    append(pins_of(name, port["bits"]),
           port["direction"] == "input" ? &network.inputs : &network.outputs);
  for (const auto& [name, cell] : module["cells"].items()) {
    const json& pins = cell["connections"];
    if (cell["type"] == "$_AND_")
      network.gates.push_back({net_of(pins["A"][0]), net_of(pins["B"][0]), net_of(pins["Y"][0])});
    else if (cell["type"] == "$_NOT_")
      network.gates.push_back({net_of(pins["A"][0]), "", net_of(pins["Y"][0])});
    else
      network.elements.push_back(element_of(name, cell, names));
  }
  return network;
}

Signatures signatures(const GateNetwork& network, const Signatures& given) {
  std::unordered_map<std::string, const Gate*> drivers;
  for (const Gate& gate : network.gates) drivers[gate.y] = &gate;
  Signatures values = given;
  values["$0"].fill(0);
  values["$1"].fill(~uint64_t{0});
  std::mt19937_64 random(1);
  for (const Gate& last : network.gates) {
    std::vector<std::string> waiting = {last.y};
    while (!waiting.empty()) {
      const std::string net = waiting.back();
      const auto driver = drivers.find(net);
      if (values.count(net) != 0) {
        waiting.pop_back();
      } else if (driver == drivers.end()) {
        for (uint64_t& word : values[net]) word = random();
      } else {
        const Gate& gate = *driver->second;
        const std::string& b = gate.b.empty() ? gate.a : gate.b;
        const auto one = values.find(gate.a), other = values.find(b);
        if (one == values.end() || other == values.end()) {
          if (one == values.end()) waiting.push_back(gate.a);
          if (other == values.end()) waiting.push_back(b);
          continue;
        }
        Signature value = one->second;
        for (size_t k = 0; k < value.size(); ++k)
          value[k] = gate.b.empty() ? ~value[k] : value[k] & other->second[k];
        values[net] = value;
      }
    }
  }
  return values;
}

}  // namespace strobe::synth
