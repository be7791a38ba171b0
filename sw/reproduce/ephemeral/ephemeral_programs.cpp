// What a profile is worth and what it costs, program by program.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "sw/report/confidence.h"
#include "sw/reproduce/by_program.h"
#include "sw/reproduce/ephemeral/ephemeral_limits.h"
#include "sw/reproduce/ephemeral/ephemeral_means.h"
#include "sw/reproduce/verdict.h"

namespace strobe::reproduce::ephemeral {
namespace {

std::vector<std::string> header(std::vector<std::string> first) {
  for (const unsigned persistence : kPersistences) first.push_back(fmt::format("{}", persistence));
  return first;
}

std::vector<double> by_own_input(const std::vector<Persistences>& programs) {
  return of_all(programs, [](const Persistences& p) { return p.normalized(p.own_input); });
}

/// The normalized cycles of the programs that BOLT can lay out.
std::vector<double> by_bolt(const std::vector<Persistences>& programs) {
  std::vector<double> all;
  for (const Persistences& program : programs) {
    if (program.bolt) all.push_back(program.normalized(*program.bolt));
  }
  return all;
}

Table cycles_table(const std::vector<Persistences>& programs) {
  Table table{
      "Cycles normalized to local scheduling, by the complete profile of the training input and of "
      "the test input, and by persistence",
      header({"program", "complete", "test input"}),
      {}};
  for (const Persistences& program : programs) {
    std::vector<std::string> cells = {program.name, percent(program.normalized(program.complete)),
                                      percent(program.normalized(program.own_input))};
    for (const Trained& one : program.by) {
      cells.push_back(percent(program.normalized(one.test_cycles)));
    }
    table.rows.push_back(std::move(cells));
  }
  std::vector<std::string> cells = {"mean", percent_interval(by_complete(programs)),
                                    percent_interval(by_own_input(programs))};
  for (size_t i = 0; i < kPersistences.size(); ++i) {
    cells.push_back(percent_interval(normalized_by(programs, by(i))));
  }
  table.rows.push_back(std::move(cells));
  return table;
}

Table cost_table(const std::vector<Persistences>& programs) {
  Table table{
      "Overhead of the instrumentation by persistence; and the cycles of the program as it was "
      "compiled, and as BOLT lays it out by the complete profile, normalized to local scheduling; "
      "-: BOLT "
      "fails",
      header({"program"}),
      {}};
  table.header.insert(table.header.end(), {"compiled", "BOLT"});
  for (const Persistences& program : programs) {
    std::vector<std::string> cells = {program.name};
    for (const Trained& one : program.by) cells.push_back(percent(program.overhead(one)));
    cells.push_back(percent(program.normalized(program.original)));
    cells.push_back(program.bolt ? percent(program.normalized(*program.bolt)) : "-");
    table.rows.push_back(std::move(cells));
  }
  std::vector<std::string> cells = {"mean"};
  for (size_t i = 0; i < kPersistences.size(); ++i) {
    cells.push_back(percent_interval(overheads_of(programs, by(i))));
  }
  cells.push_back(percent_interval(
      of_all(programs, [](const Persistences& p) { return p.normalized(p.original); })));
  const std::vector<double> bolt = by_bolt(programs);
  cells.push_back(bolt.empty() ? "-" : percent_interval(bolt));
  table.rows.push_back(std::move(cells));
  return table;
}

Table convergence_table(const std::vector<Persistences>& programs) {
  Table table{
      "Convergence, means over the programs: error of a branch's taken share, overlap with the "
      "profile of all branches, and what is lost beside the complete profile, in points",
      {"persistence", "taken share", "overlap", "cycles"},
      {}};
  for (size_t i = 0; i < kPersistences.size(); ++i) {
    table.rows.push_back({fmt::format("{}", kPersistences[i]),
                          percent_interval(errors_of(programs, by(i))),
                          percent_interval(overlaps_of(programs, by(i))),
                          percent_interval(beside_complete(programs, by(i)))});
  }
  return table;
}

Figure figure_of(const std::vector<Persistences>& programs) {
  Figure figure =
      by_program("ephemeral-programs", "Normalized cycles by program",
                 "% of the cycles of local scheduling", names_of(programs, &Persistences::name));
  figure.y_start = report::Start::kLeast;
  figure.curves.push_back(
      percents_by_program("complete", by_complete(programs), report::Stroke::kDiamonds));
  for (size_t i = 0; i < kPersistences.size(); ++i) {
    figure.curves.push_back(percents_by_program(fmt::format("persistence {}", kPersistences[i]),
                                                normalized_by(programs, by(i))));
  }
  return figure;
}

/// The geometric mean, by the interval of the mean of the logarithms.
Claim claim_mean(const std::vector<Persistences>& programs) {
  std::vector<double> logarithms;
  for (const double value : by_complete(programs)) logarithms.push_back(std::log(value));
  const double mean = std::accumulate(logarithms.begin(), logarithms.end(), 0.0) /
                      static_cast<double>(logarithms.size());
  const double half = report::half_width(logarithms).value_or(0);
  Claim claim = claim_by_interval(
      fmt::format("(our own aim) the geometric mean by the complete profile is at most {}",
                  percent(kAim)),
      logarithms, -kUnbounded, std::log(kAim),
      "[the optimizer's page](../optimize.md#limits) says what limits it");
  claim.ours = fmt::format("{} ({} to {})", percent(std::exp(mean)), percent(std::exp(mean - half)),
                           percent(std::exp(mean + half)));
  return only_with(programs.size(), kPrograms, std::move(claim));
}

Claim claim_faster(const std::vector<Persistences>& programs) {
  const std::vector<double> normalized = by_complete(programs);
  const auto faster = static_cast<size_t>(
      std::count_if(normalized.begin(), normalized.end(), [](double value) { return value < 1; }));
  return only_with(
      programs.size(), kPrograms,
      judged(fmt::format("(our own aim) at least {} of programs get faster than with local "
                         "scheduling",
                         percent(kFaster.least)),
             fmt::format("{} of {}", faster, normalized.size()),
             share_interval(faster, normalized.size()), kFaster,
             "[the optimizer's page](../optimize.md#limits) says what limits it"));
}

}  // namespace

Reproduction programs(const std::vector<Persistences>& programs) {
  Reproduction result;
  result.name = "ephemeral-programs";
  result.title = "What the profiles are worth, program by program";
  result.figures.push_back(figure_of(programs));
  result.tables = {cycles_table(programs), cost_table(programs), convergence_table(programs)};
  for (size_t i = 0; i < kPersistences.size(); ++i) {
    result.claims.push_back(claim_by_interval(
        fmt::format("the gain converges: persistence {} gives the cycles of the complete profile",
                    kPersistences[i]),
        beside_complete(programs, by(i)), -kPoint, kPoint,
        fmt::format("the overlap of the profiles is {}",
                    percent_interval(overlaps_of(programs, by(i))))));
  }
  for (size_t i = 0; i < 2; ++i) {
    result.claims.push_back(claim_by_interval(
        fmt::format("persistence {} has an extremely low overhead (1-5 %)", kPersistences[i]),
        overheads_of(programs, by(i)), -kUnbounded, kLowOverhead,
        "runs are short: each branch of a large program is hooked in every epoch"));
  }
  result.claims.push_back(
      claim_by_interval("(our own question) a profile of another input is worth as much as one of "
                        "the test input: the difference is at most 1 point",
                        differences(by_complete(programs), by_own_input(programs)), -kUnbounded,
                        kPoint, "the inputs exercise other branches"));
  result.claims.push_back(claim_mean(programs));
  result.claims.push_back(claim_faster(programs));
  return result;
}

}  // namespace strobe::reproduce::ephemeral
