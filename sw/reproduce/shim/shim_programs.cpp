// The runs of the two programs that are made for SHIM: the producer of figure 8 and the collector.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "sc_models/run/run.h"
#include "sw/profile/rates/rate_samples.h"
#include "sw/reproduce/hps/hps_runs.h"
#include "sw/reproduce/shim/shim_runs.h"

namespace strobe::shim {
namespace {

using namespace reproduce::shim;
using nlohmann::json;
using Sets = std::vector<std::string>;

constexpr const char* kBase = "configs/runs/quickstart.yaml";
constexpr ReproductionProgram kProducer = {"producer", kBase, false};
constexpr ReproductionProgram kCollector = {"gengc", kBase, true};
constexpr uint64_t kWrites = 20'000;
constexpr size_t kParts = 10;  // a run is cut into

platform::RunOutcome run(const ReproductionProgram& program, const Sets& sets, bool observed) {
  platform::RunHooks hooks;
  hooks.elaborated = confine_to_programs;
  platform::RunOutcome outcome = platform::run(program.load(sets).configuration, observed, hooks);
  if (outcome.end != platform::RunEnd::kExited && outcome.end != platform::RunEnd::kRegionDone) {
    throw std::runtime_error(outcome.error);
  }
  return outcome;
}

Sets producer_sets(bool smt, unsigned wait, uint64_t period) {
  Sets sets = {"profilers=[]",
               "workload={elf: build:reproduce/producer.elf}",
               fmt::format("workload.args=['{}']", wait),
               "core.include=../cores/haswell.yaml",
               "core.memory.ntl=ignore",
               fmt::format("shim.where={}", smt ? "smt" : "cmp"),
               "shim.signals=[flag]",
               fmt::format("shim.period={}", period)};
  if (smt) sets.push_back("core.threads=2");
  return sets;
}

Produced produced(KeptResults& kept, bool smt, unsigned wait, uint64_t period) {
  const auto measure = [&](bool observed, uint64_t every) {
    const Sets sets = producer_sets(smt, wait, every);
    return kept.get(
        fmt::format("{}{}", observed ? "" : "alone ", hps::joined(sets)),
        hps::inputs_hash(kProducer, sets), [&] {
          const platform::RunOutcome outcome = run(kProducer, sets, observed);
          const auto found = outcome.counters.find("directory.invalidations");
          const bool any = found != outcome.counters.end();
          return json{{"cycles", outcome.cycles}, {"invalidations", any ? found->second : 0}};
        });
  };
  const json alone = measure(false, 0), with = measure(true, period);
  Produced result;
  result.wait = wait;
  result.period = period;
  result.writes = kWrites;
  alone.at("cycles").get_to(result.alone);
  with.at("cycles").get_to(result.observed);
  with.at("invalidations").get_to(result.invalidations);
  return result;
}

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

/// What samples of one phase add up to.
struct Sum {
  uint64_t samples = 0, low = 0, cycles = 0, instructions = 0, requests = 0;
};

/// The samples of a phase that double-time error correction keeps.
json phase_of(const std::vector<platform::ObservedSample>& buffer, uint64_t phase, double width,
              uint64_t dte) {
  std::vector<Sum> parts(kParts), rates(kRates);
  const uint64_t end = buffer.empty() ? 1 : buffer.back().begin + 1;
  for (size_t i = 1; i < buffer.size(); ++i) {
    const platform::ObservedSample &last = buffer[i - 1], &now = buffer[i];
    if (now.signal[0] != phase || last.signal[0] != phase) continue;
    profile::RateSample sample;
    sample.cycles = now.begin - last.begin;
    sample.at_end = now.end - last.end;
    sample.count = now.counter[0] - last.counter[0];
    if (sample.cycles == 0 || !sample.kept(dte)) continue;
    const double rate = sample.rate();
    const auto bucket = static_cast<size_t>(rate / width * kRates);
    for (Sum* const sum :
         {&parts[now.begin * kParts / end], &rates[std::min<size_t>(bucket, kRates - 1)]}) {
      ++sum->samples;
      sum->low += rate < kLowRate ? 1 : 0;
      sum->cycles += sample.cycles;
      sum->instructions += sample.count;
      sum->requests += now.counter[1] - last.counter[1];
    }
  }
  json out = {{"parts", json::array()}, {"rates", json::array()}};
  for (const Sum& sum : parts) {
    out["parts"].push_back({sum.samples, sum.low, sum.cycles, sum.instructions, sum.requests});
  }
  for (const Sum& sum : rates) out["rates"].push_back({sum.samples, sum.cycles, sum.requests});
  return out;
}

Phase phase_from(const json& found) {
  constexpr uint64_t kFewest = 20;  // samples of a part that is a value of its own
  Phase phase;
  for (const json& part : found.at("parts")) {
    const auto samples = part.at(0).get<uint64_t>();
    if (samples < kFewest) continue;
    const auto cycles = part.at(2).get<double>();
    phase.low.push_back(part.at(1).get<double>() / static_cast<double>(samples));
    phase.ipc.push_back(part.at(3).get<double>() / cycles);
    phase.bandwidth.push_back(100 * part.at(4).get<double>() / cycles);
  }
  for (const json& rate : found.at("rates")) {
    phase.samples.push_back(rate.at(0));
    phase.cycles.push_back(rate.at(1));
    phase.requests.push_back(rate.at(2));
  }
  return phase;
}

}  // namespace

Producer producer(KeptResults& kept, bool smt) {
  Producer result;
  for (const unsigned wait : kWaits) {
    result.slower_producer.push_back(produced(kept, smt, wait, 0));
  }
  for (const uint64_t period : kConsumerPeriods) {
    result.slower_observer.push_back(produced(kept, smt, 0, period));
  }
  return result;
}

std::vector<Collector> collectors(KeptResults& kept) {
  constexpr uint64_t kStacks = 1, kGlobals = 2;  // gengc_phase
  std::vector<Collector> all;
  for (unsigned machine = 0; machine < kMachines; ++machine) {
    const Sets sets = collector_sets(static_cast<Machine>(machine));
    const json found = kept.get(hps::joined(sets), hps::inputs_hash(kCollector, sets), [&] {
      const config::RunConfig configuration = kCollector.load(sets).configuration;
      const platform::RunOutcome outcome = run(kCollector, sets, true);
      const uint64_t dte = profile::dte_units(configuration.shim.dte);
      const auto of = [&](uint64_t phase) {
        return phase_of(outcome.shim->buffer, phase, configuration.core.commit_width, dte);
      };
      return json{{"stacks", of(kStacks)}, {"globals", of(kGlobals)}};
    });
    all.push_back({phase_from(found.at("stacks")), phase_from(found.at("globals"))});
  }
  return all;
}

}  // namespace strobe::shim
