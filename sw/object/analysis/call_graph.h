// The calls of a whole program, and which functions need a check so that no recursion runs
// without one (bursty tracing, section 4.1).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::object {

struct CallNode {
  std::string name;
  std::vector<uint32_t> callees;  // direct, tail calls included
  bool calls_indirectly = false;
  bool address_taken = false;
};

struct CallGraph {
  std::vector<CallNode> nodes;

  /// A function that calls nothing.
  bool leaf(uint32_t node) const;
};

/// For each node, what equation (3) asks. An indirect call counts as a call of every function whose
/// address is taken.
struct EntryRules {
  std::vector<bool> leaf, root, recursion_from_below;
  /// Equation (3): whether the function carries a check at its entry.
  std::vector<bool> checked;
};

EntryRules entry_rules(const CallGraph& graph);

}  // namespace strobe::object
