#include "sw/synth/proof/register_cut.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sw/synth/proof/gate_network.h"

namespace strobe::synth {
namespace {

/// Elements that are known to hold the same in both designs.
struct Class {
  std::string name;
  /// The net that replaces it in the netlist when it is not a register there.
  std::string constant = "";
  std::vector<const Element*> rtl, netlist;
};

bool share_a_name(const Element& element, const std::set<std::string>& names) {
  for (const std::string& name : element.names) {
    if (names.count(name) != 0) return true;
  }
  return false;
}

// A register of the netlist may have the name of a net that in the RTL is a register's value after
// some gates. Simulation finds which register it is, and the proof covers it with all others.
void name_what_is_seen_through_gates(const GateNetwork& netlist, GateNetwork* rtl) {
  std::set<std::string> known;
  for (const Element& element : rtl->elements)
    known.insert(element.names.begin(), element.names.end());
  std::vector<std::string> unknown;
  for (const Element& element : netlist.elements) {
    if (!element.is_register() || share_a_name(element, known)) continue;
    for (const std::string& name : element.names) {
      if (rtl->nets.count(name) != 0) unknown.push_back(name);
    }
  }
  if (unknown.empty()) return;
  const auto values = signatures(*rtl);
  std::map<Signature, Element*> by_value;
  for (Element& element : rtl->elements) {
    const auto value = element.is_register() ? values.find(element.drives[0].second) : values.end();
    if (value != values.end()) by_value[value->second] = &element;
  }
  for (const std::string& name : unknown) {
    const auto value = values.find(rtl->nets[name]);
    if (value == values.end()) continue;
    if (const auto found = by_value.find(value->second); found != by_value.end())
      found->second->names.insert(name);
  }
}

const std::string& what_comes(const Element& flip_flop) {
  for (const auto& [pin, net] : flip_flop.reads) {
    if (pin == "D") return net;
  }
  throw std::logic_error("register cut: a " + flip_flop.type + " has no D");
}

// Groups registers that hold the same once they do (van Eijk, IEEE Trans. CAD 19, 2000). At first
// all registers of a kind are one group. Those that get different values under one state are
// separated, until no group changes.
std::map<int, std::vector<Element*>> alike(GateNetwork* network) {
  std::map<std::string, int> kinds;
  std::vector<std::pair<Element*, int>> registers;  // with the number of its group
  for (Element& element : network->elements) {
    if (!element.is_register()) continue;
    std::string kind = element.type;
    for (const auto& [pin, net] : element.reads) kind += pin == "D" ? "" : " " + net;
    registers.emplace_back(&element, kinds.emplace(kind, kinds.size()).first->second);
  }
  for (size_t groups = 0, before = kinds.size(); groups != before;) {
    if (groups != 0) before = groups;
    Signatures state;
    for (const auto& [element, group] : registers) {
      std::mt19937_64 random(static_cast<uint64_t>(group));
      for (uint64_t& word : state[element->drives[0].second]) word = random();
    }
    const Signatures values = signatures(*network, state);
    std::map<std::tuple<int, Signature, std::string>, int> next;
    for (auto& [element, group] : registers) {
      const std::string& net = what_comes(*element);
      const auto value = values.find(net);
      const bool known = value != values.end();  // otherwise the net is an input or undriven
      group = next.emplace(std::tuple(group, known ? value->second : Signature{}, known ? "" : net),
                           static_cast<int>(next.size()))
                  .first->second;
    }
    groups = next.size();
  }
  std::map<int, std::vector<Element*>> result;
  for (const auto& [element, group] : registers) result[group].push_back(element);
  return result;
}

bool is_gone(const Element& element, const GateNetwork& netlist) {
  return std::none_of(element.names.begin(), element.names.end(),
                      [&](const std::string& name) { return netlist.nets.count(name) != 0; });
}

// The value that a reset gives the register, "0" or "1", or "" without a reset: the type $_DFF_PN0_
// has "0".
std::string reset_value(const Element& element) {
  const char value = element.type[element.type.size() - 2];
  return std::isdigit(static_cast<unsigned char>(value)) != 0 ? std::string(1, value) : "";
}

// Finds registers that the netlist does not have and that stay 0, or 1, once they are; in the
// netlist they are constants. Each starts with its reset value. A register without a reset is tried
// with 0 and then with 1.
void name_what_stays_constant(const GateNetwork& rtl, GateNetwork* netlist) {
  Signature all_ones;
  all_ones.fill(~uint64_t{0});
  std::map<const Element*, Signature> constants;
  for (const Element& element : rtl.elements) {
    if (!element.is_register() || !is_gone(element, *netlist)) continue;
    constants[&element] = reset_value(element) == "1" ? all_ones : Signature{};
  }
  for (bool changed = true; changed;) {
    changed = false;
    Signatures state;
    for (const auto& [element, value] : constants) state[element->drives[0].second] = value;
    const Signatures values = signatures(rtl, state);
    for (auto at = constants.begin(); at != constants.end();) {
      auto& [element, value] = *at;
      const auto next = values.find(what_comes(*element));
      if (next != values.end() && next->second == value) {
        ++at;
        continue;
      }
      changed = true;
      if (value == Signature{} && reset_value(*element).empty())
        (at++)->second = all_ones;
      else
        at = constants.erase(at);
    }
  }
  for (const auto& [element, value] : constants) {
    for (const std::string& name : element->names)
      netlist->nets.emplace(name, value == all_ones ? "$1" : "$0");
  }
}

// The netlist may have one register for several that hold the same in the RTL. What the others get
// is then compared with what that one gets.
void name_what_holds_the_same(const GateNetwork& netlist, GateNetwork* rtl) {
  std::set<std::string> names;
  for (const Element& element : netlist.elements)
    names.insert(element.names.begin(), element.names.end());
  for (const auto& [group, elements] : alike(rtl)) {
    const auto there = std::find_if(elements.begin(), elements.end(), [&](const Element* element) {
      return share_a_name(*element, names);
    });
    if (there == elements.end()) continue;
    for (Element* element : elements) {
      if (is_gone(*element, netlist)) element->names.insert(*(*there)->names.begin());
    }
  }
}

// A name that the source gave, if there is one: the pins of a netlist's cells are called _12_.A.
std::optional<std::string> name_of(const Element& element) {
  for (const std::string& name : element.names) {
    if (name[0] != '_') return name;
  }
  return element.names.empty() ? std::nullopt : std::optional(*element.names.begin());
}

// Elements that share a name, directly or through another element, are one class.
std::vector<Class> classes_of(const GateNetwork& rtl, const GateNetwork& netlist) {
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
      const auto net = netlist.nets.find(name);
      if (net != netlist.nets.end() && net->second[0] == '$') all.constant = net->second;
    }
  }
  std::vector<Class> result;
  for (auto& [id, all] : classes) {
    all.name =
        name_of(all.rtl.empty() ? *all.netlist[0] : *all.rtl[0]).value_or(fmt::format("${}", id));
    result.push_back(std::move(all));
  }
  return result;
}

void add_buffer(const std::string& from, const std::string& to, std::string* blif) {
  *blif += fmt::format(".names {} {}\n1 1\n", from, to);
}

// A network without state. Both networks have each input and each output under the same name.
class Blif {
 public:
  explicit Blif(const GateNetwork& network) : network_(network), head_(".inputs $x\n") {
    driven_ = {"$0", "$1", "$x"};
    for (const auto& [name, net] : network.inputs) input(name, {net});
    for (const auto& [name, net] : network.outputs) output(name, net);
  }

  void input(const std::string& name, const std::vector<std::string>& nets) {
    head_ += fmt::format(".inputs {}\n", name);
    for (const std::string& net : nets) tie(name, net);
  }

  void output(const std::string& name, const std::string& net) {
    head_ += fmt::format(".outputs {}\n", name);
    add_buffer(net, name, &body_);
    read_.insert(net);
  }

  void tie(const std::string& from, const std::string& to) {
    add_buffer(from, to, &body_);
    driven_.insert(to);
  }

  // An undriven net becomes an input: nothing that is compared may depend on it.
  std::string text() const {
    std::unordered_set<std::string> driven = driven_, read = read_;
    std::string gates = ".names $0\n.names $1\n1\n";
    for (const Gate& gate : network_.gates) {
      gates += gate.b.empty() ? fmt::format(".names {} {}\n0 1\n", gate.a, gate.y)
                              : fmt::format(".names {} {} {}\n11 1\n", gate.a, gate.b, gate.y);
      driven.insert(gate.y);
      read.insert(gate.a);
      if (!gate.b.empty()) read.insert(gate.b);
    }
    for (const std::string& net : std::set<std::string>(read.begin(), read.end())) {
      if (driven.count(net) == 0) add_buffer("$x", net, &gates);
    }
    return ".model strobe_block\n" + head_ + gates + body_ + ".end\n";
  }

 private:
  const GateNetwork& network_;
  std::string head_, body_;
  std::unordered_set<std::string> driven_, read_;
};

std::vector<std::string> driven_by(const std::vector<const Element*>& elements, size_t pin) {
  std::vector<std::string> nets;
  for (const Element* element : elements) nets.push_back(element->drives[pin].second);
  return nets;
}

// Pairs the first element of each side with all elements of the other.
std::set<std::pair<const Element*, const Element*>> compared(const Class& all) {
  std::set<std::pair<const Element*, const Element*>> pairs;
  if (all.rtl.empty() || all.netlist.empty()) return pairs;
  for (const Element* element : all.rtl) pairs.emplace(element, all.netlist[0]);
  for (const Element* element : all.netlist) pairs.emplace(all.rtl[0], element);
  return pairs;
}

class Cut {
 public:
  Cut(const GateNetwork& rtl, const GateNetwork& netlist) : rtl_(rtl), netlist_(netlist) {
    for (const Class& all : classes_of(rtl, netlist)) {
      if (all.netlist.empty() && !all.constant.empty())
        constant(all);
      else
        same(all);
      if (all.rtl.empty()) pair_.unknown.push_back(all.name);
    }
  }

  CutPair pair() {
    pair_.rtl = rtl_.text();
    pair_.netlist = netlist_.text();
    return std::move(pair_);
  }

 private:
  // Compares what the elements of a class get: elements that hold the same must get the same.
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
        pair_.difference =
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

  // A register that is a constant in the netlist must be reset to that value, if it has a reset,
  // and must get no other value.
  void constant(const Class& all) {
    int number = 0;
    for (const Element* element : all.rtl) {
      const std::string value = reset_value(*element);
      if (!value.empty() && value[0] != all.constant.back()) {
        pair_.difference = fmt::format("{} is {} after reset, in the netlist always {}", all.name,
                                       value, all.constant.back());
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
  CutPair pair_;
};

}  // namespace

CutPair cut_at_registers(const nlohmann::json& rtl, const nlohmann::json& netlist,
                         Correspondence by) {
  GateNetwork gold = read_gate_network(rtl);
  GateNetwork gate = read_gate_network(netlist);
  name_what_is_seen_through_gates(gate, &gold);
  if (by == Correspondence::kValues) {
    name_what_stays_constant(gold, &gate);
    name_what_holds_the_same(gate, &gold);
  }
  return Cut(gold, gate).pair();
}

}  // namespace strobe::synth
