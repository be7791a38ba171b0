// The engine of a run in any mode: up to the region of interest, through it, and what came out.
// functional.cpp and timing.cpp say how instructions are executed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sc_models/isa/hart/hart.h"
#include "sc_models/isa/memory/guest_memory.h"
#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/guest/guest_image.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/machine/outcome/run_hooks.h"
#include "sc_models/machine/system/host_device.h"
#include "sc_models/port/decode_engine.h"
#include "sc_models/watch/handler_profiles.h"
#include "sc_models/watch/recorder.h"
#include "sc_models/watch/watchers.h"

namespace strobe::platform {

class ProgramRun {
 public:
  virtual ~ProgramRun() = default;
  ProgramRun(const ProgramRun&) = delete;
  ProgramRun& operator=(const ProgramRun&) = delete;

  /// Runs to the end. Once.
  RunOutcome run();

 protected:
  /// Why execution has stopped.
  enum class Stop { kRegionEnd, kCycleLimit, kInstructionLimit, kDeadlock, kHart };

  /// Keeps references. Loads the guest; throws isa::ElfError or std::runtime_error.
  /// @param active    the profiler that the firmware programs, nullptr for none
  /// @param profiled  false: productions do not edit the program, and nothing watches
  /// @param now       the cycle, for the error of a lockstep decode engine
  ProgramRun(const config::RunConfig& configuration, const RunHooks& hooks,
             const config::ProfilerConfig* active, bool profiled,
             const std::function<uint64_t()>& now);

  /// Executes what is before the region. Sets begin_, and region_error_ when it never begins.
  virtual void approach() = 0;
  /// Executes the region; fills in its counts. @return why it ended
  virtual Stop measure(RunOutcome& outcome) = 0;
  /// All instructions of the region have been seen by the listeners.
  virtual void end_listening() {}
  /// After a region that came to its end: lets the firmware read out what profilers hold.
  virtual void read_out(RunOutcome& outcome) { finish_handlers(outcome); }
  /// A sentence on a hart that stopped though the program has neither ended nor failed itself.
  virtual std::string why_stopped() = 0;
  /// What every component holds, when nothing moves any more.
  virtual std::string dump_state() { return ""; }
  virtual isa::Hart& hart() = 0;
  /// U-mode instructions of all harts that run the program.
  virtual uint64_t program_instructions() { return hart().user_instructions(); }

  /// Selects what watches the region, in `watchers_` or `recorder_`.
  void make_listeners(bool always);
  /// The region begins, and not with the program.
  void begin_region();
  void finish_handlers(RunOutcome& outcome);
  /// Guest memory itself: caches hold no data, and TLM does not work before the first cycle, when a
  /// run that is still on its way to the region may end.
  MemoryReader reader();

  const config::RunConfig& configuration_;
  const RunHooks& hooks_;
  isa::GuestMemory memory_;
  std::unique_ptr<DecodeEngine> engine_;  // null: there are no productions
  GuestImage image_;
  HostSignals signals_;
  std::unique_ptr<HandlerProfiles> handlers_;
  std::unique_ptr<Watchers> watchers_;
  std::unique_ptr<Recorder> recorder_;
  uint64_t begin_ = 0;        // U-mode instructions before the region
  std::string region_error_;  // why the region never begins; empty when it does

 private:
  void describe_end(Stop stop, RunOutcome& outcome);
  std::string why_failed();
};

}  // namespace strobe::platform
