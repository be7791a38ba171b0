#include "sw/config/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "sc_models/port/address_map.h"
#include "sw/guest/include/strobe/abi.h"
#include "sw/profile/exhaustive_profile.h"

namespace strobe::config {
namespace {

constexpr size_t kMostSelectors = 8;  // slots of the register map

const char* mode_name(Mode mode) {
  return mode == Mode::kFunctional ? "functional" : mode == Mode::kTiming ? "timing" : "sampled";
}

bool power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

class Checker {
 public:
  Checker(const ReadResult& read, const Node& root, Diagnostics* diagnostics)
      : read_(read), root_(root), diagnostics_(diagnostics) {}

  void run() {
    const RunConfig& run = read_.configuration;
    check_core("core", run.core);
    for (size_t i = 0; i < run.profilers.size(); ++i) check_profiler(i);
    check_names();
    check_active();
    check_workload(run.workload);
    expect(run.interval == 0 || run.mode == Mode::kTiming, {"interval", "mode"},
           fmt::format("intervals need mode: timing, got {}", mode_name(run.mode)));
    expect(run.exhaustive_bytes == 0 ||
               run.exhaustive_bytes >= profile::ExhaustiveProfile::kLeastBytes,
           {"exhaustive_bytes"},
           fmt::format("expected at least {}, the smallest table, or 0 for no bound, got {}",
                       profile::ExhaustiveProfile::kLeastBytes, run.exhaustive_bytes));
    expect(run.exhaustive_bytes == 0 || run.progress.every == 0,
           {"exhaustive_bytes", "progress.every"},
           "a series of points needs the whole exhaustive profile; leave one of the two out");
    check_sampling(run);
    check_decode(run);
    check_trace(run);
  }

  void run_replay(const std::vector<SelectorConfig>& recorded) {
    const auto& profilers = read_.configuration.profilers;
    for (size_t i = 0; i < profilers.size(); ++i) {
      const std::string path = fmt::format("profilers.{}", i);
      expect(!profilers[i].active, {path + ".active"},
             "a recorded run has no active profiler: those of a replay only watch; leave it out");
      expect(profilers[i].selectors.empty() || profilers[i].selectors == recorded,
             {path + ".selectors"},
             "a stream holds only what was selected when it was recorded: expected the selectors "
             "of the recorded run, got others; leave them out, or record with these");
    }
  }

 private:
  /// Reports at the first of `paths` unless one of them is faulty already.
  void expect(bool good, std::initializer_list<std::string> paths, const std::string& message) {
    if (good) return;
    for (const std::string& path : paths) {
      if (read_.faulty.count(path) != 0) return;
    }
    diagnostics_->push_back(mark_of(*paths.begin()).error(*paths.begin(), message));
  }

  /// Of the key, or of the innermost map around it that the user wrote.
  Mark mark_of(std::string path) const {
    for (;;) {
      const auto found = read_.given.find(path);
      if (found != read_.given.end()) return found->second.mark;
      const size_t dot = path.rfind('.');
      if (dot == std::string::npos) return root_.mark;
      path.resize(dot);
    }
  }

  void expect_power_of_two(const std::string& path, uint64_t value) {
    expect(power_of_two(value), {path}, fmt::format("expected a power of two, got {}", value));
  }

  void expect_at_most(const std::string& path, uint64_t value, const std::string& other,
                      uint64_t limit) {
    expect(value <= limit, {path, other},
           fmt::format("expected at most {}, which is {}, got {}", other, limit, value));
  }

  /// @param lines  the cache whose lines are of `line` bytes
  void check_cache(const std::string& path, const memory::CacheParams& p, const std::string& lines,
                   unsigned line) {
    expect_power_of_two(path + ".size", p.size);
    expect_power_of_two(path + ".ways", p.ways);
    expect_power_of_two(path + ".line", p.line);
    expect(p.size >= uint64_t{p.ways} * p.line, {path + ".size", path + ".ways", path + ".line"},
           fmt::format("expected at least ways * line = {} bytes, got {}",
                       uint64_t{p.ways} * p.line, p.size));
    expect(p.line == line, {path + ".line", lines + ".line"},
           fmt::format("expected the line size of {}, which is {}, got {}", lines, line, p.line));
  }

  /// @param at  the path of its keys
  void check_core(const std::string& at, const core::CoreParams& p) {
    const std::string l1d = at + ".memory.l1d";
    expect_power_of_two(at + ".fetch_block", p.fetch_block);
    expect_at_most(at + ".fetch_block", p.fetch_block, at + ".memory.l1i.line", p.memory.l1i.line);
    expect_at_most(at + ".decode_width", p.decode_width, at + ".rob", p.rob);
    expect_at_most(at + ".commit_width", p.commit_width, at + ".rob", p.rob);
    expect_at_most(at + ".fetch_width", p.fetch_width, at + ".fetch_buffer", p.fetch_buffer);
    expect_at_most(at + ".decode_width", p.decode_width, at + ".fetch_buffer", p.fetch_buffer);
    expect_at_most(at + ".reservation_stations", p.reservation_stations, at + ".rob", p.rob);
    expect_power_of_two(at + ".predictor.btb_entries", p.predictor.btb_entries);
    expect_power_of_two(at + ".predictor.btb_ways", p.predictor.btb_ways);
    expect_at_most(at + ".predictor.btb_ways", p.predictor.btb_ways, at + ".predictor.btb_entries",
                   p.predictor.btb_entries);
    if (p.predictor.kind == "gshare") {
      expect_at_most(at + ".predictor.history_bits", p.predictor.history_bits,
                     at + ".predictor.table_bits", p.predictor.table_bits);
    }
    if (p.predictor.kind == "tage") {
      expect_at_most(at + ".predictor.tage.min_history", p.predictor.tage.min_history,
                     at + ".predictor.tage.max_history", p.predictor.tage.max_history);
    }
    check_cache(at + ".memory.l1i", p.memory.l1i, l1d, p.memory.l1d.line);
    check_cache(at + ".memory.l1d", p.memory.l1d, l1d, p.memory.l1d.line);
    check_cache(at + ".memory.l2", p.memory.l2, l1d, p.memory.l1d.line);
    expect(p.memory.l1i.latency < p.front_end_stages,
           {at + ".memory.l1i.latency", at + ".front_end_stages"},
           fmt::format("expected less than {}.front_end_stages, which is {} and has it inside, "
                       "got {}",
                       at, p.front_end_stages, p.memory.l1i.latency));
    check_watchdog(at, p);
  }

  /// One instruction that waits for long is no deadlock.
  void check_watchdog(const std::string& at, const core::CoreParams& p) {
    const memory::MemoryParams& m = p.memory;
    const std::pair<std::string, uint64_t> waits[] = {
        {at + ".syscall_cycles", p.syscall_cycles},
        {at + ".trap_cycles", p.trap_cycles},
        {at + ".div.latency", p.div.latency},
        {at + ".fp_div.latency", p.fp_div.latency},
        {at + ".memory.device_latency", m.device_latency},
        {at + ".memory.dram_latency",
         uint64_t{m.l1d.latency} + m.l2.latency + 2 * uint64_t{m.bus_latency} + m.dram_latency}};
    const auto longest = std::max_element(
        std::begin(waits), std::end(waits),
        [](const auto& one, const auto& other) { return one.second < other.second; });
    expect(p.watchdog_cycles > longest->second, {at + ".watchdog_cycles", longest->first},
           fmt::format("expected more than the {} cycles that {} lets one instruction take, got {}",
                       longest->second, longest->first, p.watchdog_cycles));
  }

  void check_profiler(size_t i) {
    const ProfilerConfig& p = read_.configuration.profilers[i];
    const std::string path = fmt::format("profilers.{}", i);
    check_compressor(path, p);
    expect_power_of_two(path + ".queue_depth", p.queue_depth);
    expect_power_of_two(path + ".buffer_depth", p.buffer_depth);
    expect_at_most(path + ".watermark", p.watermark, path + ".buffer_depth", p.buffer_depth);
    if (p.communication.kind == Communication::kRing) {
      check_ring(path + ".communication", p.communication);
    }
    if (!p.active) {
      expect(p.fidelity == profiling::Fidelity::kModel, {path + ".fidelity", path + ".active"},
             "expected model, because a profiler that is not active only watches; or make it "
             "active");
    }
    const std::string selectors = path + ".selectors";
    expect(
        p.selectors.size() <= kMostSelectors, {selectors},
        fmt::format("expected at most {} selectors, got {}", kMostSelectors, p.selectors.size()));
    for (size_t k = 0; k < p.selectors.size(); ++k) check_selector(selectors, p.selectors, k);
  }

  /// Keys that do not apply have their defaults, which fit.
  void check_compressor(const std::string& path, const ProfilerConfig& p) {
    const unsigned width = counter_width_of(p);
    expect_power_of_two(path + ".strata", p.strata);
    expect_power_of_two(path + ".entries", p.entries);
    expect_power_of_two(path + ".banks", p.banks);
    expect_at_most(path + ".banks", p.banks, path + ".strata", p.strata);
    expect_power_of_two(path + ".ways", p.ways);
    if (p.kind == ProfilerKind::kTagged) check_tags(path, p);
    if (p.kind != ProfilerKind::kAssociative) {
      const bool half = sampler_of(p) == profiling::SamplerKind::kCountdown;
      const uint64_t most = uint64_t{1} << (half ? width - 1 : width);
      expect(p.rate <= most, {path + ".rate", path + ".counter_width"},
             fmt::format("expected at most {}, got {}",
                         half ? fmt::format("2^(counter_width-1) = {}, because a countdown starts "
                                            "from up to twice the rate",
                                            most)
                              : fmt::format("2^counter_width = {}", most),
                         p.rate));
    }
    if (p.second_level.entries == 0) return;
    const std::string second = path + ".second_level";
    expect(
        power_of_two(p.second_level.entries) && p.second_level.entries >= 4, {second + ".entries"},
        fmt::format("expected 0 or a power of two from 4 to 64, got {}", p.second_level.entries));
    expect(p.second_level.counter_width > width,
           {second + ".counter_width", path + ".counter_width"},
           fmt::format("expected more than the {} bits of the first level's counters, whose "
                       "messages it adds up, got {}",
                       width, p.second_level.counter_width));
  }

  void check_tags(const std::string& path, const ProfilerConfig& p) {
    expect_at_most(path + ".ways", p.ways, path + ".strata", p.strata);
    expect_at_most(path + ".miss_width", p.miss_width, path + ".counter_width", p.counter_width);
    const auto expect_reached = [&](const char* key, uint64_t value, const char* width_key,
                                    unsigned width) {
      const uint64_t most = uint64_t{1} << width;
      expect(value <= most, {path + "." + key, path + "." + width_key},
             fmt::format("expected at most 2^{} = {}, got {}", width_key, most, value));
    };
    expect_reached("should_evict", p.should_evict, "counter_width", p.counter_width);
    expect_reached("should_replace", p.should_replace, "miss_width", p.miss_width);
  }

  void check_ring(const std::string& path, const CommunicationConfig& p) {
    constexpr uint64_t kBegin = STROBE_RING_BASE, kEnd = kBegin + STROBE_RING_SIZE;
    const RunConfig& run = read_.configuration;
    expect(run.mode == Mode::kTiming, {path + ".kind", "mode"},
           fmt::format("a ring needs mode: timing, got {}", mode_name(run.mode)));
    expect_power_of_two(path + ".entries", p.entries);
    const uint64_t bytes = uint64_t{p.entries} * sizeof(strobe_record_t);
    const bool inside = p.base >= kBegin && p.base < kEnd && bytes <= kEnd - p.base;
    expect(
        inside, {path + ".base", path + ".entries"},
        fmt::format("expected a ring of {} bytes inside the guest memory for it, {:#x} to {:#x}, "
                    "got {:#x}",
                    bytes, kBegin, kEnd, p.base));
    expect((p.base & (bytes - 1)) == 0 || !power_of_two(p.entries) || !inside,
           {path + ".base", path + ".entries"},
           fmt::format("expected a multiple of the ring's {} bytes, got {:#x}", bytes, p.base));
    const core::CoreParams& service = *p.service_core;
    const std::string core = path + ".service_core";
    if (read_.given.count(core) == 0) return;  // the run's core, checked already
    check_core(core, service);
    expect(service.memory.l1d.line == run.core.memory.l1d.line,
           {core + ".memory.l1d.line", "core.memory.l1d.line"},
           fmt::format("expected the line size of core.memory.l1d, which is {}, got {}",
                       run.core.memory.l1d.line, service.memory.l1d.line));
    expect(service.frequency_ghz == run.core.frequency_ghz,
           {core + ".frequency_ghz", "core.frequency_ghz"},
           fmt::format("expected core.frequency_ghz, which is {}: the cores have one clock, got {}",
                       run.core.frequency_ghz, service.frequency_ghz));
  }

  void check_selector(const std::string& path, const std::vector<SelectorConfig>& all, size_t k) {
    const SelectorConfig& selector = all[k];
    const std::string own = fmt::format("{}.{}", path, k);
    expect(selector.user || selector.machine, {own + ".modes"},
           "expected at least one of user, machine, got none");
    expect(selector.prediction == Prediction::kAny || read_.configuration.mode == Mode::kTiming,
           {own + ".prediction", "mode"},
           "expected any, because nothing is predicted in mode functional; or set mode to timing");
    for (size_t other = 0; other < k; ++other) {
      const std::string theirs = fmt::format("{}.{}", path, other);
      const bool apart = all[other].tag != selector.tag || all[other].profile == selector.profile;
      expect(apart, {own + ".tag", own + ".profile", theirs + ".tag", theirs + ".profile"},
             fmt::format("expected another tag than {}'s, which is {}: their tuples could not be "
                         "told apart",
                         theirs, all[other].tag));
    }
  }

  void check_names() {
    const auto& profilers = read_.configuration.profilers;
    for (size_t i = 0; i < profilers.size(); ++i) {
      const std::string path = fmt::format("profilers.{}.name", i);
      if (read_.given.count(path) == 0) continue;  // missing: said already
      expect(!profilers[i].name.empty(), {path}, "expected a name, got an empty text");
      for (size_t k = 0; k < i; ++k) {
        if (profilers[k].name != profilers[i].name || profilers[i].name.empty()) continue;
        expect(false, {path, fmt::format("profilers.{}.name", k)},
               fmt::format("expected a unique name, got {}, which profilers.{} has too",
                           in_quotes(profilers[i].name), k));
        break;
      }
    }
  }

  void check_active() {
    const RunConfig& run = read_.configuration;
    const std::string* first = nullptr;
    std::string first_path;
    for (size_t i = 0; i < run.profilers.size(); ++i) {
      const ProfilerConfig& p = run.profilers[i];
      if (!p.active) continue;
      const std::string own = fmt::format("profilers.{}", i);
      expect(first == nullptr, {own + ".active", first_path + ".active"},
             fmt::format("expected at most one active profiler, {} is active too", first_path));
      expect(run.mode != Mode::kFunctional, {own + ".active", "mode"},
             "an active profiler needs mode: timing or sampled, got functional");
      expect_at_most("core.commit_width", run.core.commit_width, own + ".queue_depth",
                     p.queue_depth);
      first = &p.name;
      first_path = own;
    }
  }

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
  }

  void check_point(const std::string& path, const RegionPoint& p) {
    expect(p.symbol.empty() || p.marker == 0, {path + ".marker", path + ".symbol"},
           "expected a symbol or a marker, got both");
    expect(p.given() || p.occurrence == 1,
           {path + ".occurrence", path + ".symbol", path + ".marker"},
           "expected a symbol or a marker beside it, got none");
  }

  void check_workload(const WorkloadConfig& p) {
    check_point("workload.roi.begin", p.roi_begin);
    check_point("workload.roi.end", p.roi_end);
    for (size_t i = 0; i < p.env.size(); ++i) {
      const size_t equals = p.env[i].find('=');
      expect(equals != std::string::npos && equals > 0,
             {fmt::format("workload.env.{}", i), "workload.env"},
             "expected KEY=VALUE, got " + in_quotes(p.env[i]));
    }
  }

  void check_decode(const RunConfig& run) {
    expect(!run.decode.given() || run.mode != Mode::kSampled, {"decode.productions", "mode"},
           "the decode engine needs mode: timing or functional, got sampled");
    const bool sampling_is_used =
        run.decode.given() || (run.decode.sparsity == 0 && run.decode.burst == 0);
    expect(sampling_is_used, {"decode.sparsity", "decode.burst", "decode.productions"},
           "expected productions, whose registers they are, got none");
    expect(run.decode.sparsity != 1, {"decode.sparsity"},
           "expected at least 2, for one event ends a burst and one begins the next, or 0; got 1");
  }

  void check_trace(const RunConfig& run) {
    const TraceConfig& p = run.trace;
    check_trace_file("trace.pipeline", p.pipeline);
    check_trace_file("trace.waves", p.waves);
    expect(p.to > p.from, {"trace.to", "trace.from"},
           fmt::format("expected more than trace.from, which is {}, got {}", p.from, p.to));
    expect(p.pipeline.empty() || run.mode == Mode::kTiming, {"trace.pipeline", "mode"},
           fmt::format("a pipeline view needs mode: timing, got {}", mode_name(run.mode)));
    if (p.waves.empty()) return;
    expect(run.mode != Mode::kSampled, {"trace.waves", "mode"},
           "waveforms need mode: timing, got sampled");
    const auto ends_in = [&p](const std::string& ending) {
      return p.waves.size() > ending.size() &&
             p.waves.compare(p.waves.size() - ending.size(), ending.size(), ending) == 0;
    };
    expect(ends_in(".vcd") || ends_in(".fst"), {"trace.waves"},
           "expected a name that ends in .vcd or .fst, got " + in_quotes(p.waves));
    expect(p.waves != p.pipeline, {"trace.waves", "trace.pipeline"},
           "expected another name than trace.pipeline's, got the same");
    const bool has_rtl =
        std::any_of(run.profilers.begin(), run.profilers.end(), [](const ProfilerConfig& profiler) {
          return profiler.active && profiler.fidelity != profiling::Fidelity::kModel;
        });
    expect(has_rtl, {"trace.waves", "profilers"},
           "waveforms are those of the RTL: expected an active profiler with fidelity rtl or "
           "lockstep, got none");
  }

  /// A plain name, and none the result directory has a file of its own for (docs/results.md).
  void check_trace_file(const std::string& path, const std::string& name) {
    expect(name.find('/') == std::string::npos && name != "." && name != "..", {path},
           "expected a plain file name without directories, got " + in_quotes(name));
    static constexpr const char* kTaken[] = {"config.yaml", "manifest.json", "result.json",
                                             "host.json",   "stdout.txt",    "stderr.txt"};
    const bool taken = std::find(std::begin(kTaken), std::end(kTaken), name) != std::end(kTaken) ||
                       name.rfind("profile.", 0) == 0 || name.rfind("handlers.", 0) == 0;
    expect(!taken, {path},
           "expected a name that no other file of the result has, got " + in_quotes(name));
  }

  const ReadResult& read_;
  const Node& root_;
  Diagnostics* diagnostics_;
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

void check(const ReadResult& read, const Node& root, Diagnostics* diagnostics) {
  Checker(read, root, diagnostics).run();
}

void check_replay(ReadResult* read, const Node& root, const std::vector<SelectorConfig>& recorded,
                  Diagnostics* diagnostics) {
  Checker(*read, root, diagnostics).run_replay(recorded);
  for (ProfilerConfig& profiler : read->configuration.profilers) {
    if (profiler.selectors.empty()) profiler.selectors = recorded;
  }
}

}  // namespace strobe::config
