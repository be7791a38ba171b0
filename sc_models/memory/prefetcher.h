// Chooses the lines that a cache prefetches after a demand access.
//
// next_line: after a miss, and after the first use of a prefetched line, the lines that follow it
// (A. J. Smith, "Cache Memories", ACM Computing Surveys 14, 1982: tagged prefetch).
// stride: when the distance between two accesses to the same 4 KB occurs twice in a row, it is
// followed (S. Palacharla and R. Kessler, "Evaluating stream buffers as a secondary cache
// replacement", ISCA 1994). A cache does not see the pc, so the zone of the address identifies the
// stream.
#pragma once

#include <cstdint>

#include "sc_models/memory/params.h"

namespace strobe::memory {

class Prefetcher {
 public:
  explicit Prefetcher(const CacheParams& params);

  bool on() const { return kind_ != Prefetch::kNone; }
  /// Notes a demand access to line `number`. `fresh` means that the access missed or was the first
  /// to a prefetched line. Returns the distance, in lines, from `number` to the first line to
  /// prefetch and from each such line to the next; 0: prefetch none.
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
  int64_t stride_from(uint64_t number);

  const Prefetch kind_;
  const unsigned degree_;
  unsigned line_bits_ = 0;
  Zone zones_[kZones];
};

}  // namespace strobe::memory
