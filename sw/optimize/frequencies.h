// How often each block of a function is executed, from the counts of its branches.
#pragma once

#include <functional>
#include <vector>

#include "sw/object/analysis/code.h"
#include "sw/object/analysis/flow_graph.h"
#include "sw/optimize/traces.h"

namespace strobe::optimize {

/// How often a branch went to its target and how often not.
struct BranchCounts {
  double taken = 0, not_taken = 0;
};

/// The blocks of a function as nodes. Where an edge was not counted, its frequency follows from
/// those around it: what flows into a block flows out of it. An indirect jump's share of its
/// targets stays unknown. `entered` is set for the function's entry and for `labels`, offsets at
/// which control arrives from elsewhere.
std::vector<FlowNode> nodes_of(const object::Code& code, const object::FlowGraph& graph,
                               const std::function<BranchCounts(uint32_t instruction)>& counts,
                               const std::vector<uint32_t>& labels);

}  // namespace strobe::optimize
