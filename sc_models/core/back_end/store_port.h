// The data cache of a core that shares its memory: a store is seen by the other harts when the
// cache takes it.
//
// The pipeline presents stores and atomics in program order, so each access that is taken belongs
// to the oldest of the buffer. One over two lines is two accesses, repeated as a pair.
#pragma once

#include "sc_models/isa/memory/store_buffer.h"
#include "sc_models/port/timing_port.h"

namespace strobe::core {

class StorePort final : public TimingPort {
 public:
  StorePort(TimingPort& cache, isa::StoreBuffer& stores, unsigned line_bytes)
      : cache_(cache), stores_(stores), line_bytes_(line_bytes) {}

  uint64_t access(uint64_t address, AccessKind kind, uint64_t now) override {
    const uint64_t done = cache_.access(address, kind, now);
    if (kind == AccessKind::kStore && done != 0) {
      const uint64_t last = stores_.oldest_last_byte();
      const bool straddles = stores_.oldest_first_byte() / line_bytes_ != last / line_bytes_;
      if (!straddles || address == last) stores_.write_oldest();
    }
    return done;
  }

 private:
  TimingPort& cache_;
  isa::StoreBuffer& stores_;
  const unsigned line_bytes_;
};

}  // namespace strobe::core
