// The observer thread of SHIM (Figure 2 of the paper): on a hart of its own it reads counters and
// words of memory over and over, and analyzes or keeps what it read. docs/shim.md
//
// A CSR instruction executes alone, when everything older has committed and is written: it is the
// synchronization for which the paper's loop reads the clock before each counter.
#include <stdint.h>

#include "sc_models/port/address_map.h"
#include "sw/guest/include/strobe/marker.h"
#include "sw/guest/include/strobe/observer_abi.h"

extern "C" {
alignas(64) strobe_observer_block_t strobe_observer_block;
alignas(64) strobe_observer_sample_t strobe_observer_buffer[STROBE_OBSERVER_BUFFERED];
}

namespace strobe::guest {
namespace {

constexpr uint64_t kCyclesEvent = 1;
constexpr uint64_t kOverflowInterrupt = uint64_t{1} << 13;
constexpr uint64_t kShortestSleep = 1000;  // cycles; a shorter while is spent in a loop
constexpr uint64_t kLongestSleep =
    50000;  // at once: the watchdog of a core takes a longer one for a deadlock
constexpr uint64_t kCalibration = 1024;  // rounds
constexpr unsigned kDteBits = 20;

#define READ_CSR(name)                                             \
  [] {                                                             \
    uint64_t csr_value;                                            \
    asm volatile("csrr %0, " name : "=r"(csr_value) : : "memory"); \
    return csr_value;                                              \
  }()
#define WRITE_CSR(name, value) asm volatile("csrw " name ", %0" : : "r"(value) : "memory")

uint64_t clock() { return READ_CSR("mcycle"); }

/// A word that a program writes, without a copy in this hart's cache.
uint64_t read_signal(uint64_t address, bool wide) {
  uint64_t value;
  if (wide) {
    asm volatile("add x0, x0, x5\n\tld %0, 0(%1)" : "=r"(value) : "r"(address) : "memory");
  } else {
    asm volatile("add x0, x0, x5\n\tlwu %0, 0(%1)" : "=r"(value) : "r"(address) : "memory");
  }
  return value;
}

/// So many rounds of two instructions that wait for each other.
void spin(uint64_t rounds) {
  if (rounds == 0) return;
  asm volatile("1:\n\taddi %0, %0, -1\n\tbnez %0, 1b" : "+r"(rounds));
}

/// Leaves the core to others for so many cycles.
void sleep(uint64_t cycles) {
  while (cycles != 0) {
    const uint64_t now = cycles < kLongestSleep ? cycles : kLongestSleep;
    WRITE_CSR("mip", uint64_t{0});
    WRITE_CSR("mhpmevent10", kCyclesEvent);
    WRITE_CSR("mhpmcounter10", -now);
    asm volatile("wfi" : : : "memory");
    cycles -= now;
  }
}

class Observer {
 public:
  explicit Observer(strobe_observer_block_t& block) : block_(block) {}

  [[noreturn]] void run() {
    set_events();
    WRITE_CSR("mie", kOverflowInterrupt);
    const uint64_t begin = clock();
    spin(kCalibration);
    const uint64_t spun = clock() - begin;
    measure_busy();
    const uint64_t idle = block_.period > block_.busy ? block_.period - block_.busy : 0;
    const uint64_t rounds = idle < kShortestSleep ? idle * kCalibration / spun : 0;
    const bool timed = block_.counters != 0 || block_.buffered != 0;
    for (;;) {
      if (timed) {
        observe_timed();
      } else {
        observe_signals();
      }
      if (rounds != 0) {
        spin(rounds);
      } else if (idle != 0) {
        sleep(idle);
      }
    }
  }

 private:
  void set_events() {
    for (uint64_t i = 0; i < block_.counters && block_.window != 0; ++i) {
      window(STROBE_COUNTERS_EVENTS + 8 * (3 + i)) = block_.event[i];
    }
    if (block_.window != 0) return;
    WRITE_CSR("mhpmevent3", block_.event[0]);
    WRITE_CSR("mhpmevent4", block_.event[1]);
    WRITE_CSR("mhpmevent5", block_.event[2]);
    WRITE_CSR("mhpmevent6", block_.event[3]);
    WRITE_CSR("mhpmevent7", block_.event[4]);
    WRITE_CSR("mhpmevent8", block_.event[5]);
    WRITE_CSR("mhpmevent9", block_.event[6]);
  }

  /// How long a sample takes, of the quickest of several; they do not count.
  void measure_busy() {
    uint64_t least = ~uint64_t{0};
    for (unsigned i = 0; i < 8; ++i) {
      const uint64_t begin = clock();
      read_counters();
      if (block_.counters != 0 || block_.buffered != 0) clock();
      read_signals();
      const uint64_t took = clock() - begin;
      least = took < least ? took : least;
    }
    block_.busy = least;
  }

  volatile uint64_t& window(uint64_t offset) {
    return *reinterpret_cast<volatile uint64_t*>(block_.window + offset);
  }

  void read_counters() {
    const uint64_t counters = block_.counters;
    if (block_.window != 0) {
      for (uint64_t i = 0; i < counters; ++i) now_.counter[i] = window(8 * (3 + i));
      return;
    }
    if (counters > 0) now_.counter[0] = READ_CSR("mhpmcounter3");
    if (counters > 1) now_.counter[1] = READ_CSR("mhpmcounter4");
    if (counters > 2) now_.counter[2] = READ_CSR("mhpmcounter5");
    if (counters > 3) now_.counter[3] = READ_CSR("mhpmcounter6");
    if (counters > 4) now_.counter[4] = READ_CSR("mhpmcounter7");
    if (counters > 5) now_.counter[5] = READ_CSR("mhpmcounter8");
    if (counters > 6) now_.counter[6] = READ_CSR("mhpmcounter9");
  }

  void read_signals() {
    const uint64_t signals = block_.signals;
    for (uint64_t i = 0; i < signals; ++i) {
      now_.signal[i] = read_signal(block_.signal[i], (block_.wide >> i & 1) != 0);
    }
  }

  void observe_signals() {
    ++block_.samples;
    const uint64_t tag = read_signal(block_.signal[0], (block_.wide & 1) != 0);
    if (tag < STROBE_OBSERVER_TAGS) {
      ++block_.tag[tag].samples;
    } else {
      ++block_.other_tags;
    }
    for (uint64_t i = 1; i < block_.signals; ++i) {
      read_signal(block_.signal[i], (block_.wide >> i & 1) != 0);
    }
  }

  void observe_timed() {
    now_.begin = clock();
    read_counters();
    now_.end = clock();
    read_signals();
    if (block_.buffered != 0) {
      keep();
    } else {
      analyze();
      last_ = now_;
    }
  }

  /// The host reads a sample at its mark.
  void keep() {
    strobe_observer_buffer[block_.samples % STROBE_OBSERVER_BUFFERED] = now_;
    ++block_.samples;
    asm volatile("fence rw, rw" : : : "memory");
    STROBE_MARKER(STROBE_OBSERVER_SAMPLE);
  }

  /// Counts of the program since the last sample: of counter i, less what this hart had of it.
  uint64_t count(uint64_t i) const {
    const uint64_t both = now_.counter[i] - last_.counter[i];
    return block_.own != 0 ? both - (now_.counter[i + 1] - last_.counter[i + 1]) : both;
  }

  void analyze() {
    const uint64_t cycles = now_.begin - last_.begin, at_end = now_.end - last_.end;
    const uint64_t skew = cycles > at_end ? cycles - at_end : at_end - cycles;
    ++block_.samples;
    const uint64_t first = block_.counters != 0 ? count(0) : 0;
    const uint64_t next = 1 + block_.own;
    const uint64_t second = block_.counters > next ? count(next) : 0;
    if (block_.signals != 0) {
      const uint64_t tag = now_.signal[0];
      if (tag < STROBE_OBSERVER_TAGS) {
        add(block_.tag[tag], cycles, first, second);
      } else {
        ++block_.other_tags;
      }
    }
    if (skew << kDteBits > cycles * block_.dte) return;
    ++block_.kept;
    if (first > cycles * block_.highest) {
      ++block_.other_rates;
      return;
    }
    const uint64_t bucket = first * STROBE_OBSERVER_BUCKETS / (cycles * block_.highest);
    const uint64_t last = STROBE_OBSERVER_BUCKETS - 1;
    add(block_.bucket[bucket < last ? bucket : last], cycles, first, second);
  }

  static void add(strobe_observer_sum_t& sum, uint64_t cycles, uint64_t first, uint64_t second) {
    ++sum.samples;
    sum.cycles += cycles;
    sum.count[0] += first;
    sum.count[1] += second;
  }

  strobe_observer_block_t& block_;
  strobe_observer_sample_t now_ = {}, last_ = {};
};

}  // namespace
}  // namespace strobe::guest

extern "C" [[noreturn]] void strobe_observe() {
  strobe::guest::Observer(strobe_observer_block).run();
}
