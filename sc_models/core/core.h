// The core as a SystemC module: clock, TLM socket for devices, run control. The pipeline is inside.
//
// The core owns its hart and is the hart's Environment: device accesses leave through
// `device_socket`, `cycle` is the core's own count, and `ecall` and `time` go on to a delegate the
// platform supplies. It runs `quantum` cycles between two wait() calls, ahead of the SystemC
// kernel. That is safe because everything that changes what it sees (caches, the profiling device
// through RetireSink and InterruptTarget) is called from inside its own cycle.
//
//   isa::GuestMemory memory;
//   Core core("core", params, clock, memory, delegate);
//   Cache l1i(...), l1d(...);
//   core.bind_caches(l1i, l1d);
//   core.set_retire_sink(&profiler);            // optional
//   core.device_socket.bind(...);               // always
//   core.hart().state().pc = reset;  core.restart();
//   core.run_until(limits);                     // sc_start() inside; again to go on
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>

#include "sc_models/core/back_end/store_port.h"
#include "sc_models/core/params.h"
#include "sc_models/core/pipeline.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/isa/memory/guest_memory.h"
#include "sc_models/port/clock.h"
#include "sc_models/port/retire_sink.h"
#include "sc_models/port/timing_port.h"

namespace strobe::core {

/// What the core passes on to the platform.
class CoreDelegate {
 public:
  virtual ~CoreDelegate() = default;
  /// As isa::Environment::ecall.
  virtual isa::EcallResult ecall(isa::Hart& hart) = 0;
  /// As isa::Environment::time.
  virtual uint64_t time() = 0;
};

/// Where a run ends; all counts are from now on, 0 for no limit.
struct RunLimits {
  uint64_t user_instructions = 0;  // committed in U-mode: exact
  uint64_t cycles = 0;
  uint64_t instructions = 0;  // committed in either mode, checked once a quantum
};

class Core : public sc_core::sc_module, public isa::Environment {
 public:
  static constexpr uint64_t kQuantum = 1000;  // cycles, of a core that is alone

  tlm_utils::simple_initiator_socket<Core> device_socket;

  /// Throws std::invalid_argument when a parameter is not usable.
  /// @param quantum  cycles between two wait() calls, at least 1
  Core(sc_core::sc_module_name name, const CoreParams& params, const Clock& clock,
       isa::GuestMemory& memory, CoreDelegate& delegate, uint64_t quantum = kQuantum);
  ~Core() override;

  void bind_caches(TimingPort& instructions, TimingPort& data);
  /// One of several cores on this memory: mhartid, and a store that the others see when the data
  /// cache takes it. After bind_caches, before the first run.
  void share_memory(uint64_t hart_id);
  void set_retire_sink(RetireSink* sink);
  /// As Pipeline::set_decode_engine, and of the hart's own steps.
  void set_decode_engine(DecodeEngine& engine, const ExpansionParams& params);
  /// Lets `trace` see its window; it must outlive the runs. Before the first run.
  void set_trace(PipelineTrace* trace) { pipeline_->set_trace(trace); }

  isa::Hart& hart() { return hart_; }

  /// Drops everything in flight and fetches from hart().state().pc: after reset, and whenever the
  /// platform has changed the hart's pc or mode. Instructions dropped here have been executed but
  /// never retire.
  void restart();

  /// Runs until a limit, a hart stop, or a deadlock; call it from sc_main or a test, not from a
  /// process. Exceptions of the sink, the delegate or the models come out of it.
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
  /// The hart's timer interrupt is pending from cycle_count() == `cycle` on, and not before.
  void set_timer(uint64_t cycle) { pipeline_->set_timer(cycle); }
  /// From now on calls `at_end` whenever another `user_instructions` have committed in U-mode, at
  /// the end of that cycle; 0: no more. The timing does not change.
  void set_interval(uint64_t user_instructions, std::function<void()> at_end);
  /// After kHart: the hart's reason. Its state is precise, everything older has committed.
  isa::StopReason hart_stop_reason() const { return hart_.stop_reason(); }

  uint64_t cycle_count() const { return pipeline_->cycle(); }  // since time 0, never reset
  /// What is in flight, and in which cycle it was renamed: for observers of commit.
  const ReorderBuffer& reorder_buffer() const { return pipeline_->reorder_buffer(); }
  /// For functional warming, between drain() and restart().
  Predictor& predictor() { return pipeline_->predictor(); }

  const PipelineStats& stats() const { return pipeline_->stats(); }
  std::map<std::string, uint64_t> statistics() const { return stats().named(); }
  void reset_statistics() { pipeline_->reset_statistics(); }

  /// Why it makes no progress and what every stage holds.
  std::string dump_state() const { return pipeline_->dump_state(); }

  /// Where the events of caches and memory come from; without it they are none. Their counts since
  /// time 0.
  void set_memory_events(std::function<uint64_t(HpmEvent)> count) {
    memory_events_ = std::move(count);
  }

  /// The counters as another hart sees and sets them, as far as commit has come: 0 is the cycle, 2
  /// the retired instructions, both since time 0; 3 to 10 are the programmable ones.
  uint64_t counter(unsigned number) const;
  uint64_t counter_event(unsigned number) const { return hart_.event_of(number); }
  void set_counter_event(unsigned number, uint64_t event) {
    hart_.set_event_of(number, event, pipeline_->committed());
  }

  // isa::Environment
  isa::EcallResult ecall(isa::Hart& hart) override { return delegate_.ecall(hart); }
  bool mmio_read(uint64_t address, unsigned size, uint64_t& value) override;
  bool mmio_write(uint64_t address, unsigned size, uint64_t value) override;
  /// What the program reads: the cycles, and one for each instruction executed beside the pipeline.
  uint64_t cycle() override { return pipeline_->cycle() + (drained_ ? beside() : beside_); }
  uint64_t time() override { return delegate_.time(); }
  uint64_t event_count(HpmEvent event) override;

 private:
  void thread();
  void simulate();
  CoreStop limit_reached(uint64_t first_instruction, uint64_t last_cycle) const;
  uint64_t beside() const { return hart_.instructions() - pipeline_->committed(); }
  bool device_access(tlm::tlm_command command, uint64_t address, unsigned size, uint64_t& value);

  const Clock clock_;
  CoreDelegate& delegate_;
  const uint64_t quantum_;
  isa::Hart hart_;
  std::unique_ptr<Pipeline> pipeline_;
  TimingPort* instructions_ = nullptr;
  TimingPort* data_ = nullptr;
  isa::StoreBuffer* stores_ = nullptr;  // when the core shares its memory
  std::unique_ptr<StorePort> store_port_;
  const unsigned line_bytes_;
  sc_core::sc_event start_event_;
  bool running_ = false;
  RunLimits limits_;
  std::function<bool()> progress_;
  bool drained_ = true;  // the hart is driven from outside
  uint64_t beside_ = 0;  // instructions so executed
  std::function<void()> at_interval_end_;
  std::function<uint64_t(HpmEvent)> memory_events_;
  CoreStop stop_ = CoreStop::kNone;
  std::exception_ptr failure_;
};

}  // namespace strobe::core
