#include "sw/explore/search/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "sw/explore/store/pareto.h"

namespace strobe::explore {
namespace {

constexpr uint64_t kMostExhaustive = 100'000'000;  // designs

[[noreturn]] void nothing_admitted(const Space& space) {
  std::string conditions;
  for (const Condition& condition : space.file().where) {
    conditions +=
        (conditions.empty() ? "" : " and ") + text::in_quotes(condition.expression.source());
  }
  throw EmptySpace(fmt::format(
      "the space is empty: none of its {} designs satisfies 'where' ({}); widen an axis or drop a "
      "condition",
      space.size(), conditions));
}

std::vector<uint64_t> all_designs(const Space& space) {
  if (space.size() > kMostExhaustive) {
    throw EmptySpace(fmt::format(
        "expected at most {} designs for an exhaustive search, got {}; use 'search: {{kind: "
        "random, points: N}}'",
        kMostExhaustive, space.size()));
  }
  std::vector<uint64_t> designs;
  for (uint64_t design = 0; design < space.size(); ++design) {
    if (space.admits(design)) designs.push_back(design);
  }
  if (designs.empty()) nothing_admitted(space);
  return designs;
}

/// Draws uniformly below `limit`, without the bias and the implementation freedom of
/// std::uniform_int_distribution.
uint64_t below(std::mt19937_64& random, uint64_t limit) {
  const uint64_t most = ~uint64_t{0} - ~uint64_t{0} % limit;
  for (;;) {
    const uint64_t drawn = random();
    if (drawn < most) return drawn % limit;
  }
}

std::vector<uint64_t> random_designs(const Space& space, uint64_t count, uint64_t seed) {
  constexpr uint64_t kSmall = 1'000'000;
  std::mt19937_64 random(seed);
  if (space.size() <= kSmall) {
    std::vector<uint64_t> all = all_designs(space);
    count = std::min<uint64_t>(count, all.size());
    for (size_t i = 0; i < count; ++i) std::swap(all[i], all[i + below(random, all.size() - i)]);
    all.resize(count);
    return all;
  }
  std::set<uint64_t> drawn;
  uint64_t tries = 0;
  while (drawn.size() < count && tries++ < 1000 * count + kSmall) {
    const uint64_t design = below(random, space.size());
    if (space.admits(design)) drawn.insert(design);
  }
  if (drawn.empty()) nothing_admitted(space);
  return {drawn.begin(), drawn.end()};
}

/// The best of `designs`: feasible ones before infeasible ones, then by non-dominated rank, then by
/// number.
std::vector<uint64_t> best(const Space& space, const std::vector<uint64_t>& designs,
                           const std::map<std::string, DesignScore>& scores, size_t count) {
  std::vector<uint64_t> scored;
  std::vector<std::vector<double>> costs;
  std::vector<bool> feasible;
  for (const uint64_t design : designs) {
    const auto found = scores.find(space.label(design));
    if (found == scores.end()) continue;
    std::vector<double> cost;
    for (size_t i = 0; i < found->second.objectives.size(); ++i) {
      const auto& value = found->second.objectives[i];
      if (value) cost.push_back(space.file().objectives[i].maximize ? -*value : *value);
    }
    if (cost.size() != found->second.objectives.size()) continue;
    scored.push_back(design);
    costs.push_back(std::move(cost));
    feasible.push_back(found->second.feasible);
  }
  const std::vector<size_t> ranks = pareto_ranks(costs);
  std::vector<size_t> order(scored.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::make_tuple(!feasible[a], ranks[a], scored[a]) <
           std::make_tuple(!feasible[b], ranks[b], scored[b]);
  });
  std::vector<uint64_t> kept;
  for (size_t i = 0; i < std::min(count, order.size()); ++i) kept.push_back(scored[order[i]]);
  return kept;
}

/// Each rung keeps one design in eta and gives it eta times the budget (Jamieson and Talwalkar,
/// AISTATS 2016). The last rung has the whole budget.
void halve(const Space& space, std::vector<uint64_t> designs, const Evaluate& evaluate) {
  const Search& search = space.file().search;
  for (uint64_t budget = search.from; budget < search.to;) {
    const auto scores = evaluate(designs, budget);
    const size_t kept = (designs.size() + search.eta - 1) / search.eta;
    designs = best(space, designs, scores, kept);
    if (designs.empty()) return;
    budget = budget > search.to / search.eta ? search.to : budget * search.eta;
  }
  evaluate(designs, std::nullopt);
}

}  // namespace

std::vector<uint64_t> first_designs(const Space& space) {
  const Search& search = space.file().search;
  switch (search.kind) {
    case SearchKind::kExhaustive:
      return all_designs(space);
    case SearchKind::kNsga2:
      return random_designs(space, search.population, search.seed);
    default:
      return random_designs(space, search.points, search.seed);
  }
}

void search(const Space& space, const std::vector<uint64_t>& first, const Evaluate& evaluate) {
  switch (space.file().search.kind) {
    case SearchKind::kSuccessiveHalving:
      return halve(space, first, evaluate);
    case SearchKind::kNsga2:
      return search_nsga2(space, first, evaluate);
    default:
      evaluate(first, std::nullopt);
  }
}

}  // namespace strobe::explore
