#include "sw/reproduce/ephemeral/ephemeral_runs.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sc_models/isa/linux/process.h"
#include "sc_models/run/run.h"
#include "sw/files/guest_files.h"
#include "sw/files/sha256.h"
#include "sw/measure/ephemeral_run.h"
#include "sw/optimize/optimized_program.h"
#include "sw/reproduce/hps/hps_runs.h"

namespace strobe::ephemeral {
namespace {

using namespace reproduce::ephemeral;
using nlohmann::json;
using profile::Profile;

using Sets = std::vector<std::string>;

constexpr size_t kDigits = 16;  // kept of a hash

/// What `--set` would say.
Sets sets_of(const ReproductionProgram& program, bool training) {
  Sets sets = {"profilers=[]", "core.include=../cores/inorder4.yaml", "decode.productions=[]",
               "mode=timing"};
  if (program.own) {
    sets.push_back(fmt::format("workload.args=[{}]", training ? kTraining : kTest));
  } else if (!training) {
    sets.push_back(fmt::format("workload.stdin={}", test_input(program)));
  }
  return sets;
}

Sets instrumented_sets(const ReproductionProgram& program, unsigned persistence) {
  Sets sets = sets_of(program, /*training=*/true);
  sets.push_back(
      fmt::format("instrument={{kind: ephemeral, persistence: {}, epoch: {}, epoch_jitter: 0}}",
                  persistence, kEpoch));
  return sets;
}

/// Hash of all that decides a run of the edited program, and of `more`.
std::string hash_of(const ReproductionProgram& program, const Sets& sets, const std::string& more) {
  std::string text = hps::inputs_hash(program, sets) + more;
  text += files::sha256_of_file(files::guest_file("ephemeral/unhook.o"));
  const std::string elf = program.load(sets).configuration.workload.elf;
  for (const std::string& argument : instrument::linked_program(elf, "").record.command) {
    text += argument + "\n";
  }
  return files::sha256_of_text(text).substr(0, kDigits);
}

void expect_whole(const platform::RunOutcome& outcome) {
  if (outcome.end != platform::RunEnd::kExited) throw std::runtime_error(outcome.error);
}

json to_json(const Profile& profile) {
  json branches = json::array();
  for (const auto& [tuple, count] : profile.entries()) {
    branches.push_back({tuple.pc, tuple.value, count});
  }
  return branches;
}

Profile profile_of(const json& branches) {
  profile::Entries entries;
  for (const json& branch : branches) {
    entries.emplace_back(Tuple{branch.at(0).get<uint64_t>(), branch.at(1).get<uint64_t>(), 0},
                         branch.at(2).get<uint64_t>());
  }
  return Profile(std::move(entries));
}

/// Cycles of the program as it is, with the training input.
uint64_t training_cycles(KeptResults& kept, const ReproductionProgram& program) {
  const Sets sets = sets_of(program, /*training=*/true);
  return kept
      .get("training, not instrumented", hps::inputs_hash(program, sets),
           [&] {
             const platform::RunOutcome outcome =
                 hps::run(program.load(sets), /*exhaustive=*/false);
             return json{{"cycles", outcome.cycles}};
           })
      .at("cycles");
}

/// One instrumented run: its cycles, its profile, and that of all branches.
json trained(KeptResults& kept, const ReproductionProgram& program, unsigned persistence) {
  const Sets sets = instrumented_sets(program, persistence);
  return kept.get(fmt::format("training, persistence {}", persistence), hash_of(program, sets, ""),
                  [&] {
                    const config::RunConfig configuration = program.load(sets).configuration;
                    const auto original = isa::open_program(configuration.workload.elf);
                    EphemeralRun run(configuration, original);
                    OriginalEvents events(run.events());
                    platform::RunHooks hooks;
                    hooks.elaborated = confine_to_programs;
                    run.place(run_original(configuration, original, hooks, &events));
                    run.add_to(&hooks);
                    const platform::RunOutcome outcome =
                        platform::run(run.configuration(), /*profiled=*/true, hooks);
                    expect_whole(outcome);
                    const platform::HandlersOutcome found = run.outcome(events);
                    return json{{"cycles", outcome.cycles},
                                {"bias_error", run.json(0).at("bias_error")},
                                {"edges", to_json(found.edges.value().collected)},
                                {"all_edges", to_json(found.edges.value().exhaustive)}};
                  });
}

/// A run with the test input: of the program as it is, or of what the scheduler makes of it.
/// @param edges  null: as it is
json tested(const ReproductionProgram& program, const json& edges, bool local) {
  const config::RunConfig configuration =
      program.load(sets_of(program, /*training=*/false)).configuration;
  platform::RunHooks hooks;
  if (!edges.is_null()) {  // before the confinement, for it links
    const std::string& elf = configuration.workload.elf;
    optimize::Options options;
    options.local = local;
    const optimize::OptimizedProgram optimized = optimize::optimize_program(
        instrument::linked_program(elf, ""), {files::sha256_of_file(elf), profile_of(edges)},
        configuration.core, options);
    hooks.program =
        std::make_shared<isa::ElfFile>(isa::ElfFile::parse(optimized.elf, elf, STROBE_USER_TOP));
  }
  std::string output;
  hooks.output = [&](int, const char* data, size_t size) { output.append(data, size); };
  hooks.elaborated = confine_to_programs;
  const platform::RunOutcome outcome = platform::run(configuration, /*profiled=*/false, hooks);
  expect_whole(outcome);
  return {{"cycles", outcome.cycles},
          {"exit_code", outcome.exit_code},
          {"output", files::sha256_of_text(output)}};
}

/// Cycles of the optimized program. Throws std::runtime_error when it does something else than the
/// original.
uint64_t test_cycles(KeptResults& kept, const ReproductionProgram& program, const std::string& what,
                     const json& edges, bool local) {
  const Sets sets = sets_of(program, /*training=*/false);
  const json original = kept.get("test, not optimized", hps::inputs_hash(program, sets),
                                 [&] { return tested(program, json(), /*local=*/false); });
  const json optimized = kept.get("test, " + what, hash_of(program, sets, edges.dump()),
                                  [&] { return tested(program, edges, local); });
  for (const char* same : {"exit_code", "output"}) {
    if (original.at(same) == optimized.at(same)) continue;
    throw std::runtime_error(
        fmt::format("{}, {}: the optimized program has another {}: expected {}, got {}",
                    program.name, what, same, original.at(same).dump(), optimized.at(same).dump()));
  }
  return optimized.at("cycles");
}

}  // namespace

const char* test_input(const ReproductionProgram& program) {
  if (program.name == std::string("bzip2")) return "cache:gzip/input";
  if (program.name == std::string("gzip")) return "cache:bzip2/input";
  return nullptr;
}

Measured measured(KeptResults& kept, const ReproductionProgram& program) {
  Measured result;
  result.program = program.name;
  result.training_cycles = training_cycles(kept, program);
  for (size_t i = 0; i < kPersistences.size(); ++i) {
    const json training = trained(kept, program, kPersistences[i]);
    Ephemeral& one = result.ephemeral[i];
    training.at("cycles").get_to(one.training_cycles);
    training.at("bias_error").get_to(one.bias_error);
    if (i == 0) {
      const json& all = training.at("all_edges");
      result.local = test_cycles(kept, program, "scheduled block by block", all, /*local=*/true);
      result.complete = test_cycles(kept, program, "complete profile", all, /*local=*/false);
    }
    one.test_cycles = test_cycles(kept, program, fmt::format("persistence {}", kPersistences[i]),
                                  training.at("edges"), /*local=*/false);
  }
  return result;
}

}  // namespace strobe::ephemeral
