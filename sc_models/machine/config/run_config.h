// A checked run configuration as plain structs: what `strobe run` hands to the platform.
// No yaml-cpp here; run_config.cpp fills it from a file (the declarations of the keys are there).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sc_models/core/params.h"
#include "sc_models/isa/linux/threads/scheduler_options.h"
#include "sc_models/machine/config/compressor_config_generated.h"
#include "sc_models/port/address_map.h"
#include "sc_models/port/path_interface.h"
#include "sw/text/diagnostic.h"

namespace strobe::config {

enum class Mode { kFunctional, kTiming, kSampled };

/// A place in the program, where its region of interest begins or ends.
struct RegionPoint {
  std::string symbol;       // "main_loop", "main_loop+0x10"; empty: none
  uint64_t marker = 0;      // of sw/guest/include/strobe/marker.h; 0: none
  uint64_t occurrence = 1;  // from 1
  text::Diagnostic place;   // where the key is that gives it; its message is empty
  /// Instead of a symbol: where an instruction is in each copy of an edited program. No key.
  std::vector<uint64_t> copies;
  bool given() const { return !symbol.empty() || marker != 0 || !copies.empty(); }
};

enum class Warming { kNone, kFunctional };

struct WorkloadConfig {
  std::string elf;       // path on the host
  std::string elf_name;  // as the run file names it: what results say
  std::string objects;   // how it was linked (link_record.h); empty: FILE.link beside it
  std::string argv0;     // what the program is told that it is called; empty: its file's name
  std::vector<std::string> args, env;
  std::string stdin_file;                // empty: none
  std::vector<std::string> read, write;  // sandbox directories
  std::string cwd;
  uint64_t memory = uint64_t{1} << 30;  // bytes the program may use
  uint64_t seed = 1;                    // for the random bytes that the program gets
  RegionPoint roi_begin, roi_end;
  uint64_t roi_skip = 0, roi_warm = 0, roi_run = 0;  // instructions; 0 = none, none, to the end
  Warming roi_warming = Warming::kNone;
  isa::SchedulerOptions scheduler;  // how the program's threads take turns
  unsigned switch_cycles = 500;     // what it costs to go from one to another
};

enum class Prediction : uint8_t { kAny = 0, kMispredicted = 1, kPredicted = 2 };

struct SelectorConfig {
  std::string profile;  // value | edge | call_target | address | type: opclasses and tuple's value
  std::vector<std::string> opclasses;  // overrides the profile's own; empty: the profile's
  uint64_t pc_lo = 0, pc_hi = ~uint64_t{0};
  bool user = true, machine = false;
  bool marked = false;
  bool in_burst = false;  // only in a burst of the decode engine
  Prediction prediction = Prediction::kAny;
  std::string thread;  // the number of the one that is selected; empty: all
  unsigned tag = 0;
  friend bool operator==(const SelectorConfig& a, const SelectorConfig& b) {
    return a.profile == b.profile && a.opclasses == b.opclasses && a.pc_lo == b.pc_lo &&
           a.pc_hi == b.pc_hi && a.user == b.user && a.machine == b.machine &&
           a.marked == b.marked && a.in_burst == b.in_burst && a.prediction == b.prediction &&
           a.thread == b.thread && a.tag == b.tag;
  }
};

struct SecondLevelConfig {
  unsigned entries = 0;  // 0: there is none
  unsigned counter_width = 16;
};

enum class Communication { kInterrupt, kRing };
enum class MessagePort { kBus, kCore };
enum class RingFull { kBackPressure, kOverwrite };

/// How the messages of an active profiler get to software.
struct CommunicationConfig {
  Communication kind = Communication::kInterrupt;
  MessagePort port = MessagePort::kBus;  // where the handler reads the messages; interrupt only
  // ring only:
  unsigned entries = 1024;           // records
  uint64_t base = STROBE_RING_BASE;  // its address
  RingFull full = RingFull::kBackPressure;
  std::optional<core::CoreParams> service_core;  // empty: as the run's core
};

/// Whether a hash has the constants of the RTL or others, drawn from the run's seed.
enum class HashConstants { kRtl, kDrawn };

/// Where something periodic begins: at its start, or anywhere in a period, by the seed.
enum class Phase { kStart, kRandom };

struct ProfilerConfig : CompressorConfig {
  std::string name;
  bool active = false;
  profiling::Fidelity fidelity = profiling::Fidelity::kModel;
  SecondLevelConfig second_level;         // not associative
  unsigned queue_depth = 128;             // active only
  unsigned buffer_depth = 256;            // active only
  unsigned watermark = 100;               // messages per interrupt; active only
  CommunicationConfig communication;      // active only
  std::vector<SelectorConfig> selectors;  // tuples: what is profiled
  uint64_t seed = 0;  // for random numbers; 0: derived from the run's seed and the name
  HashConstants hash_constants = HashConstants::kRtl;  // drawn: passive only
  Phase phase = Phase::kStart;                         // of periodic samplers; random: passive only
};

/// Whether the counts of its messages and those still held add up to its events; of samplers that
/// estimate they do so on average only.
bool conserves(const ProfilerConfig& profiler);

/// Files of the result directory, plain names; empty: not written.
struct TraceConfig {
  std::string pipeline;           // Kanata log
  std::string waves;              // .vcd or .fst of the active profiler's RTL
  std::string timeline;           // CSV of interrupts, handlers and queue levels
  uint64_t from = 0, to = 20000;  // core cycles since reset: [from, to)
};

/// What a run may take of the host.
struct LimitsConfig {
  uint64_t output = uint64_t{256} << 20;  // bytes of standard output and error together; 0: any
  uint64_t memory = 0;                    // bytes beside the program's memory; 0: any
};

/// Accuracy against progress: the error of each passive profiler after every so many events.
struct ProgressConfig {
  uint64_t every = 0;  // events between two points; 0: none
  double threshold = 0.05;
};

enum class Speculation { kRestore, kLeak };

/// The decode engine and its production set (docs/blocks/dise.md).
struct DecodeConfig {
  std::vector<std::string> productions;  // files of one set; empty: there is no engine
  profiling::Fidelity fidelity = profiling::Fidelity::kModel;
  Speculation speculation = Speculation::kRestore;
  unsigned stages = 1;  // in which it works; decode itself is the first
  unsigned stall_cycles = 1;
  bool flags_after = false;          // flag_timing: after
  uint64_t sparsity = 0, burst = 0;  // events; 0: what the files say
  Phase phase = Phase::kStart;       // where the first burst begins
  unsigned jitter = 0;               // random bits of the distance between two bursts
  bool given() const { return !productions.empty(); }
};

enum class Instrumentation { kNone, kBursty, kEphemeral, kSignals };
enum class InstrumentedObjects { kAll, kProgram };
enum class FirstHooks { kStart, kPage };

/// Instrumentation that is linked into the program (docs/object-editing.md, docs/ephemeral.md,
/// docs/signals.md).
struct InstrumentConfig {
  Instrumentation kind = Instrumentation::kNone;
  std::string variant = "EC+L4";               // a bar of Figure 6 of "Bursty Tracing"
  std::vector<std::string> events = {"data"};  // data | edge | call | value
  uint64_t n_check0 = 1000, n_instr0 = 50;     // executed checks
  unsigned jitter = 0;                         // random bits of the checks between two bursts
  InstrumentedObjects objects = InstrumentedObjects::kAll;
  unsigned buffer_records = 1024;
  uint64_t trace_records = uint64_t{1} << 20;
  uint64_t persistence = 100;  // executions of a branch that are recorded an epoch
  uint64_t epoch = 1'000'000;  // cycles, the mean; 0: nothing is hooked again
  double epoch_jitter = 0.1;   // an epoch is shorter or longer by up to this fraction
  FirstHooks hook = FirstHooks::kStart;
  double prior = 0.5;          // executions that the chain adds to each way of a branch
  uint64_t loop_limit = 4096;  // iterations, the most of a loop in the chain
  std::vector<std::string> signals = {"methods", "loops"};  // methods | loops
  bool given() const { return kind != Instrumentation::kNone; }
};

struct RunConfig;
/// Whether a timer ends epochs of ephemeral instrumentation in the profiled run.
bool has_epochs(const RunConfig& configuration);
/// Whether the profiled run has a timer: for epochs, or to sample the program.
bool has_timer(const RunConfig& configuration);

enum class ObserverPlace { kNone, kCmp, kSmt };
enum class ObserverPriority { kNormal, kLow };
enum class ObserverAnalysis { kHistogram, kBuffer };

/// The observer thread of SHIM (docs/shim.md).
struct ShimConfig {
  ObserverPlace where = ObserverPlace::kNone;
  std::optional<core::CoreParams> core;         // cmp: of the observer; empty: as the run's core
  std::vector<std::string> counters;            // of kObserverEvents
  std::vector<std::string> signals;             // symbols of the program
  std::vector<text::Diagnostic> signal_places;  // where each is given; their messages are empty
  uint64_t period = 0;                          // cycles; 0: as fast as it goes
  double dte = 0.01;
  ObserverPriority priority = ObserverPriority::kNormal;
  ObserverAnalysis analysis = ObserverAnalysis::kHistogram;
  uint64_t samples = 1'000'000;  // in the buffer, the most that the host keeps
  bool given() const { return where != ObserverPlace::kNone; }
};

/// Mode sampled: `start` instructions are simulated in detail; then of every `interval` `warm` and
/// `unit` are, and the others warm caches and predictors (docs/sampling.md). All are U-mode
/// instructions.
struct SamplingConfig {
  uint64_t start = 500'000, unit = 1000, warm = 2000, interval = 100'000;
  uint64_t interrupts = 4;  // one of so many interrupts is measured
};

/// The truth about time (docs/truth.md).
struct TruthConfig {
  bool cycles = false;         // attributes every cycle of the region to instructions
  uint64_t sample_period = 0;  // cycles between the samples of each sampler; 0: there are none
  uint64_t sample_seed = 0;    // decides which cycles; 0: derived from the run's seed
};

/// A timer interrupt that samples where the program is (docs/truth.md).
struct TimerConfig {
  uint64_t period = 0;  // cycles, the mean; 0: there is none
  double jitter = 0.1;  // a period is shorter or longer by up to this fraction
};

struct RunConfig {
  std::string source;  // path of the run file
  core::CoreParams core;
  Mode mode = Mode::kTiming;
  SamplingConfig sampling;
  WorkloadConfig workload;
  std::vector<ProfilerConfig> profilers;
  uint64_t seed = 1;
  uint64_t max_cycles = 0;                     // 0: no limit
  uint64_t max_instructions = 10'000'000'000;  // 0: no limit; stops a program that never ends
  uint64_t interval = 0;  // U-mode instructions of an interval of the statistics; 0: none
  LimitsConfig limits;
  DecodeConfig decode;
  InstrumentConfig instrument;
  bool remote_counters = false;  // other harts can read a hart's counters
  ShimConfig shim;
  ProgressConfig progress;
  TruthConfig truth;
  TimerConfig timer;
  uint64_t exhaustive_bytes = 0;     // the table of an exhaustive profile; 0: no bound
  bool exhaustive_profiles = false;  // the result has them too, each beside the profile it scores
  TraceConfig trace;
  bool baseline = true;  // run the unprofiled baseline for overhead_measured
};

/// Whether something in the run costs the program cycles. It then has a baseline, if it is to have
/// one.
bool costs_cycles(const RunConfig& configuration);
/// Whether anything of the run may depend on its seed, beside profilers whose own seed is 0.
bool draws_from_seed(const RunConfig& configuration);

/// What a profiler that gives no seed gets: FNV-1a of its name, from the run's seed.
inline uint64_t derived_seed(uint64_t run_seed, const std::string& name) {
  uint64_t hash = 0xcbf29ce484222325 ^ run_seed;
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace strobe::config
