// One run: wires a platform from a checked configuration, runs it to its end, returns what came
// out. One SystemC elaboration a process, so one call a process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sc_models/isa/linux/refusals.h"
#include "sc_models/platform/cycle_histogram.h"
#include "sc_models/platform/statistics.h"
#include "sc_models/port/retire.h"
#include "sc_models/port/tuple.h"
#include "sw/config/run_config.h"
#include "sw/profile/profile.h"
#include "sw/profile/progress.h"
#include "sw/profile/reference_trace.h"
#include "sw/profile/sampling.h"

namespace strobe::isa {
class ElfFile;
}
namespace strobe::dise {
struct SourceFile;
}

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
  CycleHistogram service;    // of the service core's time, a message
  uint64_t cycles = 0;       // of the region
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
  /// What software knows at the end: profilers of the same behaviour share it.
  std::shared_ptr<const TupleCounts> profile = std::make_shared<const TupleCounts>();
  /// Every event of the same run, for the same selectors: profilers with the same share it.
  std::shared_ptr<const TupleCounts> exhaustive = std::make_shared<const TupleCounts>();
  profile::PcSample kept;  // the instructions it has; all of them unless it is bounded
};

/// A handler that the productions of a run call.
struct HandlerOutcome {
  std::string name;
  uint64_t bytes = 0;  // of its entry and body; what several share is in none
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
  uint64_t simulated_instructions = 0;  // in all modes and regions: what the host spent its time on
  uint64_t syscalls = 0;
  isa::Refusals refusals;  // of the sandbox
  Counters counters;       // every component's statistics; in sampled mode those of the units
  std::optional<profile::Samples> samples;  // in sampled mode
  IntervalTable intervals;  // the same by interval; empty unless the configuration asks for them
  std::vector<ProfilerOutcome> profilers;
  std::optional<HandlersOutcome> handlers;  // with productions, when the run came to its end
};

/// Takes the selected tuples of a run in stream order. A batch is kTupleBatch long but for the
/// last.
class TupleSink {
 public:
  static constexpr size_t kTupleBatch = 1024;

  virtual ~TupleSink() = default;
  /// @param cycles  core cycles of the region when the last of them retired; 0 in functional mode
  virtual void take(const Tuple* tuples, size_t count, uint64_t cycles) = 0;
};

/// Looks at what the program retires in the region of interest, and costs it nothing.
class RetireWatcher {
 public:
  virtual ~RetireWatcher() = default;
  /// Classes of the instructions to be shown; 0: none.
  virtual uint16_t opclasses() const = 0;
  virtual void record(const RetireRecord& record) = 0;
};

/// Reads guest memory without side effects.
using MemoryReader = std::function<bool(uint64_t address, void* to, size_t size)>;

/// The files of a run as it read them.
struct RunInputs {
  const isa::ElfFile& program;
  const isa::ElfFile& firmware;
  const std::vector<dise::SourceFile>& productions;
  int standard_input = -1;  // host descriptor; -1: none
};

struct RunHooks {
  /// The workload's ELF as isa::open_program() read it before; null: the run reads it.
  std::shared_ptr<const isa::ElfFile> program;
  /// Once, when the guest's files are loaded and nothing has executed.
  std::function<void(const RunInputs&)> loaded;
  std::function<void()> elaborated;  // once: all is loaded and wired, no instruction has executed
  std::function<void(uint64_t instructions, uint64_t cycles)> progress;  // a few times a second
  /// What the program writes goes there, by default nowhere.
  std::function<void(int fd, const char* data, size_t size)> output = [](int, const char*, size_t) {
  };
  RetireWatcher* watcher = nullptr;  // without productions
  /// When the region begins, if that is not with the program, and after the end of a run that came
  /// to one.
  std::function<void(const MemoryReader&)> region_begins, ended;
  TupleSink* recorder = nullptr;  // gets what the first profiler selects; then nobody else watches
  std::string trace_directory;    // the files of `trace` go here; the profiled run only
  /// False: of the profiles that handlers make there is only what they collected, for who has the
  /// exhaustive ones of the same run already.
  bool exhaustive = true;
};

/// Runs the configuration. `profiled` false: the same run with no active profiler (the baseline).
/// Throws std::runtime_error (ElfError among them) before anything ran; what goes wrong later is in
/// RunOutcome.
RunOutcome run(const config::RunConfig& configuration, bool profiled, const RunHooks& hooks);

}  // namespace strobe::platform
