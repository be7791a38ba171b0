// Synthesis of a block to a cell library: Yosys, abc and OpenSTA.
#pragma once

#include <filesystem>
#include <string>

#include "sw/synth/library/cell_library.h"
#include "sw/synth/mapping/composition.h"
#include "sw/synth/mapping/recipes.h"
#include "sw/synth/memory/sram.h"
#include "sw/synth/netlist/result.h"

namespace strobe::synth {

/// What a cell synthesis needs in addition to the point.
struct CellFlow {
  CellLibrary library;
  Calibration calibration;
  std::map<MemorySize, Macro> macros;  // one for each size of the design
  double target = 0;                   // ns; a netlist that meets this is judged by its area alone
  std::vector<Recipe> recipes = cell_recipes();
  Children children = {};  // only for a composed block
};

/// Maps a block by each recipe and keeps the smallest netlist that meets the target, or the fastest
/// if none does. The netlist is written to `netlist` (Verilog, module strobe_block, flat except for
/// the modules of the children). In a composed block only the glue between the children is mapped.
/// A recipe that fails is named in the result. Throws std::runtime_error when another tool or every
/// recipe fails.
CellResult synthesize_cells(const Point& point, const Design& design, const CellFlow& flow,
                            const std::filesystem::path& netlist);

/// The smallest of the netlists that meet the target (ns), or the fastest when none does; the first
/// among equals. `tried` must not be empty.
const Tried& best_of(const std::vector<Tried>& tried, double target);

/// The Verilog of strobe_ram_1r1w that chooses the macro of its size, or flip-flops.
std::string memory_wrapper(const std::map<MemorySize, Macro>& macros);

}  // namespace strobe::synth
