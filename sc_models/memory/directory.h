// The point of coherence between first-level caches and the second level: a full-map directory.
//
//     l1i0 ─┐             ┌─ l1d1       a socket each, and a SnoopPort back
//     l1d0 ─┴─ directory ─┴─ l1i1
//     DMA ────────┘ │
//                   l2
//
// The directory knows exactly which cache holds which line, as duplicate tags would, because caches
// name the line that they replace. The second level therefore needs no copy and may drop a line
// that a first level holds. Masters of the TLM-2.0 base protocol use `master_socket`. A call is a
// whole transaction, so there are no transient states. When a line is still on its way to the
// snooped cache, the time of that cache's answer includes the wait. docs/blocks/memory.md has the
// transitions and their costs.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <map>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "sc_models/memory/cache.h"
#include "sc_models/memory/coherence.h"
#include "sc_models/memory/params.h"
#include "sc_models/port/clock.h"

namespace strobe::memory {

class Directory : public sc_core::sc_module {
 public:
  /// For masters without caches. Their reads and writes are coherent with the caches.
  tlm_utils::multi_passthrough_target_socket<Directory, 32, tlm::tlm_base_protocol_types, 0,
                                             sc_core::SC_ZERO_OR_MORE_BOUND>
      master_socket;
  tlm_utils::simple_initiator_socket<Directory> initiator_socket;

  /// @param caches  how many attach() calls follow; at most 64
  /// @param line    line size of every cache, in bytes
  Directory(sc_core::sc_module_name name, unsigned caches, unsigned line,
            const CoherenceParams& params, const Clock& clock);

  /// Binds the cache and keeps it coherent from now on.
  void attach(Cache& cache, Cache::Holds holds);

  std::map<std::string, uint64_t> statistics() const;
  void reset_statistics() { counters_ = Counters(); }
  std::string dump_state() const;

  /// The number of lines that at least one cache holds.
  size_t lines() const { return entries_.size(); }

 private:
  static constexpr int kNoOwner = -1;
  struct Entry {
    uint64_t holders = 0;  // bit i: cache i holds the line
    int owner = kNoOwner;  // the only holder, which may have modified it
  };
  struct Counters {
    uint64_t transfers = 0, invalidations = 0, upgrades = 0, writebacks = 0;
  };
  // The combined answers of the caches: when the last of them can give the line up, and whether it
  // was modified.
  struct Snooped {
    uint64_t ready = 0;
    bool modified = false;
  };

  void cache_transport(int id, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void master_transport(int id, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(int id, tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(int id, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end);

  bool read(unsigned id, CoherenceRequest& request, tlm::tlm_generic_payload& payload,
            sc_core::sc_time& delay);
  void peek(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool own(unsigned id, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void upgrade(unsigned id, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool below(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void transfer(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay, uint64_t start);
  Snooped share(Entry& entry, uint64_t address);
  Snooped invalidate_others(Entry& entry, unsigned keep, uint64_t address);
  void write_back(uint64_t address, uint64_t now);
  void forget(unsigned id, uint64_t address);

  const unsigned line_;
  const CoherenceParams params_;
  const Clock clock_;
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<Directory>> cache_sockets_;
  std::vector<SnoopPort*> snoopers_;
  std::unordered_map<uint64_t, Entry> entries_;  // by the line's address
  std::vector<unsigned char> line_buffer_;
  Counters counters_;
};

}  // namespace strobe::memory
