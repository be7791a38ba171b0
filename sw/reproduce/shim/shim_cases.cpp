// Figures 9 and 10, the producer of one word and its observer; figures 14 to 19, two phases of a
// garbage collector.
#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "sw/reproduce/shim/shim_limits.h"
#include "sw/reproduce/shim/shim_means.h"

namespace strobe::reproduce::shim {
namespace {

std::vector<std::string> row_of(const Produced& one) {
  return {fmt::format("{}", one.wait), fmt::format("{:.0f}", one.cycles_per_write()),
          one.period == 0 ? "fastest" : fmt::format("{}", one.period), percent(one.overhead()),
          fmt::format("{:.3f}",
                      static_cast<double>(one.invalidations) / static_cast<double>(one.writes))};
}

/// b / a - 1, part by part; the parts of two runs are not the same moments.
std::vector<double> change(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> changes;
  const double from = mean(a);
  for (const double value : b) changes.push_back(value / from - 1);
  return changes;
}

std::string value_text(const std::vector<double>& values) {
  return values.empty() ? "-" : fmt::format("{:.2f}", mean(values));
}

constexpr const char* kMachineNames[kMachines] = {"3.4 GHz", "0.8 GHz", "3.4 GHz, no prefetch",
                                                  "0.8 GHz, no prefetch"};
constexpr const char* kWhy = "another collector, another core";

Table machines_table(const std::vector<Collector>& machines) {
  Table table{
      "Instructions per cycle, requests to memory in 100 cycles, and the share of samples "
      "with a rate below 0.3, by phase",
      {"machine", "stacks: IPC", "requests", "low", "globals: IPC", "requests", "low"},
      {}};
  for (size_t i = 0; i < kMachines; ++i) {
    std::vector<std::string> cells = {kMachineNames[i]};
    for (const Phase* phase : {&machines[i].stacks, &machines[i].globals}) {
      cells.push_back(value_text(phase->ipc));
      cells.push_back(value_text(phase->bandwidth));
      cells.push_back(phase->low.empty() ? "-" : percent(mean(phase->low)));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Figure histogram(const char* name, const char* title, const std::vector<Collector>& machines,
                 Phase Collector::*phase, std::pair<Machine, Machine> both) {
  Figure figure{name, title, "instructions per cycle, tenths", "% of the samples", {}};
  for (const Machine machine : {both.first, both.second}) {
    const Phase& samples = machines[machine].*phase;
    const double all = static_cast<double>(
        std::accumulate(samples.samples.begin(), samples.samples.end(), uint64_t{0}));
    Curve curve{kMachineNames[machine], {}};
    for (size_t i = 0; i < samples.samples.size(); ++i) {
      curve.points.emplace_back(static_cast<double>(i),
                                all == 0 ? 0 : 100 * static_cast<double>(samples.samples[i]) / all);
    }
    figure.curves.push_back(std::move(curve));
  }
  return figure;
}

/// The share of the requests in samples with a rate above kHighRate.
double requests_above(const Phase& phase, double width) {
  uint64_t above = 0, all = 0;
  for (size_t i = 0; i < phase.requests.size(); ++i) {
    all += phase.requests[i];
    if (static_cast<double>(i) * width / kRates >= kHighRate) above += phase.requests[i];
  }
  return all == 0 ? 0 : static_cast<double>(above) / static_cast<double>(all);
}

Claim change_claim(const std::string& what, const std::vector<double>& a,
                   const std::vector<double>& b, double paper) {
  const double one = (1 - kOfOverhead) * paper, other = (1 + kOfOverhead) * paper;
  return claim_by_interval(fmt::format("{}: {:+.0f} %", what, 100 * paper), change(a, b),
                           std::min(one, other), std::max(one, other), kWhy);
}

}  // namespace

Reproduction producer(const Producer& measured, bool smt) {
  Reproduction result;
  result.name = smt ? "shim-fig10" : "shim-fig9";
  result.title = smt ? "Figure 10: a producer and its observer on one core"
                     : "Figure 9: a producer and its observer on two cores";
  Table table{"Overhead of the producer",
              {"rounds between writes", "cycles from write to write", "cycles from read to read",
               "overhead", "invalidations for each write"},
              {}};
  Figure figure{result.name,
                "Overhead of the producer",
                "position in the table",
                "%",
                {{"slower producer", {}}, {"slower observer", {}}}};
  for (size_t i = 0; i < measured.slower_producer.size(); ++i) {
    table.rows.push_back(row_of(measured.slower_producer[i]));
    figure.curves[0].points.emplace_back(static_cast<double>(i),
                                         100 * measured.slower_producer[i].overhead());
  }
  for (size_t i = 0; i < measured.slower_observer.size(); ++i) {
    if (i > 0) table.rows.push_back(row_of(measured.slower_observer[i]));
    figure.curves[1].points.emplace_back(static_cast<double>(i),
                                         100 * measured.slower_observer[i].overhead());
  }
  result.tables = {std::move(table)};
  result.figures = {std::move(figure)};
  const double producer = measured.slower_producer.back().overhead();
  const double observer = measured.slower_observer.back().overhead();
  if (smt) {
    result.claims = {
        claim("the observer's cost is relatively constant, about 10 %, once it slows "
              "down",
              percent(observer), observer > 0.05 && observer < 0.15,
              "an observer that sleeps in WFI leaves the core alone")};
    return result;
  }
  result.claims = {claim("a slower producer drops the overhead below 5 %", percent(producer),
                         producer < 0.05, kWhy),
                   claim("a slower observer drops the overhead below 5 %", percent(observer),
                         observer < 0.05, kWhy),
                   claim("more reads make more invalidations",
                         fmt::format("{} at the highest rate, {} at the lowest",
                                     measured.slower_observer.front().invalidations,
                                     measured.slower_observer.back().invalidations),
                         measured.slower_observer.front().invalidations >
                             measured.slower_observer.back().invalidations,
                         kWhy)};
  return result;
}

Reproduction phases(const std::vector<Collector>& machines) {
  Reproduction result;
  result.name = "shim-phases";
  result.title = "Figures 14 to 19: two phases of a garbage collector";
  result.tables = {machines_table(machines)};
  const auto figure = [&](const char* name, const char* title, Phase Collector::*phase, Machine one,
                          Machine other) {
    result.figures.push_back(histogram(name, title, machines, phase, {one, other}));
  };
  figure("shim-fig14", "Stacks: frequency", &Collector::stacks, kFast, kSlow);
  figure("shim-fig15", "Globals: frequency", &Collector::globals, kFast, kSlow);
  figure("shim-fig16", "Stacks: prefetchers", &Collector::stacks, kFast, kFastPlain);
  figure("shim-fig17", "Globals: prefetchers", &Collector::globals, kFast, kFastPlain);
  figure("shim-fig18", "Globals without prefetchers: frequency", &Collector::globals, kFastPlain,
         kSlowPlain);
  const auto stacks = [&](Machine machine) -> const Phase& { return machines[machine].stacks; };
  const auto globals = [&](Machine machine) -> const Phase& { return machines[machine].globals; };
  result.claims = {
      change_claim("stacks, 3.4 to 0.8 GHz: IPC", stacks(kFast).ipc, stacks(kSlow).ipc, 0.40),
      change_claim("stacks, 3.4 to 0.8 GHz: requests in 100 cycles", stacks(kFast).bandwidth,
                   stacks(kSlow).bandwidth, 0.20),
      claim_by_interval(
          "stacks: many samples with a low IPC, which coarse sampling hides, vanish at "
          "0.8 GHz: their share at 3.4 GHz less that at 0.8 GHz",
          [&] {
            std::vector<double> values;
            const double slow = mean(stacks(kSlow).low);
            for (const double share : stacks(kFast).low) {
              values.push_back(share - slow);
            }
            return values;
          }(),
          0, kUnbounded, kWhy),
      change_claim("globals, 3.4 to 0.8 GHz: IPC falls", globals(kFast).ipc, globals(kSlow).ipc,
                   -0.13),
      change_claim("stacks without prefetchers: IPC", stacks(kFast).ipc, stacks(kFastPlain).ipc,
                   -0.05),
      change_claim("stacks without prefetchers: requests in 100 cycles", stacks(kFast).bandwidth,
                   stacks(kFastPlain).bandwidth, -0.25),
      change_claim("globals without prefetchers: IPC", globals(kFast).ipc, globals(kFastPlain).ipc,
                   -0.22),
      change_claim("globals without prefetchers, 3.4 to 0.8 GHz: IPC", globals(kFastPlain).ipc,
                   globals(kSlowPlain).ipc, 0.12),
      claim("globals: 95 % of the requests are of samples with an IPC above 1.2",
            percent(requests_above(globals(kFast), 4)), requests_above(globals(kFast), 4) >= 0.9,
            kWhy)};
  return result;
}

}  // namespace strobe::reproduce::shim
