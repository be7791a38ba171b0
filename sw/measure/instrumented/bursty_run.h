// The run of a program with bursty tracing linked into it.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/run_hooks.h"
#include "sw/instrument/bursty/instrumented_program.h"
#include "sw/measure/instrumented/guest_events.h"
#include "sw/measure/instrumented/instrumented_run.h"

namespace strobe {

/// The options that a run file gives.
instrument::BurstyOptions bursty_options(const config::InstrumentConfig& configuration);

/// The program of a run file, edited or from the cache, with the counts that the file gives. Throws
/// object::ObjectError.
instrument::InstrumentedProgram instrumented_program(const config::RunConfig& configuration);

/// Counts the returns that lead into the other copy: a burst began or ended since the call
/// ("Bursty Tracing", section 2: accidental transitions).
class CopyTransitions final : public RetireListener {
 public:
  /// Keeps a reference to the map.
  explicit CopyTransitions(const instrument::AddressMap& map);
  RetireKinds kinds() const override;
  void record(const RetireRecord& record) override;

  uint64_t returns() const { return returns_; }
  uint64_t accidental() const { return accidental_; }

 private:
  bool has_copy(uint64_t original) const;

  const instrument::AddressMap& map_;
  std::vector<std::pair<uint64_t, uint64_t>> copied_;  // {first, end} in the original, by first
  uint64_t returns_ = 0, accidental_ = 0;
};

class BurstyRun final : public InstrumentedRun {
 public:
  /// Edits the program or takes it from the cache. Throws object::ObjectError.
  BurstyRun(const config::RunConfig& configuration, std::shared_ptr<const isa::ElfFile> original);

  std::vector<instrument::EventKind> events() const override { return options_.events; }
  void add_to(platform::RunHooks* hooks) override;
  std::optional<platform::HandlersOutcome> outcome(OriginalEvents& original) override;
  nlohmann::json json(uint64_t exhaustive) const override;
  std::vector<result::NamedText> files(const profile::ProgramNames&) const override { return {}; }

  /// After a run that came to its end. Once; json() is still there.
  GuestEvents take_events();

 private:
  const config::InstrumentConfig configuration_;
  instrument::BurstyOptions options_;
  instrument::InstrumentedProgram program_;
  std::optional<GuestEventReader> reader_;
  CopyTransitions transitions_;
  GuestEvents events_;
};

}  // namespace strobe
