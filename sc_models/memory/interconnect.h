// A crossbar of N initiators and M targets, which are chosen by address range. A target sees
// addresses relative to the base of its range.
//
// A request takes `latency` cycles to reach its target, and its answer takes `latency` cycles back.
// A target takes one request per cycle; later ones wait in the order of arrival.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <map>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "sc_models/memory/reservations.h"
#include "sc_models/port/clock.h"

namespace strobe::memory {

struct AddressRange {
  uint64_t base = 0;
  uint64_t size = 0;
  bool contains(uint64_t address, uint64_t length) const {
    return address >= base && length <= size && address - base <= size - length;
  }
};

class Interconnect : public sc_core::sc_module {
 public:
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<Interconnect>> target_sockets;
  /// Element i serves ranges[i].
  sc_core::sc_vector<tlm_utils::simple_initiator_socket_tagged<Interconnect>> initiator_sockets;

  /// Throws std::invalid_argument when two ranges overlap or one is empty.
  Interconnect(sc_core::sc_module_name name, unsigned initiators, std::vector<AddressRange> ranges,
               unsigned latency, const Clock& clock);

  std::map<std::string, uint64_t> statistics() const;
  void reset_statistics();
  std::string dump_state(uint64_t now) const;

 private:
  int route(uint64_t address, uint64_t length) const;  // -1: no target there
  void b_transport(int id, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(int id, tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(int id, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  void invalidate_direct_mem_ptr(int id, sc_dt::uint64 start, sc_dt::uint64 end);

  const std::vector<AddressRange> ranges_;
  const unsigned latency_;
  const Clock clock_;
  std::vector<Reservations> taken_;  // per target: one request per cycle
  uint64_t transactions_ = 0, wait_cycles_ = 0, address_errors_ = 0;
};

}  // namespace strobe::memory
