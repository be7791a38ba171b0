// The hot path between the core and its first-level caches: one C++ call an access, no payload.
// Beyond the first level everything is TLM-2.0.
#pragma once

#include <cstdint>

namespace strobe {

enum class AccessKind : uint8_t {
  kFetch,
  kLoad,
  kNonTemporalLoad,  // after the hint ntl.all: no cache takes the line
  kStore,
};

class TimingPort {
 public:
  virtual ~TimingPort() = default;
  /// Presents an access at cycle `now`.
  /// @return the cycle at which the data is there (now + hit latency for a hit), or 0 when it
  /// cannot
  ///         be accepted in this cycle (no free miss register): present it again later.
  virtual uint64_t access(uint64_t address, AccessKind kind, uint64_t now) = 0;
};

}  // namespace strobe
