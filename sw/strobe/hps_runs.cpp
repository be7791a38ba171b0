#include "sw/strobe/hps_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "sc_models/platform/program_names.h"
#include "sc_models/platform/run.h"
#include "sc_models/port/address_map.h"
#include "sw/profile/call_profiles.h"
#include "sw/profile/metrics.h"
#include "sw/profile/stream_profile.h"
#include "sw/reproduce/hps.h"
#include "sw/strobe/kept_results.h"
#include "sw/strobe/reproduction_programs.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;
using namespace reproduce::hps;
using nlohmann::json;
using platform::HandlersOutcome;
using platform::RunOutcome;
using Sets = std::vector<std::string>;

constexpr uint64_t kMillion = 1'000'000;
constexpr uint64_t kNever = 1'000'000'000'000;  // events: no burst begins

/// The first `run` instructions of a program; `size` is the input of the project's workloads.
struct Extent {
  const char* size;
  uint64_t run;
};
constexpr Extent kSplitExtent = {"small", 8 * kMillion};
constexpr Extent kStreamExtent = {"small", 20 * kMillion};
constexpr Extent kCallExtent = {"ref", 100 * kMillion};

constexpr std::array<const char*, kProfiles> kProductions = {"hot-data-streams", "hot-call-pairs",
                                                             "hot-methods"};

/// A production set and how it samples.
struct Sampling {
  std::vector<std::string> productions;
  uint64_t sparsity = 0, burst = 0;  // 0: as the files say
  bool lookup = true;                // false: nothing is matched, the baseline
};
const Sampling kBaseline = {{"sampling"}, 0, 0, /*lookup=*/false};

Sampling hps(std::vector<std::string> profiles, unsigned burst, unsigned frequency) {
  profiles.insert(profiles.begin(), "sampling");
  return {std::move(profiles), sparsity(burst, frequency), burst};
}

/// Without conditional control; calls and methods have the framework in their own file.
Sampling plain(Profile profile, uint64_t between) {
  std::vector<std::string> productions = {std::string("plain-") + kProductions[profile]};
  if (profile == kStreams) productions.insert(productions.begin(), "plain-sampling");
  return {std::move(productions), between, 1};
}

Sets sets_of(const ReproductionProgram& program, const Extent& extent, const Sampling& sampling) {
  std::string files;
  for (const std::string& production : sampling.productions) {
    files += fmt::format("{}../profilers/hps/{}.dise", files.empty() ? "" : ", ", production);
  }
  Sets sets = {"profilers=[]",
               "core.include=../cores/hps2005.yaml",
               fmt::format("workload.roi.run={}", extent.run),
               fmt::format("decode.productions=[{}]", files),
               fmt::format("decode.sparsity={}", sampling.sparsity),
               fmt::format("decode.burst={}", sampling.burst)};
  if (program.own) sets.push_back(fmt::format("workload.args=[{}]", extent.size));
  return sets;
}

RunOutcome run(const config::LoadResult& loaded, bool exhaustive, bool profiled = true) {
  platform::RunHooks hooks;
  hooks.output = [](int, const char*, size_t) {};
  hooks.exhaustive = exhaustive;
  RunOutcome outcome = platform::run(loaded.configuration, profiled, hooks);
  if (outcome.end != platform::RunEnd::kExited && outcome.end != platform::RunEnd::kRegionDone) {
    throw std::runtime_error(outcome.error);
  }
  if (outcome.handlers && outcome.handlers->lost != 0) {
    throw std::runtime_error(fmt::format("the handlers lost {} events: their table is too small",
                                         outcome.handlers->lost));
  }
  return outcome;
}

std::string joined(const Sets& sets) {
  std::string text;
  for (const std::string& set : sets) text += (text.empty() ? "" : " ") + set;
  return text;
}

// --- timing ---------------------------------------------------------------------------------

json timing_facts(const RunOutcome& outcome) {
  json facts = {{"cycles", outcome.cycles},
                {"instructions", outcome.instructions},
                {"injected", outcome.counters.at("core.committed.injected")},
                {"handler_bytes", 0},
                {"references", 0},
                {"calls", 0},
                {"events", 0},
                {"collected", 0}};
  if (!outcome.handlers) return facts;
  const HandlersOutcome& handlers = *outcome.handlers;
  for (const platform::HandlerOutcome& handler : handlers.handlers) {
    facts["handler_bytes"] = std::max(facts["handler_bytes"].get<uint64_t>(), handler.bytes);
  }
  const auto put = [&](const char* name, uint64_t exhaustive, uint64_t collected) {
    facts[name] = exhaustive;
    facts["collected"] = collected;
  };
  if (const auto& streams = handlers.streams) {
    put("references", streams->exhaustive.references(), streams->collected.references());
  }
  if (const auto& calls = handlers.call_pairs) {
    put("calls", calls->exhaustive.total(), calls->collected.total());
  }
  if (const auto& methods = handlers.methods) {
    put("events", methods->exhaustive.total(), methods->collected.total());
  }
  return facts;
}

/// What a run with timing says. @param exhaustive  also count all events of the profile
json timed(KeptResults& kept, const ReproductionProgram& program, const Extent& extent,
           const Sampling& sampling, bool exhaustive = false) {
  Sets sets = sets_of(program, extent, sampling);
  sets.emplace_back("mode=timing");
  return kept.get(joined(sets) + (sampling.lookup ? "" : " unprofiled"), [&] {
    return timing_facts(run(program.load(sets), exhaustive, sampling.lookup));
  });
}

uint64_t cycles_of(const json& facts) { return facts.at("cycles").get<uint64_t>(); }

Split split_of(KeptResults& kept, const ReproductionProgram& program) {
  const auto timing = [&](const Sampling& sampling, bool exhaustive = false) {
    return timed(kept, program, kSplitExtent, sampling, exhaustive);
  };
  Split split;
  split.program = program.name;
  const json baseline = timing(kBaseline);
  split.baseline = cycles_of(baseline);
  baseline.at("instructions").get_to(split.instructions);
  split.framework = cycles_of(timing(hps({}, 1, kFrequencies[0])));
  const json basic = timing({{"plain-sampling"}, kNever, 1, true});
  split.plain_basic = cycles_of(basic);
  basic.at("injected").get_to(split.basic_injected);
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    Cycles& of = split.of[profile];
    const json checks = timing(plain(profile, kNever), /*exhaustive=*/true);
    of.plain_checks = cycles_of(checks);
    of.plain = cycles_of(timing(plain(profile, sparsity(1, kFrequencies[0]))));
    of.hps = cycles_of(timing(hps({kProductions[profile]}, 1, kFrequencies[0])));
    if (profile != kStreams) {
      of.random = cycles_of(timing({{std::string("random-") + kProductions[profile]}, 0, 0, true}));
    }
    checks.at("handler_bytes").get_to(split.handler_bytes[profile]);
    if (profile == kStreams) {
      checks.at("references").get_to(split.references);
      checks.at("injected").get_to(split.checks_injected);
    }
    if (profile == kPairs) checks.at("calls").get_to(split.calls);
    if (profile == kMethods) checks.at("events").get_to(split.events);
  }
  return split;
}

void put_overheads(KeptResults& kept, const ReproductionProgram& program, Sampled& result) {
  for (const Profile profile : {kStreams, kPairs, kMethods}) {
    // Bursts of a hundred are too rare for the short region.
    const Extent& extent = profile == kStreams ? kStreamExtent : kSplitExtent;
    const uint64_t baseline = cycles_of(timed(kept, program, extent, kBaseline));
    for (size_t f = 0; f < kFrequencies.size(); ++f) {
      const unsigned burst = kBursts[kUsualBurst[profile]];
      const Sampling sampling = hps({kProductions[profile]}, burst, kFrequencies[f]);
      const json facts = timed(kept, program, extent, sampling);
      result.overhead[profile][f] = {baseline, cycles_of(facts),
                                     facts.at("collected").get<uint64_t>()};
    }
  }
}

// --- accuracy -------------------------------------------------------------------------------

/// Calls `score` with every point's name and sampling.
template <class Score>
void for_each_point(const std::vector<std::string>& profiles, Score score) {
  for (const unsigned burst : kBursts) {
    for (const unsigned frequency : kFrequencies) {
      score(fmt::format("{}/{}", burst, frequency), hps(profiles, burst, frequency));
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
    Sets sets = sets_of(program, kStreamExtent, sampling);
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
                   {"overlap", profile::overlap(all, calls->collected)},
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
    Sets sets = sets_of(program, kCallExtent, sampling);
    sets.emplace_back("mode=functional");
    const bool first = points.empty();
    const RunOutcome outcome = run(program.load(sets), first);
    const HandlersOutcome& handlers = outcome.handlers.value();
    if (first) exhaustive = {handlers.call_pairs->exhaustive, handlers.methods->exhaustive};
    const json scored = calls_json(handlers, exhaustive, function_of);
    for (const auto& [part, accuracy] : scored.items()) {
      points[name][part] = accuracy;
    }
  };
  for_each_point({kProductions[kPairs], kProductions[kMethods]}, score);
  for (const Profile profile : {kPairs, kMethods}) {
    score("random", {{std::string("random-") + kProductions[profile]}, 0, 0, true});
  }
  return points;
}

Accuracy accuracy_of(const json& point, const char* part, const char* papers, const char* ours) {
  Accuracy result;
  if (!point.contains(part)) return result;
  const json& of = point.at(part);
  result.overlap = of.at(papers).get<double>();
  result.other = of.at(ours).get<double>();
  (of.contains("events") ? of : point).at("events").get_to(result.events);
  return result;
}

/// What decides the accuracies: the same for every point but for its sampling.
std::string accuracy_key(const ReproductionProgram& program, const Extent& extent,
                         const char* what) {
  return fmt::format("{} {}", what, joined(sets_of(program, extent, {})));
}

Sampled sampled_of(KeptResults& kept, const ReproductionProgram& program) {
  const json streams = kept.get(accuracy_key(program, kStreamExtent, "streams"),
                                [&] { return stream_accuracies(program); });
  const json calls = kept.get(accuracy_key(program, kCallExtent, "calls"),
                              [&] { return call_accuracies(program); });
  Sampled result;
  result.program = program.name;
  for (size_t b = 0; b < kBursts.size(); ++b) {
    for (size_t f = 0; f < kFrequencies.size(); ++f) {
      const std::string name = fmt::format("{}/{}", kBursts[b], kFrequencies[f]);
      result.accuracy[kStreams][b][f] =
          accuracy_of(streams.at(name), "subpaths", "exact", "overlap");
      result.accuracy[kPairs][b][f] =
          accuracy_of(calls.at(name), "pairs", "functions_90", "overlap_90");
      result.accuracy[kMethods][b][f] =
          accuracy_of(calls.at(name), "methods", "functions_90", "overlap_90");
    }
  }
  result.random[kPairs] = accuracy_of(calls.at("random"), "pairs", "functions_90", "overlap_90");
  result.random[kMethods] =
      accuracy_of(calls.at("random"), "methods", "functions_90", "overlap_90");
  return result;
}

KeptResults kept_of(const fs::path& folder, const ReproductionProgram& program) {
  return KeptResults(folder / fmt::format("{}.hps.json", program.name));
}

std::string extent_text(const Extent& extent) {
  return fmt::format("the first {} M instructions (input `{}` where the program is ours)",
                     extent.run / kMillion, extent.size);
}

std::string accuracy_setup() {
  return fmt::format(
      "Accuracy against the exhaustive profile of the same instructions, by the functional "
      "simulator with the decode engine: data streams of {}; call pairs and methods, both in one "
      "run, of {}; sparsity = burst x (1 / frequency - 1).\n"
      "The overlap is that of the entries that make up 90 %, as in section 5: of hot streams (the "
      "subpath detector) by access signature, of call pairs and methods by function. The other "
      "overlap: of streams by pairs of successive accesses; of call pairs by pc of the call and "
      "callee, of methods by target, 90 % as well.",
      extent_text(kStreamExtent), extent_text(kCallExtent));
}

/// `what` of every program that is there.
template <class Measured, class What>
std::vector<Measured> of_programs(const fs::path& folder, const ReproductionPrograms& programs,
                                  What what) {
  std::vector<Measured> all;
  for (const ReproductionProgram& program : programs.there) {
    KeptResults kept = kept_of(folder, program);
    all.push_back(what(kept, program));
  }
  return all;
}

}  // namespace

reproduce::Reproduction hps_fig6(const fs::path& folder) {
  const ReproductionPrograms programs = reproduction_programs();
  reproduce::Reproduction result = fig6(of_programs<Split>(folder, programs, split_of));
  result.setup = fmt::format(
      "Core hps2005 with timing, {}; one event in {} is sampled, in bursts of one. Overheads are "
      "of "
      "the cycles of the same run with the lookup of the engine off.\n"
      "Basic: plain DISE counts, nothing else. Checks: every instruction of the profile is "
      "replaced "
      "too, but no burst ever begins. Profiling: all. Each is what it adds to those before "
      "([recipe](../dise-language.md#sampling)). Branch-on-random steps its shift register in the "
      "replacement sequence.",
      extent_text(kSplitExtent), kFrequencies.front());
  result.skipped = programs.skipped;
  return result;
}

reproduce::Reproduction hps_fig7(const fs::path& folder) {
  const ReproductionPrograms programs = reproduction_programs();
  reproduce::Reproduction result =
      fig7(of_programs<Sampled>(folder, programs, [](auto& kept, const auto& program) {
        Sampled sampled = sampled_of(kept, program);
        put_overheads(kept, program, sampled);
        return sampled;
      }));
  result.setup = fmt::format(
      "{}\nOverhead: core hps2005 with timing, against the same run with the lookup of the engine "
      "off: of call pairs and methods in {}, of data streams in {}.",
      accuracy_setup(), extent_text(kSplitExtent), extent_text(kStreamExtent));
  result.skipped = programs.skipped;
  return result;
}

reproduce::Reproduction hps_fig8(const fs::path& folder) {
  const ReproductionPrograms programs = reproduction_programs();
  reproduce::Reproduction result = fig8(of_programs<Sampled>(folder, programs, sampled_of));
  result.setup = accuracy_setup();
  result.skipped = programs.skipped;
  return result;
}

}  // namespace strobe
