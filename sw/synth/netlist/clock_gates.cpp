#include "sw/synth/netlist/clock_gates.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "sw/synth/memory/sram.h"

namespace strobe::synth {

const std::string kClockGate = "strobe_clock_gate";

namespace {

// The narrowest register with a gate; the multiplexers of a narrower one are smaller.
constexpr int kFewestBits = 4;

const std::string kEnabled = "_enabled";

/// A register of Yosys with an enable, and the same register without.
struct Register {
  std::string cell, plain;
  std::string reset = "";     // the port of the reset; empty: none
  bool reset_always = false;  // a synchronous reset that does not depend on the enable
};
const Register kRegisters[] = {{"$dffe", "$dff"},
                               {"$adffe", "$adff", "ARST"},
                               {"$sdffce", "$sdff", "SRST"},
                               {"$sdffe", "$sdff", "SRST", true}};

/// A line of a netlist, or the lines of an instance. Yosys writes an instance as "  CELL NAME (",
/// a line "    .PIN(NET)," for each pin, and "  );".
struct Item {
  std::string text, cell, name;
  std::map<std::string, std::string> pins;
};

void read_pin(const std::string& line, Item* item) {
  const size_t dot = line.find('.'), open = line.find('(', dot);
  if (dot == std::string::npos || open == std::string::npos) return;
  item->pins[line.substr(dot + 1, open - dot - 1)] =
      line.substr(open + 1, line.rfind(')') - open - 1);
}

std::vector<Item> items_of(const std::string& netlist) {
  std::vector<Item> items;
  std::istringstream lines(netlist);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (!inside) {
      items.push_back({});
      const bool begins = line.rfind("  ", 0) == 0 && line.size() > 2 && line.back() == '(';
      if (begins) {
        std::istringstream words(line);
        words >> items.back().cell >> items.back().name;
        inside = true;
      }
    } else if (line == "  );") {
      inside = false;
    } else {
      read_pin(line, &items.back());
    }
    items.back().text += line + "\n";
  }
  return items;
}

bool ends_module(const Item& item) { return item.text == "endmodule\n"; }

/// The gates of each module, by the clock net that they drive.
class Gates {
 public:
  explicit Gates(const std::vector<Item>& items) : modules_(1) {
    for (size_t i = 0; i < items.size(); ++i) {
      if (items[i].cell == kClockGate) modules_.back()[items[i].pins.at("clk_o")] = i;
      if (ends_module(items[i])) modules_.emplace_back();
    }
  }
  void next_module() { ++module_; }
  /// The place of the gate that drives an instance's clock pin, or -1.
  long in_front_of(const Item& item, const std::string& clock) const {
    const auto pin = item.pins.find(clock);
    if (pin == item.pins.end()) return -1;
    const auto gate = modules_[module_].find(pin->second);
    return gate == modules_[module_].end() ? -1 : static_cast<long>(gate->second);
  }

 private:
  std::vector<std::map<std::string, size_t>> modules_;
  size_t module_ = 0;
};

void replace(std::string* text, const std::string& old, const std::string& by) {
  const size_t at = text->find(old);
  if (at != std::string::npos) text->replace(at, old.size(), by);
}

/// Returns the variant with an enable of a flip-flop that has none.
std::string enabled_module(const Cell& cell) {
  std::string ports = "ENABLE", pins;
  for (const CellPin& pin : cell.pins) {
    ports += ", " + pin.name;
    pins += fmt::format("{}.{}({})", pins.empty() ? "" : ", ", pin.name,
                        pin.name == cell.next_state ? "d" : pin.name);
  }
  std::string text =
      fmt::format("\nmodule {}{}({});\n  input ENABLE;\n", cell.name, kEnabled, ports);
  for (const CellPin& pin : cell.pins)
    text += fmt::format("  {} {};\n", pin.input ? "input" : "output", pin.name);
  return text + fmt::format("  wire d;\n  assign d = ENABLE ? {} : {};\n  {} u ({});\nendmodule\n",
                            cell.next_state, cell.output()->name, cell.name, pins);
}

}  // namespace

double clock_gate_area(const CellLibrary& library) {
  return library.cells.at(library.flip_flop).area + library.nand2_area() +
         library.cells.at(library.inverter).area;
}

std::string clock_gate_liberty(const CellLibrary& library, const Calibration& calibration) {
  const Cell& flip_flop = library.cells.at(library.flip_flop);
  std::string arcs;
  for (const char* edge : {"rise", "fall"}) {
    arcs += fmt::format(
        " cell_{0} (scalar) {{ values (\"0\"); }} {0}_transition (scalar) {{ values (\"0\"); }}",
        edge);
  }
  return fmt::format(
      "  cell ({}) {{\n    area : {:.2f};\n"
      "    pin (clk_i) {{ direction : input; clock : true; capacitance : {:.5f}; }}\n"
      "    pin (enable_i) {{\n      direction : input; capacitance : {:.5f};\n{}    }}\n"
      "    pin (clk_o) {{\n      direction : output; function : \"clk_i\";\n"
      "      timing () {{ related_pin : \"clk_i\"; timing_sense : positive_unate;{} }}\n    }}\n"
      "  }}\n",
      kClockGate, clock_gate_area(library), flip_flop.pin(flip_flop.clocked_on)->capacitance,
      flip_flop.pin(flip_flop.next_state)->capacitance, liberty_checks(calibration.setup), arcs);
}

std::string clock_gate_techmap() {
  std::string text;
  for (const Register& kind : kRegisters) {
    std::string ports, declared, passed;
    if (!kind.reset.empty()) {
      ports = kind.reset + ", ";
      declared = fmt::format(
          "  input {0};\n  parameter {0}_POLARITY = 1; parameter [WIDTH-1:0] {0}_VALUE = 0;\n",
          kind.reset);
      passed = fmt::format(", .{0}_POLARITY({0}_POLARITY), .{0}_VALUE({0}_VALUE)", kind.reset);
    }
    text += fmt::format(
        "(* techmap_celltype = \"{0}\" *)\n"
        "module gated_{1} (CLK, EN, {2}D, Q);\n"
        "  parameter WIDTH = 1; parameter CLK_POLARITY = 1; parameter EN_POLARITY = 1;\n{3}"
        "  input CLK, EN;\n  input [WIDTH-1:0] D;\n  output [WIDTH-1:0] Q;\n"
        "  wire _TECHMAP_FAIL_ = WIDTH < {4} || !CLK_POLARITY;\n  wire clock;\n"
        "  {5} u_gate (.clk_i(CLK), .enable_i(EN == EN_POLARITY{6}), .clk_o(clock));\n"
        "  \\{7} #(.WIDTH(WIDTH), .CLK_POLARITY(1){8}) _TECHMAP_REPLACE_ (.CLK(clock), {9}.D(D), "
        ".Q(Q));\nendmodule\n",
        kind.cell, kind.cell.substr(1), ports, declared, kFewestBits, kClockGate,
        kind.reset_always ? " || SRST == SRST_POLARITY" : "", kind.plain, passed,
        kind.reset.empty() ? "" : fmt::format(".{0}({0}), ", kind.reset));
  }
  return text;
}

std::string clock_gate_model() {
  return fmt::format(
      "module {} (input clk_i, input enable_i, output clk_o);\n  logic enable;\n"
      "  always_latch if (!clk_i) enable = enable_i;\n  assign clk_o = clk_i & "
      "enable;\nendmodule\n",
      kClockGate);
}

std::string with_named_clock_gates(const std::string& netlist) {
  const std::string suffix = "_reg";
  std::vector<Item> items = items_of(netlist);
  Gates gates(items);
  std::set<size_t> named;
  for (const Item& item : items) {
    if (ends_module(item)) gates.next_module();
    const size_t end = item.name.rfind(suffix);
    if (end == std::string::npos || item.name.size() != end + suffix.size()) continue;
    for (const auto& [pin, net] : item.pins) {
      const long gate = gates.in_front_of(item, pin);
      if (gate < 0 || !named.insert(static_cast<size_t>(gate)).second) continue;
      Item& of = items[static_cast<size_t>(gate)];
      replace(&of.text, " " + of.name + " ", " " + item.name.substr(0, end) + "_gate ");
    }
  }
  std::string text;
  for (const Item& item : items) text += item.text;
  return text;
}

std::string without_clock_gates(const std::string& netlist, const CellLibrary& library) {
  const std::vector<Item> items = items_of(netlist);
  Gates gates(items);
  std::set<std::string> used;
  std::string text;
  for (const Item& item : items) {
    if (ends_module(item)) gates.next_module();
    if (item.cell == kClockGate) continue;
    const auto cell = library.cells.find(item.cell);
    const bool clocked = cell != library.cells.end() && cell->second.sequential;
    const long place = clocked ? gates.in_front_of(item, cell->second.clocked_on) : -1;
    std::string changed = item.text;
    if (place >= 0) {
      const Item& gate = items[static_cast<size_t>(place)];
      const std::string& clock = cell->second.clocked_on;
      used.insert(item.cell);
      replace(&changed, item.cell + " ", item.cell + kEnabled + " ");
      replace(&changed, fmt::format(".{}({})", clock, item.pins.at(clock)),
              fmt::format(".{}({}),\n    .ENABLE({})", clock, gate.pins.at("clk_i"),
                          gate.pins.at("enable_i")));
    }
    text += changed;
  }
  for (const std::string& cell : used) text += enabled_module(library.cells.at(cell));
  return text;
}

}  // namespace strobe::synth
