#include "sw/reproduce/bursty/bursty_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sc_models/isa/linux/process.h"
#include "sw/files/guest_files.h"
#include "sw/files/sha256.h"
#include "sw/measure/instrumented/bursty_run.h"
#include "sw/profile/streams/stream_profile.h"

namespace strobe::bursty {
namespace {

using namespace reproduce::bursty;
using nlohmann::json;
using profile::StreamDetector;

using Sets = std::vector<std::string>;

/// What `--set` would say. @param variant  "none" for the program as it is
Sets sets_of(const ReproductionProgram& program, const std::string& variant,
             const Setting& setting) {
  Sets sets = {"profilers=[]", "core.include=../cores/hps2005.yaml", "decode.productions=[]",
               fmt::format("workload.roi.run={}", kExtent.run)};
  if (program.own) sets.push_back(fmt::format("workload.args=[{}]", kExtent.size));
  if (variant != "none") {
    sets.push_back(fmt::format(
        "instrument={{kind: bursty, variant: {}, n_check0: {}, n_instr0: {}, trace_records: {}}}",
        variant, setting.n_check0, setting.n_instr0, 4 * kMillion));
  }
  return sets;
}

/// Hash of all that decides the run: its configuration, and the files it names.
std::string hash_of(const ReproductionProgram& program, const Sets& sets) {
  std::string text = hps::inputs_hash(program, sets);
  text += files::sha256_of_file(files::guest_file("bursty/fold.o"));
  const std::string elf = program.load(sets).configuration.workload.elf;
  for (const std::string& argument : instrument::linked_program(elf, "").record.command) {
    text += argument + "\n";
  }
  constexpr size_t kDigits = 16;
  return files::sha256_of_text(text).substr(0, kDigits);
}

void expect_whole(const platform::RunOutcome& outcome) {
  if (outcome.end == platform::RunEnd::kExited || outcome.end == platform::RunEnd::kRegionDone) {
    return;
  }
  throw std::runtime_error(outcome.error);
}

json cost_json(const platform::RunOutcome& outcome) {
  return {{"cycles", outcome.cycles},
          {"instructions", outcome.instructions},
          {"l1i_misses", outcome.counters.at("l1i.misses")}};
}

Cost cost_of(const json& facts) {
  Cost cost;
  facts.at("cycles").get_to(cost.cycles);
  facts.at("instructions").get_to(cost.instructions);
  facts.at("l1i_misses").get_to(cost.l1i_misses);
  cost.code_bytes = facts.value("code_bytes", uint64_t{0});
  return cost;
}

/// Cycles of the original program.
Cost original_cost(KeptResults& kept, const ReproductionProgram& program) {
  Sets sets = sets_of(program, "none", {});
  sets.emplace_back("mode=timing");
  return cost_of(kept.get(hps::joined(sets), hps::inputs_hash(program, sets), [&] {
    return cost_json(hps::run(program.load(sets), /*exhaustive=*/false));
  }));
}

/// Cycles of the edited program in the same region.
json timed(KeptResults& kept, const ReproductionProgram& program, const std::string& variant,
           const Setting& setting) {
  Sets sets = sets_of(program, variant, setting);
  sets.emplace_back("mode=timing");
  return kept.get(hps::joined(sets), hash_of(program, sets), [&] {
    const config::RunConfig configuration = program.load(sets).configuration;
    const auto original = isa::open_program(configuration.workload.elf);
    BurstyRun run(configuration, original);
    platform::RunHooks hooks;
    hooks.elaborated = confine_to_programs;
    run.place(run_original(configuration, original, hooks, nullptr));
    run.add_to(&hooks);
    const platform::RunOutcome outcome =
        platform::run(run.configuration(), /*profiled=*/true, hooks);
    expect_whole(outcome);
    json facts = cost_json(outcome);
    const json instrumented = run.json(0);
    facts["code_bytes"] = instrumented.at("bytes_after");
    facts["code_bytes_before"] = instrumented.at("bytes_before");
    facts["spills"] = instrumented.at("spills");
    return facts;
  });
}

/// The hot streams of all references, by both detectors.
struct Exhaustive {
  profile::StreamProfile subpaths, symbols;
  uint64_t references = 0;
};

Exhaustive exhaustive_of(const profile::ReferenceTrace& trace) {
  if (trace.dropped() != 0) {
    throw std::runtime_error("the references of the region are too many for one grammar");
  }
  return {profile::stream_profile(trace, StreamDetector::kSubpaths),
          profile::stream_profile(trace, StreamDetector::kSymbols), trace.references()};
}

json quality_json(const profile::ReferenceTrace& trace, const Exhaustive& all) {
  const profile::StreamProfile subpaths = profile::stream_profile(trace, StreamDetector::kSubpaths);
  const profile::StreamProfile symbols = profile::stream_profile(trace, StreamDetector::kSymbols);
  return {{"exact", profile::exact_overlap(all.subpaths, subpaths)},
          {"pairs", profile::overlap(all.subpaths, subpaths)},
          {"symbols", profile::exact_overlap(all.symbols, symbols)},
          {"events", trace.references()},
          {"exhaustive", all.references}};
}

Quality quality_of(const json& facts) {
  Quality quality;
  facts.at("exact").get_to(quality.exact);
  facts.at("pairs").get_to(quality.pairs);
  facts.at("symbols").get_to(quality.symbols);
  facts.at("events").get_to(quality.events);
  facts.at("exhaustive").get_to(quality.exhaustive);
  if (!facts.contains("instrument")) return quality;
  const json& instrument = facts.at("instrument");
  instrument.at("bursts").get_to(quality.bursts);
  instrument.at("returns").get_to(quality.returns);
  instrument.at("accidental_transitions").get_to(quality.accidental);
  const json& burst = instrument.at("burst_events");
  if (burst.is_null()) return quality;
  burst.at("least").get_to(quality.least);
  burst.at("p10").get_to(quality.p10);
  burst.at("p50").get_to(quality.p50);
  burst.at("p90").get_to(quality.p90);
  burst.at("most").get_to(quality.most);
  return quality;
}

/// A way to sample the references: an edit, or productions.
struct Way {
  std::string name;
  Sets sets;
  bool edit = true;
};

/// How good each way's hot streams are: functional runs, all in one process, for the exhaustive
/// profile takes longest.
json qualities(const ReproductionProgram& program, const std::vector<Way>& ways) {
  struct Edited {
    std::string name;
    std::unique_ptr<BurstyRun> run;
  };
  // Linking needs what the confinement takes away.
  std::vector<Edited> edited;
  config::RunConfig configuration = program.load(sets_of(program, "none", {})).configuration;
  configuration.mode = config::Mode::kFunctional;
  const auto original = isa::open_program(configuration.workload.elf);
  for (const Way& way : ways) {
    if (!way.edit) continue;
    const config::RunConfig of_way = program.load(way.sets).configuration;
    edited.push_back({way.name, std::make_unique<BurstyRun>(of_way, original)});
  }
  OriginalEvents events({instrument::EventKind::kData});
  platform::RunHooks hooks;
  hooks.elaborated = confine_to_programs;
  const OriginalRegion region = run_original(configuration, original, hooks, &events);
  const Exhaustive all = exhaustive_of(events.outcome(GuestEvents()).streams->exhaustive);
  json found;
  for (const Edited& way : edited) {
    way.run->place(region);
    way.run->add_to(&hooks);
    expect_whole(platform::run(way.run->configuration(), /*profiled=*/true, hooks));
    const GuestEvents collected = way.run->take_events();
    if (collected.dropped != 0) {
      throw std::runtime_error(
          fmt::format("{}: {} events found no room", way.name, collected.dropped));
    }
    json& quality = found[way.name] = quality_json(collected.references, all);
    quality["instrument"] = way.run->json(all.references);
    quality["instrument"].erase("left_alone");
  }
  for (const Way& way : ways) {
    if (way.edit) continue;
    const platform::RunOutcome outcome = hps::run(program.load(way.sets), /*exhaustive=*/false);
    found[way.name] = quality_json(outcome.handlers->streams.value().collected, all);
  }
  return found;
}

Way edit(const ReproductionProgram& program, const std::string& variant, const Setting& setting) {
  Way way{fmt::format("{} {}", variant, setting.text()), sets_of(program, variant, setting)};
  way.sets.emplace_back("mode=functional");
  return way;
}

constexpr unsigned kRivalBurst = 50, kRivalFrequency = 100;

hps::Sampling rival_sampling(size_t rival) {
  using namespace reproduce::hps;
  return rival == 0 ? hps::with_control({hps::kProductions[kStreams]}, kRivalBurst, kRivalFrequency)
                    : hps::plain(kStreams, sparsity(kRivalBurst, kRivalFrequency), kRivalBurst);
}

Sets rival_sets(const ReproductionProgram& program, size_t rival, const char* mode) {
  Sets sets = hps::sets_of(program, kExtent, rival_sampling(rival));
  sets.push_back(fmt::format("mode={}", mode));
  return sets;
}

json kept_qualities(KeptResults& kept, const ReproductionProgram& program, const char* figure,
                    const std::vector<Way>& ways) {
  std::string hashes;
  for (const Way& way : ways) {
    hashes += way.edit ? hash_of(program, way.sets) : hps::inputs_hash(program, way.sets);
  }
  return kept.get(fmt::format("qualities of {}", figure),
                  files::sha256_of_text(hashes).substr(0, 16),
                  [&] { return qualities(program, ways); });
}

}  // namespace

Basic basic_of(KeptResults& kept, const ReproductionProgram& program) {
  Basic basic;
  basic.program = program.name;
  basic.original = original_cost(kept, program);
  for (size_t i = 0; i < kVariants.size(); ++i) {
    const json facts = timed(kept, program, kVariants[i], {kInfinity, 1});
    basic.variants[i] = cost_of(facts);
    facts.at("code_bytes_before").get_to(basic.original.code_bytes);
  }
  return basic;
}

Settings settings_of(KeptResults& kept, const ReproductionProgram& program) {
  const char* const preferred = kVariants[kPreferred];
  Settings settings;
  settings.program = program.name;
  settings.original = original_cost(kept, program);
  settings.checking = cost_of(timed(kept, program, preferred, {kInfinity, 1}));
  settings.instrumented = cost_of(timed(kept, program, preferred, {1, kInfinity}));
  std::vector<Way> ways;
  for (size_t i = 0; i < kSettings.size(); ++i) {
    settings.cost[i] = cost_of(timed(kept, program, preferred, kSettings[i]));
    ways.push_back(edit(program, preferred, kSettings[i]));
  }
  for (size_t i = 0; i + 1 < kRivals.size(); ++i) {
    ways.push_back({kRivals[i], rival_sets(program, i, "functional"), false});
  }
  const json found = kept_qualities(kept, program, "figure 7", ways);
  for (size_t i = 0; i < kSettings.size(); ++i) {
    settings.quality[i] = quality_of(found.at(ways[i].name));
  }
  for (size_t i = 0; i + 1 < kRivals.size(); ++i) {
    const Sets sets = rival_sets(program, i, "timing");
    const json facts = kept.get(hps::joined(sets), hps::inputs_hash(program, sets), [&] {
      return cost_json(hps::run(program.load(sets), /*exhaustive=*/false));
    });
    settings.rivals[i] = {quality_of(found.at(kRivals[i])), cost_of(facts)};
  }
  settings.rivals.back() = {settings.quality[k5000_50], settings.cost[k5000_50]};
  return settings;
}

Variants variants_of(KeptResults& kept, const ReproductionProgram& program) {
  std::vector<Way> ways;
  for (const char* variant : kVariants) ways.push_back(edit(program, variant, kUsual));
  const json found = kept_qualities(kept, program, "figure 8", ways);
  Variants variants;
  variants.program = program.name;
  for (size_t i = 0; i < kVariants.size(); ++i) {
    variants.quality[i] = quality_of(found.at(ways[i].name));
  }
  return variants;
}

}  // namespace strobe::bursty
