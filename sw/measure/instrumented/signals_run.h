// The run of a program with software signals linked into it: what writing them costs, and how often
// they change.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/run_hooks.h"
#include "sc_models/port/retire_listener.h"
#include "sw/instrument/signals/signaled_program.h"
#include "sw/measure/instrumented/instrumented_run.h"

namespace strobe {

/// The program of a run file, edited or from the cache. Throws object::ObjectError.
instrument::SignaledProgram signaled_program(const config::RunConfig& configuration);

/// Counts the stores to the words of a program.
class SignalWrites final : public RetireListener {
 public:
  explicit SignalWrites(const isa::ElfFile& program);
  RetireKinds kinds() const override;
  void record(const RetireRecord& record) override;

  /// Nothing when the program has no such word.
  std::optional<uint64_t> methods() const { return methods_.count(); }
  std::optional<uint64_t> loops() const { return loops_.count(); }

 private:
  struct Word {
    uint64_t address = 0;  // 0: there is none
    uint64_t writes = 0;
    std::optional<uint64_t> count() const {
      return address == 0 ? std::nullopt : std::optional(writes);
    }
  };
  Word methods_, loops_;
};

class SignalsRun final : public InstrumentedRun {
 public:
  /// Edits the program or takes it from the cache. Throws object::ObjectError.
  SignalsRun(const config::RunConfig& configuration, std::shared_ptr<const isa::ElfFile> original);

  std::vector<instrument::EventKind> events() const override { return {}; }
  void add_to(platform::RunHooks* hooks) override;
  /// The program itself collects no profile.
  std::optional<platform::HandlersOutcome> outcome(OriginalEvents&) override {
    return std::nullopt;
  }
  nlohmann::json json(uint64_t exhaustive) const override;
  /// instrument.methods.csv and instrument.loops.csv: what the identifiers mean.
  std::vector<result::NamedText> files(const profile::ProgramNames& names) const override;

 private:
  const std::vector<std::string> signals_;
  instrument::SignaledProgram program_;
  std::optional<SignalWrites> writes_;
};

}  // namespace strobe
