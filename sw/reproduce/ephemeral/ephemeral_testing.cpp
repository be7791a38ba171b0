#include "sw/reproduce/ephemeral/ephemeral_testing.h"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/isa/linux/process.h"
#include "sc_models/run/run.h"
#include "sw/files/sha256.h"
#include "sw/optimize/bolt.h"
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

/// A program by its profile, of rows [pc, target, count].
struct Profiled {
  instrument::LinkedProgram program;
  optimize::EdgeCounts counts;
};

Profiled profiled_by(const config::RunConfig& configuration, const json& edges) {
  const std::string& elf = configuration.workload.elf;
  return {instrument::linked_program(elf, ""), {files::sha256_of_file(elf), profile_of(edges)}};
}

json tested(const config::RunConfig& configuration, const std::vector<uint8_t>& elf) {
  return tested(configuration, std::make_shared<isa::ElfFile>(isa::ElfFile::parse(
                                   elf, configuration.workload.elf, STROBE_USER_TOP)));
}

/// Throws std::runtime_error when the run did something else than that of the original.
void expect_same(const json& found, const json& expected, const ReproductionProgram& program,
                 const std::string& what) {
  for (const char* same : {"exit_code", "output"}) {
    if (expected.at(same) == found.at(same)) continue;
    throw std::runtime_error(
        fmt::format("{}, {}: the optimized program has another {}: expected {}, got {}",
                    program.name, what, same, expected.at(same).dump(), found.at(same).dump()));
  }
}

}  // namespace

uint64_t original_cycles(KeptResults& kept, const ReproductionProgram& program) {
  return original(kept, program).at("cycles");
}

uint64_t optimized_cycles(KeptResults& kept, const ReproductionProgram& program,
                          const std::string& profile, const json& edges, Schedule schedule) {
  const Sets sets = sets_of(program, Input::kTest);
  const bool local = schedule == Schedule::kLocal;
  const std::string what = fmt::format("test, {} by {}", local ? "blocks" : "superblocks", profile);
  const json found = kept.get(what, hash_of(program, sets, edges.dump()), [&] {
    const config::RunConfig configuration = program.load(sets).configuration;
    const Profiled profiled = profiled_by(configuration, edges);
    optimize::Options options;
    options.local = local;
    return tested(configuration, optimize::optimize_program(profiled.program, profiled.counts,
                                                            configuration.core, options)
                                     .elf);
  });
  expect_same(found, original(kept, program), program, what);
  return found.at("cycles");
}

std::optional<uint64_t> bolt_cycles(KeptResults& kept, const ReproductionProgram& program,
                                    const json& edges) {
  const Sets sets = sets_of(program, Input::kTest);
  const std::string what = "test, laid out by BOLT";
  const json found = kept.get(what, hash_of(program, sets, edges.dump()), [&] {
    const config::RunConfig configuration = program.load(sets).configuration;
    const Profiled profiled = profiled_by(configuration, edges);
    try {
      return tested(configuration, optimize::lay_out_with_bolt(profiled.program, profiled.counts));
    } catch (const object::ObjectError& error) {
      return json{{"failed", error.what()}};
    }
  });
  if (found.contains("failed")) return std::nullopt;
  expect_same(found, original(kept, program), program, what);
  return found.at("cycles").get<uint64_t>();
}

}  // namespace strobe::ephemeral
