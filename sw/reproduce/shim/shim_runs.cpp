#include "sw/reproduce/shim/shim_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "sw/instrument/signals/signal_words.h"
#include "sw/profile/accuracy/ratio.h"
#include "sw/reproduce/hps/hps_runs.h"
#include "sw/reproduce/shim/observed_run.h"
#include "sw/result/overhead_by_class.h"
#include "sw/result/shim_report.h"

namespace strobe::shim {
namespace {

using namespace reproduce::shim;
using nlohmann::json;
using Sets = std::vector<std::string>;

/// The machine of a setting: that of the baseline, too.
Sets machine_of(const ReproductionProgram& program, const Setting& setting, uint64_t instructions) {
  Sets sets = {"profilers=[]", "core.include=../cores/haswell.yaml",
               fmt::format("core.memory.ntl={}", setting.non_temporal ? "honor" : "ignore"),
               fmt::format("workload.roi.run={}", instructions),
               fmt::format("counters.remote={}", setting.remote)};
  if (program.own) sets.push_back("workload.args=[small]");
  if (setting.smt) sets.push_back("core.threads=2");
  return sets;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return "[" + text + "]";
}

/// The observer of a setting.
Sets observer_of(const Setting& setting) {
  Sets sets = {fmt::format("shim.where={}", setting.smt ? "smt" : "cmp"),
               "shim.counters=" + list_of(setting.counters),
               fmt::format("shim.signals=[{}]", setting.methods ? instrument::kMethodSignal : ""),
               fmt::format("shim.period={}", setting.period),
               fmt::format("shim.analysis={}", setting.buffer ? "buffer" : "histogram")};
  if (setting.small_core) sets.push_back("shim.core.include=../cores/observer.yaml");
  if (setting.low_priority) sets.push_back("shim.priority=low");
  return sets;
}

json kept_of(const platform::RunOutcome& outcome) {
  return {{"cycles", outcome.cycles}, {"stack", result::cpi_stack(outcome.counters)}};
}

json baseline(const ReproductionProgram& program, const Sets& sets, bool methods) {
  return kept_of(observed_run(program.load(sets).configuration, methods, /*observed=*/false));
}

/// What the samples of a buffer say about the observer itself.
json own_behaviour(const std::vector<platform::ObservedSample>& buffer) {
  std::map<uint64_t, uint64_t> periods;
  std::vector<double> rates;
  for (size_t i = 1; i < buffer.size(); ++i) {
    ++periods[buffer[i].begin - buffer[i - 1].begin];
    rates.push_back(static_cast<double>(buffer[i].own - buffer[i - 1].own) /
                    static_cast<double>(buffer[i].marked - buffer[i - 1].marked));
  }
  if (rates.empty()) return nullptr;
  const auto mode = std::max_element(periods.begin(), periods.end(), [](auto& one, auto& other) {
    return one.second < other.second;
  });
  std::vector<double> sorted = rates;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<long>(sorted.size() / 2),
                   sorted.end());
  const double median = sorted[sorted.size() / 2];
  const auto within = [&](double share) {
    return profile::ratio(static_cast<uint64_t>(std::count_if(
                              rates.begin(), rates.end(),
                              [&](double rate) { return std::abs(rate / median - 1) <= share; })),
                          rates.size());
  };
  return {{"mode", mode->first},
          {"mode_share", profile::ratio(mode->second, rates.size())},
          {"near", within(kOwnNear)},
          {"wide", within(kOwnWide)}};
}

json with_observer(const ReproductionProgram& program, const Sets& sets, bool methods) {
  const config::RunConfig configuration = program.load(sets).configuration;
  const platform::RunOutcome outcome = observed_run(configuration, methods, /*observed=*/true);
  if (!outcome.shim) throw std::runtime_error("the run has no observer");
  json kept = kept_of(outcome);
  kept["own"] = own_behaviour(outcome.shim->buffer);
  kept["shim"] = result::ShimReport(configuration, *outcome.shim, outcome.cycles).json();
  return kept;
}

/// What a document has at `path`; empty where it is null or not there.
std::optional<double> number(const json& document, const std::string& path) {
  const json::json_pointer pointer(path);
  if (!document.contains(pointer) || !document.at(pointer).is_number()) return std::nullopt;
  return document.at(pointer).get<double>();
}

Observed observed_from(const json& found, const json& baseline) {
  const json& shim = found.at("shim");
  Observed result;
  found.at("cycles").get_to(result.cycles);
  baseline.at("cycles").get_to(result.baseline);
  const json effect = result::overhead_by_class(found.at("stack").get<result::CpiStack>(),
                                                baseline.at("stack").get<result::CpiStack>());
  for (const auto& [name, one] : effect.items()) one.at("share").get_to(result.effect[name]);
  shim.at("samples").get_to(result.samples);
  result.own_ipc = number(shim, "/observer_ipc").value_or(0);
  result.kept = number(shim, "/rates/kept_share");
  result.highest = number(shim, "/rates/highest");
  const auto share = [&](const char* path) -> std::optional<double> {
    const std::optional<double> count = number(shim, path);
    if (!count || result.samples == 0) return std::nullopt;
    return *count / static_cast<double>(result.samples);
  };
  result.impossible = share("/rates/impossible");
  result.impossible_kept = share("/rates/impossible_kept");
  result.rate_error = number(shim, "/truth/rate_error_kept");
  result.distance = number(shim, "/truth/distance_kept");
  result.precision = number(shim, "/truth/dte_precision");
  result.recall = number(shim, "/truth/dte_recall");
  result.least_cpc = number(shim, "/rates/cpc/least");
  result.most_cpc = number(shim, "/rates/cpc/most");
  result.period_p10 = number(shim, "/rates/period/p10");
  result.period_p50 = number(shim, "/rates/period/p50");
  result.period_p90 = number(shim, "/rates/period/p90");
  result.mode = number(found, "/own/mode");
  result.mode_share = number(found, "/own/mode_share");
  result.own_near = number(found, "/own/near");
  result.own_wide = number(found, "/own/wide");
  result.tag_error = number(shim, "/tags/error");
  return result;
}

}  // namespace

std::vector<std::string> sets_of(const ReproductionProgram& program, const Setting& setting,
                                 uint64_t instructions) {
  Sets sets = machine_of(program, setting, instructions);
  const Sets observer = observer_of(setting);
  sets.insert(sets.end(), observer.begin(), observer.end());
  return sets;
}

Program observed(KeptResults& kept, const ReproductionProgram& program,
                 const std::vector<Setting>& settings) {
  Program result{program.name, {}};
  for (const Setting& setting : settings) {
    // The observer's core is part of the machine; the observer is not started.
    const Sets machine = machine_of(program, setting, kInstructions);
    const Sets sets = sets_of(program, setting, kInstructions);
    const json plain =
        kept.get("without observer: " + hps::joined(machine) + (setting.smt ? "" : " cmp") +
                     (setting.methods ? " methods" : "") + (setting.small_core ? " small" : ""),
                 observed_inputs(program, machine),
                 [&] { return baseline(program, sets, setting.methods); });
    const json found = kept.get(hps::joined(sets), observed_inputs(program, sets),
                                [&] { return with_observer(program, sets, setting.methods); });
    result.by.push_back(observed_from(found, plain));
  }
  return result;
}

}  // namespace strobe::shim
