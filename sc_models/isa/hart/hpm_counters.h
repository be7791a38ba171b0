// The programmable counters of a hart: mhpmcounter3 to mhpmcounter10 with their mhpmevent (RISC-V
// privileged specification, section 3.1.10), and the mode filters and overflow interrupt of
// Sscofpmf.
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/isa/decode/csr.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/port/hpm_event.h"

namespace strobe::isa {

class HpmCounters {
 public:
  /// Keeps references.
  /// @param retired  instructions of U-mode and of M-mode
  HpmCounters(HartState& state, Environment& environment, const uint64_t (&retired)[2])
      : state_(state), environment_(environment), retired_(retired) {}

  // `number` is that of the counter, from kFirstHpmCounter on. A writing instruction is not
  // counted, so that the next one reads what it wrote.
  uint64_t counter(unsigned number) const { return counter_after(number, executed()); }
  void write_counter(unsigned number, uint64_t value);
  uint64_t event(unsigned number) const { return at(number).select; }
  void write_event(unsigned number, uint64_t value) {
    write_event_after(number, value, executed(), 1);
  }
  /// The same after `instructions` of this hart, in both modes.
  uint64_t counter_after(unsigned number, uint64_t instructions) const;
  /// @param retiring  instructions that retire with the write and are not counted
  void write_event_after(unsigned number, uint64_t value, uint64_t instructions, uint64_t retiring);
  /// scountovf: a bit for each counter whose OF is set.
  uint64_t overflows() const;

  /// The mode has changed, which matters to counters with a filter alone; mcountinhibit has.
  /// @param retiring  instructions that retire before the change and have not been counted
  void note_mode(uint64_t retiring) {
    if (filtered_) note_inhibit(retiring);
  }
  void note_inhibit(uint64_t retiring);

  /// Whether a counter may overflow before it is written again: the top bit of one whose OF is
  /// clear is set. Then poll() is due.
  bool armed() const { return armed_ != 0; }
  const uint64_t& armed_mask() const { return armed_; }
  /// Sets OF of each counter that has overflowed, and the interrupt if one has.
  void poll();
  /// While each instruction takes a cycle: how many until poll() is due.
  uint64_t instructions_to_overflow() const;

 private:
  struct Counter {
    uint64_t select = 0;  // mhpmevent
    CounterView view;
    HpmEvent event() const { return static_cast<HpmEvent>(select & kHpmEventField & ~kAllHarts); }
    bool all_harts() const { return (select & kAllHarts) != 0; }
  };
  const Counter& at(unsigned number) const { return counters_[number - kFirstHpmCounter]; }
  Counter& at(unsigned number) { return counters_[number - kFirstHpmCounter]; }
  uint64_t executed() const { return retired_[0] + retired_[1]; }
  uint64_t running(const Counter& counter, uint64_t instructions) const;
  bool inhibited(unsigned number) const;
  /// @param value  its value after the writing instruction
  void arm(unsigned number, uint64_t value);

  HartState& state_;
  Environment& environment_;
  const uint64_t (&retired_)[2];
  std::array<Counter, kHpmCounterCount> counters_;
  uint64_t armed_ = 0;     // a bit for each
  bool filtered_ = false;  // some counter has a mode filter
};

}  // namespace strobe::isa
