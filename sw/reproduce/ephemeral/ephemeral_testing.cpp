#include "sw/reproduce/ephemeral/ephemeral_testing.h"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/isa/linux/process.h"
#include "sc_models/run/run.h"
#include "sw/files/sha256.h"
#include "sw/optimize/optimized_program.h"
#include "sw/reproduce/ephemeral/ephemeral_training.h"
#include "sw/reproduce/hps/hps_runs.h"

namespace strobe::ephemeral {
namespace {

using nlohmann::json;

/// @param program  null: the one that the configuration names
json tested(const config::RunConfig& configuration, std::shared_ptr<const isa::ElfFile> program) {
  platform::RunHooks hooks;
  hooks.program = std::move(program);
  std::string output;
  hooks.output = [&](int, const char* data, size_t size) { output.append(data, size); };
  hooks.elaborated = confine_to_programs;
  const platform::RunOutcome outcome = platform::run(configuration, /*profiled=*/false, hooks);
  if (outcome.end != platform::RunEnd::kExited) throw std::runtime_error(outcome.error);
  return {{"cycles", outcome.cycles},
          {"exit_code", outcome.exit_code},
          {"output", files::sha256_of_text(output)}};
}

json original(KeptResults& kept, const ReproductionProgram& program) {
  const Sets sets = sets_of(program, Input::kTest);
  return kept.get("test, not optimized", hps::inputs_hash(program, sets),
                  [&] { return tested(program.load(sets).configuration, nullptr); });
}

std::shared_ptr<const isa::ElfFile> optimized(const config::RunConfig& configuration,
                                              const json& edges, Schedule schedule) {
  const std::string& elf = configuration.workload.elf;
  optimize::Options options;
  options.local = schedule == Schedule::kLocal;
  const optimize::OptimizedProgram program = optimize::optimize_program(
      instrument::linked_program(elf, ""), {files::sha256_of_file(elf), profile_of(edges)},
      configuration.core, options);
  return std::make_shared<isa::ElfFile>(isa::ElfFile::parse(program.elf, elf, STROBE_USER_TOP));
}

}  // namespace

uint64_t original_cycles(KeptResults& kept, const ReproductionProgram& program) {
  return original(kept, program).at("cycles");
}

uint64_t optimized_cycles(KeptResults& kept, const ReproductionProgram& program,
                          const std::string& profile, const json& edges, Schedule schedule) {
  const Sets sets = sets_of(program, Input::kTest);
  const std::string what = fmt::format(
      "test, {} by {}", schedule == Schedule::kLocal ? "blocks" : "superblocks", profile);
  const json found = kept.get(what, hash_of(program, sets, edges.dump()), [&] {
    const config::RunConfig configuration = program.load(sets).configuration;
    return tested(configuration, optimized(configuration, edges, schedule));
  });
  const json expected = original(kept, program);
  for (const char* same : {"exit_code", "output"}) {
    if (expected.at(same) == found.at(same)) continue;
    throw std::runtime_error(
        fmt::format("{}, {}: the optimized program has another {}: expected {}, got {}",
                    program.name, what, same, expected.at(same).dump(), found.at(same).dump()));
  }
  return found.at("cycles");
}

}  // namespace strobe::ephemeral
