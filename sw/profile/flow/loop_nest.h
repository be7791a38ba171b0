// The loops of a chain, each inside another or inside the whole function.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/profile/flow/chain.h"

namespace strobe::profile {

/// A part of a loop's body: a block, or a loop inside.
struct LoopPart {
  uint32_t index = 0;
  bool is_loop = false;
};

/// A strongly connected set of blocks. Its headers are the blocks that are entered from outside:
/// one in a natural loop, several in an irreducible graph. Without the ways to the headers, the
/// blocks fall apart into single blocks and the loops inside (Steensgaard, "Sequentializing Program
/// Dependence Graphs for Irreducible Programs", MSR-TR-93-14, 1993).
struct NestedLoop {
  uint32_t parent = kOutside;     // kOutside of the whole function
  std::vector<uint32_t> headers;  // rising; none of the whole function
  /// The parts in an order in which every way inside the body leads on, but for ways to the
  /// headers.
  std::vector<LoopPart> body;
};

struct LoopNest {
  std::vector<NestedLoop> loops;  // 0 is the whole function; a loop comes after its parent
  std::vector<uint32_t> loop_of;  // the innermost of each block; kOutside of one not reached
  std::vector<uint32_t> header;   // each block's place among the headers of loop_of, or kOutside

  /// Whether a way from the body of `loop`, or out of a loop directly inside it, stays in `loop`.
  bool stays(uint32_t loop, uint32_t to) const {
    return to != kOutside && (loop_of[to] == loop || loops[loop_of[to]].parent == loop);
  }
  /// Whether the block is a header of this loop.
  bool heads(uint32_t loop, uint32_t block) const {
    return loop_of[block] == loop && header[block] != kOutside;
  }
};

/// In time proportional to the ways times the depth of loops.
LoopNest find_loops(const Chain& chain);

}  // namespace strobe::profile
