// A run of a program with instrumentation linked into it: the edited program takes the original's
// place, its region of interest is the same instructions, and the profile that it leaves is scored
// against all events of the original. docs/object-editing.md, docs/ephemeral.md, docs/signals.md
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/machine/outcome/run_hooks.h"
#include "sw/instrument/address_map.h"
#include "sw/instrument/bursty/bursty.h"
#include "sw/instrument/edited_program.h"
#include "sw/measure/instrumented/original_run.h"
#include "sw/profile/reports/program_names.h"
#include "sw/result/handler_report.h"

namespace strobe {

class InstrumentedRun {
 public:
  virtual ~InstrumentedRun() = default;
  InstrumentedRun(const InstrumentedRun&) = delete;
  InstrumentedRun& operator=(const InstrumentedRun&) = delete;

  /// The same region in the edited program. Throws std::runtime_error when it has no such place.
  void place(const OriginalRegion& region);
  /// After place(): of the edited program.
  const config::RunConfig& configuration() const { return edited_configuration_; }

  const std::shared_ptr<const isa::ElfFile>& edited() const { return edited_; }

  /// The events of the original that its profile is scored against.
  virtual std::vector<instrument::EventKind> events() const = 0;
  /// The hooks of the edited program's run, through which its profile is read. This object must
  /// outlive them.
  virtual void add_to(platform::RunHooks* hooks) = 0;
  /// After a run that came to its end: the profile that it left, if it makes one. Once; the others
  /// are still there.
  virtual std::optional<platform::HandlersOutcome> outcome(OriginalEvents& original) = 0;
  /// The key `instrument` of result.json. @param exhaustive  all events of the region
  virtual nlohmann::json json(uint64_t exhaustive) const = 0;
  /// Files of the result directory beside those of the outcome.
  virtual std::vector<result::NamedText> files(const profile::ProgramNames& names) const = 0;

 protected:
  InstrumentedRun(const config::RunConfig& configuration,
                  std::shared_ptr<const isa::ElfFile> original);

  /// The edited program, once it is made. Keeps a reference to the map.
  void set_edited(const std::vector<uint8_t>& elf, const instrument::AddressMap& map);
  const isa::ElfFile& original() const { return *original_; }
  /// The edited program, and where it has code that was put in.
  void add_program_to(platform::RunHooks* hooks) const;

 private:
  config::RegionPoint edited_point(const isa::StopPoint& point, const char* key) const;

  config::RunConfig edited_configuration_;
  std::shared_ptr<const isa::ElfFile> original_, edited_;
  const instrument::AddressMap* map_ = nullptr;
};

/// Edits the program of a run file, or takes it from the cache. Throws object::ObjectError.
std::unique_ptr<InstrumentedRun> make_instrumented_run(
    const config::RunConfig& configuration, std::shared_ptr<const isa::ElfFile> original);

/// What no edit changes, as the key `left_alone` of a document.
nlohmann::json left_alone_json(const std::vector<object::LeftAlone>& left_alone);

}  // namespace strobe
