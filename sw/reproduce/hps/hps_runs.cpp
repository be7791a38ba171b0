#include "sw/reproduce/hps/hps_runs.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "sc_models/profiling/reference/dise/dise_engine.h"
#include "sw/files/guest_files.h"
#include "sw/files/sha256.h"
#include "sw/profile/accuracy/sampling.h"

namespace strobe::hps {

Sampling with_control(std::vector<std::string> profiles, unsigned burst, unsigned frequency) {
  profiles.insert(profiles.begin(), "sampling");
  return {std::move(profiles), reproduce::hps::sparsity(burst, frequency), burst};
}

Sampling at_random(reproduce::hps::Profile profile) {
  return {{std::string("random-") + kProductions[profile]}};
}

Sampling plain(reproduce::hps::Profile profile, uint64_t between, unsigned burst) {
  std::vector<std::string> productions = {std::string("plain-") + kProductions[profile]};
  if (profile == reproduce::hps::kStreams) {
    productions.insert(productions.begin(), "plain-sampling");
  }
  return {std::move(productions), between, burst};
}

std::vector<std::string> sets_of(const ReproductionProgram& program, const Extent& extent,
                                 const Sampling& sampling) {
  std::string files;
  for (const std::string& production : sampling.productions) {
    files += fmt::format("{}../profilers/hps/{}.dise", files.empty() ? "" : ", ", production);
  }
  std::vector<std::string> sets = {"profilers=[]",
                                   "core.include=../cores/hps2005.yaml",
                                   fmt::format("workload.roi.run={}", extent.run),
                                   fmt::format("decode.productions=[{}]", files),
                                   fmt::format("decode.sparsity={}", sampling.sparsity),
                                   fmt::format("decode.burst={}", sampling.burst)};
  if (program.own) sets.push_back(fmt::format("workload.args=[{}]", extent.size));
  return sets;
}

std::string joined(const std::vector<std::string>& sets) {
  std::string text;
  for (const std::string& set : sets) text += (text.empty() ? "" : " ") + set;
  return text;
}

std::string inputs_hash(const ReproductionProgram& program, const std::vector<std::string>& sets) {
  static const std::string kSimulator = files::sha256_of_file("/proc/self/exe");
  const config::LoadResult loaded = program.load(sets);
  const config::WorkloadConfig& workload = loaded.configuration.workload;
  std::vector<std::string> inputs = {workload.elf, files::guest_file("firmware.elf")};
  if (!workload.stdin_file.empty()) inputs.push_back(workload.stdin_file);
  const std::vector<std::string>& productions = loaded.configuration.decode.productions;
  inputs.insert(inputs.end(), productions.begin(), productions.end());
  std::string text = loaded.portable + kSimulator;
  for (const std::string& file : inputs) text += files::sha256_of_file(file);
  constexpr size_t kDigits = 16;
  return files::sha256_of_text(text).substr(0, kDigits);
}

platform::RunOutcome run(const config::LoadResult& loaded, bool exhaustive, bool profiled) {
  platform::RunHooks hooks;
  hooks.elaborated = confine_to_programs;
  hooks.exhaustive = exhaustive;
  platform::RunOutcome outcome = platform::run(loaded.configuration, profiled, hooks);
  const bool ended =
      outcome.end == platform::RunEnd::kExited || outcome.end == platform::RunEnd::kRegionDone;
  if (!ended && !(outcome.samples && profile::handlers_in_no_unit(*outcome.samples))) {
    throw std::runtime_error(outcome.error);
  }
  if (outcome.handlers && outcome.handlers->lost != 0) {
    throw std::runtime_error(fmt::format("the handlers lost {} events: their table is too small",
                                         outcome.handlers->lost));
  }
  return outcome;
}

reproduce::hps::Machine machine_of(const ReproductionProgram& program) {
  constexpr unsigned kBackEndStages = 5;  // rename, issue, execute, write back, commit
  constexpr uint64_t kKb = 1024;
  const config::RunConfig run =
      program.load(sets_of(program, kSplitExtents.front(), {})).configuration;
  const core::CoreParams& core = run.core;
  const profiling::DiseParams engine;
  reproduce::hps::Machine machine;
  machine.width = core.decode_width;
  machine.stages = core.front_end_stages + kBackEndStages;
  machine.rob = core.rob;
  machine.stations = core.reservation_stations;
  machine.l1i_kb = core.memory.l1i.size / kKb;
  machine.l1d_kb = core.memory.l1d.size / kKb;
  machine.l2_kb = core.memory.l2.size / kKb;
  machine.patterns = engine.patterns;
  machine.replacements = engine.replacements;
  machine.stall_cycles = run.decode.stall_cycles;
  return machine;
}

}  // namespace strobe::hps
