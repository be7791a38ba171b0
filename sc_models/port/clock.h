// The one place where core cycles become SystemC time and back.
#pragma once

#include <cstdint>
#include <systemc>

namespace strobe {

/// A clock of a whole number of picoseconds. Cycle n starts at n periods of simulated time.
/// The SystemC resolution must be its default, 1 ps.
class Clock {
 public:
  /// @param frequency_ghz  above 0; the period is rounded to whole picoseconds, at least 1
  explicit Clock(double frequency_ghz);

  uint64_t period_ps() const { return period_; }
  sc_core::sc_time time_of(uint64_t cycles) const {
    return sc_core::sc_time::from_value(cycles * period_);
  }
  /// The first cycle that does not start before `time`.
  uint64_t cycle_of(const sc_core::sc_time& time) const {
    return (time.value() + period_ - 1) / period_;
  }
  /// The cycle an annotated delay stands for, and the delay that stands for a cycle.
  uint64_t cycle_at(const sc_core::sc_time& delay) const {
    return cycle_of(sc_core::sc_time_stamp() + delay);
  }
  sc_core::sc_time delay_until(uint64_t cycle) const {
    const sc_core::sc_time then = time_of(cycle);
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    return then > now ? then - now : sc_core::SC_ZERO_TIME;
  }

 private:
  uint64_t period_;
};

}  // namespace strobe
