// The energy of a transition at a pin of a cell, from the internal_power groups of a Liberty file.
#pragma once

#include <string>
#include <vector>

#include "sw/synth/library/liberty.h"

namespace strobe::synth {

/// The energy by the load of an output and the transition time of an input. An input pin's table
/// has one load.
struct EnergyTable {
  std::vector<double> loads = {0}, transitions = {0};  // pF, ns, rising
  std::vector<double> values = {0};                    // pJ, loads.size() rows

  /// Interpolates linearly between the points; beyond them the value at the edge holds.
  double at(double load, double transition) const;
};

/// One internal_power group of a pin.
struct PinEnergy {
  std::string related_pin;  // the pin whose transition causes it; empty: the pin itself
  EnergyTable rise, fall;

  /// The energy of a transition, the mean of both edges.
  double at(double load, double transition) const;
};

/// Reads the groups of a pin; `library` has the templates of the tables. Throws std::runtime_error
/// that begins with `where` when a table is not valid.
std::vector<PinEnergy> read_energies(const LibertyGroup& pin, const LibertyGroup& library,
                                     const std::string& where);

}  // namespace strobe::synth
