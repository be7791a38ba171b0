// Composed blocks: each child is synthesized by itself and then connected by the glue.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "sw/synth/netlist/result.h"

namespace strobe::synth {

/// A block that a composed block instantiates, as it was synthesized by itself.
struct Child {
  Point point;
  CellResult cells;
  std::filesystem::path netlist;  // of module strobe_block and of the modules that it instantiates

  /// The name of its module in the netlist of the composed block.
  std::string module() const;
};

/// The distinct children of a block, by their keys in Design::modules. Empty: the block is not
/// composed.
using Children = std::map<std::string, Child>;

/// Throws std::invalid_argument when the top of a design has a memory of its own, or when it
/// instantiates nothing.
void require_composable(const Design& design);

/// The Yosys commands that make black boxes of the children, under their names in the netlist.
std::string black_box_commands(const Children& children);

/// The Verilog of the children and of what they instantiate, each module once.
std::string netlist_of(const Children& children);

/// The children's areas, instance by instance.
std::vector<Part> parts_of(const Design& design, const Children& children);

/// The recipes that failed on a child, as "direct-6 of strobe_hash".
std::vector<std::string> failed_recipes_of(const Children& children);

}  // namespace strobe::synth
