#include "sw/synth/register_cut.h"

#include <fmt/format.h>

#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace strobe::synth {
namespace {

using nlohmann::json;

/// Nets by name: a number as in the JSON, or a constant.
using Pins = std::vector<std::pair<std::string, std::string>>;

struct Gate {
  std::string a, b, y;  // b is empty: an inverter
};

/// A register's bit or a memory.
struct Element {
  std::string type;
  std::set<std::string> names;
  Pins reads, drives;
};

struct Network {
  Pins inputs, outputs;
  std::vector<Gate> gates;
  std::vector<Element> elements;
  std::map<std::string, std::string> constants;  // by each of their names
};

/// What is known to hold the same in both designs.
struct Class {
  std::string name;
  std::string constant = "";  // a net: what it is in the netlist, where it is no register any more
  std::vector<const Element*> rtl, netlist;
};

// An undefined bit of a netlist is whatever the cells make of it; the RTL has none here.
std::string net_of(const json& bit) {
  if (bit.is_number()) return std::to_string(bit.get<long>());
  return bit == "1" ? "$1" : "$0";
}

// Bits have names of their own where nets are split, else they count from `offset` on. Bit 0 is
// called as its vector is: where Yosys leaves out the others, that is how it calls it.
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

// The names of each net that the source gave.
std::map<std::string, std::set<std::string>> names_of(const json& module) {
  std::map<std::string, std::set<std::string>> names;
  for (const auto& [name, wire] : module["netnames"].items()) {
    if (wire["hide_name"] != 0) continue;
    for (const auto& [bit, net] : pins_of(name, wire["bits"], wire.value("offset", 0)))
      names[net].insert(bit);
  }
  return names;
}

Element element_of(const std::string& instance, const json& cell,
                   const std::map<std::string, std::set<std::string>>& names) {
  Element element{cell["type"], {}, {}, {}};
  for (const auto& [pin, bits] : cell["connections"].items()) {
    const bool drives = cell["port_directions"][pin] == "output";
    append(pins_of(pin, bits), drives ? &element.drives : &element.reads);
  }
  // A register has one output, which tells its name; a memory is an instance of the source.
  if (element.drives.size() != 1)
    element.names = {instance};
  else if (const auto found = names.find(element.drives[0].second); found != names.end())
    element.names = found->second;
  return element;
}

Network network_of(const json& design) {
  const json& module = design["modules"]["strobe_block"];
  const auto names = names_of(module);
  Network network;
  for (const std::string net : {"$0", "$1"}) {
    if (const auto found = names.find(net); found != names.end())
      for (const std::string& name : found->second) network.constants[name] = net;
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

// Elements that share a name, directly or by another one, are one class.
std::vector<Class> classes_of(const Network& rtl, const Network& netlist) {
  const size_t count = rtl.elements.size() + netlist.elements.size();
  const auto element = [&](size_t i) -> const Element& {
    return i < rtl.elements.size() ? rtl.elements[i] : netlist.elements[i - rtl.elements.size()];
  };
  std::vector<size_t> parent(count);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::map<std::string, size_t> first;
  for (size_t i = 0; i < count; ++i) {
    for (const std::string& name : element(i).names) {
      const auto [at, is_new] = first.emplace(name, i);
      if (!is_new) parent[root(i)] = root(at->second);
    }
  }
  std::map<size_t, Class> classes;
  for (size_t i = 0; i < count; ++i) {
    Class& all = classes[root(i)];
    (i < rtl.elements.size() ? all.rtl : all.netlist).push_back(&element(i));
    for (const std::string& name : element(i).names) {
      const auto constant = netlist.constants.find(name);
      if (constant != netlist.constants.end()) all.constant = constant->second;
    }
  }
  std::vector<Class> result;
  for (auto& [id, all] : classes) {
    const Element& any = all.rtl.empty() ? *all.netlist[0] : *all.rtl[0];
    all.name = any.names.empty() ? fmt::format("${}", id) : *any.names.begin();
    result.push_back(std::move(all));
  }
  return result;
}

void add_buffer(const std::string& from, const std::string& to, std::string* blif) {
  *blif += fmt::format(".names {} {}\n1 1\n", from, to);
}

class Blif {
 public:
  explicit Blif(const Network& network) : network_(network) {
    for (const auto& [name, net] : network.inputs) input(name, {net});
    for (const auto& [name, net] : network.outputs) output(name, net);
  }

  void input(const std::string& name, const std::vector<std::string>& nets) {
    head_ += fmt::format(".inputs {}\n", name);
    for (const std::string& net : nets) add_buffer(name, net, &body_);
  }

  void output(const std::string& name, const std::string& net) {
    head_ += fmt::format(".outputs {}\n", name);
    add_buffer(net, name, &body_);
  }

  void tie(const std::string& from, const std::string& to) { add_buffer(from, to, &body_); }

  std::string text() const {
    std::string gates = ".names $0\n.names $1\n1\n";
    for (const Gate& gate : network_.gates) {
      gates += gate.b.empty() ? fmt::format(".names {} {}\n0 1\n", gate.a, gate.y)
                              : fmt::format(".names {} {} {}\n11 1\n", gate.a, gate.b, gate.y);
    }
    return ".model strobe_block\n" + head_ + gates + body_ + ".end\n";
  }

 private:
  const Network& network_;
  std::string head_, body_;
};

std::vector<std::string> driven_by(const std::vector<const Element*>& elements, size_t pin) {
  std::vector<std::string> nets;
  for (const Element* element : elements) nets.push_back(element->drives[pin].second);
  return nets;
}

// The first of each side is compared with all of the other.
std::set<std::pair<const Element*, const Element*>> compared(const Class& all) {
  std::set<std::pair<const Element*, const Element*>> pairs;
  if (all.rtl.empty() || all.netlist.empty()) return pairs;
  for (const Element* element : all.rtl) pairs.emplace(element, all.netlist[0]);
  for (const Element* element : all.netlist) pairs.emplace(all.rtl[0], element);
  return pairs;
}

class Cut {
 public:
  Cut(const Network& rtl, const Network& netlist) : rtl_(rtl), netlist_(netlist) {
    for (const Class& all : classes_of(rtl, netlist)) {
      if (all.netlist.empty() && !all.constant.empty())
        constant(all);
      else
        same(all);
    }
  }

  CutPair pair() const {
    if (difference_.empty()) return {rtl_.text(), netlist_.text()};
    return {"", "", difference_};
  }

 private:
  // What holds the same gets the same.
  void same(const Class& all) {
    const Element& any = all.rtl.empty() ? *all.netlist[0] : *all.rtl[0];
    for (size_t pin = 0; pin < any.drives.size(); ++pin) {
      const std::string name = fmt::format("{}.{}", all.name, any.drives[pin].first);
      rtl_.input(name, driven_by(all.rtl, pin));
      netlist_.input(name, driven_by(all.netlist, pin));
    }
    int number = 0;
    for (const auto& [one, other] : compared(all)) {
      if (one->type != other->type || one->reads.size() != other->reads.size()) {
        difference_ =
            fmt::format("{} is a {}, in the netlist a {}", all.name, one->type, other->type);
        return;
      }
      const std::string suffix = ++number == 1 ? "" : fmt::format("/{}", number);
      for (size_t pin = 0; pin < one->reads.size(); ++pin) {
        output(fmt::format("{}.{}{}", all.name, one->reads[pin].first, suffix),
               one->reads[pin].second, other->reads[pin].second);
      }
    }
  }

  // What is a constant in the netlist is reset to it, if at all, and gets nothing else.
  void constant(const Class& all) {
    int number = 0;
    for (const Element* element : all.rtl) {
      const char value = element->type[element->type.size() - 2];  // $_DFF_PN0_
      if (std::isdigit(value) != 0 && value != all.constant.back()) {
        difference_ = fmt::format("{} is {} after reset, in the netlist always {}", all.name, value,
                                  all.constant.back());
        return;
      }
      rtl_.tie(all.constant, element->drives[0].second);
      for (const auto& [pin, net] : element->reads) {
        if (pin == "D") output(fmt::format("{}.D/{}", all.name, ++number), net, all.constant);
      }
    }
  }

  void output(const std::string& name, const std::string& rtl, const std::string& netlist) {
    rtl_.output(name, rtl);
    netlist_.output(name, netlist);
  }

  Blif rtl_, netlist_;
  std::string difference_;
};

}  // namespace

CutPair cut_at_registers(const json& rtl, const json& netlist) {
  const Network gold = network_of(rtl), gate = network_of(netlist);
  return Cut(gold, gate).pair();
}

}  // namespace strobe::synth
