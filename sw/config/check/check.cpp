#include "sw/config/check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "sw/config/check/core_checker.h"
#include "sw/config/check/profiler_checker.h"
#include "sw/config/check/shim_checker.h"
#include "sw/profile/counts/exhaustive_profile.h"

namespace strobe::config {
namespace {

constexpr uint64_t kShortestEpoch = 1000;  // cycles, also from one sample of the timer to the next

class RunChecker : private Checker {
 public:
  using Checker::Checker;

  void run() {
    const RunConfig& run = read_.configuration;
    CoreChecker(read_, root_, diagnostics_).check("core", run.core);
    ProfilerChecker(read_, root_, diagnostics_).check();
    check_workload(run);
    expect(run.interval == 0 || run.mode == Mode::kTiming, {"interval", "mode"},
           fmt::format("intervals need mode: timing, got {}", mode_name(run.mode)));
    expect(run.exhaustive_bytes == 0 ||
               run.exhaustive_bytes >= profile::ExhaustiveProfile::kLeastBytes,
           {"exhaustive_bytes"},
           fmt::format("expected at least {}, the smallest table, or 0 for no bound, got {}",
                       profile::ExhaustiveProfile::kLeastBytes, run.exhaustive_bytes));
    expect(run.exhaustive_bytes == 0 || run.progress.every == 0,
           {"exhaustive_bytes", "progress.every"},
           "progress.every needs the whole exhaustive profile, which exhaustive_bytes bounds; "
           "leave one of the two keys out");
    check_sampling(run);
    check_decode(run);
    check_instrument(run);
    ShimChecker(read_, root_, diagnostics_).check();
    check_truth(run);
    check_timer(run);
    check_trace(run);
  }

  void run_part() {
    const RunConfig& run = read_.configuration;
    CoreChecker(read_, root_, diagnostics_).check("core", run.core);
    ProfilerChecker(read_, root_, diagnostics_).check_each_alone();
    check_workload(run);
    check_instrument(run);
  }

 private:
  void check_sampling(const RunConfig& run) {
    const SamplingConfig& p = run.sampling;
    const core::CoreParams& core = run.core;
    // What is in flight when a unit ends is finished before warming goes on.
    const uint64_t least = p.unit + p.warm + core.rob + core.fetch_buffer;
    expect(run.mode != Mode::kSampled || p.interval >= least,
           {"sampling.interval", "sampling.unit", "sampling.warm"},
           fmt::format("expected at least sampling.unit + sampling.warm + core.rob + "
                       "core.fetch_buffer = {}, got {}",
                       least, p.interval));
    expect(run.mode != Mode::kSampled || core.threads == 1, {"core.threads", "mode"},
           "a core of two harts needs mode: timing or functional, got sampled; set core.threads to "
           "1, or another mode");
  }

  void check_point(const std::string& path, const RegionPoint& p) {
    expect(p.symbol.empty() || p.marker == 0, {path + ".marker", path + ".symbol"},
           "expected a symbol or a marker, got both");
    expect(p.given() || p.occurrence == 1,
           {path + ".occurrence", path + ".symbol", path + ".marker"},
           "expected a symbol or a marker in addition, got none");
  }

  void check_workload(const RunConfig& run) {
    const WorkloadConfig& p = run.workload;
    expect(
        run.core.watchdog_cycles > p.switch_cycles,
        {"core.watchdog_cycles", "workload.scheduler.switch_cycles"},
        fmt::format("expected more than the {} cycles that workload.scheduler.switch_cycles lets "
                    "a switch of threads take, got {}",
                    p.switch_cycles, run.core.watchdog_cycles));
    check_point("workload.roi.begin", p.roi_begin);
    check_point("workload.roi.end", p.roi_end);
    for (size_t i = 0; i < p.env.size(); ++i) {
      const size_t equals = p.env[i].find('=');
      expect(equals != std::string::npos && equals > 0,
             {fmt::format("workload.env.{}", i), "workload.env"},
             "expected KEY=VALUE, got " + text::in_quotes(p.env[i]));
    }
  }

  void check_decode(const RunConfig& run) {
    expect(run.decode.speculation == Speculation::kRestore || run.mode != Mode::kSampled,
           {"decode.speculation", "mode"},
           "an engine that keeps what it saw of wrong paths needs mode: timing, which has all of "
           "them, got sampled; set decode.speculation to restore");
    const bool sampling_is_used =
        run.decode.given() || (run.decode.sparsity == 0 && run.decode.burst == 0);
    expect(sampling_is_used, {"decode.sparsity", "decode.burst", "decode.productions"},
           "expected decode.productions, whose registers this key sets, got none");
    expect(run.decode.given() || run.decode.phase == Phase::kStart,
           {"decode.phase", "decode.productions"},
           "expected start, because there are no bursts without a decode engine; or give "
           "decode.productions");
    expect(run.decode.given() || run.decode.jitter == 0, {"decode.jitter", "decode.productions"},
           "expected 0, because there are no bursts without a decode engine; or give "
           "decode.productions");
    expect(run.decode.sparsity != 1, {"decode.sparsity"},
           "expected 0 or at least 2, because one event ends a burst and another begins the next, "
           "got 1");
  }

  void check_instrument(const RunConfig& run) {
    const InstrumentConfig& p = run.instrument;
    const unsigned records = p.buffer_records;
    expect((records & (records - 1)) == 0, {"instrument.buffer_records"},
           fmt::format("expected a power of two, got {}", records));
    check_kind_of_keys(p);
    if (p.jitter > 0) {
      const uint64_t half = uint64_t{1} << (p.jitter - 1);
      expect(p.n_check0 >= half && p.n_check0 + half <= 0x7fffffff,
             {"instrument.n_check0", "instrument.jitter"},
             fmt::format("expected {} to {}, from which {} bits of jitter can take {} and to which "
                         "they can add as many, got {}",
                         half, 0x7fffffff - half, p.jitter, half - 1, p.n_check0));
    }
    if (p.kind == Instrumentation::kEphemeral) check_ephemeral(run);
    if (!p.given()) return;
    expect(!p.events.empty(), {"instrument.events"},
           "expected at least one of data, edge, call and value, got none");
    expect(!p.signals.empty(), {"instrument.signals"},
           "expected at least one of methods and loops, got none");
    expect(run.mode != Mode::kSampled, {"instrument.kind", "mode"},
           "an instrumented program needs mode: timing or functional, got sampled");
    expect(run.profilers.empty(), {"instrument.kind", "profilers"},
           "expected no profilers beside the program's own instrumentation: set profilers=[]");
    expect(!run.decode.given(), {"instrument.kind", "decode.productions"},
           "expected no productions beside the program's own instrumentation");
    expect(run.workload.roi_warm == 0, {"instrument.kind", "workload.roi.warm"},
           fmt::format("expected 0, because the region of an instrumented program begins at an "
                       "instruction; got {}; use workload.roi.warming",
                       run.workload.roi_warm));
  }

  /// A key of one kind says nothing about another.
  void check_kind_of_keys(const InstrumentConfig& p) {
    const InstrumentConfig usual;
    const auto belongs = [&](const char* key, bool unchanged, const char* kind) {
      expect(unchanged, {std::string("instrument.") + key},
             fmt::format("expected no such key without instrument.kind: {}", kind));
    };
    if (p.kind != Instrumentation::kEphemeral) {
      belongs("persistence", p.persistence == usual.persistence, "ephemeral");
      belongs("epoch", p.epoch == usual.epoch, "ephemeral");
      belongs("epoch_jitter", p.epoch_jitter == usual.epoch_jitter, "ephemeral");
      belongs("hook", p.hook == usual.hook, "ephemeral");
      belongs("prior", p.prior == usual.prior, "ephemeral");
      belongs("loop_limit", p.loop_limit == usual.loop_limit, "ephemeral");
    }
    if (p.kind != Instrumentation::kSignals) {
      belongs("signals", p.signals == usual.signals, "signals");
    }
    if (p.kind != Instrumentation::kEphemeral && p.kind != Instrumentation::kSignals) return;
    belongs("variant", p.variant == usual.variant, "bursty");
    belongs("events", p.events == usual.events, "bursty");
    belongs("n_check0", p.n_check0 == usual.n_check0, "bursty");
    belongs("jitter", p.jitter == usual.jitter, "bursty");
    belongs("n_instr0", p.n_instr0 == usual.n_instr0, "bursty");
    belongs("buffer_records", p.buffer_records == usual.buffer_records, "bursty");
    belongs("trace_records", p.trace_records == usual.trace_records, "bursty");
  }

  void check_ephemeral(const RunConfig& run) {
    const InstrumentConfig& p = run.instrument;
    expect(run.mode != Mode::kFunctional || p.epoch == 0, {"instrument.epoch", "mode"},
           fmt::format("expected 0, because mode: functional has no cycles, got {}; set it, or use "
                       "mode: timing",
                       p.epoch));
    expect(p.epoch == 0 || p.epoch >= kShortestEpoch, {"instrument.epoch"},
           fmt::format("expected 0 or at least {}, which the handler at its end takes for a few "
                       "branches, got {}",
                       kShortestEpoch, p.epoch));
  }

  void check_timer(const RunConfig& run) {
    const TimerConfig& p = run.timer;
    if (p.period == 0) {
      expect(p.jitter == TimerConfig().jitter, {"timer.jitter", "timer.period"},
             "expected no jitter without timer.period, because there are no interrupts");
      return;
    }
    expect(p.period >= kShortestEpoch, {"timer.period"},
           fmt::format("expected 0 or at least {}, so that the program gets on between two "
                       "interrupts, got {}",
                       kShortestEpoch, p.period));
    expect(run.mode == Mode::kTiming, {"timer.period", "mode"},
           fmt::format("the timer needs mode: timing, which has every cycle, got {}",
                       mode_name(run.mode)));
    const bool has_active = std::any_of(run.profilers.begin(), run.profilers.end(),
                                        [](const ProfilerConfig& one) { return one.active; });
    expect(!has_active, {"timer.period", "profilers"},
           "expected 0 with an active profiler, whose messages are in the same table; set the "
           "profiler's `active` to false, or run the two apart");
    expect(
        !has_epochs(run), {"timer.period", "instrument.epoch"},
        "expected 0 with the epochs of ephemeral instrumentation, which use the timer; set one of "
        "the two to 0");
  }

  void check_truth(const RunConfig& run) {
    const TruthConfig& p = run.truth;
    expect(
        p.cycles || p.sample_period == 0, {"truth.samplers.period", "truth.cycles"},
        fmt::format("expected truth.cycles: true, which the samplers are compared with, or 0 for "
                    "no samplers, got {}",
                    p.sample_period));
    expect(p.sample_period != 0 || p.sample_seed == 0,
           {"truth.samplers.seed", "truth.samplers.period"},
           "expected no seed without truth.samplers.period, because there are no samplers");
    expect(!p.cycles || run.mode == Mode::kTiming, {"truth.cycles", "mode"},
           fmt::format("the truth about time needs mode: timing, which has every cycle, got {}",
                       mode_name(run.mode)));
  }

  void check_trace(const RunConfig& run) {
    const TraceConfig& p = run.trace;
    check_trace_file("trace.pipeline", p.pipeline);
    check_trace_file("trace.waves", p.waves);
    check_trace_file("trace.timeline", p.timeline);
    expect(p.to > p.from, {"trace.to", "trace.from"},
           fmt::format("expected more than trace.from, which is {}, got {}", p.from, p.to));
    expect(p.pipeline.empty() || run.mode == Mode::kTiming, {"trace.pipeline", "mode"},
           fmt::format("a pipeline view needs mode: timing, got {}", mode_name(run.mode)));
    check_timeline(run);
    if (p.waves.empty()) return;
    expect(run.mode != Mode::kSampled, {"trace.waves", "mode"},
           "waveforms need mode: timing, got sampled");
    const auto ends_in = [&p](const std::string& ending) {
      return p.waves.size() > ending.size() &&
             p.waves.compare(p.waves.size() - ending.size(), ending.size(), ending) == 0;
    };
    expect(ends_in(".vcd") || ends_in(".fst"), {"trace.waves"},
           "expected a name that ends in .vcd or .fst, got " + text::in_quotes(p.waves));
    expect(p.waves != p.pipeline, {"trace.waves", "trace.pipeline"},
           "expected a name other than that of trace.pipeline, got the same");
    const bool has_rtl =
        std::any_of(run.profilers.begin(), run.profilers.end(), [](const ProfilerConfig& profiler) {
          return profiler.active && profiler.fidelity != profiling::Fidelity::kModel;
        });
    expect(has_rtl, {"trace.waves", "profilers"},
           "only RTL has waveforms: expected an active profiler with fidelity rtl or lockstep, got "
           "none");
  }

  void check_timeline(const RunConfig& run) {
    const std::string& name = run.trace.timeline;
    if (name.empty()) return;
    expect(run.mode == Mode::kTiming, {"trace.timeline", "mode"},
           fmt::format("a timeline needs mode: timing, which has every cycle, got {}",
                       mode_name(run.mode)));
    for (const auto& [key, other] : {std::pair("trace.pipeline", run.trace.pipeline),
                                     std::pair("trace.waves", run.trace.waves)}) {
      expect(name != other, {"trace.timeline", key},
             fmt::format("expected a name other than that of {}, got the same", key));
    }
    const bool has_active = std::any_of(run.profilers.begin(), run.profilers.end(),
                                        [](const ProfilerConfig& one) { return one.active; });
    expect(has_active || run.decode.given() || has_timer(run), {"trace.timeline", "profilers"},
           "expected something that runs handlers, an active profiler, decode.productions, "
           "instrument.epoch or timer.period, got none");
  }

  /// A plain name, and none the result directory has a file of its own for (docs/results.md).
  void check_trace_file(const std::string& path, const std::string& name) {
    expect(name.find('/') == std::string::npos && name != "." && name != "..", {path},
           "expected a plain file name without directories, got " + text::in_quotes(name));
    static constexpr const char* kTaken[] = {"config.yaml", "manifest.json", "result.json",
                                             "host.json",   "stdout.txt",    "stderr.txt"};
    const bool taken = std::find(std::begin(kTaken), std::end(kTaken), name) != std::end(kTaken) ||
                       name.rfind("profile.", 0) == 0 || name.rfind("handlers.", 0) == 0 ||
                       name.rfind("instrument.", 0) == 0;
    expect(!taken, {path},
           "expected a name that is not taken by another file of the result, got " +
               text::in_quotes(name));
  }
};

}  // namespace

void derive(RunConfig* configuration) {
  auto& profilers = configuration->profilers;
  if (profilers.empty()) return;
  auto source = std::find_if(profilers.begin(), profilers.end(),
                             [](const ProfilerConfig& p) { return p.active; });
  if (source == profilers.end()) source = profilers.begin();
  if (source->selectors.empty()) {
    SelectorConfig edges;
    edges.profile = "edge";
    source->selectors.push_back(edges);
  }
  for (ProfilerConfig& p : profilers) {
    if (p.selectors.empty()) p.selectors = source->selectors;
  }
}

void check(const ReadResult& read, const yaml::Node& root, text::Diagnostics* diagnostics) {
  RunChecker(read, root, diagnostics).run();
}

void check_part(const ReadResult& read, const yaml::Node& root, text::Diagnostics* diagnostics) {
  RunChecker(read, root, diagnostics).run_part();
}

void check_replay(ReadResult* read, const yaml::Node& root,
                  const std::vector<SelectorConfig>& recorded, text::Diagnostics* diagnostics) {
  ProfilerChecker(*read, root, diagnostics).check_replay(recorded);
  for (ProfilerConfig& profiler : read->configuration.profilers) {
    if (profiler.selectors.empty()) profiler.selectors = recorded;
  }
}

}  // namespace strobe::config
