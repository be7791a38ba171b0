// Accuracies: runs of the functional simulator with the decode engine, against all there was.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sc_models/machine/guest/program_names.h"
#include "sc_models/port/address_map.h"
#include "sw/profile/accuracy/metrics.h"
#include "sw/profile/reports/call_profiles.h"
#include "sw/profile/streams/stream_profile.h"
#include "sw/reproduce/hps/hps_runs.h"

namespace strobe::hps {
namespace {

using namespace reproduce::hps;
using nlohmann::json;
using platform::HandlersOutcome;
using platform::RunOutcome;

/// Calls `score` with every point's name and sampling.
template <class Score>
void for_each_point(const std::vector<std::string>& profiles, Score score) {
  for (const unsigned burst : kBursts) {
    for (const unsigned frequency : kFrequencies) {
      score(fmt::format("{}/{}", burst, frequency), with_control(profiles, burst, frequency));
    }
  }
}

json streams_json(const platform::StreamsOutcome& streams,
                  const std::array<profile::StreamProfile, 2>& exhaustive) {
  if (streams.dropped != 0) {
    throw std::runtime_error(
        fmt::format("{} references found no room in the guest's trace", streams.dropped));
  }
  json point = {{"events", streams.collected.references()}, {"bursts", streams.bursts}};
  for (const profile::StreamProfile& all : exhaustive) {
    const bool symbols = all.detector == profile::StreamDetector::kSymbols;
    if (all.streams.empty()) continue;
    const profile::StreamProfile sampled = profile::stream_profile(streams.collected, all.detector);
    point[symbols ? "symbols" : "subpaths"] = {{"exact", profile::exact_overlap(all, sampled)},
                                               {"overlap", profile::overlap(all, sampled)}};
  }
  return point;
}

/// The hot streams of a program at every point, against those of all its references.
json stream_accuracies(const ReproductionProgram& program) {
  const std::vector<std::string> profiles = {kProductions[kStreams]};
  std::array<profile::StreamProfile, 2> exhaustive;
  json points;
  for_each_point(profiles, [&](const std::string& name, const Sampling& sampling) {
    std::vector<std::string> sets = sets_of(program, kStreamExtent, sampling);
    sets.emplace_back("mode=functional");
    const bool first = points.empty();
    const RunOutcome outcome = run(program.load(sets), first);
    const platform::StreamsOutcome& streams = outcome.handlers->streams.value();
    if (first) {
      if (streams.exhaustive.dropped() != 0) {
        throw std::runtime_error("the references of the region are too many for one grammar");
      }
      exhaustive = {profile::stream_profile(streams.exhaustive, profile::StreamDetector::kSubpaths),
                    profile::stream_profile(streams.exhaustive, profile::StreamDetector::kSymbols)};
    }
    points[name] = streams_json(streams, exhaustive);
  });
  return points;
}

/// Call pairs and methods of a run.
struct Calls {
  profile::Profile pairs, methods;
};

json calls_json(const HandlersOutcome& handlers, const Calls& exhaustive,
                const profile::FunctionOf& function_of) {
  json point = json::object();
  const auto put = [&](const char* name, const std::optional<platform::CallsOutcome>& calls,
                       const profile::Profile& all) {
    if (!calls || all.empty()) return;
    point[name] = {{"events", calls->collected.total()},
                   {"overlap_90", profile::overlap_truncated(all, calls->collected)},
                   {"functions_90", profile::overlap_truncated(
                                        profile::by_function(all, function_of),
                                        profile::by_function(calls->collected, function_of))}};
  };
  put("pairs", handlers.call_pairs, exhaustive.pairs);
  put("methods", handlers.methods, exhaustive.methods);
  return point;
}

/// The call pairs and methods of a program at every point, and by branch-on-random, against all.
json call_accuracies(const ReproductionProgram& program) {
  const isa::ElfFile elf =
      isa::ElfFile::open(program.load({}).configuration.workload.elf, STROBE_USER_TOP);
  const profile::FunctionOf function_of = platform::functions_of(elf);
  Calls exhaustive;
  json points;
  const auto score = [&](const std::string& name, const Sampling& sampling) {
    std::vector<std::string> sets = sets_of(program, kCallExtent, sampling);
    sets.emplace_back("mode=functional");
    const bool first = points.empty();
    const RunOutcome outcome = run(program.load(sets), first);
    const HandlersOutcome& handlers = outcome.handlers.value();
    if (first) exhaustive = {handlers.call_pairs->exhaustive, handlers.methods->exhaustive};
    const json scored = calls_json(handlers, exhaustive, function_of);
    for (const auto& [part, accuracy] : scored.items()) points[name][part] = accuracy;
  };
  for_each_point({kProductions[kPairs], kProductions[kMethods]}, score);
  for (const Profile profile : {kPairs, kMethods}) {
    score("random", at_random(profile));
  }
  return points;
}

Accuracy streams_of(const json& point) {
  Accuracy result;
  point.at("events").get_to(result.events);
  if (point.contains("subpaths")) {
    result.overlap = point.at("subpaths").at("exact").get<double>();
    result.other = point.at("subpaths").at("overlap").get<double>();
  }
  if (point.contains("symbols")) result.symbols = point.at("symbols").at("exact").get<double>();
  return result;
}

Accuracy calls_of(const json& point, const char* profile) {
  Accuracy result;
  if (!point.contains(profile)) return result;
  const json& calls = point.at(profile);
  calls.at("events").get_to(result.events);
  result.overlap = calls.at("functions_90").get<double>();
  result.other = calls.at("overlap_90").get<double>();
  return result;
}

/// Hash of what decides the accuracies: a run with each set of productions.
std::string hash_of(const ReproductionProgram& program, const Extent& extent,
                    const std::vector<Sampling>& samplings) {
  std::string hashes;
  for (const Sampling& sampling : samplings) {
    hashes += inputs_hash(program, sets_of(program, extent, sampling));
  }
  return hashes;
}

std::string key_of(const ReproductionProgram& program, const Extent& extent, const char* what) {
  return fmt::format("{} {}", what, joined(sets_of(program, extent, {})));
}

}  // namespace

Sampled sampled_of(KeptResults& kept, const ReproductionProgram& program) {
  const auto sampled = [](std::vector<std::string> profiles) {
    return with_control(std::move(profiles), kBursts.front(), kFrequencies.front());
  };
  const json streams =
      kept.get(key_of(program, kStreamExtent, "streams"),
               hash_of(program, kStreamExtent, {sampled({kProductions[kStreams]})}),
               [&] { return stream_accuracies(program); });
  const json calls = kept.get(key_of(program, kCallExtent, "calls"),
                              hash_of(program, kCallExtent,
                                      {sampled({kProductions[kPairs], kProductions[kMethods]}),
                                       at_random(kPairs), at_random(kMethods)}),
                              [&] { return call_accuracies(program); });
  Sampled result;
  result.program = program.name;
  for (size_t b = 0; b < kBursts.size(); ++b) {
    for (size_t f = 0; f < kFrequencies.size(); ++f) {
      const std::string name = fmt::format("{}/{}", kBursts[b], kFrequencies[f]);
      result.accuracy[kStreams][b][f] = streams_of(streams.at(name));
      result.accuracy[kPairs][b][f] = calls_of(calls.at(name), "pairs");
      result.accuracy[kMethods][b][f] = calls_of(calls.at(name), "methods");
    }
  }
  result.random[kPairs] = calls_of(calls.at("random"), "pairs");
  result.random[kMethods] = calls_of(calls.at("random"), "methods");
  return result;
}

}  // namespace strobe::hps
