// Parameters of the memory system. Each one is a configuration key of the same name.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace strobe::memory {

/// What a cache prefetches; prefetcher.cpp has the rule of each.
enum class Prefetch : uint8_t { kNone, kNextLine, kStride };
/// The names in a configuration, in the order of the enumerators.
inline constexpr const char* kPrefetchNames[] = {"none", "next_line", "stride"};

/// What the hint ntl.all of a load does (Zihintntl).
enum class NonTemporal : uint8_t {
  kHonor,   // the load leaves no line in any cache, and changes the state of none
  kIgnore,  // nothing
};
/// The names in a configuration, in the order of the enumerators.
inline constexpr const char* kNonTemporalNames[] = {"honor", "ignore"};

struct CacheParams {
  uint64_t size = 32 * 1024;  // bytes
  unsigned ways = 2;
  unsigned line = 64;    // bytes
  unsigned latency = 1;  // cycles of a hit
  unsigned mshrs = 8;    // outstanding misses
  Prefetch prefetch = Prefetch::kNone;
  unsigned prefetch_degree = 1;  // lines requested at once
};

/// Parameters of coherence between the first-level caches of several cores.
struct CoherenceParams {
  unsigned invalidate_latency = 20;  // cycles to invalidate other copies on a write
  unsigned transfer_latency = 30;    // cycles from a request to the data of another cache
};

struct MemoryParams {
  CacheParams l1i, l1d;
  CacheParams l2{1024 * 1024, 4, 64, 12, 16};
  unsigned bus_latency = 2;     // cycles through the interconnect, each way
  unsigned dram_latency = 100;  // cycles from request at DRAM to data
  unsigned dram_interval = 8;   // cycles between two lines (bandwidth)
  // The same two in nanoseconds, which stay as they are when the clock changes; above 0 they take
  // the place of the two before.
  double dram_latency_ns = 0, dram_interval_ns = 0;
  unsigned device_latency = 4;  // cycles of a device register access
  NonTemporal ntl = NonTemporal::kHonor;

  /// Both in cycles of a clock, whichever way they are given.
  unsigned dram_latency_at(double frequency_ghz) const {
    return cycles_at(frequency_ghz, dram_latency_ns, dram_latency);
  }
  unsigned dram_interval_at(double frequency_ghz) const {
    return cycles_at(frequency_ghz, dram_interval_ns, dram_interval);
  }

 private:
  /// Rounded to whole cycles, at least 1.
  static unsigned cycles_at(double frequency_ghz, double ns, unsigned cycles) {
    if (ns <= 0) return cycles;
    return static_cast<unsigned>(std::max(1L, std::lround(ns * frequency_ghz)));
  }
};

}  // namespace strobe::memory
