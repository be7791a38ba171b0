// The frequencies of small graphs against exact fractions, and of random walks.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "sw/profile/flow/markov.h"
#include "tests/unit/profile/flow_graphs.h"

namespace strobe::profile {
namespace {

__extension__ typedef __int128 Wide;

/// A fraction in lowest terms. Throws when it does not fit into 128 bits.
class Fraction {
 public:
  Fraction(Wide top = 0, Wide bottom = 1) : top_(top), bottom_(bottom) {
    if (bottom_ < 0) {
      top_ = -top_;
      bottom_ = -bottom_;
    }
    Wide a = top_ < 0 ? -top_ : top_, b = bottom_;
    while (b != 0) {
      a %= b;
      std::swap(a, b);
    }
    top_ /= a;
    bottom_ /= a;
  }
  Fraction operator+(const Fraction& other) const {
    return {sum(product(top_, other.bottom_), product(other.top_, bottom_)),
            product(bottom_, other.bottom_)};
  }
  Fraction operator-(const Fraction& other) const {
    return *this + Fraction(-other.top_, other.bottom_);
  }
  Fraction operator*(const Fraction& other) const {
    const Fraction a(top_, other.bottom_), b(other.top_, bottom_);  // small before they multiply
    return {product(a.top_, b.top_), product(a.bottom_, b.bottom_)};
  }
  Fraction operator/(const Fraction& other) const {
    return *this * Fraction(other.bottom_, other.top_);
  }
  bool zero() const { return top_ == 0; }
  double value() const { return static_cast<double>(top_) / static_cast<double>(bottom_); }

 private:
  static Wide product(Wide a, Wide b) {
    Wide result;
    if (__builtin_mul_overflow(a, b, &result)) throw std::overflow_error("a fraction is too wide");
    return result;
  }
  static Wide sum(Wide a, Wide b) {
    Wide result;
    if (__builtin_add_overflow(a, b, &result)) throw std::overflow_error("a fraction is too wide");
    return result;
  }

  Wide top_, bottom_;
};

/// With the prior 1/2, by Gauss's elimination of visits = entry + visits * probabilities.
std::vector<Fraction> exact_visits(const BiasGraph& graph) {
  const uint32_t size = graph.blocks();
  const std::vector<uint32_t> first = first_edges(graph);
  // Row j: visits_j - sum over i of visits_i p_ij = [j = 0].
  std::vector<std::vector<Fraction>> rows(size, std::vector<Fraction>(size + 1));
  rows[0][size] = Fraction(1);
  for (uint32_t i = 0; i < size; ++i) rows[i][i] = Fraction(1);
  for (uint32_t i = 0; i < size; ++i) {
    const uint32_t ways = first[i + 1] - first[i];
    uint64_t executions = 0;
    for (uint32_t e = first[i]; e < first[i + 1]; ++e) executions += graph.edges[e].seen;
    for (uint32_t e = first[i]; e < first[i + 1]; ++e) {
      const Wide top = static_cast<Wide>(graph.edges[e].seen) * ways + 1;
      const Fraction p = ways == 1 ? Fraction(1) : Fraction(top, Wide{ways} * (executions + 1));
      const uint32_t to = graph.edges[e].to;
      if (to != kOutside) rows[to][i] = rows[to][i] - p;
    }
  }
  for (uint32_t k = 0; k < size; ++k) {
    uint32_t pivot = k;
    while (rows.at(pivot)[k].zero()) ++pivot;
    std::swap(rows[k], rows[pivot]);
    for (uint32_t i = 0; i < size; ++i) {
      if (i == k || rows[i][k].zero()) continue;
      const Fraction factor = rows[i][k] / rows[k][k];
      for (uint32_t j = k; j <= size; ++j) rows[i][j] = rows[i][j] - factor * rows[k][j];
    }
  }
  std::vector<Fraction> visits;
  for (uint32_t k = 0; k < size; ++k) visits.push_back(rows[k][size] / rows[k][k]);
  return visits;
}

void expect_exact(const BiasGraph& graph, const EdgeProfile& profile) {
  const std::vector<Fraction> visits = exact_visits(graph);
  for (uint32_t block = 0; block < graph.blocks(); ++block) {
    const double exact = visits[block].value();
    EXPECT_NEAR(profile.blocks[block], exact, 1e-12 * exact) << "block " << block;
  }
}

TEST(FlowExact, BothSolversGiveTheExactFractionsOfRandomGraphs) {
  const uint64_t seed = test_seed();
  for (uint32_t round = 0; round < 300; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const BiasGraph graph = round % 2 == 0 ? random_graph(seed + round, 2 + round % 6, 9)
                                           : StructuredGraph(seed + round, 4, 9).graph();
    if (graph.blocks() > 12) continue;
    expect_exact(graph, edge_profile(graph, {0.5, kNoLoopLimit}));
    expect_exact(graph, reference_profile(graph, 0.5));
  }
}

TEST(FlowExact, ALoopOfAThousandIterationsHasItsFrequency) {
  // 999.5 of 1000.5 executions go back: 1 / (1.5 / 1000.5 ...) with the prior 1/2 in 1000 of 1001.
  const BiasGraph graph = graph_of(3, {{0, 1, 0}, {1, 1, 1000}, {1, 2, 1}, {2, kOutside, 0}});
  const EdgeProfile profile = edge_profile(graph, {0.5, kNoLoopLimit});
  EXPECT_NEAR(profile.blocks[1], 1002 / 1.5, 1e-9);
  EXPECT_NEAR(profile.edges[1], 1002 / 1.5 - 1, 1e-9);
  EXPECT_NEAR(profile.edges[2], 1.0, 1e-12);
  EXPECT_DOUBLE_EQ(profile.blocks[2], 1.0);
}

/// What random walks through the graph do, in the mean, with the standard error of the mean.
struct Walks {
  std::vector<double> mean, error;

  Walks(const BiasGraph& graph, double prior, uint64_t seed, uint32_t count)
      : mean(graph.blocks()), error(graph.blocks()) {
    std::mt19937_64 random(seed);
    const std::vector<uint32_t> first = first_edges(graph);
    std::vector<double> squares(graph.blocks());
    for (uint32_t walk = 0; walk < count; ++walk) {
      std::vector<double> visits(graph.blocks());
      for (uint32_t at = 0; at != kOutside;) {
        ++visits[at];
        at = next(graph, first, at, prior, &random);
      }
      for (uint32_t b = 0; b < graph.blocks(); ++b) {
        mean[b] += visits[b] / count;
        squares[b] += visits[b] * visits[b] / count;
      }
    }
    for (uint32_t b = 0; b < graph.blocks(); ++b) {
      error[b] = std::sqrt(std::max(0.0, squares[b] - mean[b] * mean[b]) / count);
    }
  }

 private:
  static uint32_t next(const BiasGraph& graph, const std::vector<uint32_t>& first, uint32_t at,
                       double prior, std::mt19937_64* random) {
    const uint32_t begin = first[at], end = first[at + 1];
    double total = 2 * prior;
    for (uint32_t e = begin; e < end; ++e) total += static_cast<double>(graph.edges[e].seen);
    double left = std::uniform_real_distribution<>(0, total)(*random);
    for (uint32_t e = begin; e + 1 < end; ++e) {
      left -= static_cast<double>(graph.edges[e].seen) + 2 * prior / (end - begin);
      if (left < 0) return graph.edges[e].to;
    }
    return graph.edges[end - 1].to;
  }
};

TEST(FlowExact, RandomWalksVisitTheBlocksSoOften) {
  const uint64_t seed = test_seed();
  for (uint32_t round = 0; round < 20; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const BiasGraph graph = round % 2 == 0 ? random_graph(seed + round, 8, 20)
                                           : StructuredGraph(seed + round, 12, 20).graph();
    const Walks walks(graph, 0.5, seed + round, 4000);
    const EdgeProfile profile = edge_profile(graph, {0.5, kNoLoopLimit});
    for (uint32_t b = 0; b < graph.blocks(); ++b) {
      // 5 standard errors: one in two million; the rarest blocks may have none.
      EXPECT_NEAR(profile.blocks[b], walks.mean[b], 5 * walks.error[b] + 0.005) << "block " << b;
    }
  }
}

}  // namespace
}  // namespace strobe::profile
