// The core as a SystemC module: clock, TLM socket for devices, run control. It has one or two
// hardware threads (hardware_thread.h), whose pipelines are inside.
//
// It runs `quantum` cycles between two wait() calls, ahead of the SystemC kernel. That is safe
// because everything that changes what it sees (caches, the profiling device through RetireSink and
// InterruptTarget) is called from inside its own cycle.
//
//   isa::GuestMemory memory;
//   Core core("core", params, clock, memory, {&delegate});
//   Cache l1i(...), l1d(...);
//   core.bind_caches(l1i, l1d);
//   core.set_retire_sink(&profiler);            // optional
//   core.device_socket.bind(...);               // always
//   core.hart().state().pc = reset;  core.restart();
//   core.run_until(limits);                     // sc_start() inside; again to go on
//
// What has no number is of the first hart. The second one is reached through thread(1): the
// platform gives it a pc and a retire sink of its own and calls restart(1). It then runs whenever
// the first one does, until it stops by itself; the end of a run is that of the first, and so are
// its limits but for one.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "sc_models/core/hardware_thread.h"
#include "sc_models/core/params.h"
#include "sc_models/core/threads/shared_core.h"
#include "sc_models/core/threads/thread_pair.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/isa/memory/guest_memory.h"
#include "sc_models/port/clock.h"
#include "sc_models/port/retire_sink.h"
#include "sc_models/port/timing_port.h"

namespace strobe::core {

/// Where a run ends; all counts are from now on, 0 for no limit.
struct RunLimits {
  uint64_t user_instructions = 0;  // committed in U-mode: exact
  uint64_t cycles = 0;
  uint64_t instructions = 0;              // committed in either mode, checked once a quantum
  uint64_t user_instructions_of_all = 0;  // committed in U-mode by all harts, once a quantum
};

class Core : public sc_core::sc_module {
 public:
  static constexpr uint64_t kQuantum = 1000;  // cycles, of a core that is alone

  tlm_utils::simple_initiator_socket<Core> device_socket;  // shared by its harts

  /// Throws std::invalid_argument when a parameter is not usable.
  /// @param delegates  one for each of the `threads` harts
  /// @param quantum    cycles between two wait() calls, at least 1
  Core(sc_core::sc_module_name name, const CoreParams& params, const Clock& clock,
       isa::GuestMemory& memory, const std::vector<CoreDelegate*>& delegates,
       uint64_t quantum = kQuantum);
  ~Core() override;

  void bind_caches(TimingPort& instructions, TimingPort& data);
  /// Its harts are some of several on this memory (HardwareThread::share_memory); they have the
  /// mhartids from `first_hart_id` on. Needed for a core of two harts. After bind_caches, before
  /// the first run.
  void share_memory(uint64_t first_hart_id);
  void set_retire_sink(RetireSink* sink) { thread().set_retire_sink(sink); }
  /// As Pipeline::set_decode_engine, and of the hart's own steps.
  void set_decode_engine(DecodeEngine& engine, const ExpansionParams& params);
  /// Lets `trace` see its window; it must outlive the runs. Before the first run.
  void set_trace(PipelineTrace* trace) { pipeline().set_trace(trace); }

  unsigned threads() const { return static_cast<unsigned>(threads_.size()); }
  HardwareThread& thread(unsigned i = 0) { return *threads_[i]; }
  const HardwareThread& thread(unsigned i = 0) const { return *threads_[i]; }
  isa::Hart& hart() { return thread().hart(); }

  /// Drops everything of a hart in flight and fetches from its pc: after reset, and whenever the
  /// platform has changed the hart's pc or mode. Instructions dropped here have been executed but
  /// never retire. A second hart is off until its first restart(), and from its stop to the next.
  void restart(unsigned hart = 0);
  /// Restarts the second hart a few cycles later: for a call from within the run.
  void restart_second_soon() {
    pair_->before_next_step([this] { restart(1); });
  }
  /// Whether the second hart runs with the first.
  bool second_runs() const { return pair_ != nullptr && pair_->is_on(1); }
  /// Why it does not: kNone when it has not been restarted.
  CoreStop second_stop() const { return pair_ != nullptr ? pair_->stop(1) : CoreStop::kNone; }

  /// Runs until a limit, a stop of the hart, or a deadlock; call it from sc_main or a test, not
  /// from a process. Exceptions of the sink, the delegate or the models come out of it.
  /// @param progress  called about every 2^18 cycles, may be empty; false stops the run: kCancelled
  CoreStop run_until(const RunLimits& limits, const std::function<bool()>& progress = {});
  /// The same for several cores: start() each, sc_start() until none of them is running() any more
  /// (it returns whenever one ends), and finish() each: why it ended, or what it threw.
  void start(const RunLimits& limits, const std::function<bool()>& progress = {});
  bool running() const { return running_; }
  CoreStop finish() const;
  /// Commits what has been executed and drops the rest, so that the hart, then in the state of the
  /// last commit, can be driven by itself until restart(). kNone; or what stopped the run before.
  CoreStop drain();
  /// From now on calls `at_end` whenever another `user_instructions` have committed in U-mode, at
  /// the end of that cycle; 0: no more. The timing does not change.
  void set_interval(uint64_t user_instructions, std::function<void()> at_end);
  /// The hart's timer interrupt is pending from cycle_count() == `cycle` on, and not before.
  void set_timer(uint64_t cycle) { thread().set_timer(cycle); }
  /// After kHart: the hart's reason. Its state is precise, everything older has committed.
  isa::StopReason hart_stop_reason() const { return thread().hart().stop_reason(); }

  uint64_t cycle_count() const { return pipeline().cycle(); }  // since time 0, never reset
  /// What is in flight, and in which cycle it was renamed: for observers of commit.
  const ReorderBuffer& reorder_buffer() const { return pipeline().reorder_buffer(); }
  /// For functional warming, between drain() and restart().
  Predictor& predictor() { return pipeline().predictor(); }

  const PipelineStats& stats() const { return thread().stats(); }
  std::map<std::string, uint64_t> statistics() const { return thread().statistics(); }
  void reset_statistics() { thread().reset_statistics(); }

  /// Why it makes no progress and what every stage holds, hart by hart.
  std::string dump_state() const;

 private:
  void thread_process();
  void simulate();
  CoreStop run_pipelines(uint64_t until);
  CoreStop limit_reached(uint64_t first_instruction, uint64_t first_of_all,
                         uint64_t last_cycle) const;
  uint64_t user_committed_by_all() const;
  Pipeline& pipeline() { return thread().pipeline(); }
  const Pipeline& pipeline() const { return thread().pipeline(); }

  const Clock clock_;
  const uint64_t quantum_;
  std::unique_ptr<SharedCore> shared_;  // for two harts
  std::vector<CoreShare> shares_;
  std::vector<std::unique_ptr<HardwareThread>> threads_;
  std::unique_ptr<ThreadPair> pair_;  // for two harts
  sc_core::sc_event start_event_;
  bool running_ = false;
  RunLimits limits_;
  std::function<bool()> progress_;
  std::function<void()> at_interval_end_;
  CoreStop stop_ = CoreStop::kNone;
  std::exception_ptr failure_;
};

}  // namespace strobe::core
