// The points of figures 7 and 8: each one run, which gives accuracy and, with timing, overhead.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw/reproduce/hps/hps_runs.h"

namespace strobe::hps {
namespace {

using namespace reproduce::hps;
using nlohmann::json;

Point point_of(const json& facts, Profile profile, uint64_t baseline) {
  const json& of = facts.at(kFileNames[profile]);
  Point point;
  of.at("events").get_to(point.events);
  facts.at("cycles").get_to(point.cycles);
  if (point.cycles != 0) point.baseline = baseline;
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

/// The run of a point. With timing it profiles this alone. Without, call pairs and methods are
/// profiled at once: the sampling does not depend on what is profiled.
json run_of(KeptResults& kept, const ReproductionProgram& program, Profile profile, size_t burst,
            size_t frequency, const AllStreams& all) {
  const bool timing = burst == kUsualBurst[profile];
  std::vector<std::string> profiles = {kProductions[profile]};
  if (!timing && profile != kStreams) profiles = {kProductions[kPairs], kProductions[kMethods]};
  return measured(kept, program, kExtents[profile],
                  with_control(profiles, kBursts[burst], kFrequencies[frequency]),
                  timing ? "timing" : "functional", profile == kStreams ? &all : nullptr);
}

}  // namespace

Sampled sampled_of(KeptResults& kept, KeptResults& kept_streams,
                   const ReproductionProgram& program) {
  const AllStreams all = all_streams(kept_streams, program);
  Sampled result;
  result.program = program.name;
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    const uint64_t baseline = baseline_cycles(kept, program, kExtents[profile]);
    for (size_t b = 0; b < kBursts.size(); ++b) {
      for (size_t f = 0; f < kFrequencies.size(); ++f) {
        result.points[profile][b][f] =
            point_of(run_of(kept, program, profile, b, f, all), profile, baseline);
      }
    }
    if (profile == kStreams) continue;
    result.random[profile] =
        point_of(measured(kept, program, kExtents[profile], at_random(profile), "timing"), profile,
                 baseline);
  }
  return result;
}

}  // namespace strobe::hps
