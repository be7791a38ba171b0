#include "sw/profile/flow/calls/idle.h"

#include <algorithm>

namespace strobe::profile {
namespace {

/// Whether a block is idle by what is known of the blocks and functions after it.
class IdleFinder {
 public:
  IdleFinder(const ControlFlow& flow, const SeenWays& seen, const std::vector<uint64_t>& watched)
      : flow_(flow), seen_(seen), watched_(watched) {
    for (const FlowFunction& function : flow.functions) {
      blocks.emplace_back(function.blocks.size());
    }
  }

  /// One look at every block, those after it first. @return whether more are idle
  bool again() {
    bool more = false;
    for (uint32_t f = 0; f < flow_.functions.size(); ++f) {
      const FlowFunction& function = flow_.functions[f];
      auto call = function.calls.rbegin();
      for (auto b = static_cast<uint32_t>(function.blocks.size()); b-- > 0;) {
        while (call != function.calls.rend() && call->block > b) ++call;
        const bool calls = call != function.calls.rend() && call->block == b;
        if (blocks[f][b] || !is_idle(f, b, calls ? &*call : nullptr)) continue;
        blocks[f][b] = more = true;
      }
    }
    return more;
  }

  std::vector<std::vector<bool>> blocks;

 private:
  bool is_idle(uint32_t f, uint32_t block, const FlowCall* call) const {
    const FlowFunction& function = flow_.functions[f];
    const EdgeRange edges = edges_of(function, block);
    const uint64_t pc = function.blocks[block].last;
    if (std::binary_search(watched_.begin(), watched_.end(), pc)) {
      const auto [first, last] = seen_.of(pc);
      return first == last;
    }
    if (edges.last - edges.first > 1) return false;
    if (call != nullptr) return call->callee != kOutside && blocks[call->callee][0];
    return edges.first->to != kOutside && blocks[f][edges.first->to];
  }

  const ControlFlow& flow_;
  const SeenWays& seen_;
  const std::vector<uint64_t>& watched_;
};

}  // namespace

std::vector<std::vector<bool>> idle_blocks(const ControlFlow& flow, const SeenWays& seen,
                                           const std::vector<uint64_t>& watched) {
  IdleFinder finder(flow, seen, watched);
  while (finder.again()) {
  }
  return std::move(finder.blocks);
}

}  // namespace strobe::profile
