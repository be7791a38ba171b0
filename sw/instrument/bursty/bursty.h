// Bursty tracing (Hirzel and Chilimbi, "Bursty Tracing: A Framework for Low-Overhead Temporal
// Profiling"): two copies of every function, and checks that decide which of them runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sw/instrument/edited_program.h"
#include "sw/object/analysis/program.h"
#include "sw/object/file/address_table.h"

namespace strobe::instrument {

/// Which functions carry a check at their entry (section 4.1).
enum class EntryChecks : uint8_t {
  kAll,
  kNoLeaves,       // EL: not those that call nothing
  kEquationThree,  // EC: roots, functions whose address is taken, recursion from below; no leaves
  kNone,           // EN: a bound, no program can be sampled so
};

/// What the instrumented copy records.
enum class EventKind : uint8_t {
  kData,   // loads and stores: pc and address
  kEdge,   // branches: pc and where control goes
  kCall,   // calls: pc and callee
  kValue,  // loads of integers: pc and value
};

inline constexpr int kNoLoopIsBoring = -1, kNoLoopChecks = -2;

struct BurstyOptions {
  EntryChecks entries = EntryChecks::kEquationThree;
  /// A loop without calls and with at most so many events has no check, and is instrumented in
  /// neither copy (section 4.2); kNoLoopIsBoring, or kNoLoopChecks (LN: a bound).
  int boring = 4;
  std::vector<EventKind> events = {EventKind::kData};
  bool library = true;                // else only objects that the link command names are edited
  unsigned buffer_records = 1024;     // room of the event buffer, a power of two
  uint64_t trace_records = 1u << 20;  // what the guest keeps of full buffers
  bool jitter = false;                // the distance between two bursts is that of set_distances()
};

/// The options of a bar of Figure 6: orig, EL, EC, EN, L4, L10, LN or EC+L4. Throws
/// std::invalid_argument with the list.
BurstyOptions variant(const std::string& name);

/// A place that records events. What it records is the address after its call of the runtime.
/// Number 0 marks the beginning of a burst.
struct Site {
  EventKind kind = EventKind::kData;
  object::ObjectPlace instruction;  // in the original objects
  /// Where an edge or a direct call goes; otherwise the recorded value says it.
  std::optional<object::ObjectPlace> target;
  uint32_t after_call = object::kNone;  // the symbol there, of the edited object; kNone of number 0
};

struct BurstyCounts {
  uint64_t functions = 0, entry_checks = 0, loop_checks = 0, boring_loops = 0;
  uint64_t sites = 0, spills = 0;              // spills: places where a register is saved
  uint64_t bytes_before = 0, bytes_after = 0;  // of code
};

struct Bursty {
  object::ObjectFile runtime;               // to be linked first
  std::vector<object::ObjectFile> objects;  // in the order of the linker
  std::vector<PlacedInstruction> code;
  std::vector<Site> sites;
  BurstyCounts counts;
  std::vector<object::LeftAlone> left_alone;
};

/// Edits every object of `program`, which is used up.
/// @param runtime  the compiled sw/guest/bursty/fold.c
Bursty make_bursty(object::Program* program, std::vector<uint8_t> runtime,
                   const BurstyOptions& options);

}  // namespace strobe::instrument
