// A hardware thread of a core: a hart, its pipeline, and its way to the platform.
//
// It is the hart's Environment: device accesses leave through the core's socket, `cycle` is the
// core's own count, and what the operating system does goes on to a delegate that the platform
// supplies.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tlm>
#include <utility>

#include "sc_models/core/back_end/store_port.h"
#include "sc_models/core/params.h"
#include "sc_models/core/pipeline.h"
#include "sc_models/core/threads/shared_core.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/isa/memory/guest_memory.h"
#include "sc_models/port/clock.h"
#include "sc_models/port/hpm_event.h"
#include "sc_models/port/retire_sink.h"
#include "sc_models/port/timing_port.h"

namespace strobe::core {

/// What a hart passes on to the platform.
class CoreDelegate {
 public:
  virtual ~CoreDelegate() = default;
  /// As those of isa::Environment.
  virtual isa::EcallResult ecall(isa::Hart& hart) = 0;
  virtual isa::EcallResult preempt(isa::Hart&) { return isa::EcallResult::kResume; }
  virtual isa::EcallResult exception(isa::Hart&, isa::Cause, uint64_t /*tval*/) {
    return isa::EcallResult::kTrap;
  }
  /// As isa::Environment::time.
  virtual uint64_t time() = 0;
};

class HardwareThread final : public isa::Environment {
 public:
  using Devices = tlm::tlm_initiator_socket<>;

  /// Keeps references. @param share  as Pipeline's
  HardwareThread(const CoreParams& params, const Clock& clock, isa::GuestMemory& memory,
                 CoreDelegate& delegate, Devices& devices, CoreShare* share);

  isa::Hart& hart() { return hart_; }
  const isa::Hart& hart() const { return hart_; }
  Pipeline& pipeline() { return pipeline_; }
  const Pipeline& pipeline() const { return pipeline_; }

  void bind_caches(TimingPort& instructions, TimingPort& data);
  /// It is one of several on this memory: mhartid, and a store that the others see when the data
  /// cache takes it. After bind_caches(), before the first run.
  void share_memory(uint64_t hart_id);
  bool shares_memory() const { return stores_ != nullptr; }
  void set_retire_sink(RetireSink* sink) { pipeline_.set_retire_sink(sink); }
  /// Where the events of caches and memory come from; without it they are none. Their counts since
  /// time 0.
  void set_memory_events(std::function<uint64_t(HpmEvent)> count) {
    memory_events_ = std::move(count);
  }
  /// On a core of two harts: it fetches only in cycles in which the other does not, and issues at
  /// most one instruction a cycle, in a slot that the other leaves. It may wait for long, so the
  /// watchdog does not stop it.
  void set_low_priority(bool low);
  /// The hart's timer interrupt is pending from cycle `cycle` of the core on, and not before.
  void set_timer(uint64_t cycle) { pipeline_.set_timer(cycle); }

  /// Drops everything in flight and fetches from the hart's pc. The dropped instructions have been
  /// executed and never retire.
  void restart();
  /// The hart, in the state of its last commit, is driven by itself until restart().
  void leave_pipeline() { drained_ = true; }

  const PipelineStats& stats() const { return pipeline_.stats(); }
  std::map<std::string, uint64_t> statistics() const { return stats().named(); }
  void reset_statistics() { pipeline_.reset_statistics(); }

  /// The counters as another hart sees and sets them, as far as commit has come: 0 is the cycle, 2
  /// the retired instructions, both since time 0; 3 to 10 are the programmable ones.
  uint64_t counter(unsigned number) const;
  uint64_t counter_event(unsigned number) const { return hart_.event_of(number); }
  void set_counter_event(unsigned number, uint64_t event) {
    hart_.set_event_of(number, event, pipeline_.committed());
  }
  /// The other hart of the core; without it there is none.
  void set_sibling(const HardwareThread& sibling) { sibling_ = &sibling; }

  // isa::Environment
  isa::EcallResult ecall(isa::Hart& hart) override { return delegate_.ecall(hart); }
  isa::EcallResult preempt(isa::Hart& hart) override { return delegate_.preempt(hart); }
  isa::EcallResult exception(isa::Hart& hart, isa::Cause cause, uint64_t tval) override {
    return delegate_.exception(hart, cause, tval);
  }
  bool mmio_read(uint64_t address, unsigned size, uint64_t& value) override;
  bool mmio_write(uint64_t address, unsigned size, uint64_t value) override;
  /// What the program reads: the cycles, and one for each instruction executed beside the pipeline.
  uint64_t cycle() override { return pipeline_.cycle() + (drained_ ? beside() : beside_); }
  uint64_t time() override { return delegate_.time(); }
  uint64_t event_count(HpmEvent event) override;
  uint64_t event_count_of_sibling(HpmEvent event) override;

 private:
  uint64_t beside() const { return hart_.instructions() - pipeline_.committed(); }
  bool device_access(tlm::tlm_command command, uint64_t address, unsigned size, uint64_t& value);

  const Clock clock_;
  CoreDelegate& delegate_;
  Devices& devices_;
  CoreShare* const share_;
  const HardwareThread* sibling_ = nullptr;
  isa::Hart hart_;
  Pipeline pipeline_;
  TimingPort* instructions_ = nullptr;
  TimingPort* data_ = nullptr;
  isa::StoreBuffer* stores_ = nullptr;  // when it shares its memory
  std::unique_ptr<StorePort> store_port_;
  const unsigned line_bytes_;
  bool drained_ = true;  // the hart is driven from outside
  uint64_t beside_ = 0;  // instructions so executed
  std::function<uint64_t(HpmEvent)> memory_events_;
};

}  // namespace strobe::core
