// Which functions carry a check at their entry (bursty tracing, section 4.1).
#include "sw/object/analysis/call_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace strobe::object {
namespace {

using testing::ElementsAre;

/// Names and their callees.
using Calls = std::map<std::string, std::vector<std::string>>;

class Graph {
 public:
  explicit Graph(const Calls& calls) {
    for (const auto& [caller, callees] : calls) {
      node(caller);
      for (const std::string& callee : callees) node(callee);
    }
    for (const auto& [caller, callees] : calls) {
      for (const std::string& callee : callees) {
        graph_.nodes[node(caller)].callees.push_back(node(callee));
      }
    }
  }

  CallNode& operator[](const std::string& name) { return graph_.nodes[node(name)]; }

  /// The names for which `rule` holds, sorted.
  std::vector<std::string> where(std::vector<bool> EntryRules::*rule) const {
    const EntryRules rules = entry_rules(graph_);
    std::vector<std::string> names;
    for (const auto& [name, index] : index_) {
      if ((rules.*rule)[index]) names.push_back(name);
    }
    return names;
  }

 private:
  uint32_t node(const std::string& name) {
    const auto [found, is_new] = index_.try_emplace(name, graph_.nodes.size());
    if (is_new) {
      graph_.nodes.emplace_back();
      graph_.nodes.back().name = name;
    }
    return found->second;
  }

  CallGraph graph_;
  std::map<std::string, uint32_t> index_;
};

/// The functions of Figures 4 and 5. The paper's text gives the root, the leaf, the component and
/// the distances; the edges are in its drawing only, and these fit all of that.
Graph sequitur() {
  return Graph(Calls{{"main", {"check", "insert_after"}},
                     {"check", {"match"}},
                     {"match", {"substitute", "expand", "insert_after"}},
                     {"substitute", {"check", "~symbols", "insert_after"}},
                     {"expand", {"join", "~symbols"}},
                     {"insert_after", {"join"}},
                     {"~symbols", {"join", "delete_digram"}},
                     {"join", {"delete_digram"}}});
}

TEST(EntryRules, OfFigureFiveAreMainAndCheck) {
  const Graph graph = sequitur();
  EXPECT_THAT(graph.where(&EntryRules::root), ElementsAre("main"));
  EXPECT_THAT(graph.where(&EntryRules::leaf), ElementsAre("delete_digram"));
  EXPECT_THAT(graph.where(&EntryRules::recursion_from_below), ElementsAre("check"));
  EXPECT_THAT(graph.where(&EntryRules::checked), ElementsAre("check", "main"));
}

TEST(EntryRules, AFunctionThatCallsItselfIsRecursionFromBelow) {
  EXPECT_THAT(Graph(Calls{{"main", {"f"}}, {"f", {"f"}}}).where(&EntryRules::checked),
              ElementsAre("f", "main"));
}

TEST(EntryRules, ALeafHasNoCheckEvenWhenItsAddressIsTaken) {
  Graph graph(Calls{{"main", {"f"}}});
  graph["f"].address_taken = true;
  EXPECT_THAT(graph.where(&EntryRules::checked), ElementsAre("main"));
}

TEST(EntryRules, AFunctionWhoseAddressIsTakenHasACheck) {
  Graph graph(Calls{{"main", {"f"}}, {"f", {"g"}}});
  graph["f"].address_taken = true;
  EXPECT_THAT(graph.where(&EntryRules::checked), ElementsAre("f", "main"));
}

TEST(EntryRules, AnIndirectCallIsOneOfEveryFunctionWhoseAddressIsTaken) {
  Graph graph(Calls{{"main", {"f"}}, {"f", {}}, {"g", {"f"}}});
  graph["f"].calls_indirectly = true;
  graph["g"].address_taken = true;
  // f calls g indirectly and g calls f: a cycle, which f breaks.
  EXPECT_THAT(graph.where(&EntryRules::recursion_from_below), ElementsAre("f"));
  EXPECT_THAT(graph.where(&EntryRules::checked), ElementsAre("f", "g", "main"));
}

TEST(EntryRules, EveryCycleHasACheck) {
  // Two cycles that share a function, far away from the root.
  const Graph graph(
      Calls{{"main", {"a"}}, {"a", {"b"}}, {"b", {"c"}}, {"c", {"a", "d"}}, {"d", {"c"}}});
  EXPECT_THAT(graph.where(&EntryRules::checked), ElementsAre("a", "c", "main"));
}

}  // namespace
}  // namespace strobe::object
