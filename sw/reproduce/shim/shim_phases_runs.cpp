// The runs of the collector of figures 14 to 19, and what their samples add up to.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw/profile/accuracy/ratio.h"
#include "sw/reproduce/hps/hps_runs.h"
#include "sw/reproduce/shim/observed_run.h"
#include "sw/reproduce/shim/sample_between.h"
#include "sw/reproduce/shim/shim_runs.h"

namespace strobe::shim {
namespace {

using namespace reproduce::shim;
using nlohmann::json;
using Sets = std::vector<std::string>;

constexpr ReproductionProgram kCollector = {"gengc", "configs/runs/quickstart.yaml", true};
constexpr size_t kParts = 10;  // a run is cut into

/// A sample in a phase.
struct PhaseSample {
  uint64_t run = 0;    // which time it is that the phase runs
  uint64_t begin = 0;  // the clock at its end
  profile::RateSample sample;
};

Sets collector_sets(Machine machine) {
  const bool plain = machine == kFastPlain || machine == kSlowPlain;
  const bool slow = machine == kSlow || machine == kSlowPlain;
  Sets sets = {"profilers=[]",
               "workload.args=[small]",
               "core.include=../cores/haswell.yaml",
               "core.threads=2",
               fmt::format("core.frequency_ghz={}", slow ? 0.8 : 3.4),
               "shim.where=smt",
               "shim.counters=[instructions, dram_requests]",
               "shim.signals=[gengc_phase]",
               "shim.analysis=buffer"};
  if (!plain) return sets;
  sets.push_back("core.memory.l1i={size: 32768, ways: 8, latency: 1, mshrs: 4, prefetch: none}");
  sets.push_back("core.memory.l1d={size: 32768, ways: 8, latency: 3, mshrs: 10, prefetch: none}");
  sets.push_back("core.memory.l2={size: 262144, ways: 8, latency: 8, mshrs: 16, prefetch: none}");
  return sets;
}

/// What samples add up to.
struct Sum {
  uint64_t samples = 0, cycles = 0, instructions = 0, requests = 0;

  void add(const profile::RateSample& sample) {
    ++samples;
    cycles += sample.cycles;
    instructions += sample.count;
    requests += sample.second;
  }
  double bandwidth() const { return 100 * profile::ratio(requests, cycles); }
};

double bandwidth_of(const profile::RateSample& sample) {
  return 100 * profile::ratio(sample.second, sample.cycles);
}

/// Pearson's correlation of rate and bandwidth; null where one of them is constant.
json correlation(const std::vector<profile::RateSample>& samples) {
  const auto n = static_cast<double>(samples.size());
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (const profile::RateSample& sample : samples) {
    x += sample.rate() / n;
    y += bandwidth_of(sample) / n;
  }
  for (const profile::RateSample& sample : samples) {
    const double dx = sample.rate() - x, dy = bandwidth_of(sample) - y;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  return xx > 0 && yy > 0 ? json(xy / std::sqrt(xx * yy)) : json();
}

/// A part of the run.
json part_of(const std::vector<profile::RateSample>& samples) {
  Sum all, low, high;
  for (const profile::RateSample& sample : samples) {
    all.add(sample);
    if (sample.rate() < kLowRate) low.add(sample);
    if (sample.rate() >= kHighRate) high.add(sample);
  }
  return {{"ipc", profile::ratio(all.instructions, all.cycles)},
          {"bandwidth", all.bandwidth()},
          {"low", profile::ratio(low.samples, all.samples)},
          {"low_bandwidth", low.cycles == 0 ? json() : json(low.bandwidth())},
          {"above", all.requests == 0 ? json() : json(profile::ratio(high.requests, all.requests))},
          {"correlation", correlation(samples)}};
}

json rates_of(const std::vector<PhaseSample>& samples) {
  std::vector<Sum> rates(kRates);
  for (const PhaseSample& one : samples) {
    const auto bucket = static_cast<size_t>(one.sample.rate() / kCoreWidth * kRates);
    rates[std::min<size_t>(bucket, kRates - 1)].add(one.sample);
  }
  json out = json::array();
  for (const Sum& sum : rates) out.push_back({sum.samples, sum.cycles, sum.requests});
  return out;
}

/// The samples of the phase that double-time error correction keeps.
std::vector<PhaseSample> samples_of(const std::vector<platform::ObservedSample>& buffer,
                                    uint64_t phase, uint64_t dte) {
  std::vector<PhaseSample> all;
  uint64_t runs = 0;
  for (size_t i = 1; i < buffer.size(); ++i) {
    const platform::ObservedSample &last = buffer[i - 1], &now = buffer[i];
    if (last.signal[0] != phase || now.signal[0] != phase) {
      if (now.signal[0] == phase) ++runs;
      continue;
    }
    const PhaseSample one{runs, now.begin, sample_between(last, now)};
    if (one.sample.cycles != 0 && one.sample.kept(dte)) all.push_back(one);
  }
  return all;
}

/// The first samples of the time in the middle that the phase ran.
json line_of(const std::vector<PhaseSample>& samples) {
  constexpr size_t kMost = 300;
  json line = json::array();
  if (samples.empty()) return line;
  const uint64_t run = (samples.back().run + 1) / 2;
  const auto first = std::find_if(samples.begin(), samples.end(),
                                  [&](const PhaseSample& one) { return one.run >= run; });
  for (auto at = first; at != samples.end() && at->run == first->run && line.size() < kMost; ++at) {
    line.push_back({at->begin - first->begin, at->sample.rate(), bandwidth_of(at->sample)});
  }
  return line;
}

json phase_of(const std::vector<platform::ObservedSample>& buffer, uint64_t phase, uint64_t dte) {
  constexpr uint64_t kFewest = 20;  // samples of a part
  const std::vector<PhaseSample> samples = samples_of(buffer, phase, dte);
  const uint64_t end = buffer.empty() ? 1 : buffer.back().begin + 1;
  std::vector<std::vector<profile::RateSample>> parts(kParts);
  for (const PhaseSample& one : samples) parts[one.begin * kParts / end].push_back(one.sample);
  json out = {{"parts", json::array()}, {"rates", rates_of(samples)}, {"line", line_of(samples)}};
  for (const std::vector<profile::RateSample>& part : parts) {
    if (part.size() >= kFewest) out["parts"].push_back(part_of(part));
  }
  return out;
}

Phase phase_from(const json& found) {
  Phase phase;
  for (const json& part : found.at("parts")) {
    const auto add = [&](const char* name, std::vector<double>& values) {
      if (!part.at(name).is_null()) values.push_back(part.at(name));
    };
    add("ipc", phase.ipc);
    add("bandwidth", phase.bandwidth);
    add("low", phase.low);
    add("low_bandwidth", phase.low_bandwidth);
    add("above", phase.above);
    add("correlation", phase.correlation);
  }
  for (const json& rate : found.at("rates")) {
    phase.samples.push_back(rate.at(0));
    phase.cycles.push_back(rate.at(1));
    phase.requests.push_back(rate.at(2));
  }
  for (const json& moment : found.at("line")) {
    phase.line.push_back({moment.at(0), moment.at(1), moment.at(2)});
  }
  return phase;
}

}  // namespace

std::vector<Collector> collectors(KeptResults& kept) {
  constexpr uint64_t kStacks = 1, kGlobals = 2;  // gengc_phase
  std::vector<Collector> all;
  for (unsigned machine = 0; machine < kMachines; ++machine) {
    const Sets sets = collector_sets(static_cast<Machine>(machine));
    const json found = kept.get(hps::joined(sets), observed_inputs(kCollector, sets), [&] {
      const config::RunConfig configuration = kCollector.load(sets).configuration;
      const platform::RunOutcome outcome =
          observed_run(configuration, /*methods=*/false, /*observed=*/true);
      const uint64_t dte = profile::dte_units(configuration.shim.dte);
      const auto of = [&](uint64_t phase) { return phase_of(outcome.shim->buffer, phase, dte); };
      return json{{"stacks", of(kStacks)}, {"globals", of(kGlobals)}};
    });
    all.push_back({phase_from(found.at("stacks")), phase_from(found.at("globals"))});
  }
  return all;
}

}  // namespace strobe::shim
