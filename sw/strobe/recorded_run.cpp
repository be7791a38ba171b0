#include "sw/strobe/recorded_run.h"

#include <stdexcept>

namespace strobe {

nlohmann::json outcome_to_json(const platform::RunOutcome& outcome) {
  return {{"end", static_cast<int>(outcome.end)},
          {"error", outcome.error},
          {"exit_code", outcome.exit_code},
          {"instructions", outcome.instructions},
          {"machine_instructions", outcome.machine_instructions},
          {"cycles", outcome.cycles},
          {"simulated_instructions", outcome.simulated_instructions},
          {"syscalls", outcome.syscalls},
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
  document.at("counters").get_to(outcome.counters);
  return outcome;
}

}  // namespace strobe
