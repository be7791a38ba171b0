#include "sc_models/isa/hart/hpm_counters.h"

#include <algorithm>

namespace strobe::isa {
namespace {

constexpr unsigned kEnd = kFirstHpmCounter + kHpmCounterCount;
constexpr uint64_t kTop = uint64_t{1} << 63;

}  // namespace

uint64_t HpmCounters::running(const Counter& counter, uint64_t instructions) const {
  const HpmEvent event = counter.event();
  const uint64_t others = counter.all_harts() ? environment_.event_count_of_sibling(event) : 0;
  switch (event) {
    case HpmEvent::kNone:
      return 0;
    case HpmEvent::kCycles:
      return environment_.cycle();
    case HpmEvent::kInstructions:
      return instructions + others;
    default:
      return environment_.event_count(event) + others;
  }
}

bool HpmCounters::inhibited(unsigned number) const {
  const uint64_t filter = state_.mode == PrivilegeMode::kMachine ? kHpmEventMinh : kHpmEventUinh;
  return (state_.mcountinhibit >> number & 1) != 0 || (at(number).select & filter) != 0;
}

void HpmCounters::arm(unsigned number, uint64_t value) {
  const uint64_t bit = uint64_t{1} << number;
  const bool overflows = (at(number).select & kHpmEventOverflow) == 0 && (value & kTop) != 0;
  armed_ = overflows ? armed_ | bit : armed_ & ~bit;
}

uint64_t HpmCounters::counter_after(unsigned number, uint64_t instructions) const {
  const Counter& one = at(number);
  return one.view.read(running(one, instructions));
}

void HpmCounters::write_counter(unsigned number, uint64_t value) {
  Counter& one = at(number);
  one.view.write(running(one, executed() + 1), value);
  arm(number, value);
}

void HpmCounters::write_event_after(unsigned number, uint64_t value, uint64_t instructions,
                                    uint64_t retiring) {
  Counter& one = at(number);
  const uint64_t count = counter_after(number, instructions);
  if (!is_hpm_event(value & kHpmEventField)) value &= ~kHpmEventField;
  one.select = value & kHpmEventWritable;
  const uint64_t now = running(one, instructions + retiring);
  one.view.write(now, count);
  one.view.inhibit(now, inhibited(number));
  filtered_ = std::any_of(counters_.begin(), counters_.end(), [](const Counter& any) {
    return (any.select & (kHpmEventMinh | kHpmEventUinh)) != 0;
  });
  arm(number, count);
}

uint64_t HpmCounters::overflows() const {
  uint64_t bits = 0;
  for (unsigned number = kFirstHpmCounter; number < kEnd; ++number) {
    if ((at(number).select & kHpmEventOverflow) != 0) bits |= uint64_t{1} << number;
  }
  return bits;
}

void HpmCounters::note_inhibit(uint64_t retiring) {
  for (unsigned number = kFirstHpmCounter; number < kEnd; ++number) {
    Counter& one = at(number);
    one.view.inhibit(running(one, executed() + retiring), inhibited(number));
  }
}

void HpmCounters::poll() {
  for (unsigned number = kFirstHpmCounter; number < kEnd; ++number) {
    const uint64_t bit = uint64_t{1} << number;
    if ((armed_ & bit) == 0 || (counter(number) & kTop) != 0) continue;
    at(number).select |= kHpmEventOverflow;
    armed_ &= ~bit;
    state_.mip |= kCounterOverflowPending;
  }
}

uint64_t HpmCounters::instructions_to_overflow() const {
  uint64_t least = kTop;
  for (unsigned number = kFirstHpmCounter; number < kEnd; ++number) {
    const HpmEvent event = at(number).event();
    const bool each = event == HpmEvent::kCycles || event == HpmEvent::kInstructions;
    if ((armed_ >> number & 1) == 0 || !each || inhibited(number)) continue;
    least = std::min(least, -counter(number));
  }
  return least;
}

}  // namespace strobe::isa
