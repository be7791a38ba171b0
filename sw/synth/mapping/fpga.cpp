#include "sw/synth/mapping/fpga.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>

#include "sw/files/run_tool.h"
#include "sw/synth/tools/files.h"
#include "sw/text/json_text.h"

namespace strobe::synth {
namespace {

using nlohmann::json;

constexpr int kLogicCells = 7680;  // the capacity of the HX8K
constexpr int kBlockRams = 32;
constexpr int kReduction = 4;  // inputs of a look-up table

// The exit codes of a tool that ran out of processor time: run_tool adds the signal's number.
constexpr int kTimeIsUp[] = {128 + SIGXCPU, 128 + SIGKILL};

bool is_clock_or_reset(const Port& port) { return port.name == "clk_i" || port.name == "rst_ni"; }

int bits(const std::vector<Port>& ports, bool input) {
  int sum = 0;
  for (const Port& port : ports) {
    if (port.input == input && !is_clock_or_reset(port)) sum += port.width;
  }
  return sum;
}

void count_cells(const json& statistics, FpgaResult* result) {
  for (const auto& [type, count] :
       statistics["modules"]["\\strobe_block"]["num_cells_by_type"].items()) {
    if (type == "SB_LUT4") result->luts += count.get<int>();
    if (type.rfind("SB_DFF", 0) == 0) result->flip_flops += count.get<int>();
    if (type.rfind("SB_RAM40", 0) == 0) result->block_rams += count.get<int>();
  }
}

// Says what of the block does not fit, or "".
std::string too_large(const FpgaResult& result) {
  if (result.block_rams > kBlockRams)
    return fmt::format("{} block RAMs, the HX8K has {}", result.block_rams, kBlockRams);
  const int cells = std::max(result.luts, result.flip_flops);
  if (cells > kLogicCells)
    return fmt::format("{} logic cells, the HX8K has {}", cells, kLogicCells);
  return "";
}

// "Total path delay: 9.05 ns (110.50 MHz)"
double frequency(const std::string& report) {
  const size_t at = report.rfind("Total path delay:");
  const size_t open = at == std::string::npos ? at : report.find('(', at);
  if (open == std::string::npos)
    throw std::runtime_error("icetime: expected 'Total path delay: ... ns (... MHz)', found none");
  return std::stod(report.substr(open + 1));
}

}  // namespace

std::string not_routed(const files::ToolResult& nextpnr) {
  const int code = nextpnr.exit_code;
  if (std::count(std::begin(kTimeIsUp), std::end(kTimeIsUp), code) != 0)
    return fmt::format("nextpnr did not route it in {} s", kRouteSeconds);
  // "Info: ICESTORM_LC: 10435/ 7680 135%"
  static const std::regex kPacked(R"(ICESTORM_LC: *(\d+)/)");
  std::smatch packed;
  if (code == 0 || !std::regex_search(nextpnr.output, packed, kPacked)) return "";
  const int cells = std::stoi(packed[1]);
  if (cells <= kLogicCells) return "";
  return fmt::format("{} logic cells with the flip-flops that stand for its pins, the HX8K has {}",
                     cells, kLogicCells);
}

std::string collapsing_wrapper(const std::vector<Port>& ports) {
  const int inputs = std::max(1, bits(ports, true));
  const int outputs = std::max(1, bits(ports, false));
  std::string text = fmt::format(
      "module strobe_collapsed (input clk_i, input rst_ni, input serial_i, output parity_o);\n"
      "  reg [{}:0] in_q;\n  always @(posedge clk_i) in_q <= {{in_q, serial_i}};\n"
      "  wire [{}:0] out;\n  reg [{}:0] level0;\n  always @(posedge clk_i) level0 <= out;\n"
      "  strobe_block u_block (\n",
      inputs - 1, outputs - 1, outputs - 1);
  int in = 0, out = 0;
  for (const Port& port : ports) {
    std::string net = port.name;
    if (!is_clock_or_reset(port)) {
      int& at = port.input ? in : out;
      net = fmt::format("{}[{}+:{}]", port.input ? "in_q" : "out", at, port.width);
      at += port.width;
    }
    text += fmt::format("    .{}({}){}\n", port.name, net, &port == &ports.back() ? "" : ",");
  }
  text += "  );\n";
  int level = 0;
  for (int width = outputs; width > 1; ++level) {
    const int next = (width + kReduction - 1) / kReduction;
    text += fmt::format("  reg [{}:0] level{};\n  always @(posedge clk_i) begin\n", next - 1,
                        level + 1);
    for (int k = 0; k < next; ++k) {
      text += fmt::format("    level{}[{}] <= ^level{}[{}:{}];\n", level + 1, k, level,
                          std::min(width, kReduction * (k + 1)) - 1, kReduction * k);
    }
    text += "  end\n";
    width = next;
  }
  return text + fmt::format("  assign parity_o = level{}[0];\nendmodule\n", level);
}

FpgaResult synthesize_fpga(const Point& point, const Design& design) {
  const ScratchFolder folder;
  const std::string statistics = (folder / "block.json").string();
  const std::string block = (folder / "block.il").string();
  const std::string what = fmt::format("synthesizing {} for iCE40", point.text());
  write_file(folder / "block.ys", read_commands(point, design.source_modules(), "") +
                                      "synth_ice40 -top strobe_block\ntee -q -o " + statistics +
                                      " stat -json\nwrite_rtlil " + block + "\n");
  run(what, {"yosys", "-q", (folder / "block.ys").string()});

  FpgaResult result;
  count_cells(text::own_json_from(read_file(statistics)), &result);
  result.why_not = too_large(result);
  if (!result.why_not.empty()) return result;

  const std::string netlist = (folder / "netlist.json").string();
  write_file(folder / "wrapper.v", collapsing_wrapper(design.modules.at(design.top).ports));
  write_file(folder / "wrapper.ys",
             "read_rtlil " + block + "\nread_verilog " + (folder / "wrapper.v").string() +
                 "\nsynth_ice40 -top strobe_collapsed -json " + netlist + "\n");
  run(what, {"yosys", "-q", (folder / "wrapper.ys").string()});

  const std::string placed = (folder / "placed.asc").string();
  const std::string routing = fmt::format("placing and routing {}", point.text());
  const files::ToolResult routed =
      files::run_tool({"prlimit", fmt::format("--cpu={}", kRouteSeconds), "nextpnr-ice40", "--hx8k",
                       "--package", "ct256", "--pcf-allow-unconstrained", "--seed", "1",
                       "--timing-allow-fail", "--json", netlist, "--asc", placed});
  result.why_not = not_routed(routed);
  if (!result.why_not.empty()) return result;
  if (routed.exit_code != 0)
    throw std::runtime_error(fmt::format("{} failed:\n{}", routing, routed.output));
  result.fmax = frequency(run(routing, {"icetime", "-d", "hx8k", "-t", placed}));
  return result;
}

}  // namespace strobe::synth
