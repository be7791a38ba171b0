#include "sw/reproduce/hps/hps_cost_runs.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw/reproduce/hps/hps_runs.h"

namespace strobe::hps {
namespace {

using namespace reproduce::hps;
using nlohmann::json;

/// The keys of core.predictor.
constexpr std::array<std::array<const char*, 2>, kPredictionNames.size()> kPredictors = {
    {{"gshare", "none"},
     {"gshare", "frozen"},
     {"gshare", "banked"},
     {"tage", "banked"},
     {"perfect", "none"}}};

json facts_of(const platform::RunOutcome& outcome) {
  json facts = {{"cycles", outcome.cycles},
                {"stack", result::cpi_stack(outcome.counters)},
                {"mispredicted", outcome.counters.at("core.branch.mispredicted")},
                {"handlers", outcome.machine_instructions}};
  const platform::HandlersOutcome& handlers = outcome.handlers.value();
  for (const auto* calls : {&handlers.call_pairs, &handlers.methods}) {
    if (*calls) facts["events"] = (*calls)->collected.total();
  }
  return facts;
}

json facts_of(KeptResults& kept, const ReproductionProgram& program, const CostSetting& setting,
              const Sampling& sampling) {
  const auto& [kind, isolation] = kPredictors[setting.prediction];
  std::vector<std::string> sets = sets_of(program, {kExtents[kPairs].size, kCostRun}, sampling);
  for (const std::string& set :
       {std::string("mode=timing"), fmt::format("workload.roi.skip={}", kCostSkip),
        fmt::format("core.predictor.kind={}", kind),
        fmt::format("core.predictor.isolation={}", isolation),
        fmt::format("decode.stages={}", setting.stages)}) {
    sets.push_back(set);
  }
  return kept.get("cost: " + joined(sets), inputs_hash(program, sets),
                  [&] { return facts_of(run(program.load(sets), /*exhaustive=*/false)); });
}

/// No handler runs, so that isolation does nothing and one run serves all.
json baseline_of(KeptResults& kept, const ReproductionProgram& program, CostSetting setting) {
  if (setting.prediction <= kBanked) setting.prediction = kShared;
  setting.frequency = kFrequencies[kRecommended];
  return facts_of(kept, program, setting, with_control({}, 1, setting.frequency));
}

}  // namespace

Costed costed(KeptResults& kept, const ReproductionProgram& program) {
  Costed result{program.name, {}};
  for (const CostSetting& setting : cost_settings()) {
    const json baseline = baseline_of(kept, program, setting);
    auto& of_setting = result.by.emplace_back();
    for (const Profile profile : kOfCalls) {
      const json facts = facts_of(kept, program, setting,
                                  with_control({kProductions[profile]}, 1, setting.frequency));
      EventCost& one = of_setting[profile - kPairs];
      baseline.at("cycles").get_to(one.baseline);
      facts.at("cycles").get_to(one.cycles);
      facts.at("events").get_to(one.events);
      facts.at("handlers").get_to(one.handler_instructions);
      one.mispredictions =
          facts.at("mispredicted").get<double>() - baseline.at("mispredicted").get<double>();
      one.added = reproduce::added_cycles(facts.at("stack").get<result::CpiStack>(),
                                          baseline.at("stack").get<result::CpiStack>());
    }
  }
  return result;
}

}  // namespace strobe::hps
