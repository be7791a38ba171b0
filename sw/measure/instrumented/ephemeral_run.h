// The run of a program with ephemeral instrumentation linked into it: branch biases, and the edge
// profile that a Markov chain makes of them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/run_hooks.h"
#include "sc_models/port/control_flow.h"
#include "sw/instrument/ephemeral/code_accesses.h"
#include "sw/instrument/ephemeral/hooked_program.h"
#include "sw/instrument/ephemeral/stub_counts.h"
#include "sw/measure/instrumented/instrumented_run.h"
#include "sw/profile/accuracy/bias_error.h"
#include "sw/profile/counts/profile.h"

namespace strobe {

/// The program of a run file, edited or from the cache, hooked as the run file says. Throws
/// object::ObjectError.
instrument::HookedProgram hooked_program(const config::RunConfig& configuration);

class EphemeralRun final : public InstrumentedRun {
 public:
  /// Edits the program or takes it from the cache. Throws object::ObjectError.
  EphemeralRun(const config::RunConfig& configuration,
               std::shared_ptr<const isa::ElfFile> original);

  std::vector<instrument::EventKind> events() const override {
    return {instrument::EventKind::kEdge};
  }
  void add_to(platform::RunHooks* hooks) override;
  /// Its edges are those of the chain. Throws profile::FlowError.
  std::optional<platform::HandlersOutcome> outcome(OriginalEvents& original) override;
  nlohmann::json json(uint64_t exhaustive) const override;
  /// instrument.biases.csv: pc,taken,total,epochs,symbol of each recorded branch; `epochs` in which
  /// it was recorded. instrument.targets.csv: the targets of indirect jumps and
  /// calls.
  std::vector<result::NamedText> files(const profile::ProgramNames& names) const override;

 private:
  /// Executions of an indirect jump or call by {pc, target}, both in the original program.
  using JumpCounts = std::map<std::pair<uint64_t, uint64_t>, uint64_t>;

  std::vector<instrument::StubCounts> read_stubs(const platform::MemoryReader& read) const;
  JumpCounts read_jumps(const platform::MemoryReader& read) const;
  profile::Profile recorded_branches() const;
  profile::Profile recorded_jumps() const;
  /// As ProgramOptions has them.
  std::vector<uint64_t> watched() const;
  std::vector<uint64_t> complete() const;
  profile::Profile chain_edges(uint64_t total) const;
  nlohmann::json accesses_json() const;

  const config::InstrumentConfig configuration_;
  instrument::HookedProgram program_;
  instrument::CodeAccesses accesses_;
  ControlFlow flow_;                              // the control flow before the edit
  std::vector<instrument::StubCounts> before_;    // as the region began
  std::vector<instrument::StubCounts> recorded_;  // in the region
  JumpCounts jumps_before_, jumps_;
  profile::BiasError bias_error_;
  double recorded_overlap_ = 0;
};

}  // namespace strobe
