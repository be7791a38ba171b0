#include "sw/synth/timing/calibrate.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sw/synth/timing/timing.h"
#include "sw/synth/tools/files.h"

namespace strobe::synth {
namespace {

constexpr int kStages = 8;  // the chain's length; the edges have settled after some stages

// Returns an instance of a cell that has one input and one output.
std::string gate(const Cell& cell, const std::string& name, const std::string& in,
                 const std::string& out) {
  std::string input;
  for (const CellPin& pin : cell.pins) {
    if (pin.input) input = pin.name;
  }
  return fmt::format("  {} {} (.{}({}), .{}({}));\n", cell.name, name, input, in,
                     cell.output()->name, out);
}

// Returns an inverter chain from d_i to q_o, with three idle inverters at each stage.
std::string chain(const CellLibrary& library) {
  const Cell& inverter = library.cells.at(library.inverter);
  std::string text = "module chain (d_i, q_o);\n  input d_i;\n  output q_o;\n";
  for (int k = 0; k <= kStages; ++k) {
    text += fmt::format("  wire n{};\n", k);
    for (int load = 0; load < 3; ++load) text += fmt::format("  wire load{}_{};\n", k, load);
  }
  text += gate(inverter, "first", "d_i", "n0");
  for (int k = 0; k < kStages; ++k) {
    text +=
        gate(inverter, fmt::format("stage{}", k), fmt::format("n{}", k), fmt::format("n{}", k + 1));
    for (int load = 0; load < 3; ++load) {
      text += gate(inverter, fmt::format("idle{}_{}", k, load), fmt::format("n{}", k),
                   fmt::format("load{}_{}", k, load));
    }
  }
  for (int load = 0; load < 3; ++load)
    text += gate(inverter, fmt::format("end{}", load), fmt::format("n{}", kStages),
                 fmt::format("load{}_{}", kStages, load));
  return text + gate(inverter, "last", fmt::format("n{}", kStages), "q_o") + "endmodule\n";
}

// Returns two flip-flops, one after the other.
std::string flip_flops(const CellLibrary& library) {
  const Cell& cell = library.cells.at(library.flip_flop);
  std::string text =
      "module pair (clk_i, d_i, q_o);\n  input clk_i, d_i;\n  output q_o;\n  wire n;\n";
  for (const auto& [name, in, out] :
       {std::tuple("first", "d_i", "n"), std::tuple("second", "n", "q_o")}) {
    text += fmt::format("  {} {} (.{}(clk_i), .{}({}), .{}({}));\n", cell.name, name,
                        cell.clocked_on, cell.next_state, in, cell.output()->name, out);
  }
  return text + "endmodule\n";
}

double time_at(const TimingPath& path, const std::string& instance) {
  for (const TimingPoint& point : path.points) {
    if (point.pin.rfind(instance + "/", 0) == 0) return point.time;
  }
  throw std::runtime_error("calibration: no point " + instance + " in the report of OpenSTA");
}

}  // namespace

Calibration calibrate(const CellLibrary& library) {
  constexpr double kPeriod = 100;  // ns; the paths fit into any such period
  const ScratchFolder folder;
  Calibration result;

  write_file(folder / "chain.v", chain(library));
  const Calibration ideal;
  const Timing inverters = analyse({folder / "chain.v", "chain", {library.file}},
                                   {{"d_i", 1, true}, {"q_o", 1, false}}, kPeriod, library, &ideal);
  result.fo4 = (time_at(inverters.setup, fmt::format("stage{}", kStages - 1)) -
                time_at(inverters.setup, fmt::format("stage{}", kStages - 3))) /
               2;

  write_file(folder / "pair.v", flip_flops(library));
  const Timing pair = analyse({folder / "pair.v", "pair", {library.file}}, {{"clk_i", 1, true}},
                              kPeriod, library, nullptr);
  for (const TimingPoint& point : pair.setup.points) {
    if (point.pin.rfind("first/", 0) == 0) result.clock_to_q = point.time;
  }
  result.setup = kPeriod - pair.setup.slack - result.clock_to_q;
  return result;
}

}  // namespace strobe::synth
