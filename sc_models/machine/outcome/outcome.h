// What came out of a run: its end, its counts, what became of each profiler.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sc_models/isa/linux/calls/unsupported_calls.h"
#include "sc_models/isa/linux/files/refusals.h"
#include "sc_models/isa/linux/threads/threads.h"
#include "sc_models/machine/outcome/cycle_histogram.h"
#include "sc_models/machine/outcome/statistics.h"
#include "sc_models/machine/outcome/truth_outcome.h"
#include "sc_models/port/tuple.h"
#include "sw/guest/include/strobe/observer_abi.h"
#include "sw/profile/accuracy/progress.h"
#include "sw/profile/accuracy/sampling.h"
#include "sw/profile/counts/profile.h"
#include "sw/profile/streams/reference_trace.h"

namespace strobe::platform {

/// A profile as the run produced it: counts by tuple.
using TupleCounts = std::vector<std::pair<Tuple, uint64_t>>;

/// What became of the messages of a profiler that writes them into a ring.
struct RingOutcome {
  uint64_t entries = 0;             // records it has
  uint64_t high_water = 0;          // the most that waited for the service thread
  uint64_t stalls = 0;              // cycles a full ring held a message back
  uint64_t overwritten = 0;         // messages the service thread never saw
  uint64_t overwritten_counts = 0;  // the events they counted
  // In the region of interest:
  CycleHistogram intervals;  // from one message whole in memory to the next
  CycleHistogram service;    // the service core's time for a message
  uint64_t cycles = 0;       // the region's
};

struct ProfilerOutcome {
  std::string name;
  std::string kind;      // one of config::kProfilerKindNames
  std::string fidelity;  // rtl | model | lockstep
  bool active = false;
  uint64_t events = 0;          // tuples selected
  uint64_t messages = 0;        // delivered to software
  uint64_t message_counts = 0;  // sum of their counts
  uint64_t interrupts = 0;
  uint64_t dropped = 0;
  uint64_t residue = 0;                 // counts still held at the end, of unknown tuples
  uint64_t high_water = 0, stalls = 0;  // active only
  uint64_t storage_bits = 0;
  std::optional<RingOutcome> ring;
  std::vector<profile::ProgressPoint> progress;  // as the configuration asks; passive only
  /// What software knows at the end: profilers that behave alike share it.
  std::shared_ptr<const TupleCounts> profile = std::make_shared<const TupleCounts>();
  /// Every event of the same run, for the same selectors: profilers with the same share it.
  std::shared_ptr<const TupleCounts> exhaustive = std::make_shared<const TupleCounts>();
  profile::PcSample kept;  // the instructions it has; all of them unless it is bounded
};

/// A handler that the productions of a run call.
struct HandlerOutcome {
  std::string name;
  uint64_t bytes = 0;  // its entry and body; what several share is in none
};

/// The data references that a handler collected, and all there were.
struct StreamsOutcome {
  profile::ReferenceTrace collected, exhaustive;
  uint64_t bursts = 0;   // that have ended
  uint64_t dropped = 0;  // records that found no room in guest memory
};

/// The same for call pairs or methods.
struct CallsOutcome {
  profile::Profile collected, exhaustive;
};

/// What software collected in the region, of the profiles it makes: handlers of a production set,
/// or instrumentation in the program.
struct HandlersOutcome {
  std::vector<HandlerOutcome> handlers;  // by name
  std::optional<StreamsOutcome> streams;
  std::optional<CallsOutcome> call_pairs, methods;
  std::optional<CallsOutcome> edges, values;            // of instrumentation only
  std::optional<profile::Profile> sandbox, watchpoint;  // {pc of the store, address}
  uint64_t lost = 0;  // counts that found no room in the table all but the streams are in
  std::map<std::string, uint64_t> registers;  // dise registers with a name, at the end
};

/// Epochs of ephemeral instrumentation in the region.
struct EpochsOutcome {
  uint64_t ended = 0;
  uint64_t hooked = 0;           // branches that were hooked again
  uint64_t longest_handler = 0;  // cycles from the end of an epoch to that of its handler
};

/// What the observer thread of SHIM knows of samples that have something in common.
struct ObservedSum {
  uint64_t samples = 0;
  uint64_t cycles = 0;     // of these samples,
  uint64_t count[2] = {};  // and counts of the first two counters
};

/// A sample that the observer thread has put into its buffer, and the truth beside it.
struct ObservedSample {
  uint64_t begin = 0, end = 0;  // the clock before and after the counters
  std::array<uint64_t, STROBE_OBSERVER_COUNTERS> counter{};  // as configured; 0: there is none
  std::array<uint64_t, STROBE_OBSERVER_SIGNALS> signal{};
  uint64_t read_at = 0;       // the cycle in which the first counter's read committed
  uint64_t instructions = 0;  // committed by the program's hart before cycle `begin`
  uint64_t marked = 0;        // the cycle in which the sample was in the buffer
  uint64_t own = 0;           // committed by the observer's hart by then
};

/// The observer thread's samples of the region.
struct ShimOutcome {
  uint64_t samples = 0;
  uint64_t kept = 0;  // by double-time error correction; of on-line analysis only
  uint64_t busy = 0;  // cycles of a sample without idling
  uint64_t other_tags = 0, other_rates = 0;
  std::vector<ObservedSum> buckets;       // by rate of the first counter; of on-line analysis only
  std::map<uint64_t, ObservedSum> tags;   // by value of the first signal; the same
  std::vector<ObservedSample> buffer;     // with a buffer; those after the first
  uint64_t dropped = 0;                   // shim.samples are counted and dropped
  std::map<uint64_t, ObservedSum> truth;  // by value of the first signal: all cycles, instructions
  uint64_t observer_instructions = 0;
};

/// What the timeline's file has.
struct TimelineOutcome {
  uint64_t begin = 0;     // the region's first cycle, counted from reset
  uint64_t records = 0;   // in the file
  uint64_t left_out = 0;  // records for which it had no room
};

enum class RunEnd {
  kExited,      // the program ended by itself
  kRegionDone,  // roi.run instructions were executed, or roi.end was reached
  kFailed,      // `error` says why: exit code 3
  kLimit,       // max_cycles or max_instructions: exit code 4
  kDeadlock,    // no commit for watchdog_cycles; `error` holds every component's state: exit code 3
};

struct RunOutcome {
  RunEnd end = RunEnd::kExited;
  std::string error;
  int exit_code = 0;                    // the program's
  uint64_t instructions = 0;            // U-mode instructions of the region of interest
  uint64_t instructions_before = 0;     // U-mode instructions of the program before it
  uint64_t begin_pc = 0, end_pc = 0;    // in functional mode: of its first and after its last
  uint64_t machine_instructions = 0;    // M-mode instructions of it: firmware and handler
  uint64_t cycles = 0;                  // 0 in functional mode; in sampled mode an estimate
  uint64_t end_cycle = 0;               // when it ended, counted from reset; 0 in functional mode
  uint64_t simulated_instructions = 0;  // in all modes and regions: what the host spent its time on
  uint64_t syscalls = 0;
  std::vector<isa::ThreadShare> threads;  // in the whole program; empty: it started none
  uint64_t thread_switches = 0;
  std::vector<std::string> suspect_calls;  // sentences
  isa::Refusals refusals;                  // what the sandbox refused
  isa::UnsupportedCalls unsupported_calls;
  Counters counters;  // every component's statistics; in sampled mode those of the units
  std::optional<profile::Samples> samples;  // in sampled mode
  IntervalTable intervals;  // the same by interval; empty unless the configuration asks for them
  std::vector<ProfilerOutcome> profilers;
  std::optional<TimelineOutcome> timeline;  // when the configuration asks for it
  std::optional<TruthOutcome> truth;        // when the configuration asks for it
  std::optional<EpochsOutcome> epochs;      // when the program has them, and came to its end
  std::optional<profile::Profile> sampled;  // with the timer: the instructions it interrupted
  std::optional<ShimOutcome> shim;          // with an observer, when the run came to its end
  std::optional<HandlersOutcome> handlers;  // with productions, when the run came to its end
};

}  // namespace strobe::platform
