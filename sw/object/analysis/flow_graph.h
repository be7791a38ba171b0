// The control-flow graph of a function: blocks, dominators, loops.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/object/analysis/code.h"
#include "sw/object/analysis/references.h"

namespace strobe::object {

struct Block {
  uint32_t first = 0, last = 0;  // indices of its instructions in the Code, both included
  std::vector<uint32_t> successors, predecessors;
  bool entry = false;   // control may arrive from outside the function
  bool leaves = false;  // control may leave the function: a return, a tail call, the end
  bool splits = false;  // it leaves by a jump table for what may be another part of the function
  uint32_t dominator =
      kNone;  // the block that immediately dominates it; kNone of what is entered or not reachable
  bool reachable = false;
};

/// A natural loop: all blocks that reach one of its latches without its header. Loops that share a
/// header are one.
struct Loop {
  uint32_t header = 0;
  std::vector<uint32_t> latches;  // whose edge to the header is a back-edge
  std::vector<uint32_t> blocks;   // sorted, the header and those of inner loops included
  bool reducible =
      true;  // else the header does not dominate, and `blocks` are only header and latches
};

class FlowGraph {
 public:
  FlowGraph(const Code& code, const Function& function, const References& references);

  const std::vector<Block>& blocks() const { return blocks_; }
  const std::vector<Loop>& loops() const { return loops_; }
  /// The block with the instruction of this index.
  uint32_t block_of(uint32_t instruction) const;
  bool dominates(uint32_t above, uint32_t below) const;
  /// Empty, or why the function cannot be edited: "it computes an address without a relocation;
  /// ...".
  const std::string& obstacle() const { return obstacle_; }

 private:
  void split(const Code& code, const Function& function, const References& references);
  void connect(const Code& code, const Function& function, const References& references);
  void find_dominators();
  void find_loops();

  std::vector<Block> blocks_;
  std::vector<Loop> loops_;
  std::vector<uint32_t> order_;   // reachable blocks in reverse postorder
  std::vector<uint32_t> number_;  // each block's place in it
  std::string obstacle_;
};

}  // namespace strobe::object
