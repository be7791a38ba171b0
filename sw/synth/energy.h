// What a transition at a pin of a cell takes, from a Liberty file's internal_power groups.
#pragma once

#include <string>
#include <vector>

#include "sw/synth/liberty.h"

namespace strobe::synth {

/// Energy over the load of an output and the transition time of an input; of an input pin the load
/// has one value.
struct EnergyTable {
  std::vector<double> loads = {0}, transitions = {0};  // pF, ns, rising
  std::vector<double> values = {0};                    // pJ, loads.size() rows

  /// Between the points linear, beyond them as at the edge.
  double at(double load, double transition) const;
};

/// One internal_power group of a pin.
struct PinEnergy {
  std::string related_pin;  // whose transition causes it; empty: the pin's own
  EnergyTable rise, fall;

  /// Of a transition, the mean of both edges.
  double at(double load, double transition) const;
};

/// Those of a pin; `library` has the templates of the tables. Throws std::runtime_error that begins
/// with `where` for a table that is none.
std::vector<PinEnergy> read_energies(const LibertyGroup& pin, const LibertyGroup& library,
                                     const std::string& where);

}  // namespace strobe::synth
