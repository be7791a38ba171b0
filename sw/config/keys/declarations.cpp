#include "sw/config/keys/declarations.h"

#include "sc_models/port/hpm_event.h"
#include "sw/config/keys/core_keys.h"
#include "sw/config/keys/profiler_keys.h"
#include "sw/config/keys/workload_keys.h"
#include "sw/guest/include/strobe/ephemeral_abi.h"
#include "sw/profile/flow/markov.h"

namespace strobe::config {

namespace {

void declare_trace(Visitor& v, TraceConfig& p) {
  v.text({"pipeline", "",
          "Plain file name, in the result directory, for a Kanata log of the pipeline, which "
          "Konata shows; null writes none."},
         p.pipeline, TextUse::kTextOrNull);
  v.text({"waves", "",
          "Plain file name, in the result directory, for waveforms of the active profiler's RTL; "
          "it ends in .vcd or .fst; null writes none."},
         p.waves, TextUse::kTextOrNull);
  v.text({"timeline", "",
          "Plain file name, in the result directory, for the interrupts, drains, handlers and "
          "queue levels of the region (docs/timeline.md); null writes none."},
         p.timeline, TextUse::kTextOrNull);
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
  v.integer({"stages", "stages",
             "Stages in which the engine works. The first is decode itself; each further one makes "
             "the front end a stage longer, for all instructions."},
            p.stages, {1, 16});
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
  v.integer({"jitter", "bits",
             "How much the distance between two bursts varies: evenly over 2^jitter numbers of "
             "events around `sparsity`. 0 is the fixed distance of the paper, which a loop with "
             "as many events may meet in the same place again and again."},
            p.jitter, {0, 8});
}

void declare_instrument(Visitor& v, InstrumentConfig& p) {
  v.choice({"kind", "",
            "What is linked into the program: none, bursty for the two copies of every function "
            "of bursty tracing, ephemeral for a stub at every conditional branch "
            "(docs/ephemeral.md), or signals for words of memory that say which function and loop "
            "runs (docs/signals.md)."},
           p.kind, {"none", "bursty", "ephemeral", "signals"});
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
  v.integer(
      {"jitter", "bits",
       "How much the number of checks between two bursts varies: evenly over 2^jitter numbers "
       "around `n_check0`, from the run's seed. 0 is the fixed number of the paper, which a "
       "loop with as many checks may meet in the same place again and again."},
      p.jitter, {0, 16});
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
  v.texts({"signals", "",
           "The words that software signals write. methods: the identifier of the function that "
           "runs; loops: that of the loop."},
          p.signals, TextUse::kText, {"methods", "loops"});
}

void declare_shim(Visitor& v, ShimConfig& p, const core::CoreParams& core) {
  v.choice({"where", "",
            "Where the observer thread runs: none has no observer, cmp gives it a core of its own, "
            "smt the second hart of the program's core."},
           p.where, {"none", "cmp", "smt"});
  const char* const observer = "only with an observer, which shim.where gives";
  if (!p.core) p.core = core;
  v.section(
      Key{"core", "", "The observer's core; keys that are not given have the values of `core`."}
          .only(p.where == ObserverPlace::kCmp, "only for where: cmp")
          .like("core"),
      [&](Visitor& w) { declare_core(w, *p.core); });
  v.texts(Key{"counters", "",
              "The counters of the program's hart that a sample has (docs/blocks/counters.md). The "
              "first is the one whose rate has a histogram."}
              .only(p.given(), observer),
          p.counters, TextUse::kText, Names(std::begin(kHpmEventNames), std::end(kHpmEventNames)));
  v.texts(Key{"signals", "",
              "Symbols of the program: words of 32 or 64 bits that a sample has. The first is the "
              "tag, by which the samples are counted."}
              .only(p.given(), observer),
          p.signals, TextUse::kText, {});
  v.integer(Key{"period", "cycles",
                "From one sample to the next; the observer idles for what is left of it. 0 samples "
                "as fast as the loop goes."}
                .only(p.given(), observer),
            p.period, {0, uint64_t{1} << 40});
  v.real(Key{"dte", "",
             "Double-time error correction: a sample is discarded when cycles per cycle, measured "
             "by the clock before and after the counters, is further than this from 1."}
             .only(p.given(), observer),
         p.dte, 0.0, 1.0);
  v.choice(
      Key{"priority", "",
          "low: the observer's hart fetches and issues only what the program's hart leaves, at "
          "most one instruction a cycle."}
          .only(p.where == ObserverPlace::kSmt, "only for where: smt"),
      p.priority, {"normal", "low"});
  v.choice(Key{"analysis", "",
               "What becomes of a sample: histogram is the observer's own analysis, buffer gives "
               "each sample to the host, which also holds it against the truth."}
               .only(p.given(), observer),
           p.analysis, {"histogram", "buffer"});
  v.integer(
      Key{"samples", "samples",
          "The most samples of a buffer that the host keeps; later ones are counted and dropped."}
          .only(p.given(), observer),
      p.samples, {0, uint64_t{1} << 32});
}

void declare_counters(Visitor& v, bool& remote) {
  v.flag({"remote", "",
          "The counters of all harts are registers that every hart can read "
          "(docs/blocks/counters.md)."},
         remote);
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

void declare_truth(Visitor& v, TruthConfig& p) {
  v.flag({"cycles", "",
          "Attributes every cycle of the region of interest to the instructions that it belongs "
          "to, and writes them to truth.csv. Only in mode timing."},
         p.cycles);
  v.section({"samplers", "", "Samplers of time, whose error against `cycles` the result says."},
            [&](Visitor& w) {
              w.integer({"period", "cycles",
                         "Length of a period. Each sampler takes one sample in it, all in the same "
                         "random cycle; 0 has no samplers."},
                        p.sample_period, {0, UINT32_MAX});
              w.integer({"seed", "",
                         "The seed of the cycles that are sampled; 0 derives it from the run's "
                         "seed."},
                        p.sample_seed, {0, kAny});
            });
}

void declare_timer(Visitor& v, TimerConfig& p) {
  v.integer(
      {"period", "cycles",
       "Mean number of cycles from one interrupt to the next; 0 has none. Only in mode timing, "
       "and not with the epochs of ephemeral instrumentation, which use the timer."},
      p.period, {0, uint64_t{1} << 40});
  v.real({"jitter", "",
          "A period is longer or shorter than `period` by up to this fraction, uniformly at random "
          "from the run's seed; 0 makes all equally long."},
         p.jitter, 0.0, 0.9);
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
  v.integer(
      {"max_instructions", "instructions",
       "Number of instructions after which the run ends with a time-out, so that a program "
       "in an endless loop stops; 0 is no limit. What the system does for the program counts, "
       "too (docs/linux-proxy.md)."},
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
  v.section({"counters", "", "The programmable counters (docs/blocks/counters.md)."},
            [&](Visitor& w) { declare_counters(w, p.remote_counters); });
  v.section({"shim", "",
             "The observer thread of SHIM, which samples the program from another hart "
             "(docs/shim.md)."},
            [&](Visitor& w) { declare_shim(w, p.shim, p.core); });
  v.section({"progress", "", "The accuracy of the passive profilers over the course of the run."},
            [&](Visitor& w) { declare_progress(w, p.progress); });
  v.section({"truth", "", "The truth about where the cycles go (docs/truth.md)."},
            [&](Visitor& w) { declare_truth(w, p.truth); });
  v.section(
      {"timer", "",
       "A timer interrupt whose handler counts the instruction that the program is at: what a "
       "profiler without hardware of its own does (docs/truth.md)."},
      [&](Visitor& w) { declare_timer(w, p.timer); });
  v.integer({"exhaustive_bytes", "bytes",
             "The most memory that the table of an exhaustive profile may use. Where it does not "
             "suffice, every metric is computed on a random share of the instructions "
             "(docs/metrics.md); 0 is no bound."},
            p.exhaustive_bytes, {0, kAny});
  v.flag({"exhaustive_profiles", "",
          "Also writes the exhaustive profile that each profile is scored against "
          "(docs/results.md)."},
         p.exhaustive_profiles);
  v.section(
      {"trace", "", "The pipeline view and waveforms (docs/pipeline-view.md), and the timeline."},
      [&](Visitor& w) { declare_trace(w, p.trace); });
  v.flag({"baseline", "", "Also runs the program unprofiled, to measure the overhead."},
         p.baseline);
}

}  // namespace strobe::config
