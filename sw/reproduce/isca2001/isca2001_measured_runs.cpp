#include "sw/reproduce/isca2001/isca2001_measured_runs.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw/reproduce/hps/hps_runs.h"

namespace strobe::isca2001 {
namespace {

using namespace reproduce::isca2001;
using nlohmann::json;

constexpr std::array<const char*, kProfiledNames.size()> kSelectors = {
    "[{profile: value}]", "[{profile: edge, tag: 0}, {profile: call_target, tag: 1}]"};
constexpr std::array<const char*, kWayNames.size()> kCommunication = {"{port: bus}", "{port: core}",
                                                                      "{kind: ring}"};

/// What `--set` would say, but for the profiler.
std::vector<std::string> machine_and_region() {
  return {"core.include=../cores/isca2001.yaml", "mode=timing",
          fmt::format("workload.roi.skip={}", kDeliverySkip),
          fmt::format("workload.roi.run={}", kDeliveryRun)};
}

json run(const ReproductionProgram& program, const std::vector<std::string>& sets) {
  const platform::RunOutcome outcome = hps::run(program.load(sets), /*exhaustive=*/false);
  json facts = {{"cycles", outcome.cycles}, {"stack", result::cpi_stack(outcome.counters)}};
  if (outcome.profilers.empty()) return facts;
  facts["messages"] = outcome.profilers.front().messages;
  facts["interrupts"] = outcome.profilers.front().interrupts;
  return facts;
}

}  // namespace

Delivered delivered(KeptResults& kept, const ReproductionProgram& program) {
  const auto facts_of = [&](const std::string& profilers) {
    std::vector<std::string> sets = machine_and_region();
    sets.push_back("profilers=" + profilers);
    return kept.get(hps::joined(sets), hps::inputs_hash(program, sets),
                    [&] { return run(program, sets); });
  };
  const json baseline = facts_of("[]");
  const auto stack = baseline.at("stack").get<result::CpiStack>();
  Delivered result;
  result.program = program.name;
  baseline.at("cycles").get_to(result.baseline);
  for (size_t profiled = 0; profiled < kSelectors.size(); ++profiled) {
    for (size_t way = 0; way < kCommunication.size(); ++way) {
      const json facts = facts_of(
          fmt::format("[{{name: HP_256, include: ../profilers/stratified-2048.yaml, active: true, "
                      "fidelity: model, selectors: {}, communication: {}}}]",
                      kSelectors[profiled], kCommunication[way]));
      Delivery& one = result.by[profiled][way];
      facts.at("cycles").get_to(one.cycles);
      facts.at("messages").get_to(one.messages);
      facts.at("interrupts").get_to(one.interrupts);
      one.added = reproduce::added_cycles(facts.at("stack").get<result::CpiStack>(), stack);
    }
  }
  return result;
}

}  // namespace strobe::isca2001
