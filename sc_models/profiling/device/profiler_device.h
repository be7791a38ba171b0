// The profiling device as the platform sees it: registers on a TLM-2.0 socket, an input from the
// core's retire port, an interrupt line, and any ProfilerPath inside.
//
// Socket. Addresses are offsets within the device, because the interconnect subtracts the base.
// Accesses other than naturally aligned 8-byte reads and writes get TLM_BURST_ERROR_RESPONSE, and
// those to an offset without a register TLM_ADDRESS_ERROR_RESPONSE. transport_dbg reads without
// side effects and refuses writes.
//
// Time. retire() steps the path, one step per core cycle. Cycles without a call are skipped, which
// the core may do only while busy() is false. A register access happens between two calls: a read
// returns the current state, and the access enters the path with the next step. If a second access
// arrives before that step, the path is stepped once for the first one and is then ahead of the
// core. It waits during the next cycles that the core does not report, so that the cycle counts
// align again. A path in free flow (docs/blocks/profiling_path.md) need not be called either, if
// the device can ask for the core's cycle when its state is read: set_core_time().
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
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
  std::vector<Message> messages;  // messages that software has not taken yet, oldest first
  uint64_t residue = 0;           // sum of the sampler's counters
};

class ProfilerDevice final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<ProfilerDevice> socket;

  /// The registers from which a message is read, MSG_PC to MSG_META: offset and bytes.
  static constexpr uint64_t kMessagePort = 0x80, kMessagePortBytes = 24;

  /// @param interrupt     receives each change of the interrupt line (Interrupt::kProfiler)
  /// @param access_delay  annotated to each register access
  /// @param every_lane    shows the path every retired instruction. Otherwise the path sees only
  ///                      those of a mode and class that an enabled selector slot names. For the
  ///                      others the selector sees an empty lane, and a settled path need not be
  ///                      stepped
  ProfilerDevice(const sc_core::sc_module_name& name, std::unique_ptr<ProfilerPath> path,
                 InterruptTarget& interrupt, sc_core::sc_time access_delay,
                 bool every_lane = false);

  /// Makes the device not busy, from now on, while the path flows freely.
  /// @param cycle  returns the core's current cycle; it is called after this cycle's call of
  ///               retire(), if there is one
  void set_core_time(std::function<uint64_t()> cycle) { core_cycle_ = std::move(cycle); }

  /// From now on the device sees only what executes in this thread of the program, or in machine
  /// mode while it is the current one: the context filter of a trace encoder.
  void set_thread(uint16_t thread) { thread_ = thread; }

  /// Sets the destination of the words of the path's ring writer. Without it the words wait without
  /// end.
  void set_memory(RingDma& memory) { memory_ = &memory; }

  /// The instructions that the device looks at. For others, and for injected ones, it sees an empty
  /// lane.
  RetireKinds kinds() const { return kinds_; }
  /// Passes one core cycle, like RetireSink. Throws std::invalid_argument when a picked lane is not
  /// one of the path's, and LockstepError from a lockstep path.
  /// @param lanes   the record of lane 0
  /// @param picked  the `picks` lanes with an instruction that the device looks at, in program
  /// order
  void retire(uint64_t cycle, const RetireRecord* lanes, const RetireRecord* const* picked,
              unsigned picks);
  /// Functional warming: handles the instruction as if it had retired alone in a cycle, while the
  /// core's time stands still. Cycles in which the path takes nothing are left out.
  void warm(const RetireRecord& record);
  /// True while retire() must be called even in cycles without retirement.
  bool busy() const { return access_pending_ || (unsettled_ != 0 && !(flowing_ && core_cycle_)); }

  // Statistics, as in the registers.
  uint64_t events() const;
  uint64_t dropped() const;
  uint64_t high_water() const;
  uint64_t stalls() const;
  uint64_t level() const;
  /// Tuples in the tuple queue. No register has their number, so it is not known of a path that is
  /// RTL alone. Only with `every_lane`.
  std::optional<uint64_t> queued() const;
  uint64_t ring_high_water() const;
  uint64_t ring_stalls() const;
  /// The state of the path, in one line.
  std::string dump_state();

  /// To be called at the end of a run: disables the selector, lets the path drain and reads what it
  /// still holds. Afterwards events = sum of all message counts + residue + dropped.
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
  bool is_selected_thread(const RetireRecord& record) const {
    return !thread_ || record.thread == *thread_;
  }

  std::unique_ptr<ProfilerPath> path_;
  InterruptTarget& interrupt_;
  RingDma* memory_ = nullptr;
  std::function<uint64_t()> core_cycle_;  // empty: the cycle is unknown
  sc_core::sc_time access_delay_;
  bool every_lane_;
  unsigned lanes_;
  std::optional<uint16_t> thread_;  // empty: all
  RetireKinds selected_;            // what the path needs to see: see note_selection()
  RetireKinds kinds_;               // what it is shown: that, or with every_lane_ all
  PathInputs inputs_;               // the inputs of the next step
  bool access_pending_ = false;     // inputs_ holds a register access
  uint64_t path_cycle_ = 0;         // number of steps made, which is the cycle of the next step
  unsigned unsettled_;              // steps until the path is at rest; 0: cycles may be skipped
  bool flowing_ = false;            // the last step was absorbed by the path
  unsigned warm_settling_ = 0;      // steps that follow an access while warming
  bool irq_ = false;
};

}  // namespace strobe::profiling
