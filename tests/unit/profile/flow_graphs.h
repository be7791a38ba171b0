// Graphs for the tests of sw/profile/flow: by hand, random structured ones, and random ones without
// any structure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sw/profile/flow/bias_graph.h"

namespace strobe::profile {

/// Edges in any order; block b is at 0x1000 + 4 b.
inline BiasGraph graph_of(uint32_t blocks, std::vector<BiasEdge> edges) {
  BiasGraph graph;
  graph.name = "f";
  for (uint32_t b = 0; b < blocks; ++b) graph.pcs.push_back(0x1000 + 4 * b);
  std::stable_sort(edges.begin(), edges.end(),
                   [](const BiasEdge& a, const BiasEdge& b) { return a.from < b.from; });
  graph.edges = std::move(edges);
  return graph;
}

/// The seed of a random test, which it prints; another one comes from the environment.
inline uint64_t test_seed() {
  const char* const given = std::getenv("STROBE_TEST_SEED");
  const uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 7;
  std::cout << "STROBE_TEST_SEED=" << seed << "\n";
  return seed;
}

/// A structured program: blocks in sequence, branches with one or two arms, loops with breaks. Its
/// graph is reducible.
class StructuredGraph {
 public:
  /// @param blocks  about so many
  /// @param most_seen  counts are at most this, of all magnitudes
  StructuredGraph(uint64_t seed, uint32_t blocks, uint64_t most_seen)
      : random_(seed), most_seen_(most_seen) {
    const uint32_t last = region(next_++, blocks, nullptr);
    connect(last, kOutside);
  }

  BiasGraph graph() const { return graph_of(next_, edges_); }

 private:
  uint64_t below(uint64_t bound) { return random_() % bound; }

  void connect(uint32_t from, uint32_t to) {
    const uint64_t magnitude = uint64_t{1} << below(64);
    edges_.push_back({from, to, below(std::min(magnitude, most_seen_) + 1)});
  }

  uint32_t block_after(uint32_t before) {
    connect(before, next_);
    return next_++;
  }

  /// Adds code after a block. @param breaks  collects blocks that leave the loop around it
  /// @return the last block, which has no edge yet
  uint32_t region(uint32_t before, uint32_t budget, std::vector<uint32_t>* breaks) {
    const uint32_t end = next_ + budget;
    while (next_ < end) {
      const auto inside = static_cast<uint32_t>(below(end - next_));
      const uint64_t kind = below(4);
      if (kind == 2) {
        before = branch(before, inside, breaks);
      } else if (kind == 3) {
        before = loop(before, inside);
      } else {
        before = block_after(before);
        if (breaks != nullptr && below(4) == 0) {
          breaks->push_back(before);
          before = block_after(before);
        }
      }
    }
    return before;
  }

  uint32_t branch(uint32_t before, uint32_t budget, std::vector<uint32_t>* breaks) {
    const uint32_t condition = block_after(before);
    const uint32_t first = region(block_after(condition), budget / 2, breaks);
    const uint32_t second =
        below(2) == 0 ? condition : region(block_after(condition), budget / 2, breaks);
    const uint32_t join = block_after(first);
    connect(second, join);
    return join;
  }

  uint32_t loop(uint32_t before, uint32_t budget) {
    const uint32_t header = block_after(before);
    std::vector<uint32_t> breaks;
    const uint32_t latch = block_after(region(header, budget, &breaks));
    connect(latch, header);
    const uint32_t after = block_after(latch);
    for (const uint32_t block : breaks) connect(block, after);
    return after;
  }

  std::mt19937_64 random_;
  uint64_t most_seen_;
  uint32_t next_ = 0;
  std::vector<BiasEdge> edges_;
};

/// Each block leads to the next one and to random ones, so nearly every such graph is irreducible.
inline BiasGraph random_graph(uint64_t seed, uint32_t blocks, uint64_t most_seen) {
  std::mt19937_64 random(seed);
  std::vector<BiasEdge> edges;
  for (uint32_t block = 0; block < blocks; ++block) {
    edges.push_back({block, block + 1 < blocks ? block + 1 : kOutside, random() % (most_seen + 1)});
    for (uint64_t more = random() % 3; more > 0; --more) {
      const auto to = static_cast<uint32_t>(random() % (blocks + 1));
      edges.push_back({block, to < blocks ? to : kOutside, random() % (most_seen + 1)});
    }
  }
  return graph_of(blocks, std::move(edges));
}

}  // namespace strobe::profile
