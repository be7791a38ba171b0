// The profiling device as the platform sees it: registers on a TLM-2.0 socket, the core's retire
// port on one side, an interrupt line on the other, any ProfilerPath inside.
//
// Socket: offsets within the device (the interconnect subtracts the base). Naturally aligned 8-byte
// reads and writes only (TLM_BURST_ERROR_RESPONSE), TLM_ADDRESS_ERROR_RESPONSE where no register
// is. transport_dbg reads without side effects and refuses writes.
//
// Time. The path is stepped by retire(), one step a core cycle; cycles without a call are skipped,
// which the core may only do while busy() is false. A register access happens between two calls: a
// read returns the state as it is, and the access enters the path with the next step. If a second
// access comes before that, the path is stepped once for the first one and is then ahead of the
// core; it waits for the core at the next cycles the core does not report, so cycle counts align.
// A path in free flow (docs/blocks/profiling_path.md) need not be called, either, if the device can
// ask what time it is when somebody looks: set_core_time().
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "sc_models/port/interrupt.h"
#include "sc_models/port/path_interface.h"
#include "sc_models/port/retire_kinds.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/device/ring_dma.h"

namespace strobe::profiling {

/// What a path still holds at the end of a run.
struct Leftovers {
  std::vector<Message> messages;  // made and not yet taken by software, oldest first
  uint64_t residue = 0;           // sum of the sampler's counters
};

class ProfilerDevice final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<ProfilerDevice> socket;

  /// @param interrupt     is told each change of the interrupt line (Interrupt::kProfiler)
  /// @param access_delay  annotated to each register access
  /// @param every_lane    shows the path every retired instruction. Otherwise it sees those of a
  ///                      mode and class that an enabled selector slot names: the others are to the
  ///                      selector as an empty lane, and a settled path need not be stepped for
  ///                      them
  ProfilerDevice(const sc_core::sc_module_name& name, std::unique_ptr<ProfilerPath> path,
                 InterruptTarget& interrupt, sc_core::sc_time access_delay,
                 bool every_lane = false);

  /// From now on it is not busy while the path flows freely.
  /// @param cycle  says which cycle the core is in; asked behind this cycle's call of retire(), if
  ///               there is one
  void set_core_time(std::function<uint64_t()> cycle) { core_cycle_ = std::move(cycle); }

  /// Where the words of the path's ring writer go, from now on; without it they wait for ever.
  void set_memory(RingDma& memory) { memory_ = &memory; }

  /// What it looks at; other instructions and injected ones are to it as an empty lane.
  RetireKinds kinds() const { return every_lane_ ? RetireKinds(0xffff, 0xffff) : selected_; }
  /// One core cycle, as of RetireSink. Throws std::invalid_argument when a picked lane is not one
  /// of the path's, and LockstepError from a lockstep path.
  /// @param lanes   where lane 0 is
  /// @param picked  the `picks` lanes with an instruction that it looks at, in program order
  void retire(uint64_t cycle, const RetireRecord* lanes, const RetireRecord* const* picked,
              unsigned picks);
  /// Functional warming: the instruction as if it had retired alone in a cycle, while the core's
  /// time stands still. Cycles in which the path has nothing to take are left out.
  void warm(const RetireRecord& record);
  /// True while retire() must be called even in cycles without retirement.
  bool busy() const { return access_pending_ || (unsettled_ != 0 && !(flowing_ && core_cycle_)); }

  // Statistics, as the registers have them.
  uint64_t events() const;
  uint64_t dropped() const;
  uint64_t high_water() const;
  uint64_t stalls() const;
  uint64_t level() const;
  uint64_t ring_high_water() const;
  uint64_t ring_stalls() const;
  /// What the path holds, in one line.
  std::string dump_state();

  /// For the end of a run: disables the selector, lets the path run empty and reads what is left.
  /// Afterwards events = sum of all message counts + residue + dropped.
  Leftovers read_out();

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload);
  uint64_t read_register(uint16_t offset) const { return path_->peek(offset).reg_rdata; }
  uint64_t access_now(bool write, uint16_t offset, uint64_t value);
  void pass(uint64_t cycles);
  void note_passed(uint64_t cycles);
  void catch_up();
  PathOutputs step(PathInputs& inputs, bool access, bool lanes);
  bool absorb(uint64_t idle, const RetireRecord* const* picked, unsigned count);
  void step_pending(bool lanes);
  void note_selection();

  std::unique_ptr<ProfilerPath> path_;
  InterruptTarget& interrupt_;
  RingDma* memory_ = nullptr;
  std::function<uint64_t()> core_cycle_;  // empty: nobody knows
  sc_core::sc_time access_delay_;
  bool every_lane_;
  unsigned lanes_;
  RetireKinds selected_;         // that the path wants: see note_selection()
  PathInputs inputs_;            // of the next step
  bool access_pending_ = false;  // inputs_ holds a register access
  uint64_t path_cycle_ = 0;      // steps made: the cycle the next step is
  unsigned unsettled_;           // steps until nothing moves any more; 0: cycles may be skipped
  bool flowing_ = false;         // the last step was absorbed by the path
  unsigned warm_settling_ = 0;   // steps that follow an access while warming
  bool irq_ = false;
};

}  // namespace strobe::profiling
