// The events that an instrumented program left in its memory, in addresses of the original program.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/machine/outcome/run_hooks.h"
#include "sw/instrument/bursty/instrumented_program.h"
#include "sw/profile/counts/profile.h"
#include "sw/profile/streams/reference_trace.h"

namespace strobe {

/// Whether the program keeps its events one by one; else it folds them into counts, and the bursts
/// cannot be told apart.
bool keeps_trace(const instrument::BurstyOptions& options);

/// What was recorded, by kind.
struct GuestEvents {
  profile::ReferenceTrace references;  // with a separator a burst
  profile::Profile calls;              // call_pair()
  profile::Profile edges, values;      // {pc, where it goes}, {pc, loaded value}
  profile::Profile methods;            // method_entry(); whole only with calls and edges
  uint64_t events = 0, bursts = 0, dropped = 0;
  std::vector<uint64_t>
      burst_events;  // one for each burst that a trace tells apart, in their order
};

/// Reads the memory of one run. Keeps references to its arguments.
class GuestEventReader {
 public:
  /// @param edited  the instrumented program as it was loaded
  GuestEventReader(const instrument::InstrumentedProgram& program,
                   const instrument::BurstyOptions& options, const isa::ElfFile& edited,
                   uint64_t original_end);

  /// The region begins: what is there now is not its own.
  void begin(const platform::MemoryReader& read);
  /// What was recorded since. Throws std::runtime_error when the guest's memory makes no sense.
  GuestEvents finish(const platform::MemoryReader& read) const;

 private:
  struct Record {
    uint64_t site = 0, value = 0;
  };
  struct Folded {
    Record event;
    uint64_t count = 0;
  };
  /// {site, value}
  using Counts = std::map<std::pair<uint64_t, uint64_t>, uint64_t>;
  struct State {
    std::vector<Record> records;  // one by one; of folded events those in the buffer
    Counts folded;                // those in the table
    uint64_t dropped = 0, bursts = 0;
  };

  uint64_t symbol(const char* name) const;
  uint64_t word(const platform::MemoryReader& read, const char* name) const;
  template <class T>
  std::vector<T> array(const platform::MemoryReader& read, uint64_t address, uint64_t count) const;
  State state(const platform::MemoryReader& read) const;
  /// Counts what was folded, and what is still in the buffer; a mark is site 0.
  Counts counts_of(const State& state) const;
  void add_trace(const std::vector<Record>& records, GuestEvents* events, Counts* counts) const;
  void add_profiles(const Counts& counts, GuestEvents* events) const;
  const instrument::LinkedSite& site(uint64_t recorded) const;
  uint64_t original_address(uint64_t edited) const;
  uint64_t callee(const instrument::LinkedSite& site, uint64_t value) const;
  void find_loop_heads();

  const instrument::InstrumentedProgram& program_;
  const instrument::BurstyOptions& options_;
  const isa::ElfFile& edited_;
  bool trace_;
  uint64_t edited_end_, original_end_;                 // the loaded programs'
  std::unordered_map<uint64_t, uint32_t> by_call_;     // a site by the address after its call
  std::unordered_map<uint64_t, uint64_t> loop_heads_;  // where a backward branch goes, by its pc
  // As the region began:
  uint64_t records_before_ = 0, dropped_before_ = 0;
  Counts counts_before_;
};

}  // namespace strobe
