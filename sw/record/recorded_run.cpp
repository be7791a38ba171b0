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

nlohmann::json calls_to_json(const isa::UnsupportedCalls& calls) {
  nlohmann::json first = nlohmann::json::array();
  for (const auto& call : calls.first) first.push_back({call.number, call.name, call.count});
  return {{"count", calls.count}, {"first", first}};
}

isa::UnsupportedCalls calls_from_json(const nlohmann::json& document) {
  isa::UnsupportedCalls calls;
  document.at("count").get_to(calls.count);
  for (const nlohmann::json& call : document.at("first")) {
    calls.first.push_back(
        {call.at(0).get<uint64_t>(), call.at(1).get<std::string>(), call.at(2).get<uint64_t>()});
  }
  if (calls.first.empty() != (calls.count == 0)) {
    throw std::invalid_argument("unsupported calls without a number");
  }
  return calls;
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
          {"unsupported_calls", calls_to_json(outcome.unsupported_calls)},
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
  // A stream of an earlier version says nothing of them.
  if (document.contains("unsupported_calls")) {
    outcome.unsupported_calls = calls_from_json(document.at("unsupported_calls"));
  }
  document.at("counters").get_to(outcome.counters);
  return outcome;
}

}  // namespace strobe
