// A cell library as the flow needs it: the cells' areas, which of them are flip-flops, and the
// cells that the flow uses by role.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sw/synth/library/energy.h"

namespace strobe::synth {

struct CellPin {
  std::string name;
  bool input = false;
  double capacitance = 0;  // pF
  std::string function;    // an output's function; empty: none
  bool three_state = false;
  std::vector<PinEnergy> energies = {};
};

struct Cell {
  std::string name;
  double area = 0;     // um2
  double leakage = 0;  // nW
  bool sequential = false;
  bool latch = false;
  /// These are a flip-flop's; `state` is its variable.
  std::string state, next_state, clocked_on, clear, preset;
  std::vector<CellPin> pins;

  const CellPin* pin(const std::string& pin_name) const;
  /// The output pin; for a flip-flop, the pin that carries its state. Null when there is none.
  const CellPin* output() const;
};

struct CellLibrary {
  std::string name;
  std::string file;
  std::string sha256;  // the hash of the file
  double voltage = 0;  // V
  std::map<std::string, Cell> cells;

  // Each role has the smallest cell of its function, except that the buffer is the one of middle
  // drive.
  std::string nand2, inverter, buffer, flip_flop;

  double nand2_area() const { return cells.at(nand2).area; }
};

/// Reads a Liberty file. Throws std::runtime_error with the file and what is wrong: the file does
/// not exist, is not Liberty, has units other than ns and pF, or has no cell for one of the roles.
CellLibrary load_cell_library(const std::string& file);

}  // namespace strobe::synth
