// What a cache asks for ahead of need: the lines to prefetch after a demand access.
//
// next_line: after a miss, and after the first use of a prefetched line, the lines that follow it
// (A. J. Smith, "Cache Memories", ACM Computing Surveys 14, 1982: tagged prefetch).
// stride: the distance between two accesses to the same 4 KB, seen twice in a row, is followed
// (S. Palacharla and R. Kessler, "Evaluating stream buffers as a secondary cache replacement", ISCA
// 1994: a cache does not see the pc, so the zone of the address stands for the stream).
#pragma once

#include <cstdint>

#include "sc_models/memory/params.h"

namespace strobe::memory {

class Prefetcher {
 public:
  explicit Prefetcher(const CacheParams& params);

  bool on() const { return kind_ != Prefetch::kNone; }
  /// Tells it of a demand access to line `number`. `fresh`: it missed, or was the first to a
  /// prefetched line. Returns the distance in lines between the lines to prefetch, the first one of
  /// them included; 0: none.
  int64_t distance(uint64_t number, bool fresh);
  unsigned degree() const { return degree_; }

 private:
  static constexpr unsigned kZones = 16;
  static constexpr unsigned kZoneBits = 12;
  struct Zone {
    uint64_t zone = ~uint64_t{0};
    uint64_t last = 0;  // line
    int64_t stride = 0;
    bool confirmed = false;
  };
  const Prefetch kind_;
  const unsigned degree_;
  unsigned line_bits_ = 0;
  Zone zones_[kZones];
};

}  // namespace strobe::memory
