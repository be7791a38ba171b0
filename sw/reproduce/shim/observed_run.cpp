#include "sw/reproduce/shim/observed_run.h"

#include <memory>
#include <stdexcept>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/run/run.h"
#include "sw/files/guest_files.h"
#include "sw/files/sha256.h"
#include "sw/instrument/signals/signaled_program.h"
#include "sw/reproduce/hps/hps_runs.h"

namespace strobe::shim {
namespace {

std::shared_ptr<const isa::ElfFile> program_of(const config::RunConfig& run, bool methods) {
  if (!methods) return nullptr;  // the one that the configuration names
  instrument::SignalsOptions options;
  options.loops = false;
  const instrument::SignaledProgram edited = instrument::find_or_signal(
      instrument::linked_program(run.workload.elf, run.workload.objects), options);
  return std::make_shared<isa::ElfFile>(
      isa::ElfFile::parse(edited.elf, run.workload.elf, STROBE_USER_TOP));
}

}  // namespace

platform::RunOutcome observed_run(const config::RunConfig& configuration, bool methods,
                                  bool observed) {
  platform::RunHooks hooks;
  hooks.program = program_of(configuration, methods);
  hooks.elaborated = confine_to_programs;
  platform::RunOutcome outcome = platform::run(configuration, observed, hooks);
  if (outcome.end != platform::RunEnd::kExited && outcome.end != platform::RunEnd::kRegionDone) {
    throw std::runtime_error(outcome.error);
  }
  return outcome;
}

std::string observed_inputs(const ReproductionProgram& program,
                            const std::vector<std::string>& sets) {
  static const std::string kObserver =
      files::sha256_of_file(files::guest_file("observer.elf")).substr(0, 8);
  return hps::inputs_hash(program, sets) + kObserver;
}

}  // namespace strobe::shim
