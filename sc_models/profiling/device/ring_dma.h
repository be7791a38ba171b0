// The ring writer's way to memory: a TLM-2.0 master that makes one burst of a record's words.
//
// Bound to Directory::master_socket it is coherent with the caches. The last word of a record
// starts the burst of 32 bytes; the next record's words are taken when it is done. It also knows
// when each record became whole, which is what the service thread's time is held against (ISCA
// 2001, section 2.2: the time between messages).
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>

#include "sc_models/port/clock.h"

namespace strobe::profiling {

class RingDma : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<RingDma> socket;

  /// @param on_record  called with the cycle in which a record is whole in memory
  RingDma(const sc_core::sc_module_name& name, const Clock& clock,
          std::function<void(uint64_t cycle)> on_record);

  bool ready(uint64_t cycle) const { return cycle >= done_; }
  /// Takes a 64-bit word at cycle `cycle`, in which ready() holds; a record's words come in the
  /// order of their addresses. Throws std::runtime_error where no memory is.
  void write(uint64_t cycle, uint64_t address, uint64_t data);

 private:
  const Clock clock_;
  std::function<void(uint64_t)> on_record_;
  std::array<uint64_t, 4> record_{};  // its words so far
  uint64_t done_ = 0;                 // the cycle in which the last burst is
};

}  // namespace strobe::profiling
