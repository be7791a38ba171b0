// The control flow of a linked program, in its addresses: what sw/object finds in the objects of a
// program, and sw/profile joins with counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace strobe {

/// Stands for a block or a function that is not there: control leaves the function, or the callee
/// is not known.
inline constexpr uint32_t kOutside = UINT32_MAX;

/// Instructions that are executed one after the other. A call ends a block.
struct FlowBlock {
  uint64_t first = 0;  // the address of its first instruction
  uint64_t last = 0;   // the address of its last instruction, which passes control on
  uint64_t end = 0;    // one past its last byte
};

/// How control gets from the last instruction of a block to where the edge leads.
enum class FlowKind : uint8_t {
  kNext,      // the block ends because another begins
  kTaken,     // a conditional branch is taken
  kNotTaken,  // it is not taken
  kJump,      // a direct jump
  kTable,     // an indirect jump, to one of the labels whose address the function takes
  kReturned,  // a call has come back
  kReturn,    // out of the function, to its caller
  kLeaves,    // a tail call, or a jump into the middle of another function
  kStop,      // a trap
};

/// Edges of one block differ in their target. A branch to the next instruction has one edge.
struct FlowEdge {
  uint32_t from = 0;
  uint32_t to = kOutside;  // a block of the same function; kOutside when control leaves it
  FlowKind kind = FlowKind::kNext;
  /// Where control arrives; 0 where that is not known, as for a return.
  uint64_t target = 0;
};

/// A block that ends in a call. A tail call does not come back: it is made by the edges of the
/// block that lead outside. An indirect jump that has labels may be a tail call all the same.
struct FlowCall {
  uint32_t block = 0;
  uint32_t callee = kOutside;  // an index of ControlFlow::functions; kOutside where not known
  bool tail = false;
};

/// A function, and the cold parts that the compiler moved away from it. Block 0 is the entry.
struct FlowFunction {
  std::string name;
  std::vector<FlowBlock> blocks;
  std::vector<FlowEdge> edges;  // by `from`
  std::vector<FlowCall> calls;  // by `block`
  bool address_taken = false;   // an indirect call may arrive at its entry
};

struct ControlFlow {
  std::vector<FlowFunction> functions;  // by the address of their entry
};

/// The edges of a block.
struct EdgeRange {
  std::vector<FlowEdge>::const_iterator first, last;
  auto begin() const { return first; }
  auto end() const { return last; }
};
inline EdgeRange edges_of(const FlowFunction& function, uint32_t block) {
  const auto before = [](const FlowEdge& edge, uint32_t from) { return edge.from < from; };
  const auto begin = function.edges.begin(), end = function.edges.end();
  return {std::lower_bound(begin, end, block, before),
          std::lower_bound(begin, end, block + 1, before)};
}

/// Whether an instruction with an edge of this kind chooses between ways. These are the conditional
/// branches and the indirect jumps of a profile of edges.
constexpr bool is_choice(FlowKind kind) {
  return kind == FlowKind::kTaken || kind == FlowKind::kNotTaken || kind == FlowKind::kTable;
}

}  // namespace strobe
