// The points of figures 7 and 8: each one run, which gives accuracy and, with timing, overhead.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw/profile/accuracy/sampling.h"
#include "sw/reproduce/hps/hps_runs.h"

namespace strobe::hps {
namespace {

using namespace reproduce::hps;
using nlohmann::json;

/// Interrupts are not kept: no profiler raises any.
profile::Samples samples_of(const json& facts) {
  const json& from = facts.at("samples");
  profile::Samples samples;
  from.at("unit").get_to(samples.unit);
  from.at("instructions").get_to(samples.instructions);
  from.at("start instructions").get_to(samples.start_instructions);
  from.at("start cycles").get_to(samples.start_cycles);
  from.at("unit cycles").get_to(samples.unit_cycles);
  from.at("handler instructions").get_to(samples.handler_instructions);
  from.at("unit handler instructions").get_to(samples.unit_handler_instructions);
  return samples;
}

/// What a run with cycles costs over its baseline, both in the same mode.
void put_overhead(Point& point, const json& facts, const json& baseline) {
  if (facts.at("cycles") == 0) return;
  if (facts.contains("samples")) {
    const profile::Estimate estimate =
        profile::estimated_overhead(samples_of(facts), samples_of(baseline));
    point.overhead = estimate.value;
    point.half_width = estimate.half_width;
  } else {
    const auto cycles = facts.at("cycles").get<double>();
    point.overhead = cycles / baseline.at("cycles").get<double>() - 1;
    point.half_width = 0;
  }
  baseline.at("cycles").get_to(point.baseline);
}

Point point_of(const json& facts, Profile profile, const json& baseline) {
  const json& of = facts.at(kFileNames[profile]);
  Point point;
  of.at("events").get_to(point.events);
  put_overhead(point, facts, baseline);
  const auto put = [](std::optional<double>& to, const json& from, const char* metric) {
    if (from.contains(metric)) to = from.at(metric).get<double>();
  };
  if (profile == kStreams) {
    const json none = json::object();
    const json subpaths = of.value("subpaths", none);
    put(point.overlap, subpaths, "exact");
    put(point.other, subpaths, "overlap");
    put(point.symbols, of.value("symbols", none), "exact");
  } else {
    put(point.overlap, of, "functions_90");
    put(point.other, of, "overlap_90");
  }
  return point;
}

/// The run of a point. Where cycles count it profiles this alone. Elsewhere, call pairs and methods
/// are profiled at once: the sampling does not depend on what is profiled.
json run_of(KeptResults& kept, const ReproductionProgram& program, Profile profile, size_t burst,
            size_t frequency, const AllStreams& all) {
  const bool timed = burst == kUsualBurst[profile];
  std::vector<std::string> profiles = {kProductions[profile]};
  if (!timed && profile != kStreams) profiles = {kProductions[kPairs], kProductions[kMethods]};
  return measured(kept, program, kExtents[profile],
                  with_control(profiles, kBursts[burst], kFrequencies[frequency]),
                  timed ? kTimed[profile] : "functional", profile == kStreams ? &all : nullptr);
}

}  // namespace

Sampled sampled_of(KeptResults& kept, KeptResults& kept_streams,
                   const ReproductionProgram& program) {
  const AllStreams all = all_streams(kept_streams, program);
  Sampled result;
  result.program = program.name;
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    const json baseline = baseline_of(kept, program, kExtents[profile], kTimed[profile]);
    for (size_t b = 0; b < kBursts.size(); ++b) {
      for (size_t f = 0; f < kFrequencies.size(); ++f) {
        result.points[profile][b][f] =
            point_of(run_of(kept, program, profile, b, f, all), profile, baseline);
      }
    }
    if (profile == kStreams) continue;
    result.random[profile] =
        point_of(measured(kept, program, kExtents[profile], at_random(profile), kTimed[profile]),
                 profile, baseline);
  }
  return result;
}

}  // namespace strobe::hps
