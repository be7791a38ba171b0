#include "sc_models/run/functional.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sc_models/isa/hart/hart.h"
#include "sc_models/isa/hart/hart_run.h"
#include "sc_models/isa/linux/process_environment.h"
#include "sc_models/machine/guest/program_clock.h"
#include "sc_models/machine/guest/region.h"
#include "sc_models/machine/system/host_device.h"
#include "sc_models/port/address_map.h"
#include "sc_models/run/program_run.h"
#include "sc_models/run/watched_blocks.h"

namespace strobe::platform {
namespace {

using isa::StopReason;

/// The world of a hart without timing: the program's system calls and the host device.
class FunctionalEnvironment final : public isa::ProcessEnvironment {
 public:
  using ProcessEnvironment::ProcessEnvironment;
  bool mmio_read(uint64_t address, unsigned size, uint64_t& value) override {
    if (!is_engine(address, size)) return false;
    value = hart->read_engine(static_cast<uint32_t>(address - STROBE_DISE_BASE));
    return true;
  }
  bool mmio_write(uint64_t address, unsigned size, uint64_t value) override {
    if (is_engine(address, size)) {
      hart->write_engine(static_cast<uint32_t>(address - STROBE_DISE_BASE), value);
      return true;
    }
    if (!signals->store(address - STROBE_HOST_BASE)) return false;
    hart->request_halt();
    return true;
  }
  uint64_t cycle() override { return hart->instructions(); }
  uint64_t time() override { return ticks_of(process().nanoseconds()); }

  bool is_engine(uint64_t address, unsigned size) const {
    return edited && size == 8 && address >= STROBE_DISE_BASE &&
           address < STROBE_DISE_BASE + STROBE_DISE_SIZE;
  }

  isa::Hart* hart = nullptr;
  bool edited = false;  // a decode engine is attached to the hart
  HostSignals* signals = nullptr;
};

class FunctionalRun final : public ProgramRun {
 public:
  FunctionalRun(const config::RunConfig& configuration, const RunHooks& hooks)
      : ProgramRun(configuration, hooks, nullptr, /*profiled=*/true,
                   [this] { return hart_.instructions(); }),
        environment_(image_.process()),
        hart_(memory_, environment_) {
    if (engine_ != nullptr) {
      hart_.attach(*engine_);
      environment_.edited = true;
    }
    if (hooks.recorder != nullptr) {
      recorder_ =
          std::make_unique<Recorder>(configuration.profilers.front().selectors, *hooks.recorder);
    } else {
      make_listeners(/*always=*/false);
    }
    environment_.hart = &hart_;
    environment_.signals = &signals_;
    hart_.state().pc = image_.reset_pc();
  }

  /// The firmware, up to the program's first instruction.
  void boot() {
    RetireRecord record;
    while (hart_.state().mode == PrivilegeMode::kMachine && !stop_) {
      if (hart_.step(record, /*drained=*/true) == isa::StepStatus::kStopped) {
        stop_ = hart_.stop_reason();
      }
    }
  }

  /// How often an instruction is executed in the next `count` ones.
  uint64_t executions(uint64_t pc, uint64_t count) {
    isa::StopPoint never;
    never.pc = pc;
    never.occurrence = ~uint64_t{0};
    hart_.set_stop_point(never);
    advance(count, /*watched=*/false);
    return hart_.stop_point_passes();
  }

 private:
  isa::Hart& hart() override { return hart_; }

  void approach() override {
    boot();
    const config::WorkloadConfig& workload = configuration_.workload;
    if (!stop_ && workload.roi_begin.given()) {
      hart_.set_stop_point(stop_point(workload.roi_begin, image_.program()));
      advance(~uint64_t{0} - hart_.user_instructions(), /*watched=*/false);
      if (stop_ == StopReason::kStopPoint) {
        stop_.reset();
      } else if (image_.process().exit().exited) {
        region_error_ = never_reached(workload.roi_begin, "began", hart_.stop_point_passes());
      }
    }
    if (!stop_) {
      set_region_end(hart_, stop_point(workload.roi_end, image_.program()));
      advance(workload.roi_skip + workload.roi_warm, /*watched=*/false);
      if (stop_ == StopReason::kStopPoint || image_.process().exit().exited) {
        region_error_ =
            ended_before(workload, stop_ == StopReason::kStopPoint, hart_.user_instructions());
      }
    }
    begin_ = hart_.user_instructions();
  }

  Stop measure(RunOutcome& outcome) override {
    const uint64_t run = configuration_.workload.roi_run;
    outcome.begin_pc = hart_.state().pc;
    if (begin_ > 0) begin_region();
    if (!stop_) advance(run == 0 ? ~uint64_t{0} - begin_ : run, /*watched=*/true);
    outcome.end_pc = hart_.state().pc;
    outcome.instructions = hart_.user_instructions() - begin_;
    if (over_limit_) return Stop::kInstructionLimit;
    return !stop_ || stop_ == StopReason::kStopPoint ? Stop::kRegionEnd : Stop::kHart;
  }

  /// Executes `count` instructions in chunks; sets stop_ when the run ends before.
  void advance(uint64_t count, bool watched) {
    constexpr uint64_t kChunk = 10'000'000;
    const uint64_t limit = configuration_.max_instructions;
    const uint64_t end = hart_.user_instructions() + count;
    while (hart_.user_instructions() < end && !stop_) {
      const uint64_t done = hart_.user_instructions();
      if (limit != 0 && done >= limit) {
        over_limit_ = true;
        return;
      }
      uint64_t chunk = std::min(kChunk, end - done);
      if (limit != 0) chunk = std::min(chunk, limit - done);
      const StopReason reason = watched ? watch(chunk) : hart_.run(chunk);
      if (reason != StopReason::kBudget) stop_ = reason;
      if (hooks_.progress) hooks_.progress(hart_.user_instructions(), 0);
    }
  }

  StopReason watch(uint64_t count) {
    if (recorder_ != nullptr) return recorder_->run(hart_, count);
    if (watchers_ != nullptr) return run_watched(hart_, count, *watchers_);
    return hart_.run(count);
  }

  std::string why_stopped() override {
    const uint64_t pc = hart_.state().pc;
    if (stop_ == StopReason::kWfi && hart_.state().mode == PrivilegeMode::kUser) {
      const uint64_t wfi = pc - 4;  // it has retired
      return fmt::format(
          "the program waits for an interrupt (wfi) in {} at pc {:#x}, but a program receives no "
          "interrupts: it stops here",
          image_.describe(wfi), wfi);
    }
    return fmt::format("the hart stopped in the firmware at pc {:#x} ({}), cause {}", pc,
                       image_.describe(pc), isa::cause_name(hart_.cause()));
  }

  FunctionalEnvironment environment_;
  isa::Hart hart_;
  std::optional<StopReason> stop_;
  bool over_limit_ = false;
};

}  // namespace

RunOutcome run_functional(const config::RunConfig& configuration, const RunHooks& hooks) {
  return FunctionalRun(configuration, hooks).run();
}

RegionPoints region_points(const config::RunConfig& configuration, const RunHooks& hooks,
                           const RunOutcome& outcome) {
  RegionPoints points;
  FunctionalRun run(configuration, hooks);
  run.boot();
  points.begin.pc = outcome.begin_pc;
  points.begin.occurrence = run.executions(points.begin.pc, outcome.instructions_before) + 1;
  // The region's end is not its own beginning (set_region_end).
  const bool again = outcome.end_pc == outcome.begin_pc;
  points.end.pc = outcome.end_pc;
  points.end.occurrence = run.executions(points.end.pc, outcome.instructions) + (again ? 0 : 1);
  return points;
}

}  // namespace strobe::platform
