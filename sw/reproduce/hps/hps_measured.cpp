// One run: its cycles, what it collected, and how good that is.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "sc_models/machine/guest/program_names.h"
#include "sc_models/port/address_map.h"
#include "sw/profile/accuracy/metrics.h"
#include "sw/profile/accuracy/sampling.h"
#include "sw/profile/reports/call_profiles.h"
#include "sw/reproduce/hps/hps_runs.h"

namespace strobe::hps {
namespace {

using namespace reproduce::hps;
using nlohmann::json;
using profile::StreamDetector;
using profile::StreamProfile;

json streams_json(const platform::StreamsOutcome& streams, const AllStreams* all) {
  if (streams.dropped != 0) {
    throw std::runtime_error(
        fmt::format("{} references found no room in the guest's trace", streams.dropped));
  }
  json point = {{"events", streams.collected.references()}};
  if (all == nullptr) return point;
  for (const StreamProfile& one : all->by) {
    if (one.streams.empty()) continue;
    const bool symbols = one.detector == StreamDetector::kSymbols;
    const StreamProfile sampled = profile::stream_profile(streams.collected, one.detector);
    point[symbols ? "symbols" : "subpaths"] = {{"exact", profile::exact_overlap(one, sampled)},
                                               {"overlap", profile::overlap(one, sampled)}};
  }
  return point;
}

json calls_json(const platform::CallsOutcome& calls, const profile::FunctionOf& function_of) {
  json point = {{"events", calls.collected.total()}, {"all", calls.exhaustive.total()}};
  if (calls.exhaustive.empty()) return point;
  point["overlap_90"] = profile::overlap_truncated(calls.exhaustive, calls.collected);
  point["functions_90"] =
      profile::overlap_truncated(profile::by_function(calls.exhaustive, function_of),
                                 profile::by_function(calls.collected, function_of));
  return point;
}

json facts_of(const platform::RunOutcome& outcome, const AllStreams* all,
              const profile::FunctionOf& function_of) {
  const auto injected = outcome.counters.find("core.committed.injected");
  json facts = {{"cycles", outcome.cycles},
                {"instructions", outcome.instructions},
                {"injected", injected == outcome.counters.end() ? 0 : injected->second},
                {"handler_bytes", 0}};
  if (outcome.samples) {
    const profile::Samples& samples = *outcome.samples;
    facts["samples"] = {{"unit", samples.unit},
                        {"instructions", samples.instructions},
                        {"start instructions", samples.start_instructions},
                        {"start cycles", samples.start_cycles},
                        {"unit cycles", samples.unit_cycles},
                        {"handler instructions", samples.handler_instructions},
                        {"unit handler instructions", samples.unit_handler_instructions}};
    if (profile::handlers_in_no_unit(samples)) facts["cycles"] = 0;
  }
  if (!outcome.handlers) return facts;
  const platform::HandlersOutcome& handlers = *outcome.handlers;
  uint64_t bytes = 0;
  for (const platform::HandlerOutcome& handler : handlers.handlers) {
    bytes = std::max<uint64_t>(bytes, handler.bytes);
  }
  facts["handler_bytes"] = bytes;
  if (handlers.streams) facts[kFileNames[kStreams]] = streams_json(*handlers.streams, all);
  if (handlers.call_pairs)
    facts[kFileNames[kPairs]] = calls_json(*handlers.call_pairs, function_of);
  if (handlers.methods) facts[kFileNames[kMethods]] = calls_json(*handlers.methods, function_of);
  return facts;
}

json as_json(const StreamProfile& profile) {
  json streams = json::array();
  for (const profile::ProfiledStream& stream : profile.streams) {
    streams.push_back({stream.heat, stream.signature});
  }
  return streams;
}

StreamProfile from_json(const json& streams, StreamDetector detector) {
  StreamProfile profile;
  profile.detector = detector;
  for (const json& one : streams) {
    profile::ProfiledStream& stream = profile.streams.emplace_back();
    one.at(0).get_to(stream.heat);
    one.at(1).get_to(stream.signature);
  }
  return profile;
}

json find_streams(const config::LoadResult& loaded) {
  const platform::RunOutcome outcome = run(loaded, /*exhaustive=*/true);
  const profile::ReferenceTrace& trace = outcome.handlers.value().streams.value().exhaustive;
  if (trace.dropped() != 0) {
    throw std::runtime_error("the references of the region are too many for one grammar");
  }
  return {{"references", trace.references()},
          {"subpaths", as_json(profile::stream_profile(trace, StreamDetector::kSubpaths))},
          {"symbols", as_json(profile::stream_profile(trace, StreamDetector::kSymbols))}};
}

std::vector<std::string> sets_in(const ReproductionProgram& program, const Extent& extent,
                                 const Sampling& sampling, const std::string& mode) {
  std::vector<std::string> sets = sets_of(program, extent, sampling);
  sets.push_back("mode=" + mode);
  if (mode == "sampled") {
    sets.push_back(fmt::format("sampling.start={}", kSamplingStart));
    sets.push_back(fmt::format("sampling.unit={}", kSamplingUnit));
    sets.push_back(fmt::format("sampling.interval={}", kSamplingInterval));
  }
  return sets;
}

}  // namespace

AllStreams all_streams(KeptResults& kept, const ReproductionProgram& program) {
  const std::vector<std::string> sets = sets_in(
      program, kExtents[kStreams],
      with_control({kProductions[kStreams]}, kBursts.back(), kFrequencies.back()), "functional");
  const json found = kept.get("all streams " + joined(sets), inputs_hash(program, sets),
                              [&] { return find_streams(program.load(sets)); });
  return {found.at("references").get<uint64_t>(),
          {from_json(found.at("subpaths"), StreamDetector::kSubpaths),
           from_json(found.at("symbols"), StreamDetector::kSymbols)}};
}

json measured(KeptResults& kept, const ReproductionProgram& program, const Extent& extent,
              const Sampling& sampling, const std::string& mode, const AllStreams* all) {
  const std::vector<std::string> sets = sets_in(program, extent, sampling, mode);
  const std::string key =
      joined(sets) + (sampling.lookup ? "" : " unprofiled") + (all == nullptr ? "" : " scored");
  return kept.get(key, inputs_hash(program, sets), [&] {
    const config::LoadResult loaded = program.load(sets);
    const isa::ElfFile elf = isa::ElfFile::open(loaded.configuration.workload.elf, STROBE_USER_TOP);
    // All references are counted by all_streams() alone.
    const bool streams =
        sampling.productions.back().find(kProductions[kStreams]) != std::string::npos;
    return facts_of(run(loaded, /*exhaustive=*/!streams, sampling.lookup), all,
                    platform::functions_of(elf));
  });
}

json baseline_of(KeptResults& kept, const ReproductionProgram& program, const Extent& extent,
                 const std::string& mode) {
  return measured(kept, program, extent, {{"sampling"}, 0, 0, /*lookup=*/false}, mode);
}

}  // namespace strobe::hps
