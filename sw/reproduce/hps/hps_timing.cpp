// Overheads: runs with timing.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "sw/reproduce/hps/hps_runs.h"

namespace strobe::hps {
namespace {

using namespace reproduce::hps;
using nlohmann::json;

constexpr uint64_t kNever = 1'000'000'000'000;  // events: no burst begins
const Sampling kBaseline = {{"sampling"}, 0, 0, /*lookup=*/false};

json timing_facts(const platform::RunOutcome& outcome) {
  json facts = {{"cycles", outcome.cycles},
                {"instructions", outcome.instructions},
                {"injected", outcome.counters.at("core.committed.injected")},
                {"handler_bytes", 0},
                {"references", 0},
                {"calls", 0},
                {"events", 0},
                {"collected", 0}};
  if (!outcome.handlers) return facts;
  const platform::HandlersOutcome& handlers = *outcome.handlers;
  for (const platform::HandlerOutcome& handler : handlers.handlers) {
    facts["handler_bytes"] = std::max(facts["handler_bytes"].get<uint64_t>(), handler.bytes);
  }
  const auto put = [&](const char* name, uint64_t exhaustive, uint64_t collected) {
    facts[name] = exhaustive;
    facts["collected"] = collected;
  };
  if (const auto& streams = handlers.streams) {
    put("references", streams->exhaustive.references(), streams->collected.references());
  }
  if (const auto& calls = handlers.call_pairs) {
    put("calls", calls->exhaustive.total(), calls->collected.total());
  }
  if (const auto& methods = handlers.methods) {
    put("events", methods->exhaustive.total(), methods->collected.total());
  }
  return facts;
}

/// What a run with timing says. @param exhaustive  also count all events of the profile
json timed(KeptResults& kept, const ReproductionProgram& program, const Extent& extent,
           const Sampling& sampling, bool exhaustive = false) {
  std::vector<std::string> sets = sets_of(program, extent, sampling);
  sets.emplace_back("mode=timing");
  return kept.get(
      joined(sets) + (sampling.lookup ? "" : " unprofiled"), inputs_hash(program, sets),
      [&] { return timing_facts(hps::run(program.load(sets), exhaustive, sampling.lookup)); });
}

uint64_t cycles_of(const json& facts) { return facts.at("cycles").get<uint64_t>(); }

}  // namespace

Split split_of(KeptResults& kept, const ReproductionProgram& program) {
  const auto timing = [&](const Sampling& sampling, bool exhaustive = false) {
    return timed(kept, program, kSplitExtent, sampling, exhaustive);
  };
  Split split;
  split.program = program.name;
  const json baseline = timing(kBaseline);
  split.baseline = cycles_of(baseline);
  baseline.at("instructions").get_to(split.instructions);
  split.framework = cycles_of(timing(with_control({}, 1, kFrequencies[0])));
  const json basic = timing({{"plain-sampling"}, kNever, 1, true});
  split.plain_basic = cycles_of(basic);
  basic.at("injected").get_to(split.basic_injected);
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    Cycles& of = split.of[profile];
    const json checks = timing(plain(profile, kNever), /*exhaustive=*/true);
    of.plain_checks = cycles_of(checks);
    of.plain = cycles_of(timing(plain(profile, sparsity(1, kFrequencies[0]))));
    of.hps = cycles_of(timing(with_control({kProductions[profile]}, 1, kFrequencies[0])));
    if (profile != kStreams) {
      of.random = cycles_of(timing(at_random(profile)));
    }
    checks.at("handler_bytes").get_to(split.handler_bytes[profile]);
    if (profile == kStreams) {
      checks.at("references").get_to(split.references);
      checks.at("injected").get_to(split.checks_injected);
    }
    if (profile == kPairs) checks.at("calls").get_to(split.calls);
    if (profile == kMethods) checks.at("events").get_to(split.events);
  }
  return split;
}

void put_overheads(KeptResults& kept, const ReproductionProgram& program, Sampled& result) {
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    // Bursts of a hundred are too rare for the short region.
    const Extent& extent = profile == kStreams ? kStreamExtent : kSplitExtent;
    const uint64_t baseline = cycles_of(timed(kept, program, extent, kBaseline));
    for (size_t f = 0; f < kFrequencies.size(); ++f) {
      const unsigned burst = kBursts[kUsualBurst[profile]];
      const Sampling sampling = with_control({kProductions[profile]}, burst, kFrequencies[f]);
      const json facts = timed(kept, program, extent, sampling);
      result.overhead[profile][f] = {baseline, cycles_of(facts),
                                     facts.at("collected").get<uint64_t>()};
    }
  }
}

}  // namespace strobe::hps
