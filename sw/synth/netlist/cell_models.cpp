#include "sw/synth/netlist/cell_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <tuple>

#include "sw/synth/netlist/clock_gates.h"

namespace strobe::synth {
namespace {

bool is_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// Where a library leaves open what both do, clear wins over preset.
std::string flip_flop_model(const Cell& cell) {
  std::string edges = "posedge clock";
  std::string wires = fmt::format("  wire clock = {};\n", verilog_function(cell.clocked_on));
  std::string controls;
  for (const auto& [name, condition, value] :
       {std::tuple("clear", cell.clear, '0'), std::tuple("preset", cell.preset, '1')}) {
    if (condition.empty()) continue;
    wires += fmt::format("  wire {} = {};\n", name, verilog_function(condition));
    edges += fmt::format(" or posedge {}", name);
    controls += fmt::format("if ({}) {} <= 1'b{};\n    else ", name, cell.state, value);
  }
  return fmt::format("  reg {0};\n{1}  always @({2})\n    {3}{0} <= {4};\n", cell.state, wires,
                     edges, controls, verilog_function(cell.next_state));
}

std::string model_of(const Cell& cell) {
  std::string ports, body;
  for (const CellPin& pin : cell.pins) {
    ports +=
        fmt::format("{}{} {}", ports.empty() ? "" : ", ", pin.input ? "input" : "output", pin.name);
    if (!pin.input)
      body += fmt::format("  assign {} = {};\n", pin.name, verilog_function(pin.function));
  }
  if (cell.sequential) body += flip_flop_model(cell);
  return fmt::format("module {} ({});\n{}endmodule\n", cell.name, ports, body);
}

bool has_model(const Cell& cell) {
  return !cell.latch && std::all_of(cell.pins.begin(), cell.pins.end(), [&](const CellPin& pin) {
    return pin.input || (!pin.three_state && !pin.function.empty() &&
                         (!cell.sequential || pin.function == cell.state));
  });
}

std::string memory_model(MemorySize size) {
  int address = 1;
  while ((1L << address) < size.depth) ++address;
  return fmt::format(
      "module {} (input clk_i, input we_i, input [{}:0] waddr_i, input [{}:0] wdata_i,\n"
      "  input re_i, input [{}:0] raddr_i, output [{}:0] rdata_o);\n"
      "  strobe_ram_1r1w #(.Width({}), .Depth({})) u_ram (.clk_i(clk_i), .we_i(we_i),\n"
      "    .waddr_i(waddr_i), .wdata_i(wdata_i), .re_i(re_i), .raddr_i(raddr_i),\n"
      "    .rdata_o(rdata_o));\nendmodule\n",
      size.cell_name(), address - 1, size.width - 1, address - 1, size.width - 1, size.width,
      size.depth);
}

}  // namespace

std::string verilog_function(const std::string& function) {
  std::string text;
  std::vector<size_t> open;  // where each parenthesis that is still open begins
  size_t operand = 0;        // where the last operand begins
  bool complete = false;     // an operand has just ended, so another one means AND
  for (size_t i = 0; i < function.size(); ++i) {
    const char letter = function[i];
    if (std::isspace(static_cast<unsigned char>(letter)) != 0) continue;
    if (complete && (is_name(letter) || letter == '(' || letter == '!')) text += " & ";
    if (is_name(letter)) {
      operand = text.size();
      text += letter;
      while (i + 1 < function.size() && is_name(function[i + 1])) text += function[++i];
      complete = true;
    } else if (letter == '(') {
      open.push_back(text.size());
      text += letter;
      complete = false;
    } else if (letter == ')' && !open.empty()) {
      operand = open.back();
      open.pop_back();
      text += letter;
      complete = true;
    } else if (letter == '\'' && complete) {
      text.insert(operand, "~");
    } else if (letter == '!') {
      text += '~';
      complete = false;
    } else if (std::string("&*+|^").find(letter) != std::string::npos && complete) {
      text += letter == '*' ? " & " : letter == '+' ? " | " : fmt::format(" {} ", letter);
      complete = false;
    } else {
      throw std::runtime_error(
          fmt::format("cell function '{}': '{}' is not expected there", function, letter));
    }
  }
  if (!complete || !open.empty())
    throw std::runtime_error(fmt::format("cell function '{}' is not complete", function));
  return text;
}

std::string cell_models(const CellLibrary& library) {
  std::string text;
  for (const auto& [name, cell] : library.cells) {
    if (has_model(cell)) text += model_of(cell);
  }
  return text;
}

std::string netlist_source(const std::string& netlist, const Point& point,
                           const std::vector<MemorySize>& macros, const CellLibrary& library) {
  const std::string header = "module strobe_block(";
  const size_t at = netlist.find(header);
  if (at == std::string::npos)
    throw std::runtime_error(fmt::format("netlist of {}: no '{}'", point.text(), header));
  std::string parameters;
  for (const auto& [name, value] : point.parameters)
    parameters += fmt::format("{}parameter {} = {}", parameters.empty() ? "" : ", ", name, value);
  if (!parameters.empty()) parameters = fmt::format(" #({})", parameters);
  std::string text = netlist;
  text.replace(at, header.size(), fmt::format("module {}{} (", point.module, parameters));
  // A cell's inner state can be seen on the netlist's nets, and waveforms record only these.
  text += "/*verilator tracing_off*/\n";
  for (const MemorySize& size : macros) text += memory_model(size);
  return text + clock_gate_model() + cell_models(library);
}

}  // namespace strobe::synth
