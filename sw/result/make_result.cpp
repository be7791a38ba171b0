#include "sw/result/make_result.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "sw/profile/accuracy/metrics.h"
#include "sw/profile/accuracy/progress.h"
#include "sw/profile/accuracy/ratio.h"
#include "sw/profile/accuracy/sampling.h"
#include "sw/profile/counts/exhaustive_profile.h"
#include "sw/result/accuracy_by_kind.h"

namespace strobe::result {
namespace {

using nlohmann::json;

/// The cycles that overhead is a fraction of, and whether they were measured in a run of their own.
struct Baseline {
  std::optional<uint64_t> cycles;
  bool measured = false;
};

const char* end_name(platform::RunEnd end) {
  switch (end) {
    case platform::RunEnd::kExited:
      return "exited";
    case platform::RunEnd::kRegionDone:
      return "region";
    case platform::RunEnd::kFailed:
      return "failed";
    case platform::RunEnd::kLimit:
      return "limit";
    case platform::RunEnd::kDeadlock:
      return "deadlock";
  }
  throw std::invalid_argument("make_result: a RunEnd that has no name");
}

const char* mode_name(config::Mode mode) {
  switch (mode) {
    case config::Mode::kFunctional:
      return "functional";
    case config::Mode::kTiming:
      return "timing";
    case config::Mode::kSampled:
      return "sampled";
  }
  throw std::invalid_argument("make_result: a Mode that has no name");
}

const config::ProfilerConfig& configuration_of(const std::string& name,
                                               const config::RunConfig& configuration) {
  for (const auto& profiler : configuration.profilers) {
    if (profiler.name == name) return profiler;
  }
  throw std::invalid_argument("make_result: the run returned a profiler '" + name +
                              "' that its configuration does not have");
}

/// The exhaustive profile that several profilers are scored against, and its parts by tag.
struct Exhaustive {
  explicit Exhaustive(profile::Profile profile) : all(std::move(profile)) {}
  const profile::Ideal& part(uint8_t tag) {
    const auto known = parts.find(tag);
    if (known != parts.end()) return known->second;
    return parts.try_emplace(tag, all.whole.with_tag(tag)).first->second;
  }
  profile::Ideal all;
  std::map<uint8_t, profile::Ideal> parts;
  std::map<const platform::TupleCounts*, json> scores;  // of profiles; profilers share them
};

/// How good `profile` is, as the keys that a profiler and each of its tags share. A part without
/// events has nothing to be good at: null.
json make_accuracy(const profile::Ideal& exhaustive, const profile::Profile& profile) {
  json out;
  const profile::Accuracy accuracy = profile::accuracy(exhaustive, profile);
  const bool any = !exhaustive.whole.empty();
  const auto& invariance = accuracy.invariance;
  out["exhaustive_tuples"] = exhaustive.whole.size();
  out["tuples"] = profile.size();
  out["overlap"] = any ? json(accuracy.overlap) : json();
  out["overlap_90"] = any ? json(accuracy.overlap_90) : json();
  out["max_entry_error"] = any ? json(accuracy.max_entry->error) : json();
  out["invariance_error"] = invariance ? json(invariance->error) : json();
  out["invariance_loads"] = invariance ? invariance->loads : 0;
  out["invariance_tuples"] = invariance ? invariance->tuples : 0;
  return out;
}

/// @param whole  make_accuracy() of the whole profile: that of the only tag as well
json make_tags(const config::ProfilerConfig& configuration, Exhaustive& exhaustive,
               const profile::Profile& profile, const json& whole) {
  std::map<unsigned, std::set<std::string>> kinds;  // selectors may share a tag
  for (const auto& selector : configuration.selectors) {
    kinds[selector.tag].insert(selector.profile);
  }
  json tags = json::object();
  for (const auto& [tag, names] : kinds) {
    std::string joined;
    for (const auto& name : names) joined += (joined.empty() ? "" : "+") + name;
    const bool only = kinds.size() == 1;
    const profile::Ideal& part = only ? exhaustive.all : exhaustive.part(static_cast<uint8_t>(tag));
    json& out = tags[std::to_string(tag)];
    out = only ? whole : make_accuracy(part, profile.with_tag(static_cast<uint8_t>(tag)));
    out["profile"] = joined;
    out["events"] = part.whole.total();
  }
  return tags;
}

/// Keys of a profiler: how good its profile is, as a whole and by tag.
const json& make_scores(const config::ProfilerConfig& configuration,
                        const platform::ProfilerOutcome& outcome, Exhaustive& exhaustive) {
  json& scores = exhaustive.scores[outcome.profile.get()];
  if (!scores.is_null()) return scores;
  profile::Profile profile(*outcome.profile);
  if (outcome.kept.halvings() != 0) profile = outcome.kept.part_of(profile);
  scores = make_accuracy(exhaustive.all, profile);
  scores["tags"] = make_tags(configuration, exhaustive, profile, scores);
  return scores;
}

json make_cycles(const platform::CycleHistogram& cycles) {
  const bool any = cycles.count() != 0;
  json out;
  out["count"] = cycles.count();
  out["mean"] = any ? json(profile::ratio(cycles.sum(), cycles.count())) : json();
  const std::pair<const char*, double> percentiles[] = {
      {"p1", 0.01}, {"p10", 0.1}, {"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}};
  for (const auto& [name, fraction] : percentiles) {
    out[name] = any ? json(cycles.percentile(fraction)) : json();
  }
  return out;
}

json make_ring(const platform::RingOutcome& ring) {
  json out;
  out["entries"] = ring.entries;
  out["high_water"] = ring.high_water;
  out["stalls"] = ring.stalls;
  out["overwritten"] = ring.overwritten;
  out["overwritten_counts"] = ring.overwritten_counts;
  out["interval"] = make_cycles(ring.intervals);
  out["service"] = make_cycles(ring.service);
  out["utilisation"] =
      ring.cycles > 0 ? json(profile::ratio(ring.service.sum(), ring.cycles)) : json();
  return out;
}

json make_profiler(const config::ProfilerConfig& configuration,
                   const platform::ProfilerOutcome& outcome, Exhaustive& exhaustive,
                   const Baseline& baseline, double threshold) {
  const bool ring = configuration.communication.kind == config::Communication::kRing;
  const uint64_t interrupts =
      outcome.active || ring ? outcome.interrupts
                             : profile::interrupts_for(outcome.messages, configuration.watermark);
  // The service thread's work is another core's: the program pays nothing in this model.
  const uint64_t analytical = ring ? 0 : profile::CostModel().cycles(outcome.messages, interrupts);
  json out;
  out["name"] = outcome.name;
  out["kind"] = outcome.kind;
  out["fidelity"] = outcome.fidelity;
  out["active"] = outcome.active;
  out["events"] = outcome.events;
  out["messages"] = outcome.messages;
  out["message_counts"] = outcome.message_counts;
  out["interrupts"] = interrupts;
  out["dropped"] = outcome.dropped;
  out["dropped_share"] = profile::ratio(outcome.dropped, outcome.events);
  out["residue"] = outcome.residue;
  // What the messages of some samplers stand for is an estimate, so there is nothing to add up.
  out["conserved"] =
      config::conserves(configuration)
          ? json(outcome.events == outcome.message_counts + outcome.residue + outcome.dropped +
                                       (outcome.ring ? outcome.ring->overwritten_counts : 0))
          : json();
  if (outcome.ring) out["ring"] = make_ring(*outcome.ring);
  out["high_water"] = outcome.high_water;
  out["stalls"] = outcome.stalls;
  out["storage_bits"] = outcome.storage_bits;
  out["overhead_analytical_cycles"] = analytical;
  out["overhead_analytical"] =
      baseline.cycles ? json(profile::ratio(analytical, *baseline.cycles)) : json();
  out["exhaustive_bytes"] = profile::ExhaustiveProfile::bytes_for(exhaustive.all.whole.size());
  out["exhaustive_share"] = std::ldexp(1.0, -static_cast<int>(outcome.kept.halvings()));
  out.update(make_scores(configuration, outcome, exhaustive));
  const profile::Profile& ideal = exhaustive.all.whole;
  out["random_overlap"] =
      ideal.empty() ? json() : json(profile::random_overlap(ideal, outcome.messages));
  const profile::Convergence convergence = profile::convergence(outcome.progress, threshold);
  out["reaches"] = convergence.reaches ? json(*convergence.reaches) : json();
  out["stays_below"] = convergence.stays_below ? json(*convergence.stays_below) : json();
  return out;
}

json make_threads(const platform::RunOutcome& outcome) {
  json threads = json::array();
  for (const isa::ThreadShare& one : outcome.threads) {
    threads.push_back(
        {{"thread", one.number}, {"name", one.name}, {"instructions", one.instructions}});
  }
  return {{"switches", outcome.thread_switches}, {"threads", threads}};
}

json make_unsupported_calls(const isa::UnsupportedCalls& calls) {
  json out = {{"count", calls.count}, {"first", json::array()}};
  for (const auto& call : calls.first) {
    out["first"].push_back({{"number", call.number},
                            {"name", call.name.empty() ? json() : json(call.name)},
                            {"count", call.count}});
  }
  return out;
}

json make_sandbox(const isa::Refusals& refusals) {
  json out;
  out["refused"] = refusals.count;
  out["first"] = json::array();
  for (const isa::RefusedPath& path : refusals.first) {
    out["first"].push_back({{"call", path.call},
                            {"path", path.path},
                            {"key", path.key.empty() ? json() : json(path.key)}});
  }
  return out;
}

json number_or_null(std::optional<double> number) { return number ? json(*number) : json(); }

/// How sure the estimates of a sampled run are.
json make_sampling(const config::SamplingConfig& configuration, const profile::Samples& samples,
                   const std::optional<profile::Samples>& baseline) {
  const profile::Estimate cycles = profile::estimated_cycles(samples);
  json out;
  out["confidence"] = profile::kConfidence;
  out["start"] = samples.start_instructions;
  out["unit"] = configuration.unit;
  out["warm"] = configuration.warm;
  out["interval"] = configuration.interval;
  out["units"] = samples.unit_cycles.size();
  out["interrupts"] = samples.interrupts;
  out["interrupts_measured"] = samples.interrupt_cycles.size();
  out["cycles_half_width"] = number_or_null(cycles.half_width);
  // To first order: the relative half-width of a reciprocal is the same.
  const double ipc = static_cast<double>(samples.instructions) / cycles.value;
  out["ipc_half_width"] =
      cycles.half_width ? json(ipc * *cycles.half_width / cycles.value) : json();
  out["baseline_cycles_half_width"] =
      baseline ? number_or_null(profile::estimated_baseline(samples, *baseline).half_width)
               : json();
  out["overhead_half_width"] =
      baseline ? number_or_null(profile::estimated_overhead(samples, *baseline).half_width)
               : json();
  return out;
}

/// An estimate depends on the run's samples, too.
uint64_t baseline_cycles(const BaselineRun& baseline, const platform::RunOutcome& outcome) {
  if (!baseline.samples || !outcome.samples) return baseline.cycles;
  const double cycles = profile::estimated_baseline(*outcome.samples, *baseline.samples).value;
  return static_cast<uint64_t>(std::llround(cycles));
}

/// The window of what was traced; null when nothing was.
json make_trace(const config::TraceConfig& trace, const platform::RunOutcome& outcome) {
  if (trace.pipeline.empty() && trace.waves.empty() && trace.timeline.empty()) return json();
  json out = {{"from", trace.from}, {"to", trace.to}, {"end", outcome.end_cycle}};
  out["timeline"] = nullptr;
  if (outcome.timeline) {
    const platform::TimelineOutcome& timeline = *outcome.timeline;
    out["timeline"] = {
        {"begin", timeline.begin}, {"records", timeline.records}, {"left_out", timeline.left_out}};
  }
  return out;
}

/// The errors are added when the truth is known.
json make_timer(const config::TimerConfig& timer, const platform::RunOutcome& outcome) {
  return {{"period", timer.period},
          {"samples", outcome.sampled ? json(outcome.sampled->total()) : json()},
          {"error_by_instruction", nullptr},
          {"error_by_function", nullptr}};
}

}  // namespace

json make_result(const config::RunConfig& configuration, const platform::RunOutcome& outcome,
                 const std::optional<BaselineRun>& baseline_run, const json& handlers) {
  const bool complete =
      outcome.end == platform::RunEnd::kExited || outcome.end == platform::RunEnd::kRegionDone;
  const auto active = std::find_if(outcome.profilers.begin(), outcome.profilers.end(),
                                   [](const auto& profiler) { return profiler.active; });
  Baseline baseline;
  const bool disturbed = configuration.decode.given() || configuration.instrument.given() ||
                         configuration.shim.given() || configuration.timer.period != 0;
  if (active == outcome.profilers.end() && !disturbed) {
    // Nothing disturbed the run: it is its own baseline.
    if (outcome.cycles > 0) baseline.cycles = outcome.cycles;
  } else if (baseline_run && baseline_run->cycles > 0 && complete) {
    // Compared only when it did all the work the baseline did.
    baseline = {baseline_cycles(*baseline_run, outcome), outcome.cycles > 0};
  }

  json out;
  out["schema_version"] = kSchemaVersion;
  out["workload"] = std::filesystem::path(configuration.workload.elf).filename().string();
  out["mode"] = mode_name(configuration.mode);
  out["core"] = configuration.core.name;
  out["end"] = end_name(outcome.end);
  out["error"] = outcome.error.empty() ? json() : json(outcome.error);
  out["exit_code"] = outcome.end == platform::RunEnd::kExited ? json(outcome.exit_code) : json();
  out["instructions"] = outcome.instructions;
  out["machine_instructions"] = outcome.machine_instructions;
  out["cycles"] = outcome.cycles;
  out["ipc"] =
      outcome.cycles > 0 ? json(profile::ratio(outcome.instructions, outcome.cycles)) : json();
  out["baseline_cycles"] = baseline.cycles ? json(*baseline.cycles) : json();
  out["overhead_measured"] =
      baseline.measured
          ? json((static_cast<double>(outcome.cycles) - static_cast<double>(*baseline.cycles)) /
                 static_cast<double>(*baseline.cycles))
          : json();
  // In mode sampled the stacks are of the measured units, and the cycles are estimates.
  out["overhead_by_class"] =
      baseline.measured && configuration.mode == config::Mode::kTiming
          ? overhead_by_class(cpi_stack(outcome.counters), baseline_run->stack)
          : json();
  out["overhead_analytical"] = nullptr;
  out["sampling"] = outcome.samples && complete && outcome.cycles > 0
                        ? make_sampling(configuration.sampling, *outcome.samples,
                                        baseline.measured ? baseline_run->samples : std::nullopt)
                        : json();
  out["syscalls"] = outcome.syscalls;
  if (!outcome.threads.empty()) out["scheduler"] = make_threads(outcome);
  if (!outcome.suspect_calls.empty()) out["suspect_calls"] = outcome.suspect_calls;
  if (outcome.unsupported_calls.count != 0) {
    out["unsupported_calls"] = make_unsupported_calls(outcome.unsupported_calls);
  }
  out["sandbox"] = make_sandbox(outcome.refusals);
  out["trace"] = make_trace(configuration.trace, outcome);
  out["counters"] = outcome.counters;
  out["profile"] = handlers;
  if (configuration.timer.period != 0) out["timer"] = make_timer(configuration.timer, outcome);
  out["profilers"] = json::array();
  std::map<const platform::TupleCounts*, Exhaustive> ideals;  // profilers share them
  for (const auto& profiler : outcome.profilers) {
    auto ideal = ideals.find(profiler.exhaustive.get());
    if (ideal == ideals.end()) {
      ideal = ideals.try_emplace(profiler.exhaustive.get(), profile::Profile(*profiler.exhaustive))
                  .first;
    }
    out["profilers"].push_back(make_profiler(configuration_of(profiler.name, configuration),
                                             profiler, ideal->second, baseline,
                                             configuration.progress.threshold));
    if (profiler.active) {
      out["overhead_analytical"] = out["profilers"].back()["overhead_analytical"];
    }
  }
  out["accuracy"] = accuracy_by_kind(out);
  return out;
}

}  // namespace strobe::result
