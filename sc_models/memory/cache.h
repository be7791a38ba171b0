// A set-associative, write-back, write-allocate cache with LRU replacement and miss registers.
//
// Accesses arrive in two ways: at the TimingPort (the core's hot path, plain C++) and at TLM-2.0
// target sockets (the level above, or any TLM master). Requests leave through one initiator socket,
// by b_transport with annotated delay; the level below must answer without wait(). The cache keeps
// only tags and times. The bytes live in the memory below and are reached through DMI or
// transport_dbg, so what a master reads is always correct. A cache attached to a Directory keeps
// MESI states; any other cache owns its lines.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <map>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "sc_models/memory/coherence.h"
#include "sc_models/memory/miss_registers.h"
#include "sc_models/memory/params.h"
#include "sc_models/memory/prefetcher.h"
#include "sc_models/port/clock.h"
#include "sc_models/port/timing_port.h"

namespace strobe::memory {

class Cache final : public sc_core::sc_module, public TimingPort, public SnoopPort {
 public:
  enum class Holds : uint8_t { kInstructions, kData };

  /// Takes any number of initiators; none for a first-level cache, which the core accesses as
  /// TimingPort.
  tlm_utils::multi_passthrough_target_socket<Cache, 32, tlm::tlm_base_protocol_types, 0,
                                             sc_core::SC_ZERO_OR_MORE_BOUND>
      target_socket;
  tlm_utils::simple_initiator_socket<Cache> initiator_socket;

  /// Throws std::invalid_argument when the parameters do not give a possible cache geometry.
  Cache(sc_core::sc_module_name name, const CacheParams& params, const Clock& clock);

  /// TimingPort: one access inside one line. Returns the cycle in which the access is done: for a
  /// hit `latency` cycles after `now`, or when the line arrives if it is still in flight. Returns 0
  /// when no miss register is free or every way of the set is in flight. Raises a SystemC error
  /// when the level below refuses the line. A non-temporal load that misses takes a miss register,
  /// but no way; no cache below it takes the line either.
  uint64_t access(uint64_t address, AccessKind kind, uint64_t now) override;

  /// To be called when the level below is a directory: from now on, requests carry their purpose.
  void make_coherent(Holds holds);
  Answer peek(uint64_t address) const override;
  Answer share(uint64_t address) override;
  Answer invalidate(uint64_t address) override;
  LineState state(uint64_t address) const;

  /// Functional warming (docs/sampling.md): updates the lines, their order, their dirty marks and
  /// the prefetcher as an access inside one line does. No time passes, no miss register is taken,
  /// and nothing is counted.
  void warm(uint64_t address, bool write) {
    const uint64_t number = address >> line_bits_;
    Line& newest = lines_[(number & set_mask_) * params_.ways];
    if ((newest.tag | kDirty) == (number << kFlagBits | kDirty) && warm_directly_) {
      newest.tag |= uint64_t{write};
    } else {
      warm_line(number, write, false);
    }
  }
  /// Sets the cache that warming accesses for missing lines. Without it, the level below is memory.
  void set_warm_below(Cache& below) { warm_below_ = &below; }

  std::map<std::string, uint64_t> statistics() const;
  void reset_statistics() {
    misses_before_ += counters_.misses;
    counters_ = Counters();
  }
  /// Since time 0.
  uint64_t misses() const { return misses_before_ + counters_.misses; }
  /// The lines in flight at cycle `now`, one per row.
  std::string dump_state(uint64_t now) const;

 private:
  struct Line {      // way 0 of a set is the most recently used
    uint64_t tag;    // line number << kFlagBits + flags; kInvalid
    uint64_t ready;  // cycle at which the line has arrived
  };
  struct Counters {
    uint64_t reads = 0, writes = 0, misses = 0, merged = 0, writebacks = 0, mshr_stalls = 0,
             set_stalls = 0, prefetches = 0, prefetches_used = 0, prefetches_late = 0;
  };
  static constexpr uint64_t kDirty = 1;
  static constexpr uint64_t kPrefetched = 2;  // and not used yet
  static constexpr uint64_t kShared = 4;      // not to be written without an upgrade
  static constexpr unsigned kFlagBits = 3;
  static constexpr uint64_t kInvalid = ~uint64_t{0};
  // Marks a fill that the level below refused; no cycle is that late.
  static constexpr uint64_t kRefused = ~uint64_t{0};

  [[gnu::noinline]] uint64_t access_others(uint64_t address, AccessKind kind, uint64_t now);
  uint64_t read_through(uint64_t number, uint64_t now);
  uint64_t touch(uint64_t number, bool write, bool whole_line, uint64_t now);
  uint64_t demand(uint64_t number, bool write, bool whole_line, uint64_t now);
  uint64_t miss(Line* set, uint64_t number, bool write, bool whole_line, uint64_t now);
  [[gnu::cold]] uint64_t upgrade(Line* set, unsigned way, uint64_t now);
  uint64_t outstanding(uint64_t number, bool write, uint64_t now) const;
  unsigned victim_of(const Line* set, uint64_t now) const;
  void prefetch(uint64_t number, uint64_t now);
  uint64_t retry_cycle(uint64_t number, uint64_t now) const;
  void insert(Line* set, unsigned victim, uint64_t tag, uint64_t ready);
  struct Fetched {
    uint64_t ready;  // kRefused: the level below has no such line
    uint64_t flags;  // flags of the line's tag
  };
  Fetched fetch_line(uint64_t number, bool write, uint64_t replaced_tag, uint64_t now);
  uint64_t ask(tlm::tlm_command command, uint64_t number, CoherenceRequest& request, uint64_t now);
  size_t find(uint64_t number) const;
  void write_back(uint64_t number, uint64_t now);
  bool move(tlm::tlm_command command, uint64_t address, unsigned char* data, unsigned length);
  bool direct(uint64_t address, unsigned length);

  // cache_warm.cpp
  void warm_line(uint64_t number, bool write, bool whole_line);
  void warm_prefetch(uint64_t number);
  void warm_insert(Line* set, uint64_t tag);
  bool backed(uint64_t number);

  void b_transport(int id, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(int id, tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(int id, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end);

  const CacheParams params_;
  const Clock clock_;
  unsigned line_bits_ = 0;
  uint64_t set_mask_ = 0;
  std::vector<Line> lines_;
  MissRegisters registers_;
  std::vector<unsigned char> line_buffer_;
  tlm::tlm_generic_payload payload_;
  tlm::tlm_dmi dmi_;
  bool dmi_valid_ = false;
  Counters counters_;
  uint64_t misses_before_ = 0;  // the counters were reset
  Prefetcher prefetcher_;
  bool coherent_ = false;
  Holds holds_ = Holds::kData;
  const bool warm_directly_;  // a hit in way 0 changes nothing but the dirty mark
  Cache* warm_below_ = nullptr;
  bool fresh_ = false;  // the last demand missed, or was the first to a prefetched line
};

}  // namespace strobe::memory
