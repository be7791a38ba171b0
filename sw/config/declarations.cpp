#include "sw/config/declarations.h"

#include <algorithm>

#include "sc_models/port/address_map.h"
#include "sc_models/port/region_marker.h"
#include "sc_models/port/retire.h"
#include "sw/config/compressor_keys.h"
#include "sw/config/core_keys.h"

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
  v.integer({"occurrence", "times", "Reached so often: the first time is 1."}, p.occurrence,
            {1, kAny});
}

void declare_workload(Visitor& v, WorkloadConfig& p) {
  v.text(Key{"elf", "",
             "The program: a static RV64GC Linux executable. `build:x` is x below the "
             "guest programs built with the project, `cache:x` below the fetched ones."}
             .must(),
         p.elf, TextUse::kPath);
  v.texts({"args", "", "Its arguments, without its name."}, p.args, TextUse::kText, {});
  v.texts({"env", "", "Its environment, each KEY=VALUE."}, p.env, TextUse::kText, {});
  v.text({"stdin", "", "A file for its standard input; null is an empty one."}, p.stdin_file,
         TextUse::kPathOrNull);
  v.section({"sandbox", "", "The host directories the program may see."}, [&](Visitor& w) {
    w.texts({"read", "", "Directories it may read."}, p.read, TextUse::kPath, {});
    w.texts({"write", "", "Directories it may read and write."}, p.write, TextUse::kPath, {});
  });
  v.text({"cwd", "", "Its working directory; null is the first readable directory, or /."}, p.cwd,
         TextUse::kTextOrNull);
  v.integer({"memory", "bytes", "It may use: heap, mappings and stack."}, p.memory,
            {1 << 20, STROBE_USER_TOP});
  v.section({"roi", "", "The region of interest."}, [&](Visitor& w) {
    w.section({"begin", "", "Where it begins; without symbol and marker, the program's start."},
              [&](Visitor& x) { declare_point(x, p.roi_begin); });
    w.section({"end", "",
               "Where it ends, if `run` does not end it before; without symbol and marker, "
               "the program's end."},
              [&](Visitor& x) { declare_point(x, p.roi_end); });
    w.integer({"skip", "instructions", "Executed behind its beginning, without timing."},
              p.roi_skip, {0, kAny});
    w.integer({"warm", "instructions", "Then executed with timing but not counted."}, p.roi_warm,
              {0, kAny});
    w.integer({"run", "instructions", "Then counted; 0 is to the region's end."}, p.roi_run,
              {0, kAny});
    w.choice({"warming", "",
              "What `skip` and the way to `begin` do to caches and predictors; docs/sampling.md."},
             p.roi_warming, {"none", "functional"});
  });
}

void declare_sampling(Visitor& v, SamplingConfig& p) {
  v.integer({"start", "instructions",
             "Of the region, measured in detail as a whole: cold caches and predictors are in it."},
            p.start, {1, 1'000'000'000});
  v.integer({"unit", "instructions", "Measured in detail at a time."}, p.unit, {1, 1'000'000'000});
  v.integer({"warm", "instructions", "Executed in detail before each unit, not measured."}, p.warm,
            {0, 1'000'000'000});
  v.integer({"interval", "instructions", "From the start of a unit to that of the next."},
            p.interval, {1, 1'000'000'000'000});
  v.integer(
      {"interrupts", "interrupts", "Of the active profiler: one in so many is measured in detail."},
      p.interrupts, {1, 1'000'000});
}

void declare_selector(Visitor& v, SelectorConfig& p) {
  v.choice(
      Key{"profile", "",
          "What a tuple's value is: the loaded value, the next pc of a branch, the target of a "
          "call, the effective address, or the method table of a virtual call, whose load carries "
          "a marker."}
          .must(),
      p.profile, {"value", "edge", "call_target", "address", "type"});
  v.texts({"opclasses", "", "Instruction classes to select; empty is the profile's own."},
          p.opclasses, TextUse::kText,
          {"alu", "mul", "div", "load", "store", "amo", "branch", "jump", "jump_indirect", "call",
           "call_indirect", "return", "fp", "fp_div_sqrt", "system", "fence"});
  v.interval({"pc", "", "Lowest and highest pc selected."}, p.pc_lo, p.pc_hi);
  Names modes;
  if (p.user) modes.push_back("user");
  if (p.machine) modes.push_back("machine");
  v.texts({"modes", "", "Privilege modes selected."}, modes, TextUse::kText, {"user", "machine"});
  p.user = std::count(modes.begin(), modes.end(), "user") != 0;
  p.machine = std::count(modes.begin(), modes.end(), "machine") != 0;
  v.flag({"marked", "",
          "Select only what directly follows a marker with the number of the tag; "
          "docs/blocks/selector.md. Profile type always does."},
         p.marked);
  v.flag({"in_burst", "",
          "Select only in a burst of the decode engine: needs productions; docs/blocks/dise.md, "
          "Bursts."},
         p.in_burst);
  v.choice({"prediction", "",
            "Select by what the branch predictor made of it: anything, only the mispredicted, only "
            "the correctly predicted."},
           p.prediction, {"any", "mispredicted", "predicted"});
  v.integer({"tag", "", "Written into its tuples; tells the selectors of a profiler apart."}, p.tag,
            {0, 15});
}

void declare_communication(Visitor& v, CommunicationConfig& p, const core::CoreParams& core) {
  v.choice({"kind", "",
            "By interrupts of the profiled core, or through a ring in memory that a thread on a "
            "second core reads; docs/blocks/ring_writer.md."},
           p.kind, {"interrupt", "ring"});
  const bool ring = p.kind == Communication::kRing;
  const std::string when = "only for kind ring";
  v.integer(Key{"entries", "records", "Of 32 bytes, in the ring; a power of two."}.only(ring, when),
            p.entries, {2, 65536});
  v.integer(Key{"base", "", "The ring's address, a multiple of its length."}.only(ring, when),
            p.base, {0, kAny});
  v.choice(Key{"full", "", "When the ring is full: wait, or write over the oldest record."}.only(
               ring, when),
           p.full, {"back_pressure", "overwrite"});
  if (!p.service_core) p.service_core = core;
  v.section(Key{"service_core", "",
                "The core of the service thread; keys that are not given are those of `core`."}
                .only(ring, when)
                .like("core"),
            [&](Visitor& w) { declare_core(w, *p.service_core); });
}

void declare_profiler(Visitor& v, ProfilerConfig& p, const core::CoreParams& core) {
  v.text(Key{"name", "", "Name of the profiler in results; unique."}.must(), p.name,
         TextUse::kText);
  v.choice({"kind", "", "The compressor."}, p.kind,
           Names(kProfilerKindNames.begin(), kProfilerKindNames.end()));
  v.flag({"active", "", "Its interrupts and handler cost cycles; at most one profiler is active."},
         p.active);
  v.choice(
      {"fidelity", "",
       "What computes it: the Verilated RTL, the reference model, or both held equal. A profiler "
       "that only watches is a model."},
      p.fidelity, {"rtl", "model", "lockstep"});
  declare_compressor(v, p);
  v.integer(
      Key{"queue_depth", "places",
          "Of the tuple queue of an active profiler; a power of two. The tuples of a cycle take a "
          "row, which has a place for each lane of core.commit_width, or for the next power of "
          "two."}
          .rtl_parameter(),
      p.queue_depth, {1, 1024});
  v.integer(Key{"buffer_depth", "messages",
                "Of the message buffer of an active profiler; a power of two."}
                .rtl_parameter(),
            p.buffer_depth, {2, 4096});
  v.integer({"watermark", "messages", "In the buffer of an active profiler: raises the interrupt."},
            p.watermark, {1, 4096});
  v.section({"communication", "", "How the messages of an active profiler get to software."},
            [&](Visitor& w) { declare_communication(w, p.communication, core); });
  v.list<SelectorConfig>(
      {"selectors", "",
       "What is profiled, at most 8; empty is those of the active profiler, else of the first one, "
       "else the edges."},
      p.selectors, declare_selector);
}

void declare_trace(Visitor& v, TraceConfig& p) {
  v.text({"pipeline", "",
          "A Kanata log of the pipeline, for Konata: a file of this plain name in the result; null "
          "is none."},
         p.pipeline, TextUse::kTextOrNull);
  v.text({"waves", "",
          "Waveforms of the active profiler's RTL, .vcd or .fst: a file of this plain name in the "
          "result; null is none."},
         p.waves, TextUse::kTextOrNull);
  v.integer({"from", "cycles", "Since reset: the first cycle shown."}, p.from, {0, kAny});
  v.integer({"to", "cycles", "Since reset: the first cycle no longer shown."}, p.to, {1, kAny});
}

void declare_decode(Visitor& v, DecodeConfig& p) {
  v.texts({"productions", "",
           "Files of the production set that edits the program, docs/dise-language.md; none is no "
           "decode engine."},
          p.productions, TextUse::kPath, {});
  v.choice(
      {"fidelity", "",
       "What computes the engine: the Verilated RTL, the reference model, or both held equal."},
      p.fidelity, {"rtl", "model", "lockstep"});
  v.choice({"speculation", "",
            "What the engine counted on a wrong path is taken back with the squash, or stays."},
           p.speculation, {"restore", "leak"});
  v.integer({"stall_cycles", "cycles", "A replacement sequence leaves decode that much later."},
            p.stall_cycles, {0, 64});
  std::string flag_timing = p.flags_after ? "after" : "before";
  v.choice({"flag_timing", "",
            "The flags that a production with a replacement sees: those before the instruction or "
            "those behind its own productions without one."},
           flag_timing, {"before", "after"});
  p.flags_after = flag_timing == "after";
  v.integer(
      {"sparsity", "events",
       "Between two bursts, at least 2, by the registers of docs/dise-language.md; 0 is what the "
       "files say."},
      p.sparsity, {0, uint64_t{1} << 40});
  v.integer({"burst", "events", "Of a burst, likewise; 0 is what the files say."}, p.burst,
            {0, uint64_t{1} << 40});
  v.choice({"phase", "",
            "Where the first burst begins: behind a whole stretch between two, or, drawn from the "
            "run's seed, anywhere in the sum of sparsity and burst."},
           p.phase, {"start", "random"});
}

void declare_limits(Visitor& v, LimitsConfig& p) {
  v.integer({"output", "bytes",
             "The program may write to its standard output and error together; 0 is no limit."},
            p.output, {0, kAny});
  v.integer({"memory", "bytes",
             "Of the host the run may take beside the program's memory, which workload.memory "
             "bounds; 0 is no limit."},
            p.memory, {0, kAny});
}

void declare_progress(Visitor& v, ProgressConfig& p) {
  v.integer({"every", "events",
             "Between two points of the series, written to progress.csv; 0 is no series."},
            p.every, {0, kAny});
  v.real({"threshold", "",
          "Of the invariance error, a fraction: the result says when a profiler gets under it."},
         p.threshold, 0.0, 1.0);
}

}  // namespace

void declare(Visitor& v, RunConfig& p) {
  v.section({"core", "", "The core model; docs/architecture.md describes it."},
            [&](Visitor& w) { declare_core(w, p.core); });
  v.choice(
      {"mode", "",
       "Functional execution only, with the timing model, or with it in systematic samples of the "
       "program: an estimate."},
      p.mode, {"functional", "timing", "sampled"});
  v.section({"sampling", "", "The samples of mode sampled; docs/sampling.md."},
            [&](Visitor& w) { declare_sampling(w, p.sampling); });
  v.section(Key{"workload", "", "The program that is profiled."}.must(),
            [&](Visitor& w) { declare_workload(w, p.workload); });
  v.list<ProfilerConfig>(
      {"profilers", "",
       "Who watches the retired instructions; at most one is active, the others only watch."},
      p.profilers, [&p](Visitor& w, ProfilerConfig& q) { declare_profiler(w, q, p.core); });
  v.integer({"seed", "", "Of everything random in the run."}, p.seed, {0, kAny});
  v.integer({"max_cycles", "cycles", "The run ends with a time-out after them; 0 is no limit."},
            p.max_cycles, {0, kAny});
  v.integer({"max_instructions", "instructions",
             "The run ends with a time-out after them, so that a program in an endless loop is "
             "stopped; 0 "
             "is no limit."},
            p.max_instructions, {0, kAny});
  v.integer({"interval", "instructions",
             "Of the program in one interval of the statistics, written to intervals.csv; 0 is no "
             "intervals. Only in mode timing."},
            p.interval, {0, kAny});
  v.section(
      {"limits", "", "Of what the run may take of the host; beyond them it ends with an error."},
      [&](Visitor& w) { declare_limits(w, p.limits); });
  v.section({"decode", "", "Dynamic instruction stream editing: docs/blocks/dise.md."},
            [&](Visitor& w) { declare_decode(w, p.decode); });
  v.section(
      {"progress", "", "The accuracy of the profilers that only watch while the run goes on."},
      [&](Visitor& w) { declare_progress(w, p.progress); });
  v.integer(
      {"exhaustive_bytes", "bytes",
       "Bound on the table of an exhaustive profile: where it does not suffice, every metric is "
       "of a random share of the instructions; 0 is no bound. docs/metrics.md."},
      p.exhaustive_bytes, {0, kAny});
  v.section({"trace", "", "The pipeline view and waveforms; docs/pipeline-view.md shows them."},
            [&](Visitor& w) { declare_trace(w, p.trace); });
  v.flag({"baseline", "", "Also run the program unprofiled, to measure the overhead."}, p.baseline);
}

}  // namespace strobe::config
