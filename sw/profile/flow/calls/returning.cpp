#include "sw/profile/flow/calls/returning.h"

namespace strobe::profile {
namespace {

bool comes_back(const FlowCall& call, const std::vector<bool>& returns) {
  return call.callee == kOutside || returns[call.callee];
}

bool returns_now(const FlowFunction& function, const std::vector<bool>& returns) {
  const std::vector<bool> stopped = stopped_by_calls(function, returns);
  std::vector<bool> seen(function.blocks.size());
  std::vector<uint32_t> open = {0};
  seen[0] = true;
  while (!open.empty()) {
    const uint32_t block = open.back();
    open.pop_back();
    for (const FlowEdge& edge : edges_of(function, block)) {
      // A call that does not come back is not passed, a tail call to such a function neither; a
      // conditional one may not be made.
      const bool passed = edge.kind != FlowKind::kReturned && edge.to != kOutside;
      if (edge.kind == FlowKind::kStop || (stopped[block] && !passed)) continue;
      if (edge.to == kOutside) return true;
      if (seen[edge.to]) continue;
      seen[edge.to] = true;
      open.push_back(edge.to);
    }
  }
  return false;
}

}  // namespace

std::vector<bool> stopped_by_calls(const FlowFunction& function, const std::vector<bool>& returns) {
  std::vector<bool> stopped(function.blocks.size());
  for (const FlowCall& call : function.calls) {
    if (!comes_back(call, returns)) stopped[call.block] = true;
  }
  return stopped;
}

std::vector<bool> returning(const ControlFlow& flow) {
  std::vector<bool> returns(flow.functions.size());
  for (bool again = true; again;) {
    again = false;
    for (size_t f = 0; f < flow.functions.size(); ++f) {
      if (returns[f] || !returns_now(flow.functions[f], returns)) continue;
      returns[f] = again = true;
    }
  }
  return returns;
}

}  // namespace strobe::profile
