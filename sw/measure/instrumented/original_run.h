// The run of the original of an edited program: all its events, and where its region of interest
// is.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/machine/outcome/run_hooks.h"
#include "sc_models/run/functional.h"
#include "sw/instrument/bursty/bursty.h"
#include "sw/measure/instrumented/guest_events.h"
#include "sw/profile/counts/profile.h"

namespace strobe {

/// Every event of the original in the region: what the profile of the edited program is a part of.
class OriginalEvents final : public RetireListener {
 public:
  explicit OriginalEvents(const std::vector<instrument::EventKind>& kinds);
  ~OriginalEvents() override;
  RetireKinds kinds() const override { return RetireKinds(opclasses_, opclasses_); }
  void record(const RetireRecord& record) override;

  /// Once. With the collected events it is the outcome of a run.
  platform::HandlersOutcome outcome(GuestEvents collected);
  uint64_t events() const { return events_; }
  /// The branches as {pc, where control went}.
  profile::Profile edges() const;

 private:
  struct Profiles;
  std::unique_ptr<Profiles> profiles_;
  bool data_, calls_, edges_, values_;
  uint16_t opclasses_ = 0;
  uint64_t events_ = 0;
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

}  // namespace strobe
