// NSGA-II over the rows of the axes. A generation is one evaluation, so its runs are planned as a
// whole.
#include <algorithm>
#include <cmath>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/bfe.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <set>
#include <utility>

#include "sw/explore/search/search.h"

namespace strobe::explore {
namespace {

/// The costs of a design that has no score, is excluded by `where` or breaks a constraint. They
/// exceed all others, so that it never survives together with a feasible one.
constexpr double kInfeasible = 1e30;

/// The state that pagmo's objects share: pagmo copies the objects, and they all refer to this.
struct Context {
  const Space& space;
  const Evaluate& evaluate;

  std::vector<uint32_t> rows(const double* genes) const {
    std::vector<uint32_t> rows;
    for (size_t a = 0; a < space.axes().size(); ++a) {
      rows.push_back(static_cast<uint32_t>(std::llround(genes[a])));
    }
    return rows;
  }

  /// The costs of several individuals, concatenated; the genes are concatenated, too.
  pagmo::vector_double costs(const pagmo::vector_double& genes) const {
    const size_t axes = space.axes().size();
    std::vector<uint64_t> designs;
    std::set<uint64_t> admitted;
    for (size_t at = 0; at < genes.size(); at += axes) {
      designs.push_back(space.number(rows(&genes[at])));
      if (space.admits(designs.back())) admitted.insert(designs.back());
    }
    std::map<std::string, DesignScore> scores;
    if (!admitted.empty()) scores = evaluate({admitted.begin(), admitted.end()}, std::nullopt);
    pagmo::vector_double result;
    for (const uint64_t design : designs) {
      const auto found = scores.find(space.label(design));
      const bool good = found != scores.end() && found->second.feasible;
      for (size_t i = 0; i < space.file().objectives.size(); ++i) {
        const auto value = good ? found->second.objectives[i] : std::nullopt;
        const double sign = space.file().objectives[i].maximize ? -1 : 1;
        result.push_back(value ? sign * *value : kInfeasible);
      }
    }
    return result;
  }
};

struct DesignProblem {
  const Context* context = nullptr;

  pagmo::vector_double fitness(const pagmo::vector_double& genes) const {
    return context->costs(genes);
  }
  std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
    if (context == nullptr) return {{0}, {1}};  // pagmo makes one object without a context
    pagmo::vector_double lowest, highest;
    for (const Axis& axis : context->space.axes()) {
      lowest.push_back(0);
      highest.push_back(static_cast<double>(axis.rows.size() - 1));
    }
    return {lowest, highest};
  }
  pagmo::vector_double::size_type get_nobj() const {
    return context == nullptr ? 1 : context->space.file().objectives.size();
  }
  pagmo::vector_double::size_type get_nix() const {
    return context == nullptr ? 0 : context->space.axes().size();
  }
  template <class Archive>
  void serialize(Archive& /*archive*/, unsigned /*version*/) {}
};

struct GenerationEvaluator {
  const Context* context = nullptr;

  pagmo::vector_double operator()(const pagmo::problem& /*problem*/,
                                  const pagmo::vector_double& genes) const {
    return context->costs(genes);
  }
  template <class Archive>
  void serialize(Archive& /*archive*/, unsigned /*version*/) {}
};

}  // namespace

void search_nsga2(const Space& space, const std::vector<uint64_t>& first,
                  const Evaluate& evaluate) {
  const Context context{space, evaluate};
  const Search& search = space.file().search;
  const auto seed = static_cast<unsigned>(search.seed);
  pagmo::vector_double genes;
  for (size_t i = 0; i < search.population; ++i) {
    for (const uint32_t row : space.digits(first[i % first.size()])) genes.push_back(row);
  }
  const pagmo::vector_double costs = context.costs(genes);
  const size_t axes = space.axes().size(), objectives = space.file().objectives.size();
  const auto part = [](const pagmo::vector_double& all, size_t i, size_t size) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i * size);
    return pagmo::vector_double(begin, begin + static_cast<std::ptrdiff_t>(size));
  };
  pagmo::population population(pagmo::problem(DesignProblem{&context}), 0, seed);
  for (size_t i = 0; i < search.population; ++i) {
    population.push_back(part(genes, i, axes), part(costs, i, objectives));
  }
  pagmo::nsga2 algorithm(static_cast<unsigned>(search.generations), 0.95, 10,
                         1.0 / static_cast<double>(axes), 50, seed);
  algorithm.set_bfe(pagmo::bfe(GenerationEvaluator{&context}));
  algorithm.evolve(population);
}

}  // namespace strobe::explore
