#include "sw/reproduce/ephemeral/ephemeral_training.h"

#include <fmt/format.h>

#include <memory>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "sc_models/isa/linux/process.h"
#include "sc_models/run/run.h"
#include "sw/files/guest_files.h"
#include "sw/files/sha256.h"
#include "sw/measure/instrumented/instrumented_run.h"
#include "sw/measure/instrumented/original_run.h"
#include "sw/reproduce/hps/hps_runs.h"

namespace strobe::ephemeral {
namespace {

using nlohmann::json;
using profile::Profile;

json to_json(const Profile& profile) {
  json branches = json::array();
  for (const auto& [tuple, count] : profile.entries()) {
    branches.push_back({tuple.pc, tuple.value, count});
  }
  return branches;
}

/// The rows of instrument.biases.csv. @param text  the file, under its header
json biases_of(const std::string& text) {
  json biases = json::array();
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    uint64_t pc = 0, taken = 0, total = 0;
    char comma = 0;
    std::istringstream fields(line);
    fields >> std::hex >> pc >> std::dec >> comma >> taken >> comma >> total;
    if (!fields) throw std::runtime_error("instrument.biases.csv has the line '" + line + "'");
    biases.push_back({pc, taken, total});
  }
  return biases;
}

/// A run of the program with instrumentation linked into it.
json instrumented(const config::RunConfig& configuration) {
  const auto original = isa::open_program(configuration.workload.elf);
  const std::unique_ptr<InstrumentedRun> run = make_instrumented_run(configuration, original);
  OriginalEvents events(run->events());
  platform::RunHooks hooks;
  hooks.elaborated = confine_to_programs;
  run->place(run_original(configuration, original, hooks, &events));
  run->add_to(&hooks);
  const platform::RunOutcome outcome =
      platform::run(run->configuration(), /*profiled=*/true, hooks);
  if (outcome.end != platform::RunEnd::kExited) throw std::runtime_error(outcome.error);
  const platform::HandlersOutcome found = run->outcome(events).value();
  const json facts = run->json(events.events());
  if (facts.value("dropped", 0u) != 0) {
    throw std::runtime_error(fmt::format("{} events found no room", facts.at("dropped").dump()));
  }
  json result = {{"cycles", outcome.cycles}, {"edges", to_json(found.edges.value().collected)}};
  if (!facts.contains("bias_error")) return result;
  result["bias_error"] = facts.at("bias_error");
  for (const auto& [name, text] : run->files({})) {
    if (name == "instrument.biases.csv") result["biases"] = biases_of(text);
  }
  return result;
}

/// A run with a profiler in hardware.
json sampled(const config::LoadResult& loaded) {
  const platform::RunOutcome outcome = hps::run(loaded, /*exhaustive=*/false);
  profile::Entries entries;
  for (const auto& [tuple, count] : *outcome.profilers.at(0).profile) {
    entries.emplace_back(Tuple{tuple.pc, tuple.value, 0}, count);
  }
  return {{"cycles", outcome.cycles}, {"edges", to_json(Profile(std::move(entries)))}};
}

std::string sampler(const std::string& file, const char* selector) {
  return fmt::format(
      "profilers=[{{name: trained, include: ../profilers/{}.yaml, active: true, fidelity: model, "
      "selectors: [{}]}}]",
      file, selector);
}

}  // namespace

Way ephemeral_way(unsigned persistence, uint64_t epoch, double jitter) {
  return {
      fmt::format("ephemeral, persistence {}, epoch {}, jitter {}", persistence, epoch, jitter),
      {fmt::format("instrument={{kind: ephemeral, persistence: {}, epoch: {}, epoch_jitter: {}}}",
                   persistence, epoch, jitter)}};
}

// Boring loops have no instrumentation in the variants L: their branches would be missing.
Way bursty_way(unsigned pause) {
  constexpr unsigned kBurst = 50;
  return {fmt::format("bursty, {}:{}", pause, kBurst),
          {fmt::format("instrument={{kind: bursty, variant: EC, events: [edge], n_check0: {}, "
                       "n_instr0: {}}}",
                       pause, kBurst)}};
}

Way sampler_way(const std::string& file) { return {file, {sampler(file, "{profile: edge}")}}; }

Way gated_way() {
  return {"hps-gated-stratified",
          {sampler("hps-gated-stratified", "{profile: edge, in_burst: true}"),
           "decode.productions=[../profilers/hps/sampling.dise]", "decode.sparsity=90",
           "decode.burst=10"}};
}

Sets sets_of(const ReproductionProgram& program, Input input) {
  const char* const size = input == Input::kTraining ? kTraining : kTest;
  return {"profilers=[]", "core.include=../cores/inorder4.yaml", "decode.productions=[]",
          "mode=timing",
          program.own ? fmt::format("workload.args=[{}]", size)
                      : fmt::format("workload.stdin=cache:{}/{}", program.name, size)};
}

std::string hash_of(const ReproductionProgram& program, const Sets& sets, const std::string& more) {
  std::string text = hps::inputs_hash(program, sets) + more;
  for (const char* routine : {"ephemeral/unhook.o", "bursty/fold.o"}) {
    text += files::sha256_of_file(files::guest_file(routine));
  }
  const std::string elf = program.load(sets).configuration.workload.elf;
  for (const std::string& argument : instrument::linked_program(elf, "").record.command) {
    text += argument + "\n";
  }
  constexpr size_t kDigits = 16;
  return files::sha256_of_text(text).substr(0, kDigits);
}

Sets joined(Sets sets, const Way& way) {
  sets.insert(sets.end(), way.sets.begin(), way.sets.end());
  return sets;
}

uint64_t plain_cycles(KeptResults& kept, const ReproductionProgram& program,
                      const std::string& name, const Sets& sets) {
  return kept
      .get(name, hps::inputs_hash(program, sets),
           [&] {
             const platform::RunOutcome outcome =
                 hps::run(program.load(sets), /*exhaustive=*/false);
             return json{{"cycles", outcome.cycles}};
           })
      .at("cycles");
}

json all_edges(KeptResults& kept, const ReproductionProgram& program, const std::string& name,
               const Sets& sets) {
  const json found = kept.get(name, hps::inputs_hash(program, sets), [&] {
    const config::RunConfig configuration = program.load(sets).configuration;
    OriginalEvents events({instrument::EventKind::kEdge});
    platform::RunHooks hooks;
    hooks.elaborated = confine_to_programs;
    run_original(configuration, isa::open_program(configuration.workload.elf), hooks, &events);
    return json{{"edges", to_json(events.edges())}};
  });
  return found.at("edges");
}

json profiled(KeptResults& kept, const ReproductionProgram& program, const std::string& name,
              const Sets& sets) {
  return kept.get(name, hash_of(program, sets, ""), [&] {
    const config::LoadResult loaded = program.load(sets);
    return loaded.configuration.instrument.kind == config::Instrumentation::kNone
               ? sampled(loaded)
               : instrumented(loaded.configuration);
  });
}

Profile profile_of(const json& edges) {
  profile::Entries entries;
  for (const json& branch : edges) {
    entries.emplace_back(Tuple{branch.at(0).get<uint64_t>(), branch.at(1).get<uint64_t>(), 0},
                         branch.at(2).get<uint64_t>());
  }
  return Profile(std::move(entries));
}

}  // namespace strobe::ephemeral
