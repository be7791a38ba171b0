#include "sw/reproduce/shim/shim_phases.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "sw/report/confidence.h"
#include "sw/reproduce/shim/shim_limits.h"
#include "sw/reproduce/shim/shim_means.h"

namespace strobe::reproduce::shim {
namespace {

constexpr uint64_t kFewest = 20;  // samples of a bucket whose bandwidth is drawn
constexpr const char* kMachineNames[kMachines] = {"3.4 GHz", "0.8 GHz", "3.4 GHz, no prefetch",
                                                  "0.8 GHz, no prefetch"};

/// What a figure compares.
struct Study {
  unsigned figure;
  const char* title;
  Phase Collector::*phase;
  Machine one, other;
  double paper_ipc;  // on the first machine
};
constexpr Study kStudies[] = {
    {14, "stacks (poor locality) at two frequencies", &Collector::stacks, kFast, kSlow, 0.59},
    {15, "globals (good locality) at two frequencies", &Collector::globals, kFast, kSlow, 1.48},
    {16, "stacks with and without prefetchers", &Collector::stacks, kFast, kFastPlain, 0.60},
    {17, "globals with and without prefetchers", &Collector::globals, kFast, kFastPlain, 1.48},
    {18, "globals without prefetchers at two frequencies", &Collector::globals, kFastPlain,
     kSlowPlain, 1.15}};

const Study& study_of(unsigned figure) {
  for (const Study& study : kStudies) {
    if (study.figure == figure) return study;
  }
  throw std::invalid_argument(fmt::format("figure {} is no case study", figure));
}

/// b / a - 1, part by part; the parts of two runs are not the same moments.
std::vector<double> change(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> changes;
  const double from = mean(a);
  changes.reserve(b.size());
  for (const double value : b) changes.push_back(value / from - 1);
  return changes;
}

std::string share_text(const std::vector<double>& values) {
  return values.empty() ? "-" : percent(mean(values));
}

Table phase_table(const Phase& one, const Phase& other, const Study& study) {
  Table table{
      "Instructions per cycle, requests to memory in 100 cycles, the share of the samples with a "
      "rate below 0.3 and their requests, and the share of the requests in samples above 1.2",
      {"machine", "IPC", "requests", "samples below 0.3", "their requests", "requests above 1.2"},
      {}};
  for (const auto& [machine, phase] : {std::pair(study.one, &one), {study.other, &other}}) {
    table.rows.push_back({kMachineNames[machine], mean_of(phase->ipc, 2),
                          mean_of(phase->bandwidth, 2), share_text(phase->low),
                          mean_of(phase->low_bandwidth, 2), share_text(phase->above)});
  }
  return table;
}

/// Calls `add` with the rate of each bucket and its place.
template <class Add>
void each_rate(const Phase& phase, const Add& add) {
  for (size_t i = 0; i < phase.samples.size(); ++i) {
    add(static_cast<double>(i) * kCoreWidth / kRates, i);
  }
}

Curve distribution(const char* name, const Phase& phase) {
  const auto all =
      static_cast<double>(std::accumulate(phase.samples.begin(), phase.samples.end(), uint64_t{0}));
  Curve curve{name, {}};
  each_rate(phase, [&](double rate, size_t i) {
    const double share = all == 0 ? 0 : static_cast<double>(phase.samples[i]) / all;
    curve.points.emplace_back(rate, 100 * share);
  });
  return curve;
}

Curve bandwidth(const char* name, const Phase& phase) {
  Curve curve{name, {}, report::Stroke::kDots};
  each_rate(phase, [&](double rate, size_t i) {
    if (phase.samples[i] < kFewest) return;
    curve.points.emplace_back(
        rate, 100 * static_cast<double>(phase.requests[i]) / static_cast<double>(phase.cycles[i]));
  });
  return curve;
}

std::vector<Figure> halves(const Phase& one, const Phase& other, const Study& study) {
  const std::string name = fmt::format("shim-fig{}", study.figure);
  const char *first = kMachineNames[study.one], *second = kMachineNames[study.other];
  return {{name + "a",
           "Samples by instructions per cycle",
           "instructions per cycle",
           "%",
           {distribution(first, one), distribution(second, other)}},
          {name + "b",
           "Requests to memory in 100 cycles, by the samples' rate; at least 20 samples",
           "instructions per cycle",
           "requests",
           {bandwidth(first, one), bandwidth(second, other)}}};
}

/// What `values` have less than the mean of `others`.
std::vector<double> less(const std::vector<double>& others, const std::vector<double>& values) {
  std::vector<double> differences;
  const double from = mean(others);
  differences.reserve(values.size());
  for (const double value : values) differences.push_back(from - value);
  return differences;
}

std::vector<Claim> claims_of(const Phase& one, const Phase& other, const Study& study) {
  const std::string machines =
      fmt::format("{} relative to {}", kMachineNames[study.other], kMachineNames[study.one]);
  const std::string why =
      fmt::format("another collector, another core: its IPC at {} is {} here, {:.2f} in the paper",
                  kMachineNames[study.one], mean_of(one.ipc, 2), study.paper_ipc);
  const auto changes = [&](const char* what, const std::vector<double>& a,
                           const std::vector<double>& b, double paper) {
    return about(fmt::format("{}, {}: {:+.0f} %", what, machines, 100 * paper), change(a, b), paper,
                 why);
  };
  const auto ipc = [&](double paper) { return changes("IPC", one.ipc, other.ipc, paper); };
  const auto requests = [&](double paper) {
    return changes("requests in 100 cycles", one.bandwidth, other.bandwidth, paper);
  };
  const auto unchanged = [&](const char* what) {
    return claim_by_interval(what, change(one.bandwidth, other.bandwidth), -kUnchanged, kUnchanged,
                             why);
  };
  switch (study.figure) {
    case 14:
      return {ipc(0.40), requests(0.20),
              claim_by_interval("many samples with a low IPC, which coarse sampling hides, vanish "
                                "at 0.8 GHz: their share at 3.4 GHz less that at 0.8 GHz",
                                less(one.low, other.low), kAny, kUnbounded, why),
              changes("where IPC is low, the requests double, from 1.4 to about 3",
                      one.low_bandwidth, other.low_bandwidth, 3 / 1.4 - 1)};
    case 15:
      return {ipc(-0.13),
              unchanged("there is no clear change of the requests in 100 cycles: at most 10 %"),
              claim_by_interval("95 % of the requests are of samples with an IPC above 1.2",
                                one.above, kMostRequests, 1, why)};
    case 16:
      return {ipc(-0.05), requests(-0.25),
              claim_by_interval(
                  "without prefetchers the traffic falls by more than the IPC does: difference of "
                  "the two changes",
                  less(change(one.ipc, other.ipc), change(one.bandwidth, other.bandwidth)), kAny,
                  kUnbounded, why)};
    case 17:
      return {
          ipc(-0.22),
          unchanged("the requests in 100 cycles are unaffected: at most 10 % (further down: the "
                    "prefetcher even reduces them)")};
    default:
      return {ipc(0.12)};
  }
}

std::string correlation_text(const std::vector<double>& values) {
  const auto half = report::half_width(values);
  return half ? fmt::format("{:.2f} +- {:.2f}", mean(values), *half) : mean_of(values, 2);
}

Claim correlated(const char* phase, const std::vector<double>& values, const char* why) {
  Claim result = claim_by_interval(
      fmt::format("{}: many requests go with a low IPC: the correlation is at most {:.1f}", phase,
                  kCorrelated),
      values, -1, kCorrelated, why);
  result.ours = correlation_text(values);
  return result;
}

Figure line_of(const char* name, const char* title, const Phase& phase) {
  Figure figure{
      name, title, "cycles since the phase began", "rate", {{"IPC", {}}, {"requests in 100", {}}}};
  for (const Moment& moment : phase.line) {
    figure.curves[0].points.emplace_back(moment.cycle, moment.ipc);
    figure.curves[1].points.emplace_back(moment.cycle, moment.bandwidth);
  }
  return figure;
}

}  // namespace

Reproduction case_study(const std::vector<Collector>& machines, unsigned figure) {
  const Study& study = study_of(figure);
  const Phase &one = machines[study.one].*study.phase, &other = machines[study.other].*study.phase;
  Reproduction result;
  result.name = fmt::format("shim-fig{}", figure);
  result.title = fmt::format("Figure {}: {}", figure, study.title);
  result.tables = {phase_table(one, other, study)};
  result.figures = halves(one, other, study);
  result.claims = claims_of(one, other, study);
  return result;
}

Reproduction time_lines(const std::vector<Collector>& machines) {
  Reproduction result;
  result.name = "shim-fig19";
  result.title = "Figure 19: IPC and bandwidth in time";
  Table table{"Correlation of the IPC and the requests of a sample, mean over the parts of the run",
              {"machine", "stacks", "globals"},
              {}};
  for (size_t i = 0; i < kMachines; ++i) {
    table.rows.push_back({kMachineNames[i], correlation_text(machines[i].stacks.correlation),
                          correlation_text(machines[i].globals.correlation)});
  }
  result.tables = {std::move(table)};
  const Collector& fast = machines[kFast];
  result.figures = {
      line_of("shim-fig19-stacks", "Stacks, one collection at 3.4 GHz", fast.stacks),
      line_of("shim-fig19-globals", "Globals, one collection at 3.4 GHz", fast.globals)};
  result.claims = {correlated("stacks", fast.stacks.correlation,
                              "nearly every sample waits for memory, and each frame costs about as "
                              "many requests, so that a sample with more of them gets more done"),
                   correlated("globals", fast.globals.correlation,
                              "the prefetchers' requests come in a steady stream, and the scan "
                              "hardly waits for one")};
  return result;
}

}  // namespace strobe::reproduce::shim
