// Verilog models of a library's cells, for simulating a netlist.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sw/synth/design/design.h"
#include "sw/synth/library/cell_library.h"
#include "sw/synth/memory/sram.h"

namespace strobe::synth {

/// A Liberty function as a Verilog expression: "(!(A B))+C" is "(~(A & B)) | C". Where XOR meets
/// AND the function must have parentheses, because the two languages disagree about which binds
/// tighter.
std::string verilog_function(const std::string& function);

/// A module for each combinational cell and each flip-flop, without delays. Latches and cells that
/// drive a bus are left out.
std::string cell_models(const CellLibrary& library);

/// A netlist of the flow as a source that replaces the RTL module of `point`. It has the module's
/// name and parameters (which have no effect), its memories on strobe_ram_1r1w, and its cells.
std::string netlist_source(const std::string& netlist, const Point& point,
                           const std::vector<MemorySize>& macros, const CellLibrary& library);

}  // namespace strobe::synth
