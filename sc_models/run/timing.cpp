#include "sc_models/run/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <systemc>

#include "sc_models/core/warming.h"
#include "sc_models/machine/guest/program_clock.h"
#include "sc_models/machine/guest/region.h"
#include "sc_models/machine/outcome/statistics.h"
#include "sc_models/machine/profiler/active_profiler.h"
#include "sc_models/machine/profiler/profiler_setup.h"
#include "sc_models/machine/system/counter_window.h"
#include "sc_models/machine/system/ring_service.h"
#include "sc_models/machine/system/run_system.h"
#include "sc_models/machine/system/system.h"
#include "sc_models/machine/system/timer_device.h"
#include "sc_models/memory/interconnect.h"
#include "sc_models/port/address_map.h"
#include "sc_models/profiling/device/decode_engine_device.h"
#include "sc_models/profiling/device/path_factory.h"
#include "sc_models/profiling/device/profiler_device.h"
#include "sc_models/run/approach.h"
#include "sc_models/run/observer_thread.h"
#include "sc_models/run/program_run.h"
#include "sc_models/run/sampled_region.h"
#include "sc_models/run/timeline.h"
#include "sc_models/watch/retire_fork.h"
#include "sc_models/watch/truth/truth_tap.h"

namespace strobe::platform {
namespace {

using core::CoreStop;

/// Where the trace file `name` goes; empty when there is none.
std::string trace_path(const RunHooks& hooks, const std::string& name) {
  return name.empty() ? name : (std::filesystem::path(hooks.trace_directory) / name).string();
}

/// The wiring: one core with its memory system, and devices; with a message ring also a service
/// core (ring_service.h), or a core for the observer thread (observer_thread.h).
///
///     core ─ system.h
///     core ─ device_bus ─ host device, profiling device
///
/// The devices are the core's own (their latency is device_latency), like the timer of a hart. The
/// file is long because every part of the machine is wired, begun and read out here, in this order.
class TimingRun final : public ProgramRun, public core::CoreDelegate {
 public:
  TimingRun(const config::RunConfig& configuration, bool profiled, const RunHooks& hooks)
      : ProgramRun(configuration, hooks, profiled ? active_profiler(configuration) : nullptr,
                   profiled, [this] { return core_.cycle_count(); }),
        active_(profiled ? active_profiler(configuration) : nullptr),
        clock_(configuration.core.frequency_ghz),
        system_(system_params(configuration, active_, profiled), clock_, memory_,
                std::vector<core::CoreDelegate*>(harts(configuration, active_, profiled), this)),
        device_bus_("device_bus", system_.cores(), device_ranges(profiled), 0, clock_),
        host_("host", signals_, [this] { core_.hart().request_halt(); }),
        warmer_(core_.hart(), core_.predictor(), system_.complex(0).l1i, system_.complex(0).l1d,
                configuration.core.memory.l1i.line) {
    core_.device_socket.bind(device_bus_.target_sockets[0]);
    device_bus_.initiator_sockets[devices_++].bind(host_.socket);
    if (active_ != nullptr) attach_profiler();
    if (engine_ != nullptr) attach_engine();
    if (has_timer(profiled)) attach_timer();
    if (configuration.remote_counters) attach_counters();
    bind_second_core();
    if (profiled) make_listeners(/*always=*/true);
    if (hooks.recorder != nullptr) {
      recorder_ =
          std::make_unique<Recorder>(configuration.profilers.front().selectors, *hooks.recorder);
    }
    fork_ = std::make_unique<RetireFork>(device_.get());
    if (watchers_ != nullptr) fork_->add(*watchers_);
    if (recorder_ != nullptr) fork_->add(*recorder_);
    if (profiled && configuration.shim.given()) start_observer();
    if (!fork_->empty()) core_.set_retire_sink(fork_.get());
    if (profiled && configuration.truth.cycles) attach_truth();
    if (profiled && !configuration.trace.timeline.empty()) attach_timeline();
    system_.add_to(statistics_);
    if (profiled && !configuration.trace.pipeline.empty()) {
      pipeline_trace_ =
          std::make_unique<core::PipelineTrace>(trace_path(hooks, configuration.trace.pipeline),
                                                configuration.trace.from, configuration.trace.to);
      core_.set_trace(pipeline_trace_.get());
    }
    core_.hart().state().pc = image_.reset_pc();
    if (spreads_threads()) attach_second_hart();
  }

  isa::EcallResult ecall(isa::Hart& hart) override { return image_.process().ecall(hart); }
  isa::EcallResult preempt(isa::Hart& hart) override { return image_.process().preempt(hart); }
  isa::EcallResult exception(isa::Hart& hart, isa::Cause cause, uint64_t tval) override {
    return image_.process().exception(hart, cause, tval);
  }
  uint64_t time() override { return ticks_of(image_.process().nanoseconds()); }

  /// After run().
  void finish_trace(RunOutcome& outcome) {
    outcome.end_cycle = core_.cycle_count();
    if (pipeline_trace_ != nullptr) pipeline_trace_->finish();
    if (timeline_ != nullptr) outcome.timeline = timeline_->finish();
  }

 private:
  isa::Hart& hart() override { return core_.hart(); }

  void approach() override {
    Approach approach(
        configuration_,
        {core_, warmer_, image_, signals_, *fork_,
         [this](uint64_t instructions) { return advance(instructions); }, [this] { progress(); }});
    approached_ = approach.run();
    begin_ = approach.begin();
    before_ = approach.before();
    region_error_ = approach.error();
  }

  Stop measure(RunOutcome& outcome) override {
    const CoreStop stop = configuration_.mode == config::Mode::kSampled
                              ? measure_samples(approached_, outcome)
                              : measure_in_detail(approached_, outcome);
    switch (stop) {
      case CoreStop::kUserLimit:
        return Stop::kRegionEnd;
      case CoreStop::kCycleLimit:
        return Stop::kCycleLimit;
      case CoreStop::kInstructionLimit:
        return Stop::kInstructionLimit;
      case CoreStop::kDeadlock:
        return Stop::kDeadlock;
      default:
        return core_.hart_stop_reason() == isa::StopReason::kStopPoint ? Stop::kRegionEnd
                                                                       : Stop::kHart;
    }
  }

  void end_listening() override {
    fork_->end_region(core_.cycle_count() - 1);
    if (second_fork_ != nullptr) second_fork_->end_region(core_.cycle_count() - 1);
    if (observer_ != nullptr) observed_ = observer_->end_region();
  }

  void read_out(RunOutcome& outcome) override {
    finish_firmware(outcome);
    outcome.shim = std::move(observed_);
    if (timer_ != nullptr) read_timer(outcome);
    if (outcome.samples) estimate_cycles(outcome);
  }

  std::string why_stopped() override {
    const isa::HartState& state = core_.hart().state();
    if (signals_.halted) return image_.describe_fatal(reader(), state);
    return image_.describe_exception(core_.hart().cause(), state.pc, core_.hart().tval());
  }

  void attach_profiler() {
    device_ = std::make_unique<profiling::ProfilerDevice>(
        "profiler",
        profiling::make_path(active_->fidelity, path_params(configuration_, *active_),
                             {trace_path(hooks_, configuration_.trace.waves),
                              configuration_.trace.from, configuration_.trace.to}),
        core_.hart(), clock_.time_of(configuration_.core.memory.device_latency),
        active_->fidelity == profiling::Fidelity::kLockstep ||
            !configuration_.trace.waves.empty() || !configuration_.trace.timeline.empty());
    device_bus_.initiator_sockets[devices_++].bind(device_->socket);
    if (!active_->selectors.empty() && !active_->selectors.front().thread.empty()) {
      device_->set_thread(static_cast<uint16_t>(std::stoul(active_->selectors.front().thread)));
    }
    if (active_->communication.port == config::MessagePort::kCore) {
      core_.hart().set_core_port(STROBE_PROFILER_BASE + profiling::ProfilerDevice::kMessagePort,
                                 profiling::ProfilerDevice::kMessagePortBytes);
    }
    // Sampled, the hart also runs beside the pipeline: then no cycle is under way.
    if (configuration_.mode != config::Mode::kSampled) {
      device_->set_core_time([this] { return core_.cycle_count(); });
    }
    if (has_ring(active_)) {
      ring_ = std::make_unique<RingService>(system_, clock_, *device_,
                                            device_bus_.target_sockets[1], image_.service_pc());
    }
  }

  /// Whether the second hart of the core is for the program's threads, and not an observer's.
  bool spreads_threads() const {
    return core_.threads() == 2 && configuration_.shim.where != config::ObserverPlace::kSmt;
  }

  uint64_t program_instructions() override {
    const uint64_t first = core_.hart().user_instructions();
    return spreads_threads() ? first + core_.thread(1).hart().user_instructions() : first;
  }

  /// Software watches both harts; the profiling device and the decode engine are those of the
  /// first.
  void attach_second_hart() {
    isa::Hart& second = core_.thread(1).hart();
    image_.process().add_hart(second, core_.hart(), [this] { core_.restart_second_soon(); });
    second_fork_ = std::make_unique<RetireFork>(nullptr);
    if (watchers_ != nullptr) second_fork_->add(*watchers_);
    second_fork_->show_instructions(false);
    if (!second_fork_->empty()) core_.thread(1).set_retire_sink(second_fork_.get());
  }

  bool has_timer(bool profiled) const { return profiled && config::has_timer(configuration_); }

  std::vector<memory::AddressRange> device_ranges(bool profiled) const {
    std::vector<memory::AddressRange> ranges = {{STROBE_HOST_BASE, 0x1000}};
    if (active_ != nullptr) ranges.push_back({STROBE_PROFILER_BASE, STROBE_PROFILER_SIZE});
    if (engine_ != nullptr) ranges.push_back({STROBE_DISE_BASE, STROBE_DISE_SIZE});
    if (has_timer(profiled)) ranges.push_back({STROBE_TIMER_BASE, STROBE_TIMER_SIZE});
    if (configuration_.remote_counters) {
      ranges.push_back({STROBE_COUNTERS_BASE, STROBE_COUNTERS_SIZE});
    }
    return ranges;
  }

  void attach_engine() {
    const config::DecodeConfig& decode = configuration_.decode;
    core_.set_decode_engine(
        *engine_, {decode.stall_cycles, decode.speculation == config::Speculation::kLeak});
    engine_device_ = std::make_unique<profiling::DecodeEngineDevice>(
        "decode_engine", core_.hart(), clock_.time_of(configuration_.core.memory.device_latency));
    device_bus_.initiator_sockets[devices_++].bind(engine_device_->socket);
  }

  void attach_timer() {
    timer_ = std::make_unique<TimerDevice>(
        "timer", core_, clock_.time_of(configuration_.core.memory.device_latency));
    device_bus_.initiator_sockets[devices_++].bind(timer_->socket);
  }

  /// A read takes the bus, and what the counter itself takes.
  void attach_counters() {
    const core::CoreParams& core = configuration_.core;
    window_ = std::make_unique<CounterWindow>(
        "counters", system_.harts(), clock_.time_of(core.memory.device_latency),
        clock_.time_of(core.memory.device_latency + core.counter_read_cycles));
    device_bus_.initiator_sockets[devices_++].bind(window_->socket);
  }

  /// The observer's core is there in the baseline, too: the program has the same machine.
  void bind_second_core() {
    if (ring_ == nullptr && system_.cores() > 1) {
      system_.core(1).device_socket.bind(device_bus_.target_sockets[1]);
    }
  }

  void start_observer() {
    observer_ =
        std::make_unique<ObserverThread>(system_, memory_, configuration_, image_.program());
    fork_->add(observer_->truth());
  }

  void attach_truth() {
    const config::TruthConfig& truth = configuration_.truth;
    const uint64_t seed = truth.sample_seed != 0 ? truth.sample_seed : configuration_.seed;
    truth_ = std::make_unique<truth::TruthTap>(
        *fork_, truth::Truth(core_.reorder_buffer(),
                             {truth.sample_period, config::derived_seed(seed, "truth")}));
    core_.set_retire_sink(truth_.get());
  }

  void attach_timeline() {
    const config::TraceConfig& trace = configuration_.trace;
    RetireSink* next = fork_.get();
    if (truth_ != nullptr) next = truth_.get();
    timeline_ = std::make_unique<Timeline>(
        *next, core_, device_.get(), [this](uint64_t pc) { return image_.describe(pc); },
        trace_path(hooks_, trace.timeline), trace.from, trace.to);
    core_.set_retire_sink(timeline_.get());
  }

  CoreStop measure_in_detail(CoreStop stop, RunOutcome& outcome) {
    statistics_.reset();
    core_.set_interval(configuration_.interval, [this] { statistics_.end_interval(); });
    fork_->begin_region(core_.cycle_count());
    if (second_fork_ != nullptr) {
      second_fork_->show_instructions(true);
      second_fork_->begin_region(core_.cycle_count());
    }
    if (truth_ != nullptr) truth_->truth().begin(core_.cycle_count());
    if (timeline_ != nullptr) timeline_->begin_region(core_.cycle_count());
    if (ring_ != nullptr) ring_->begin_region();
    if (observer_ != nullptr) observer_->begin_region(core_.cycle_count());
    if (before_ == 0) begin_region();
    if (configuration_.timer.period != 0) sampled_before_ = image_.timer_samples(reader());
    const uint64_t begin = core_.cycle_count(), run = configuration_.workload.roi_run;
    if (stop == CoreStop::kUserLimit && (run == 0 || run > before_)) {
      stop = advance(run == 0 ? 0 : run - before_);
    }
    outcome.instructions = core_.stats().user + before_;
    outcome.machine_instructions = core_.stats().machine;
    outcome.cycles = core_.cycle_count() - begin;
    outcome.counters = statistics_.read();
    if (truth_ != nullptr) finish_truth(outcome.truth.emplace());
    if (timeline_ != nullptr) timeline_->end_region(core_.cycle_count());
    if (ring_ != nullptr) ring_->end_region(outcome.cycles);
    if (configuration_.interval != 0) {
      statistics_.end_interval();
      outcome.intervals = statistics_.intervals();
    }
    return stop;
  }

  void finish_truth(TruthOutcome& outcome) {
    truth_->truth().end(core_.cycle_count());
    truth_->truth().fill_in(&outcome);
    outcome.storage_bits = truth::sampler_storage_bits(configuration_.core);
  }

  CoreStop measure_samples(CoreStop stop, RunOutcome& outcome) {
    const bool watched = watchers_ != nullptr && !watchers_->kinds().empty();
    const bool handlers = handlers_ != nullptr && !image_.productions().handlers.empty();
    if (before_ == 0) begin_region();
    SampledRegion region(
        configuration_,
        {core_, warmer_, device_.get(), watched ? watchers_.get() : nullptr, handlers, statistics_,
         begin_, before_, [this](uint64_t instructions) { return advance(instructions); },
         [this] { progress(); }});
    if (stop == CoreStop::kUserLimit) stop = region.run();
    outcome.instructions = region.samples().instructions;
    outcome.machine_instructions = region.machine_instructions();
    outcome.counters = region.counters();
    outcome.samples = region.samples();
    return stop;
  }

  void progress() {
    if (hooks_.progress) hooks_.progress(core_.hart().user_instructions(), core_.cycle_count());
  }

  /// Runs until `user_instructions` more have committed (0: to the end) or something stops it.
  CoreStop advance(uint64_t user_instructions) {
    core::RunLimits limits;
    limits.user_instructions = user_instructions;
    if (const uint64_t most = configuration_.max_instructions; most != 0) {
      // The program's own limit; when it is the nearer one, run() must not take it for the region's
      // end.
      const uint64_t done = program_instructions();
      const uint64_t left = most > done ? most - done : 1;
      if (spreads_threads()) limits.user_instructions_of_all = left;
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
    const CoreStop stop = core_.run_until(limits, [this] {
      progress();
      return true;
    });
    if (ring_ != nullptr) ring_->expect_running();
    if (observer_ != nullptr) observer_->expect_running();
    return stop;
  }

  /// Lets the firmware drain the buffer and read out the counters, and takes over what it found.
  void finish_firmware(RunOutcome& outcome) {
    isa::HartState& state = core_.hart().state();
    state.pc = image_.exit_pc();
    state.mode = PrivilegeMode::kMachine;
    state.dise = isa::DiseState();  // the program may have ended in a sequence
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
    finish_handlers(outcome);
    if (device_ == nullptr) return;
    const strobe_boot_block_t boot = image_.boot_block(reader());
    collect(*device_, boot, active_counts(), outcome.profilers);
    if (ring_ != nullptr) ring_->collect(image_.ring_block(reader()), outcome.profilers);
    if (boot.status == STROBE_STATUS_TABLE_FULL) {
      outcome.end = RunEnd::kFailed;
      outcome.error = fmt::format(
          "the handler's table of {} entries is full: messages were lost; profile fewer events "
          "(opclasses, pc) or a shorter region",
          STROBE_PROFILE_CAPACITY);
    }
  }

  void read_timer(RunOutcome& outcome) {
    if (config::has_epochs(configuration_)) {
      const strobe_epoch_block_t block = image_.epoch_block(reader());
      outcome.epochs = {block.epochs, block.hooked, block.longest_handler};
      return;
    }
    profile::Entries entries = image_.timer_samples(reader()).entries();
    for (auto& [tuple, count] : entries) count -= sampled_before_.count(tuple);
    outcome.sampled = profile::Profile(std::move(entries));
  }

  /// What messages brought into the handlers' table; the tags of the decode engine's handlers are
  /// others (check_productions).
  TupleCounts active_counts() {
    TupleCounts counts = image_.table(reader()).counts;
    const auto is_message = [this](const auto& entry) {
      return std::any_of(
          active_->selectors.begin(), active_->selectors.end(),
          [&entry](const auto& selector) { return selector.tag == entry.first.tag; });
    };
    counts.erase(std::partition(counts.begin(), counts.end(), is_message), counts.end());
    return counts;
  }

  /// Why the core makes no progress, where the program is, and what every component holds.
  std::string dump_state() override {
    return system_.dump_cores() +
           fmt::format("program: {}\n", image_.describe(core_.hart().state().pc)) +
           system_.dump_memory() + device_bus_.dump_state(core_.cycle_count()) +
           fmt::format("profiler: {}", device_ == nullptr ? "none" : device_->dump_state());
  }

  static constexpr uint64_t kReadOutCycles = 10'000'000;
  static constexpr uint64_t kMstatusMie = 8;

  const config::ProfilerConfig* active_;
  Clock clock_;
  System system_;
  core::Core& core_ = system_.core(0);
  memory::Interconnect device_bus_;
  HostDevice host_;
  core::Warmer warmer_;
  std::unique_ptr<profiling::ProfilerDevice> device_;
  std::unique_ptr<RingService> ring_;
  std::unique_ptr<profiling::DecodeEngineDevice> engine_device_;
  std::unique_ptr<TimerDevice> timer_;
  profile::Profile sampled_before_;  // by the timer, as the region began
  std::unique_ptr<CounterWindow> window_;
  size_t devices_ = 0;  // bound to the bus so far
  std::unique_ptr<ObserverThread> observer_;
  std::optional<ShimOutcome> observed_;
  std::unique_ptr<RetireFork> fork_, second_fork_;
  std::unique_ptr<truth::TruthTap> truth_;
  std::unique_ptr<Timeline> timeline_;
  Statistics statistics_;
  std::unique_ptr<core::PipelineTrace> pipeline_trace_;
  CoreStop approached_ = CoreStop::kNone;  // how the approach ended
  uint64_t before_ = 0;  // U-mode instructions of the region committed before the counters start
};

}  // namespace

RunOutcome run_timing(const config::RunConfig& configuration, bool profiled,
                      const RunHooks& hooks) {
  TimingRun run(configuration, profiled, hooks);
  RunOutcome outcome = run.run();
  run.finish_trace(outcome);
  return outcome;
}

}  // namespace strobe::platform
