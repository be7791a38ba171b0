// What figure 6 is made of: the cycles of a program under each way of profiling it.
#include <nlohmann/json.hpp>

#include "sw/reproduce/hps/hps_runs.h"

namespace strobe::hps {
namespace {

using namespace reproduce::hps;
using nlohmann::json;

constexpr uint64_t kNever = 1'000'000'000'000;  // events: no burst begins

Costs costs_of(KeptResults& kept, const ReproductionProgram& program, Profile profile) {
  const auto timing = [&](const Sampling& sampling) {
    return measured(kept, program, kSplitExtents[profile], sampling, "timing");
  };
  const auto cycles = [](const json& facts) { return facts.at("cycles").get<uint64_t>(); };
  const char* name = kFileNames[profile];
  Costs costs;
  costs.baseline = cycles(baseline_of(kept, program, kSplitExtents[profile], "timing"));
  costs.framework = cycles(timing(with_control({}, 1, kFrequencies[0])));
  const json basic = timing({{"plain-sampling"}, kNever, 1, true});
  costs.plain_basic = cycles(basic);
  basic.at("injected").get_to(costs.basic_injected);
  basic.at("instructions").get_to(costs.instructions);
  const json checks = timing(plain(profile, kNever));
  costs.plain_checks = cycles(checks);
  checks.at("injected").get_to(costs.checks_injected);
  checks.at("handler_bytes").get_to(costs.handler_bytes);
  if (profile != kStreams) checks.at(name).at("all").get_to(costs.occurrences);
  costs.plain = cycles(timing(plain(profile, sparsity(1, kFrequencies[0]))));
  const json hps = timing(with_control({kProductions[profile]}, 1, kFrequencies[0]));
  costs.hps = cycles(hps);
  hps.at(name).at("events").get_to(costs.collected);
  if (profile != kStreams) costs.random = cycles(timing(at_random(profile)));
  return costs;
}

}  // namespace

Split split_of(KeptResults& kept, KeptResults& kept_streams, const ReproductionProgram& program) {
  Split split;
  split.program = program.name;
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    split.of[profile] = costs_of(kept, program, profile);
  }
  split.of[kStreams].occurrences = all_streams(kept_streams, program).references;
  return split;
}

}  // namespace strobe::hps
