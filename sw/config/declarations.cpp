#include "sw/config/declarations.h"

#include <algorithm>

#include "sc_models/port/address_map.h"
#include "sc_models/port/region_marker.h"
#include "sc_models/port/retire.h"
#include "sw/config/compressor_keys.h"
#include "sw/config/core_keys.h"
#include "sw/guest/include/strobe/ephemeral_abi.h"
#include "sw/profile/flow/markov.h"

namespace strobe::config {

Key Key::must() const {
  Key key = *this;
  key.required = true;
  return key;
}

Key Key::rtl_parameter() const {
  Key key = *this;
  key.rtl = true;
  return key;
}

Key Key::only(bool applies_now, const std::string& when) const {
  Key key = *this;
  key.applies = applies_now;
  key.applies_when = when;
  return key;
}

Key Key::like(const std::string& section) const {
  Key key = *this;
  key.same_keys_as = section;
  return key;
}

namespace {

constexpr uint64_t kAny = ~uint64_t{0};

void declare_point(Visitor& v, RegionPoint& p) {
  v.text({"symbol", "", "The instruction at a symbol of the program, or at SYMBOL+OFFSET."},
         p.symbol, TextUse::kTextOrNull);
  v.integer({"marker", "", "The marker of this number (strobe/marker.h); 0 is none."}, p.marker,
            {0, kMostMarker});
  v.integer({"occurrence", "times", "Which arrival at the point counts; 1 is the first."},
            p.occurrence, {1, kAny});
}

void declare_workload(Visitor& v, WorkloadConfig& p) {
  v.text(Key{"elf", "",
             "The program, a static RV64GC Linux executable. `build:x` is x below the guest "
             "programs that were built with the project, `cache:x` is x below the programs that "
             "scripts/fetch-workloads built."}
             .must(),
         p.elf, TextUse::kPath);
  v.text({"objects", "",
          "The file that says how the program was linked, one argument of the command a line; null "
          "is the program's name with the ending .link. Only `instrument` needs it "
          "(docs/object-editing.md)."},
         p.objects, TextUse::kPathOrNull);
  v.texts({"args", "", "The program's arguments, without its name."}, p.args, TextUse::kText, {});
  v.texts({"env", "", "The program's environment; each entry is KEY=VALUE."}, p.env, TextUse::kText,
          {});
  v.text({"stdin", "",
          "The file that the program reads as standard input; null gives it an empty input."},
         p.stdin_file, TextUse::kPathOrNull);
  v.section({"sandbox", "", "The host directories that the program may see."}, [&](Visitor& w) {
    w.texts({"read", "", "Directories that the program may read."}, p.read, TextUse::kPath, {});
    w.texts({"write", "", "Directories that the program may read and write."}, p.write,
            TextUse::kPath, {});
  });
  v.text({"cwd", "",
          "The program's working directory; null is the first of the directories that it may read, "
          "or /."},
         p.cwd, TextUse::kTextOrNull);
  v.integer(
      {"memory", "bytes", "The most memory that the program may use for heap, mappings and stack."},
      p.memory, {1 << 20, STROBE_USER_TOP});
  v.section(
      {"roi", "", "The region of interest: the part of the program that is measured."},
      [&](Visitor& w) {
        w.section({"begin", "",
                   "Where the region begins; without symbol and marker it begins at the program's "
                   "start."},
                  [&](Visitor& x) { declare_point(x, p.roi_begin); });
        w.section({"end", "",
                   "Where the region ends, unless `run` ends it earlier; without symbol and marker "
                   "it ends at the program's end."},
                  [&](Visitor& x) { declare_point(x, p.roi_end); });
        w.integer({"skip", "instructions",
                   "Number of instructions after the region's beginning that are executed without "
                   "timing."},
                  p.roi_skip, {0, kAny});
        w.integer(
            {"warm", "instructions",
             "Number of instructions after `skip` that are executed with timing but not counted."},
            p.roi_warm, {0, kAny});
        w.integer(
            {"run", "instructions",
             "Number of instructions after `warm` that are counted; 0 counts to the region's end."},
            p.roi_run, {0, kAny});
        w.choice({"warming", "",
                  "Whether the instructions before the measurement (up to `begin`, and `skip`) "
                  "warm caches and predictors: none leaves them cold, functional warms them "
                  "(docs/sampling.md)."},
                 p.roi_warming, {"none", "functional"});
      });
}

void declare_sampling(Visitor& v, SamplingConfig& p) {
  v.integer({"start", "instructions",
             "Length of the region's start, which is measured in detail as a whole because caches "
             "and predictors are cold there."},
            p.start, {1, 1'000'000'000});
  v.integer({"unit", "instructions", "Length of a unit, the stretch that is measured in detail."},
            p.unit, {1, 1'000'000'000});
  v.integer(
      {"warm", "instructions",
       "Number of instructions before each unit that are executed in detail but not measured."},
      p.warm, {0, 1'000'000'000});
  v.integer(
      {"interval", "instructions", "Distance from the start of one unit to the start of the next."},
      p.interval, {1, 1'000'000'000'000});
  v.integer({"interrupts", "interrupts",
             "Measures one in this many interrupts of the active profiler in detail."},
            p.interrupts, {1, 1'000'000});
}

void declare_selector(Visitor& v, SelectorConfig& p) {
  v.choice(Key{"profile", "",
               "What a tuple's value is. value: the loaded value; edge: the next pc of a branch; "
               "call_target: the target of a call; address: the effective address; type: the "
               "method table of a virtual call, whose load carries a marker."}
               .must(),
           p.profile, {"value", "edge", "call_target", "address", "type"});
  v.texts({"opclasses", "",
           "Instruction classes to select; empty selects the classes that the profile implies."},
          p.opclasses, TextUse::kText,
          {"alu", "mul", "div", "load", "store", "amo", "branch", "jump", "jump_indirect", "call",
           "call_indirect", "return", "fp", "fp_div_sqrt", "system", "fence"});
  v.interval({"pc", "", "Lowest and highest pc that are selected."}, p.pc_lo, p.pc_hi);
  Names modes;
  if (p.user) modes.push_back("user");
  if (p.machine) modes.push_back("machine");
  v.texts({"modes", "", "Privilege modes that are selected."}, modes, TextUse::kText,
          {"user", "machine"});
  p.user = std::count(modes.begin(), modes.end(), "user") != 0;
  p.machine = std::count(modes.begin(), modes.end(), "machine") != 0;
  v.flag({"marked", "",
          "Select only the instruction directly after a marker whose number is the tag "
          "(docs/blocks/selector.md); profile type always does."},
         p.marked);
  v.flag({"in_burst", "",
          "Select only inside a burst of the decode engine, which needs decode.productions "
          "(docs/blocks/dise.md, Bursts)."},
         p.in_burst);
  v.choice({"prediction", "",
            "Select by the branch predictor's result: any instruction, only mispredicted ones, or "
            "only correctly predicted ones."},
           p.prediction, {"any", "mispredicted", "predicted"});
  v.integer({"tag", "",
             "Number that the selector writes into its tuples; it tells the selectors of a "
             "profiler apart."},
            p.tag, {0, 15});
}

void declare_communication(Visitor& v, CommunicationConfig& p, const core::CoreParams& core) {
  v.choice({"kind", "",
            "How messages are delivered: by interrupts of the profiled core, or through a ring in "
            "memory that a thread on a second core reads (docs/blocks/ring_writer.md)."},
           p.kind, {"interrupt", "ring"});
  const bool ring = p.kind == Communication::kRing;
  const std::string when = "only for kind ring";
  v.integer(
      Key{"entries", "records", "Number of 32-byte records in the ring; a power of two."}.only(
          ring, when),
      p.entries, {2, 65536});
  v.integer(
      Key{"base", "", "Address of the ring in memory; a multiple of the ring's length in bytes."}
          .only(ring, when),
      p.base, {0, kAny});
  v.choice(Key{"full", "",
               "What happens when the ring is full: back_pressure waits for the reader, overwrite "
               "replaces the oldest record."}
               .only(ring, when),
           p.full, {"back_pressure", "overwrite"});
  if (!p.service_core) p.service_core = core;
  v.section(Key{"service_core", "",
                "The core that runs the service thread; keys that are not given have the values of "
                "`core`."}
                .only(ring, when)
                .like("core"),
            [&](Visitor& w) { declare_core(w, *p.service_core); });
}

void declare_profiler(Visitor& v, ProfilerConfig& p, const core::CoreParams& core) {
  v.text(Key{"name", "", "Name of the profiler in results; each profiler has its own."}.must(),
         p.name, TextUse::kText);
  v.choice({"kind", "", "The kind of compressor, which turns events into messages."}, p.kind,
           Names(kProfilerKindNames.begin(), kProfilerKindNames.end()));
  v.flag({"active", "",
          "An active profiler delivers its messages to software, which costs cycles; at most one "
          "profiler is active, the others observe passively."},
         p.active);
  v.choice(
      {"fidelity", "",
       "What computes the profiler: the Verilated RTL, the reference model, or both in lockstep, "
       "where the run fails at the first difference. A passive profiler is always a model."},
      p.fidelity, {"rtl", "model", "lockstep"});
  declare_compressor(v, p);
  v.integer(
      Key{"queue_depth", "places",
          "Number of tuples that the queue of an active profiler holds; a power of two. The tuples "
          "of one cycle share a row of core.commit_width places, rounded up to a power of two."}
          .rtl_parameter(),
      p.queue_depth, {1, 1024});
  v.integer(Key{"buffer_depth", "messages",
                "Number of messages that the buffer of an active profiler holds; a power of two."}
                .rtl_parameter(),
            p.buffer_depth, {2, 4096});
  v.integer(
      {"watermark", "messages",
       "Number of messages in the buffer of an active profiler at which it raises the interrupt."},
      p.watermark, {1, 4096});
  v.section({"communication", "", "How the messages of an active profiler reach software."},
            [&](Visitor& w) { declare_communication(w, p.communication, core); });
  v.list<SelectorConfig>({"selectors", "",
                          "Which events are profiled, by at most 8 selectors. Empty takes the "
                          "selectors of the active profiler, or of the first profiler when none is "
                          "active; when those are empty too, branch edges are profiled."},
                         p.selectors, declare_selector);
}

void declare_trace(Visitor& v, TraceConfig& p) {
  v.text({"pipeline", "",
          "Plain file name, in the result directory, for a Kanata log of the pipeline, which "
          "Konata shows; null writes none."},
         p.pipeline, TextUse::kTextOrNull);
  v.text({"waves", "",
          "Plain file name, in the result directory, for waveforms of the active profiler's RTL; "
          "it ends in .vcd or .fst; null writes none."},
         p.waves, TextUse::kTextOrNull);
  v.integer({"from", "cycles", "First cycle that is shown, counted from reset."}, p.from,
            {0, kAny});
  v.integer({"to", "cycles", "First cycle after the shown ones, counted from reset."}, p.to,
            {1, kAny});
}

void declare_decode(Visitor& v, DecodeConfig& p) {
  v.texts({"productions", "",
           "The files of the production set that rewrites the program's instructions "
           "(docs/dise-language.md); without any there is no decode engine."},
          p.productions, TextUse::kPath, {});
  v.choice({"fidelity", "",
            "What computes the engine: the Verilated RTL, the reference model, or both in "
            "lockstep, where the run fails at the first difference."},
           p.fidelity, {"rtl", "model", "lockstep"});
  v.choice({"speculation", "",
            "What a squash does with the engine's counts of the wrong path: restore takes them "
            "back, leak keeps them."},
           p.speculation, {"restore", "leak"});
  v.integer(
      {"stall_cycles", "cycles", "Number of cycles that a replacement sequence delays decode."},
      p.stall_cycles, {0, 64});
  std::string flag_timing = p.flags_after ? "after" : "before";
  v.choice({"flag_timing", "",
            "Which flags a production with a replacement sees: those before the instruction, or "
            "those after the instruction's productions without a replacement have acted."},
           flag_timing, {"before", "after"});
  p.flags_after = flag_timing == "after";
  v.integer({"sparsity", "events",
             "Number of events between two bursts, at least 2; it sets the sampling registers of "
             "docs/dise-language.md. 0 keeps what the production files say."},
            p.sparsity, {0, uint64_t{1} << 40});
  v.integer({"burst", "events",
             "Number of events in a burst; it sets the sampling registers too. 0 keeps what the "
             "production files say."},
            p.burst, {0, uint64_t{1} << 40});
  v.choice({"phase", "",
            "Where the first burst begins: start puts it after a whole `sparsity`, random draws it "
            "from the run's seed, anywhere within `sparsity` + `burst` events."},
           p.phase, {"start", "random"});
}

void declare_instrument(Visitor& v, InstrumentConfig& p) {
  v.choice({"kind", "",
            "What is linked into the program: none, bursty for the two copies of every function "
            "of bursty tracing, or ephemeral for a stub at every conditional branch "
            "(docs/ephemeral.md)."},
           p.kind, {"none", "bursty", "ephemeral"});
  v.choice({"variant", "",
            "Which checks bursty tracing leaves out. orig: none. EL: those at the entry of leaves. "
            "EC: those at entries but for roots, functions whose address is taken and recursion. "
            "EN: all at entries. L4 and L10: those of loops without calls and with at most so many "
            "events. LN: all of loops. EC+L4: both."},
           p.variant, {"orig", "EL", "EC", "EN", "L4", "L10", "LN", "EC+L4"});
  v.texts({"events", "",
           "What the instrumented copy records. data: loads and stores with their addresses; edge: "
           "branches; call: calls with their callees; value: loads with the loaded value."},
          p.events, TextUse::kText, {"data", "edge", "call", "value"});
  v.integer({"n_check0", "checks",
             "Number of checks from the end of a burst to the start of the next; 2147483647 stands "
             "for infinity: nothing is sampled, and the overhead is the basic one."},
            p.n_check0, {1, 0x7fffffff});
  v.integer({"n_instr0", "checks", "Number of checks in a burst."}, p.n_instr0, {1, 0x7fffffff});
  v.choice(
      {"objects", "",
       "Which objects are edited: all, or only those that the link command itself names, which "
       "leaves the libraries alone."},
      p.objects, {"all", "program"});
  v.integer({"buffer_records", "records",
             "Number of events that the buffer in the program's memory holds; a power of two. A "
             "routine in the program empties it when it is full."},
            p.buffer_records, {16, 1 << 20});
  v.integer({"trace_records", "records",
             "Number of events that the program keeps for the profile; more are dropped."},
            p.trace_records, {64, 1 << 26});
  v.integer({"persistence", "executions",
             "Number of executions of a branch that ephemeral instrumentation records before it "
             "takes itself out."},
            p.persistence, {1, STROBE_TAKEN_MASK});
  v.integer({"epoch", "cycles",
             "Length of an epoch of ephemeral instrumentation. At its end a timer interrupt hooks "
             "the branches again that have been taken out; 0 never does, which mode functional "
             "needs, because it has no cycles."},
            p.epoch, {0, uint64_t{1} << 40});
  v.real({"epoch_jitter", "",
          "An epoch is longer or shorter than `epoch` by up to this fraction, uniformly at random "
          "from the run's seed; 0 makes all equally long."},
         p.epoch_jitter, 0.0, 0.9);
  v.choice({"hook", "",
            "When ephemeral instrumentation hooks a branch for the first time. start: with all "
            "others, before the program starts. page: with the others of its page of 4096 bytes, "
            "when the first of them is executed."},
           p.hook, {"start", "page"});
  v.real({"prior", "executions",
          "The Markov chain that turns branch biases into an edge profile adds so many executions "
          "to each way of a branch: a way that was never seen is rare, not impossible "
          "(docs/edge-profile.md)."},
         p.prior, profile::kLeastPrior, profile::kMostPrior);
  v.integer({"loop_limit", "iterations",
             "The most iterations that the chain gives a loop for each time it is entered."},
            p.loop_limit, {2, static_cast<uint64_t>(profile::kMostIterations)});
}

void declare_limits(Visitor& v, LimitsConfig& p) {
  v.integer({"output", "bytes",
             "The most that the program may write to its standard output and standard error "
             "together; 0 is no limit."},
            p.output, {0, kAny});
  v.integer({"memory", "bytes",
             "The most host memory that the run may use in addition to the program's memory, which "
             "workload.memory bounds; 0 is no limit."},
            p.memory, {0, kAny});
}

void declare_progress(Visitor& v, ProgressConfig& p) {
  v.integer(
      {"every", "events",
       "Number of events between two points of the series in progress.csv; 0 writes no series."},
      p.every, {0, kAny});
  v.real({"threshold", "",
          "Invariance error, as a fraction; the result says after how many events a profiler gets "
          "below it."},
         p.threshold, 0.0, 1.0);
}

}  // namespace

void declare(Visitor& v, RunConfig& p) {
  v.section({"core", "", "The core model (docs/blocks/core.md)."},
            [&](Visitor& w) { declare_core(w, p.core); });
  v.choice({"mode", "",
            "How the program is executed: functional has no cycles, timing uses the timing model, "
            "sampled uses it in systematic samples of the program and reports estimates."},
           p.mode, {"functional", "timing", "sampled"});
  v.section({"sampling", "", "The samples of mode sampled (docs/sampling.md)."},
            [&](Visitor& w) { declare_sampling(w, p.sampling); });
  v.section(Key{"workload", "", "The program that is profiled."}.must(),
            [&](Visitor& w) { declare_workload(w, p.workload); });
  v.list<ProfilerConfig>({"profilers", "",
                          "The profilers that observe the retired instructions; at most one is "
                          "active, the others are passive."},
                         p.profilers,
                         [&p](Visitor& w, ProfilerConfig& q) { declare_profiler(w, q, p.core); });
  v.integer({"seed", "", "The seed of everything random in the run."}, p.seed, {0, kAny});
  v.integer({"max_cycles", "cycles",
             "Number of cycles after which the run ends with a time-out; 0 is no limit."},
            p.max_cycles, {0, kAny});
  v.integer({"max_instructions", "instructions",
             "Number of instructions after which the run ends with a time-out, so that a program "
             "in an endless loop stops; 0 is no limit."},
            p.max_instructions, {0, kAny});
  v.integer({"interval", "instructions",
             "Number of program instructions in one interval of the statistics in intervals.csv; 0 "
             "writes none. Only in mode timing."},
            p.interval, {0, kAny});
  v.section(
      {"limits", "",
       "Limits on what the run may use of the host; a run that exceeds one ends with an error."},
      [&](Visitor& w) { declare_limits(w, p.limits); });
  v.section({"decode", "",
             "The decode engine: dynamic instruction stream editing (docs/blocks/dise.md)."},
            [&](Visitor& w) { declare_decode(w, p.decode); });
  v.section({"instrument", "",
             "Instrumentation that is linked into the program, whose objects are edited "
             "(docs/object-editing.md)."},
            [&](Visitor& w) { declare_instrument(w, p.instrument); });
  v.section({"progress", "", "The accuracy of the passive profilers over the course of the run."},
            [&](Visitor& w) { declare_progress(w, p.progress); });
  v.integer({"exhaustive_bytes", "bytes",
             "The most memory that the table of an exhaustive profile may use. Where it does not "
             "suffice, every metric is computed on a random share of the instructions "
             "(docs/metrics.md); 0 is no bound."},
            p.exhaustive_bytes, {0, kAny});
  v.section({"trace", "", "The pipeline view and waveforms (docs/pipeline-view.md)."},
            [&](Visitor& w) { declare_trace(w, p.trace); });
  v.flag({"baseline", "", "Also runs the program unprofiled, to measure the overhead."},
         p.baseline);
}

}  // namespace strobe::config
