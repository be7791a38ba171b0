// Static timing with OpenSTA: its script, and the paths in its report.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "sw/synth/library/cell_library.h"
#include "sw/synth/netlist/result.h"

namespace strobe::synth {

struct TimingPoint {
  std::string pin;  // "u_ram/we_i", or a port
  double delay = 0, time = 0;
};

/// A path in the output of one report_checks.
struct TimingPath {
  std::vector<TimingPoint> points;  // the points after the clock's
  double slack = 0;
};

/// A netlist without a path between registers or ports: its outputs are constant.
struct NoPath : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The paths of OpenSTA's report, in its order. Throws NoPath when there is none.
std::vector<TimingPath> parse_timing(const std::string& report);

/// A netlist with the libraries it needs.
struct Netlist {
  std::filesystem::path verilog;
  std::string top;
  std::vector<std::string> libraries;  // Liberty files
};

/// The setup and the hold path at a clock period. Ports are taken to come from and to go to a
/// flip-flop; without a `calibration` they are ideal.
struct Timing {
  TimingPath setup, hold;
};
Timing analyse(const Netlist& netlist, const std::vector<Port>& ports, double period,
               const CellLibrary& library, const Calibration* calibration);

}  // namespace strobe::synth
