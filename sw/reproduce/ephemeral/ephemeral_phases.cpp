// phases, a program in step with its profiler: finds its period, then profiles it with epochs as
// long as that, always and on average.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "sw/reproduce/ephemeral/ephemeral_runs.h"
#include "sw/reproduce/ephemeral/ephemeral_training.h"

namespace strobe::ephemeral {
namespace {

using namespace reproduce::ephemeral;
using nlohmann::json;

constexpr ReproductionProgram kPhases = {"phases", "configs/runs/phases.yaml", false};
constexpr unsigned kParts = 16;           // its argument START counts in sixteenths of the period
constexpr uint64_t kPeriodsRun = 800;     // ephemeral_limits.cpp has the reason
constexpr unsigned kExecutions = 10;      // the persistence: few beside those of a period
constexpr uint64_t kFirstEpoch = 20'000;  // cycles: near the period

/// The seed differs with the start, so that every jitter does.
Sets sets_of_phases(unsigned start, uint64_t periods) {
  return {fmt::format("workload.args=[\"{}\", \"{}\"]", start, periods),
          fmt::format("seed={}", start)};
}

json profiled_phases(KeptResults& kept, unsigned start, uint64_t periods, uint64_t epoch,
                     double jitter) {
  const Way way = ephemeral_way(kExecutions, epoch, jitter);
  return profiled(kept, kPhases, fmt::format("{}, start {}, {} periods", way.name, start, periods),
                  joined(sets_of_phases(start, periods), way));
}

/// Cycles of a period of the instrumented program: its start and end are the same in both runs.
double period_of(KeptResults& kept, uint64_t epoch) {
  const auto cycles = [&](uint64_t periods) {
    return profiled_phases(kept, 1, periods, epoch, 0).at("cycles").get<uint64_t>();
  };
  constexpr uint64_t kHalf = kPeriodsRun / 2;
  return static_cast<double>(cycles(kPeriodsRun) - cycles(kHalf)) / (kPeriodsRun - kHalf);
}

struct Branch {
  uint64_t pc = 0;
  double taken = 0;  // share of its executions
};

/// The branch that is taken in one phase only: of those that go both ways about as often, the one
/// that is executed most.
Branch phased_branch(const json& edges) {
  const profile::Profile profile = profile_of(edges);
  std::map<uint64_t, std::map<uint64_t, uint64_t>> ways;  // executions by pc and target
  for (const auto& [tuple, count] : profile.entries()) ways[tuple.pc][tuple.value] += count;
  Branch found;
  uint64_t most = 0;
  for (const auto& [pc, targets] : ways) {
    uint64_t total = 0, taken = 0;
    for (const auto& [target, count] : targets) {
      total += count;
      if (target != pc + 2 && target != pc + 4) taken += count;
    }
    const double share = static_cast<double>(taken) / static_cast<double>(total);
    if (total <= most || share < 0.4 || share > 0.6) continue;
    most = total;
    found = {pc, share};
  }
  if (most == 0) throw std::runtime_error("phases: no branch is taken in half of its executions");
  return found;
}

/// How wrong the recorded share of the branch is.
double error_of(const json& biases, const Branch& branch) {
  for (const json& row : biases) {
    if (row.at(0) != branch.pc) continue;
    return std::abs(row.at(1).get<double>() / row.at(2).get<double>() - branch.taken);
  }
  throw std::runtime_error(fmt::format("phases: the branch at {:#x} was not recorded", branch.pc));
}

}  // namespace

Aliasing aliasing_of(KeptResults& kept) {
  Aliasing result;
  // The handler and the stubs lengthen the period, by as much as depends on the epoch: found step
  // by step.
  uint64_t epoch = kFirstEpoch;
  for (int step = 0; step < 3; ++step) {
    result.period = period_of(kept, epoch);
    epoch = static_cast<uint64_t>(std::lround(result.period));
  }
  result.epoch = epoch;
  result.periods = kPeriodsRun;
  const Branch branch =
      phased_branch(all_edges(kept, kPhases, "all branches", sets_of_phases(1, kPeriodsRun)));
  result.true_share = branch.taken;
  // Odd starts: an even one may put every tick on the border of two phases.
  for (unsigned start = 1; start < kParts; start += 2) {
    const auto error = [&](double jitter) {
      return error_of(profiled_phases(kept, start, kPeriodsRun, epoch, jitter).at("biases"),
                      branch);
    };
    result.in_step.push_back(error(0));
    result.jittered.push_back(error(kJitter));
  }
  return result;
}

}  // namespace strobe::ephemeral
