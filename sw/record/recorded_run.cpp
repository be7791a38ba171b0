#include "sw/record/recorded_run.h"

#include <stdexcept>

namespace strobe {

namespace {

nlohmann::json refusals_to_json(const isa::Refusals& refusals) {
  nlohmann::json first = nlohmann::json::array();
  for (const isa::RefusedPath& path : refusals.first) {
    first.push_back({path.call, path.path, path.key});
  }
  return {{"count", refusals.count}, {"first", first}};
}

isa::Refusals refusals_from_json(const nlohmann::json& document) {
  isa::Refusals refusals;
  document.at("count").get_to(refusals.count);
  for (const nlohmann::json& path : document.at("first")) {
    refusals.first.push_back({path.at(0).get<std::string>(), path.at(1).get<std::string>(),
                              path.at(2).get<std::string>()});
  }
  if (refusals.first.empty() != (refusals.count == 0)) {
    throw std::invalid_argument("refused calls without a path");
  }
  return refusals;
}

}  // namespace

nlohmann::json outcome_to_json(const platform::RunOutcome& outcome) {
  return {{"end", static_cast<int>(outcome.end)},
          {"error", outcome.error},
          {"exit_code", outcome.exit_code},
          {"instructions", outcome.instructions},
          {"machine_instructions", outcome.machine_instructions},
          {"cycles", outcome.cycles},
          {"simulated_instructions", outcome.simulated_instructions},
          {"syscalls", outcome.syscalls},
          {"refusals", refusals_to_json(outcome.refusals)},
          {"counters", outcome.counters}};
}

platform::RunOutcome outcome_from_json(const nlohmann::json& document) {
  platform::RunOutcome outcome;
  const int end = document.at("end").get<int>();
  if (end < 0 || end > static_cast<int>(platform::RunEnd::kDeadlock)) {
    throw std::invalid_argument("unknown end of a run");
  }
  outcome.end = static_cast<platform::RunEnd>(end);
  document.at("error").get_to(outcome.error);
  document.at("exit_code").get_to(outcome.exit_code);
  document.at("instructions").get_to(outcome.instructions);
  document.at("machine_instructions").get_to(outcome.machine_instructions);
  document.at("cycles").get_to(outcome.cycles);
  document.at("simulated_instructions").get_to(outcome.simulated_instructions);
  document.at("syscalls").get_to(outcome.syscalls);
  outcome.refusals = refusals_from_json(document.at("refusals"));
  document.at("counters").get_to(outcome.counters);
  return outcome;
}

}  // namespace strobe
