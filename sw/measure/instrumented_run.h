// A run of a program with instrumentation linked into it: the edited program takes the original's
// place, its region of interest is the same instructions, and the profile that it leaves is scored
// against all events of the original. docs/object-editing.md
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/machine/outcome.h"
#include "sc_models/machine/run_config.h"
#include "sc_models/machine/run_hooks.h"
#include "sc_models/run/functional.h"
#include "sw/instrument/bursty/instrumented_program.h"
#include "sw/measure/guest_events.h"

namespace strobe {

/// The options that a run file gives.
instrument::BurstyOptions bursty_options(const config::InstrumentConfig& configuration);

/// The program of a run file, edited or from the cache, with the counts that the file gives. Throws
/// object::ObjectError.
instrument::InstrumentedProgram instrumented_program(const config::RunConfig& configuration);

/// Every event of the original in the region: what the profile of the edited program is a part of.
class OriginalEvents final : public RetireListener {
 public:
  explicit OriginalEvents(const instrument::BurstyOptions& options);
  ~OriginalEvents() override;
  RetireKinds kinds() const override { return RetireKinds(opclasses_, opclasses_); }
  void record(const RetireRecord& record) override;

  /// Once. With the collected events it is the outcome of a run.
  platform::HandlersOutcome outcome(GuestEvents collected);
  uint64_t events() const { return events_; }

 private:
  struct Profiles;
  std::unique_ptr<Profiles> profiles_;
  bool data_, calls_, edges_, values_;
  uint16_t opclasses_ = 0;
  uint64_t events_ = 0;
};

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

/// Where the region of interest of a program is.
struct OriginalRegion {
  platform::RunOutcome outcome;
  platform::RegionPoints points;  // where the region is, unless it is the whole program
  bool whole_program() const;
};

/// Executes the program functionally, for its events and its region. Throws std::runtime_error when
/// it does not come to the region's end.
OriginalRegion run_original(const config::RunConfig& configuration,
                            std::shared_ptr<const isa::ElfFile> original,
                            const platform::RunHooks& hooks, RetireListener* events);

class InstrumentedRun {
 public:
  /// Edits the program or takes it from the cache. Throws object::ObjectError.
  InstrumentedRun(const config::RunConfig& configuration,
                  std::shared_ptr<const isa::ElfFile> original);

  /// The same region in the edited program. Throws std::runtime_error when it has no such place.
  void place(const OriginalRegion& region);

  /// After place(): of the edited program.
  const config::RunConfig& configuration() const { return edited_configuration_; }
  /// The hooks of the edited program's run, through which its profile is read. This object must
  /// outlive them.
  void add_to(platform::RunHooks* hooks);

  /// After a run that came to its end. Once; json() is still there.
  GuestEvents take_events();
  /// The key `instrument` of result.json. @param exhaustive  all events of the region
  nlohmann::json json(uint64_t exhaustive) const;

 private:
  config::RegionPoint edited_point(const isa::StopPoint& point, const char* key) const;

  config::RunConfig configuration_, edited_configuration_;
  instrument::BurstyOptions options_;
  std::shared_ptr<const isa::ElfFile> original_, edited_;
  instrument::InstrumentedProgram program_;
  std::optional<GuestEventReader> reader_;
  CopyTransitions transitions_;
  GuestEvents events_;
};

}  // namespace strobe
