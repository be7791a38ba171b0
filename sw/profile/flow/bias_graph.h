// A control-flow graph whose branches carry how often each way was seen: what an ephemeral profile
// knows of a function ("Ephemeral Instrumentation for Lightweight Program Profiling", section 3,
// the left side of figure 2).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sc_models/port/control_flow.h"
#include "sw/profile/counts/profile.h"

namespace strobe::profile {

/// "FUNCTION: what is wrong at 0x1234; what to do": one sentence.
class FlowError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A way from a block to a block, or out of the function when `to` is kOutside.
struct BiasEdge {
  uint32_t from = 0, to = 0;
  /// Executions that went this way. Only a comparison with the other ways of the same block means
  /// something, because each branch was watched for a time of its own. The only way of a block is
  /// taken for certain, whatever this says.
  uint64_t seen = 0;
};

/// Block 0 is the entry. Several edges from one block to another are ways of their own.
struct BiasGraph {
  std::string name;             // in messages
  std::vector<uint64_t> pcs;    // the first address of each block
  std::vector<BiasEdge> edges;  // by `from`
  /// By block: whether it was certainly not executed, so that a way to it has no share of the prior
  /// (idle.h). Empty when nothing is known.
  std::vector<bool> idle;
  /// By block: whether every execution was seen, so that its shares are exact and need no prior.
  /// Empty when that is known of none.
  std::vector<bool> complete;

  uint32_t blocks() const { return static_cast<uint32_t>(pcs.size()); }
  /// "FUNCTION: at 0x1234", the beginning of a message.
  std::string place(uint32_t block) const;
  /// Throws FlowError: no block, an edge to a block that is not there, edges out of order, a block
  /// that no edge leaves, another number of `idle` or `complete` than of blocks.
  void check() const;
};

/// The edges of each block are edges[first[b]] to edges[first[b + 1] - 1]. `edges` are those of a
/// graph that passes check().
std::vector<uint32_t> first_edges(const BiasGraph& graph);

/// Executions of branches, jumps and calls by where they went, of all tags of a profile together.
class SeenWays {
 public:
  struct Way {
    uint64_t pc = 0, target = 0, count = 0;
  };

  /// @param profile  tuples {pc, value = address where control arrived}
  explicit SeenWays(const Profile& profile);

  uint64_t count(uint64_t pc, uint64_t target) const;
  /// All ways of one instruction, [first, second), by target.
  std::pair<const Way*, const Way*> of(uint64_t pc) const;

 private:
  std::vector<Way> ways_;  // by pc and target
};

/// The graph of a function with the counts of `seen`. It has the function's edges in their order.
/// What an indirect jump did that leads to none of its labels, counts for the edge that leaves.
BiasGraph bias_graph(const FlowFunction& function, const SeenWays& seen);

}  // namespace strobe::profile
