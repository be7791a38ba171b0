#include "sc_models/platform/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <systemc>

#include "sc_models/core/core.h"
#include "sc_models/memory/cache.h"
#include "sc_models/memory/dram.h"
#include "sc_models/memory/interconnect.h"
#include "sc_models/platform/guest_image.h"
#include "sc_models/platform/host_device.h"
#include "sc_models/platform/program_clock.h"
#include "sc_models/platform/statistics.h"
#include "sc_models/platform/watchers.h"
#include "sc_models/port/address_map.h"
#include "sc_models/profiling/device/profiler_device.h"

namespace strobe::platform {

profiling::PathParams path_params(const config::RunConfig& configuration,
                                  const config::ProfilerConfig& profiler) {
  profiling::PathParams params;
  params.lanes = configuration.core.commit_width;
  params.selectors = std::max(2u, static_cast<unsigned>(profiler.selectors.size()));
  params.queue_depth = profiler.queue_depth;
  params.strata = profiler.strata;
  params.counter_width = profiler.counter_width;
  params.buffer_depth = profiler.buffer_depth;
  return params;
}

namespace {

using core::CoreStop;

const config::ProfilerConfig* active_profiler(const config::RunConfig& configuration) {
  for (const config::ProfilerConfig& profiler : configuration.profilers) {
    if (profiler.active) return &profiler;
  }
  return nullptr;
}

/// Where the trace file `name` goes; empty when there is none.
std::string trace_path(const RunHooks& hooks, const std::string& name) {
  return name.empty() ? name : (std::filesystem::path(hooks.trace_directory) / name).string();
}

/// The two that listen to commit: the device, if there is one, and the watchers.
class RetireFork final : public RetireSink {
 public:
  RetireFork(RetireSink* device, Watchers* watchers) : device_(device), watchers_(watchers) {}
  void retire(uint64_t cycle, const RetireRecord* lanes, unsigned count) override {
    if (device_ != nullptr) device_->retire(cycle, lanes, count);
    if (watchers_ == nullptr) return;
    for (unsigned i = 0; i < count; ++i) watchers_->record(lanes[i]);
  }
  bool busy() const override { return device_ != nullptr && device_->busy(); }

 private:
  RetireSink* device_;
  Watchers* watchers_;
};

/// The wiring: core, caches and devices around the interconnects.
///
///     core ─ l1i ┐
///            l1d ┴ l2 ─ bus ─ dram
///     core ─ device_bus ─ host device, profiling device
///
/// The devices are the core's own (their latency is device_latency), like the timer of a hart.
class TimingPlatform final : public core::CoreDelegate {
 public:
  TimingPlatform(const config::RunConfig& configuration, bool profiled, const RunHooks& hooks)
      : configuration_(configuration),
        hooks_(hooks),
        active_(profiled ? active_profiler(configuration) : nullptr),
        image_(memory_, configuration, active_),
        watchers_(profiled ? std::make_unique<Watchers>(configuration) : nullptr),
        clock_(configuration.core.frequency_ghz),
        core_("core", configuration.core, clock_, memory_, *this),
        l1i_("l1i", configuration.core.memory.l1i, clock_),
        l1d_("l1d", configuration.core.memory.l1d, clock_),
        l2_("l2", configuration.core.memory.l2, clock_),
        bus_("bus", 1, {{0, memory::Dram::kSize}}, configuration.core.memory.bus_latency, clock_),
        dram_("dram", memory_, configuration.core.memory.dram_latency,
              configuration.core.memory.dram_interval, clock_),
        device_bus_("device_bus", 1, device_ranges(active_ != nullptr), 0, clock_),
        host_("host", signals_, [this] { core_.hart().request_halt(); }) {
    core_.bind_caches(l1i_, l1d_);
    l1i_.initiator_socket.bind(l2_.target_socket);
    l1d_.initiator_socket.bind(l2_.target_socket);
    l2_.initiator_socket.bind(bus_.target_sockets[0]);
    bus_.initiator_sockets[0].bind(dram_.target_socket);
    core_.device_socket.bind(device_bus_.target_sockets[0]);
    device_bus_.initiator_sockets[0].bind(host_.socket);
    if (active_ != nullptr) {
      device_ = std::make_unique<profiling::ProfilerDevice>(
          "profiler",
          profiling::make_path(active_->fidelity, path_params(configuration, *active_),
                               {trace_path(hooks, configuration.trace.waves),
                                configuration.trace.from, configuration.trace.to}),
          core_.hart(), clock_.time_of(configuration.core.memory.device_latency),
          active_->fidelity == profiling::Fidelity::kLockstep ||
              !configuration.trace.waves.empty());
      device_bus_.initiator_sockets[1].bind(device_->socket);
    }
    fork_ = std::make_unique<RetireFork>(device_.get(), watchers_.get());
    core_.set_retire_sink(fork_.get());
    statistics_.add("core", core_);
    statistics_.add("l1i", l1i_);
    statistics_.add("l1d", l1d_);
    statistics_.add("l2", l2_);
    statistics_.add("bus", bus_);
    statistics_.add("dram", dram_);
    if (profiled && !configuration.trace.pipeline.empty()) {
      pipeline_trace_ =
          std::make_unique<core::PipelineTrace>(trace_path(hooks, configuration.trace.pipeline),
                                                configuration.trace.from, configuration.trace.to);
      core_.set_trace(pipeline_trace_.get());
    }

    isa::LinuxProcess& process = image_.process();
    process.set_clock([this] { return program_nanoseconds(core_.hart().user_instructions()); });
    if (hooks_.output) process.set_output(hooks_.output);
    core_.hart().state().pc = image_.reset_pc();
  }

  isa::EcallResult ecall(isa::Hart& hart) override { return image_.process().ecall(hart); }
  uint64_t time() override { return program_ticks(core_.hart().user_instructions()); }

  RunOutcome run() {
    const config::WorkloadConfig& workload = configuration_.workload;
    core_.restart();
    // The firmware, up to and with the program's first instruction. What it costs to boot is
    // not the program's.
    CoreStop stop = advance(1);
    uint64_t before = 1;  // U-mode instructions of the region committed before the counters start
    if (stop == CoreStop::kUserLimit && workload.roi_skip > 0) stop = skip(workload.roi_skip);
    if (stop == CoreStop::kUserLimit && workload.roi_warm > 0) stop = advance(workload.roi_warm);
    if (workload.roi_skip > 0 || workload.roi_warm > 0) before = 0;
    statistics_.reset();
    core_.set_interval(configuration_.interval, [this] { statistics_.end_interval(); });
    region_begin_ = core_.cycle_count();
    if (stop == CoreStop::kUserLimit) {
      stop = advance(workload.roi_run == 0 ? 0 : workload.roi_run - before);
    }

    RunOutcome outcome;
    outcome.instructions = core_.stats().user + before;
    outcome.machine_instructions = core_.stats().machine;
    outcome.cycles = core_.cycle_count() - region_begin_;
    outcome.simulated_instructions = core_.hart().instructions();
    outcome.counters = statistics_.read();
    if (configuration_.interval != 0) {
      statistics_.end_interval();
      outcome.intervals = statistics_.intervals();
    }
    describe_end(stop, outcome);
    outcome.exit_code = image_.process().exit().code;
    outcome.syscalls = image_.process().syscalls();
    outcome.captured_stdout = image_.process().captured_stdout();
    outcome.captured_stderr = image_.process().captured_stderr();
    if (watchers_ != nullptr) watchers_->finish(outcome.profilers);
    const bool whole = outcome.end == RunEnd::kExited || outcome.end == RunEnd::kRegionDone;
    if (whole) finish_firmware(outcome);
    if (pipeline_trace_ != nullptr) pipeline_trace_->finish();
    return outcome;
  }

 private:
  static std::vector<memory::AddressRange> device_ranges(bool profiler) {
    std::vector<memory::AddressRange> ranges = {{STROBE_HOST_BASE, 0x1000}};
    if (profiler) ranges.push_back({STROBE_PROFILER_BASE, STROBE_PROFILER_SIZE});
    return ranges;
  }

  /// Runs until `user_instructions` more have committed (0: to the end) or something stops it.
  CoreStop advance(uint64_t user_instructions) {
    core::RunLimits limits;
    limits.user_instructions = user_instructions;
    if (const uint64_t most = configuration_.max_instructions; most != 0) {
      // The program's own limit; when it is the nearer one, run() must not take it for the region's
      // end.
      const uint64_t done = core_.hart().user_instructions();
      const uint64_t left = most > done ? most - done : 1;
      if (user_instructions == 0 || left < user_instructions) {
        limits.user_instructions = left;
        const CoreStop stop = run_core(limits);
        return stop == CoreStop::kUserLimit ? CoreStop::kInstructionLimit : stop;
      }
    }
    return run_core(limits);
  }

  CoreStop run_core(core::RunLimits limits) {
    if (configuration_.max_cycles != 0) {
      const uint64_t done = core_.cycle_count();
      limits.cycles = configuration_.max_cycles > done ? configuration_.max_cycles - done : 1;
    }
    return core_.run_until(limits, [this] {
      if (hooks_.progress) hooks_.progress(core_.hart().user_instructions(), core_.cycle_count());
      return true;
    });
  }

  /// Fast-forwards functionally: the program's first `instructions` are not timed and not profiled.
  CoreStop skip(uint64_t instructions) {
    isa::Hart& hart = core_.hart();
    while (hart.user_instructions() < instructions) {
      const isa::StopReason reason = hart.run(instructions - hart.user_instructions());
      if (reason != isa::StopReason::kBudget) return CoreStop::kHart;
    }
    core_.restart();
    return CoreStop::kUserLimit;
  }

  void describe_end(CoreStop stop, RunOutcome& outcome) {
    const isa::ProcessExit& exit = image_.process().exit();
    const uint64_t pc = core_.hart().state().pc;
    switch (stop) {
      case CoreStop::kUserLimit:
        outcome.end = RunEnd::kRegionDone;
        return;
      case CoreStop::kCycleLimit:
        outcome.end = RunEnd::kLimit;
        outcome.error =
            describe_limit("max_cycles", configuration_.max_cycles, image_.describe(pc));
        return;
      case CoreStop::kInstructionLimit:
        outcome.end = RunEnd::kLimit;
        outcome.error = describe_limit("max_instructions", configuration_.max_instructions,
                                       image_.describe(pc));
        return;
      case CoreStop::kDeadlock:
        outcome.end = RunEnd::kDeadlock;
        outcome.error = dump_state();
        return;
      default:
        break;
    }
    if (exit.exited) {
      outcome.end = RunEnd::kExited;
      return;
    }
    outcome.end = RunEnd::kFailed;
    if (exit.failed) {
      outcome.error = exit.error;
    } else if (signals_.fatal || signals_.halted) {
      outcome.error = image_.describe_fatal(reader());
    } else {
      outcome.error = image_.describe_exception(core_.hart().cause(), pc, core_.hart().tval());
    }
  }

  /// Lets the firmware drain the buffer and read out the counters, and takes over what it found.
  void finish_firmware(RunOutcome& outcome) {
    isa::HartState& state = core_.hart().state();
    state.pc = image_.exit_pc();
    state.mode = PrivilegeMode::kMachine;
    state.mstatus &= ~kMstatusMie;  // as on a trap: no interrupt until the firmware wants one
    core_.restart();
    core::RunLimits limits;
    limits.cycles = kReadOutCycles;
    const CoreStop stop = core_.run_until(limits);
    if (stop != CoreStop::kHart || !signals_.halted) {
      outcome.end = RunEnd::kFailed;
      outcome.error = fmt::format("the firmware did not finish its read-out: {}\n{}",
                                  core::stop_name(stop), dump_state());
      return;
    }
    if (device_ == nullptr) return;
    const strobe_boot_block_t boot = image_.boot_block(reader());
    const auto active = std::find_if(outcome.profilers.begin(), outcome.profilers.end(),
                                     [](const ProfilerOutcome& p) { return p.active; });
    active->events = device_->events();
    active->dropped = device_->dropped();
    active->high_water = device_->high_water();
    active->stalls = device_->stalls();
    active->messages = boot.messages;
    active->interrupts = boot.interrupts;
    active->residue = boot.residue;
    active->profile = image_.profile(reader());
    for (const auto& [tuple, count] : active->profile) active->message_counts += count;
    active->storage_bits = uint64_t{active_->strata} * active_->counter_width;
    if (boot.status == STROBE_STATUS_TABLE_FULL) {
      outcome.end = RunEnd::kFailed;
      outcome.error = fmt::format(
          "the handler's table of {} entries is full: messages were lost; profile less (opclasses, "
          "pc) "
          "or a shorter region",
          STROBE_PROFILE_CAPACITY);
    }
  }

  /// Guest memory over the data cache's transport_dbg, as a debugger would read it.
  GuestImage::Reader reader() {
    return [this](uint64_t address, void* to, size_t size) {
      tlm::tlm_generic_payload payload;
      payload.set_command(tlm::TLM_READ_COMMAND);
      payload.set_address(address);
      payload.set_data_ptr(static_cast<unsigned char*>(to));
      payload.set_data_length(static_cast<unsigned>(size));
      payload.set_streaming_width(static_cast<unsigned>(size));
      return l1d_.initiator_socket->transport_dbg(payload) == size;
    };
  }

  /// Why the core makes no progress, where the program is, and what every component holds.
  std::string dump_state() {
    const uint64_t now = core_.cycle_count();
    return core_.dump_state() +
           fmt::format("program: {}\n", image_.describe(core_.hart().state().pc)) +
           l1i_.dump_state(now) + l1d_.dump_state(now) + l2_.dump_state(now) +
           bus_.dump_state(now) + dram_.dump_state(now) + device_bus_.dump_state(now) +
           fmt::format("profiler: {}", device_ == nullptr ? "none" : device_->dump_state());
  }

  static constexpr uint64_t kReadOutCycles = 10'000'000;
  static constexpr uint64_t kMstatusMie = 8;

  const config::RunConfig& configuration_;
  const RunHooks& hooks_;
  const config::ProfilerConfig* active_;
  isa::GuestMemory memory_;
  GuestImage image_;
  HostSignals signals_;
  std::unique_ptr<Watchers> watchers_;
  memory::Clock clock_;
  core::Core core_;
  memory::Cache l1i_, l1d_, l2_;
  memory::Interconnect bus_;
  memory::Dram dram_;
  memory::Interconnect device_bus_;
  HostDevice host_;
  std::unique_ptr<profiling::ProfilerDevice> device_;
  std::unique_ptr<RetireFork> fork_;
  Statistics statistics_;
  std::unique_ptr<core::PipelineTrace> pipeline_trace_;
  uint64_t region_begin_ = 0;
};

}  // namespace

RunOutcome run_timing(const config::RunConfig& configuration, bool profiled,
                      const RunHooks& hooks) {
  TimingPlatform platform(configuration, profiled, hooks);
  return platform.run();
}

}  // namespace strobe::platform
