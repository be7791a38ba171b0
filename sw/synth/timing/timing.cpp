#include "sw/synth/timing/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "sw/synth/tools/files.h"

namespace strobe::synth {
namespace {

const std::string kClock = "clk_i";
const std::string kReset = "rst_ni";

// Reads a line such as "   0.1234    0.5678 ^ u_a.b_q[3]_DFFSR_Q/Q (DFFSR)" as a point; false for
// other lines.
bool read_point(const std::string& line, TimingPoint* point) {
  std::istringstream words(line);
  std::string edge;
  if (!(words >> point->delay >> point->time >> edge >> point->pin)) return false;
  return (edge == "^" || edge == "v") && point->pin != "input";
}

bool has_port(const std::vector<Port>& ports, const std::string& name) {
  return std::any_of(ports.begin(), ports.end(),
                     [&](const Port& port) { return port.name == name; });
}

std::string constraints(const std::vector<Port>& ports, const CellLibrary& library,
                        const Calibration& calibration) {
  const Cell& flip_flop = library.cells.at(library.flip_flop);
  std::string text;
  for (const Port& port : ports) {
    if (port.name == kClock || (port.input && port.name == kReset)) continue;
    const std::string bits =
        fmt::format(port.width > 1 ? "[get_ports {{{}[*]}}]" : "[get_ports {}]", port.name);
    if (port.input) {
      text += fmt::format(
          "set_input_delay {:.4f} -clock clk {}\nset_driving_cell -lib_cell {} -from_pin {} -pin "
          "{} "
          "{}\n",
          calibration.clock_to_q, bits, library.flip_flop, flip_flop.clocked_on,
          flip_flop.output()->name, bits);
    } else {
      text += fmt::format("set_output_delay {:.4f} -clock clk {}\nset_load {:.5f} {}\n",
                          calibration.setup, bits, flip_flop.pin(flip_flop.next_state)->capacitance,
                          bits);
    }
  }
  // Reset is asserted for many cycles, and its tree is not built here.
  if (has_port(ports, kReset)) text += "set_false_path -from [get_ports rst_ni]\n";
  return text;
}

}  // namespace

std::vector<TimingPath> parse_timing(const std::string& report) {
  std::vector<TimingPath> paths;
  std::istringstream lines(report);
  TimingPath path;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    TimingPoint point;
    if (line.rfind("Startpoint:", 0) == 0) {
      path = TimingPath();
      inside = true;
    } else if (line.find("data arrival time") != std::string::npos) {
      inside = false;  // the rest is the other side of the check
    } else if (inside && read_point(line, &point)) {
      path.points.push_back(point);
    } else if (line.find(" slack (") != std::string::npos) {
      path.slack = std::stod(line);
      paths.push_back(path);
    }
  }
  if (paths.empty()) throw NoPath("timing: OpenSTA found no path between registers or ports");
  return paths;
}

Timing analyse(const Netlist& netlist, const std::vector<Port>& ports, double period,
               const CellLibrary& library, const Calibration* calibration) {
  std::string script;
  for (const std::string& file : netlist.libraries) script += "read_liberty " + file + "\n";
  script += "read_verilog " + netlist.verilog.string() + "\nlink_design " + netlist.top + "\n";
  script += fmt::format("create_clock -name clk -period {:.4f}{}\n", period,
                        has_port(ports, kClock) ? " [get_ports clk_i]" : "");
  if (calibration != nullptr) script += constraints(ports, library, *calibration);
  script += "report_checks -path_delay max -digits 4\nreport_checks -path_delay min -digits 4\n";
  const ScratchFolder folder;
  write_file(folder / "timing.tcl", script);
  const auto paths = parse_timing(
      run("static timing", {"sta", "-no_splash", "-exit", (folder / "timing.tcl").string()}));
  if (paths.size() != 2) throw std::runtime_error("timing: OpenSTA did not report setup and hold");
  return {paths[0], paths[1]};
}

}  // namespace strobe::synth
