#include "sc_models/run/functional.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "sc_models/isa/hart.h"
#include "sc_models/isa/hart_run.h"
#include "sc_models/machine/guest_image.h"
#include "sc_models/machine/host_device.h"
#include "sc_models/machine/production_set.h"
#include "sc_models/machine/program_clock.h"
#include "sc_models/machine/region.h"
#include "sc_models/port/address_map.h"
#include "sc_models/watch/handler_profiles.h"
#include "sc_models/watch/recorder.h"
#include "sc_models/watch/watchers.h"

namespace strobe::platform {
namespace {

using isa::StopReason;

/// The world of a hart without timing: the program's system calls and the host device.
class FunctionalEnvironment final : public isa::Environment {
 public:
  isa::EcallResult ecall(isa::Hart& caller) override { return process->ecall(caller); }
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
    if (!signals.store(address - STROBE_HOST_BASE)) return false;
    hart->request_halt();
    return true;
  }
  uint64_t cycle() override { return hart->instructions(); }
  uint64_t time() override { return program_ticks(hart->user_instructions()); }

  bool is_engine(uint64_t address, unsigned size) const {
    return edited && size == 8 && address >= STROBE_DISE_BASE &&
           address < STROBE_DISE_BASE + STROBE_DISE_SIZE;
  }

  isa::LinuxProcess* process = nullptr;
  isa::Hart* hart = nullptr;
  bool edited = false;  // a decode engine is attached to the hart
  HostSignals signals;
};

class FunctionalRun {
 public:
  FunctionalRun(const config::RunConfig& configuration, const RunHooks& hooks)
      : configuration_(configuration),
        hooks_(hooks),
        image_(memory_, configuration, nullptr, /*edits=*/true, hooks),
        hart_(memory_, environment_) {
    if (configuration.decode.given()) {
      engine_ = make_decode_engine(configuration, [this] { return hart_.instructions(); });
      hart_.attach(*engine_);
      environment_.edited = true;
      handlers_.emplace(image_.productions(), hooks.exhaustive);
    }
    if (hooks.recorder != nullptr) {
      recorder_.emplace(configuration.profilers.front().selectors, *hooks.recorder);
    } else {
      RetireListener* const listener = handlers_ ? &*handlers_ : hooks.listener;
      if (!configuration.profilers.empty() || (listener != nullptr && !listener->kinds().empty())) {
        watchers_.emplace(configuration, listener);
      }
    }
    environment_.process = &image_.process();
    environment_.hart = &hart_;
    image_.process().set_clock([this] { return program_nanoseconds(hart_.user_instructions()); });
    image_.process().set_output(hooks.output);
    hart_.state().pc = image_.reset_pc();
  }

  RunOutcome run() {
    if (hooks_.elaborated) hooks_.elaborated();
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
    const uint64_t begin = hart_.user_instructions();
    RunOutcome outcome;
    outcome.instructions_before = begin;
    outcome.begin_pc = hart_.state().pc;
    if (begin > 0) {
      if (handlers_) handlers_->begin_region(image_, reader());
      if (hooks_.region_begins) hooks_.region_begins(reader());
    }
    if (!stop_) {
      advance(workload.roi_run == 0 ? ~uint64_t{0} - begin : workload.roi_run, /*watched=*/true);
    }
    outcome.end_pc = hart_.state().pc;
    outcome.instructions = hart_.user_instructions() - begin;
    outcome.simulated_instructions = hart_.instructions();
    describe_end(outcome);
    outcome.exit_code = image_.process().exit().code;
    outcome.syscalls = image_.process().syscalls();
    outcome.refusals = image_.process().refusals();
    if (recorder_) recorder_->finish();
    if (watchers_) watchers_->finish(outcome.profilers);
    const bool whole = outcome.end == RunEnd::kExited || outcome.end == RunEnd::kRegionDone;
    if (handlers_ && whole) outcome.handlers = handlers_->finish(image_, reader(), hart_.state());
    if (whole && hooks_.ended) hooks_.ended(reader());
    return outcome;
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

  /// The firmware, up to the program's first instruction.
  void boot() {
    RetireRecord record;
    while (hart_.state().mode == PrivilegeMode::kMachine && !stop_) {
      if (hart_.step(record, /*drained=*/true) == isa::StepStatus::kStopped) {
        stop_ = hart_.stop_reason();
      }
    }
  }

 private:
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
    if (recorder_) return recorder_->run(hart_, count);
    if (watchers_) return hart_.run_observed(count, *watchers_);
    return hart_.run(count);
  }

  GuestImage::Reader reader() {
    return
        [this](uint64_t address, void* to, size_t size) { return memory_.read(address, to, size); };
  }

  void describe_end(RunOutcome& outcome) {
    const isa::ProcessExit& exit = image_.process().exit();
    const config::RegionPoint& end = configuration_.workload.roi_end;
    if (!region_error_.empty()) {
      outcome.end = RunEnd::kFailed;
      outcome.error = region_error_;
    } else if (over_limit_) {
      outcome.end = RunEnd::kLimit;
      outcome.error = describe_limit("max_instructions", configuration_.max_instructions,
                                     image_.describe(hart_.state().pc));
    } else if (!stop_ || stop_ == StopReason::kStopPoint) {
      outcome.end = RunEnd::kRegionDone;
    } else if (exit.exited && !end.given()) {
      outcome.end = RunEnd::kExited;
    } else {
      outcome.end = RunEnd::kFailed;
      if (exit.exited) {
        outcome.error = never_reached(end, "ended", hart_.stop_point_passes());
      } else if (exit.failed) {
        outcome.error = exit.error;
      } else if (environment_.signals.fatal) {
        outcome.error = image_.describe_fatal(reader(), hart_.state());
      } else if (stop_ == StopReason::kWfi && hart_.state().mode == PrivilegeMode::kUser) {
        const uint64_t pc = hart_.state().pc - 4;  // it has retired
        outcome.error = fmt::format(
            "the program waits for an interrupt (wfi) in {} at pc {:#x}, but a program receives no "
            "interrupts: it stops here",
            image_.describe(pc), pc);
      } else {
        outcome.error = fmt::format("the hart stopped in the firmware at pc {:#x} ({}), cause {}",
                                    hart_.state().pc, image_.describe(hart_.state().pc),
                                    isa::cause_name(hart_.cause()));
      }
    }
  }

  const config::RunConfig& configuration_;
  const RunHooks& hooks_;
  isa::GuestMemory memory_;
  FunctionalEnvironment environment_;
  std::unique_ptr<DecodeEngine> engine_;
  GuestImage image_;
  isa::Hart hart_;
  std::optional<HandlerProfiles> handlers_;
  std::optional<Watchers> watchers_;
  std::optional<Recorder> recorder_;
  std::optional<StopReason> stop_;
  bool over_limit_ = false;
  std::string region_error_;
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
