// The runs of figure 1.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw/reproduce/hps/hps_runs.h"
#include "sw/reproduce/shim/observed_run.h"
#include "sw/reproduce/shim/sample_between.h"
#include "sw/reproduce/shim/shim_runs.h"

namespace strobe::shim {
namespace {

using namespace reproduce::shim;
using nlohmann::json;
using Buffer = std::vector<platform::ObservedSample>;

std::vector<double> hundredths(std::vector<double> rates) {
  std::sort(rates.begin(), rates.end());
  std::vector<double> chosen;
  for (size_t percent = 0; percent <= 100 && !rates.empty(); ++percent) {
    chosen.push_back(rates[(rates.size() - 1) * percent / 100]);
  }
  return chosen;
}

json to_json(const Methods& methods) {
  json out = json::array();
  for (const auto& [id, sum] : methods) {
    out.push_back({id, sum.samples, sum.cycles, sum.instructions});
  }
  return out;
}

Methods methods_from(const json& found) {
  Methods methods;
  for (const json& one : found) methods[one.at(0)] = {one.at(1), one.at(2), one.at(3)};
  return methods;
}

/// The samples between each `every`th entry of the buffer. A sample has the tag that was read
/// within it, at its begin (section 4.1).
json grain_of(const Buffer& buffer, size_t every, uint64_t dte) {
  Methods methods;
  std::vector<double> rates;
  uint64_t samples = 0, cycles = 0;
  for (size_t i = every; i < buffer.size(); i += every) {
    const profile::RateSample sample = sample_between(buffer[i - every], buffer[i]);
    if (sample.cycles == 0) continue;
    MethodSum& method = methods[buffer[i - every].signal[0]];
    ++method.samples;
    ++samples;
    cycles += sample.cycles;
    if (!sample.kept(dte)) continue;
    method.cycles += sample.cycles;
    method.instructions += sample.count;
    rates.push_back(sample.rate());
  }
  return {{"samples", samples},
          {"cycles", cycles},
          {"rates", hundredths(std::move(rates))},
          {"methods", to_json(methods)}};
}

std::vector<double> true_rates(const Buffer& buffer) {
  std::vector<double> rates;
  for (size_t i = 1; i < buffer.size(); ++i) {
    const profile::RateSample sample = sample_between(buffer[i - 1], buffer[i]);
    if (sample.cycles != 0) rates.push_back(sample.true_rate());
  }
  return hundredths(std::move(rates));
}

json measured(const config::RunConfig& configuration) {
  const platform::RunOutcome outcome =
      observed_run(configuration, /*methods=*/true, /*observed=*/true);
  const Buffer& buffer = outcome.shim->buffer;
  const uint64_t dte = profile::dte_units(configuration.shim.dte);
  Methods truth;
  for (const auto& [id, sum] : outcome.shim->truth) truth[id] = {0, sum.cycles, sum.count[0]};
  json kept = {
      {"grains", json::array()}, {"true_rates", true_rates(buffer)}, {"truth", to_json(truth)}};
  for (const unsigned every : kEvery) kept["grains"].push_back(grain_of(buffer, every, dte));
  return kept;
}

}  // namespace

GrainedProgram grained(KeptResults& kept, const ReproductionProgram& program) {
  Setting setting{"grain", /*smt=*/true, {"instructions"}};
  setting.methods = setting.buffer = true;
  const std::vector<std::string> sets = sets_of(program, setting, kGrainInstructions);
  const json found = kept.get("three rates: " + hps::joined(sets), observed_inputs(program, sets),
                              [&] { return measured(program.load(sets).configuration); });
  GrainedProgram result{program.name, {}, found.at("true_rates"), methods_from(found.at("truth"))};
  for (const json& one : found.at("grains")) {
    result.by.push_back(
        {one.at("samples"), one.at("cycles"), one.at("rates"), methods_from(one.at("methods"))});
  }
  return result;
}

}  // namespace strobe::shim
