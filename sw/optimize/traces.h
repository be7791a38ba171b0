// Which blocks of a function become one superblock (Hwu et al., "The Superblock", Journal of
// Supercomputing 1993, sections 2 and 3): traces of blocks that likely follow one another, copies
// of their tails so that control enters at the top alone, and loops unrolled and peeled.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sw/object/analysis/code.h"

namespace strobe::optimize {

/// A block of a function, or a copy of one.
struct FlowNode {
  uint32_t block = 0;
  uint32_t operations = 0;           // instructions of the block
  double frequency = 0;              // how often it is executed
  uint32_t taken = object::kNone;    // the node that its branch or jump goes to
  uint32_t next = object::kNone;     // the node that follows when it does not
  double to_taken = 0, to_next = 0;  // how often
  bool ends_trace = false;           // it ends with a call, or its successors are not known
  bool entered = false;              // control also arrives from outside the graph
};

struct TraceOptions {
  /// The least share of a block's executions that its successor on the trace must have.
  double threshold = 0.6;
  unsigned most_unrolled = 4;  // copies of a loop's body in a row, the body itself included
  unsigned most_peeled = 4;    // copies of a loop's body before the loop
};

struct Traces {
  std::vector<FlowNode> nodes;  // the blocks, then the copies
  /// Each node is in one trace, as the first or after a node whose successor it is. Control enters
  /// a trace by its first node alone.
  std::vector<std::vector<uint32_t>> traces;  // in the order in which they were formed
};

/// The node of each block has the block's number; what jumps to a block from outside the graph
/// arrives there. A trace is seeded by the most frequent node that is left, and grows to the most
/// likely successor while that is mutual and reaches the threshold, up to a call or a back-edge.
/// @param dominates  (above, below): whether a block dominates another; an edge to a block that
/// dominates the one it leaves is a back-edge
Traces form_traces(std::vector<FlowNode> blocks, const TraceOptions& options,
                   const std::function<bool(uint32_t, uint32_t)>& dominates);

}  // namespace strobe::optimize
