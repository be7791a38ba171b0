#include "sw/config/check/profiler_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "sc_models/port/address_map.h"
#include "sc_models/port/path_facts_generated.h"
#include "sc_models/port/path_params.h"
#include "sw/config/check/core_checker.h"
#include "sw/config/keys/compressor_keys.h"
#include "sw/guest/include/strobe/abi.h"

namespace strobe::config {
namespace {

constexpr size_t kMostSelectors = 8;  // slots of the register map

}  // namespace

void ProfilerChecker::check() {
  for (size_t i = 0; i < read_.configuration.profilers.size(); ++i) {
    check_alone(i);
    check_in_run(i);
  }
  check_names();
  check_active();
}

void ProfilerChecker::check_each_alone() {
  for (size_t i = 0; i < read_.configuration.profilers.size(); ++i) check_alone(i);
}

void ProfilerChecker::check_replay(const std::vector<SelectorConfig>& recorded) {
  const auto& profilers = read_.configuration.profilers;
  for (size_t i = 0; i < profilers.size(); ++i) {
    const std::string path = fmt::format("profilers.{}", i);
    expect(!profilers[i].active, {path + ".active"},
           "the profilers of a replay only observe, so none of them is active; leave the key out");
    expect(profilers[i].selectors.empty() || profilers[i].selectors == recorded,
           {path + ".selectors"},
           "a stream holds only the events that were selected when it was recorded: expected the "
           "selectors of the recorded run, got others; leave the key out, or record again with "
           "these selectors");
  }
}

void ProfilerChecker::check_alone(size_t i) {
  const ProfilerConfig& p = read_.configuration.profilers[i];
  const std::string path = fmt::format("profilers.{}", i);
  check_compressor(path, p);
  expect_power_of_two(path + ".queue_depth", p.queue_depth);
  expect_power_of_two(path + ".buffer_depth", p.buffer_depth);
  expect_at_most(path + ".watermark", p.watermark, path + ".buffer_depth", p.buffer_depth);
  if (p.communication.kind == Communication::kRing) {
    check_ring(path + ".communication", p.communication);
  }
}

void ProfilerChecker::check_in_run(size_t i) {
  const ProfilerConfig& p = read_.configuration.profilers[i];
  const std::string path = fmt::format("profilers.{}", i);
  if (!p.active) {
    expect(p.fidelity == profiling::Fidelity::kModel, {path + ".fidelity", path + ".active"},
           "expected model, because a profiler that is not active only observes; or set active to "
           "true");
  }
  const std::string selectors = path + ".selectors";
  expect(p.selectors.size() <= kMostSelectors, {selectors},
         fmt::format("expected at most {} selectors, got {}", kMostSelectors, p.selectors.size()));
  for (size_t k = 0; k < p.selectors.size(); ++k) check_selector(selectors, p.selectors, k);
  check_threads(selectors, p);
}

void ProfilerChecker::check_compressor(const std::string& path, const ProfilerConfig& p) {
  for (const KeyLimit& limit : limits_of(p)) {
    const std::string key = path + "." + limit.key, other = path + "." + limit.other;
    if (limit.power_of_two) {
      expect_power_of_two(key, limit.value);
    } else if (limit.text.empty()) {
      expect_at_most(key, limit.value, other, limit.most);
    } else {
      expect(limit.value <= limit.most, {key, other},
             fmt::format("expected at most {} = {}, got {}", limit.text, limit.most, limit.value));
    }
  }
  const profiling::PathParams first_level = first_level_of(p);
  const unsigned width = first_level.counter_width;
  if (profiling::has_rate(first_level)) {
    const uint32_t most = profiling::longest_period(first_level);
    const profiling::LimitText text = profiling::longest_period_text(first_level);
    expect(p.rate <= most, {path + ".rate", path + ".counter_width"},
           fmt::format("expected at most {} = {}{}, got {}", text.is, most, text.because, p.rate));
  }
  if (p.second_level.entries == 0) return;
  const std::string second = path + ".second_level";
  expect(power_of_two(p.second_level.entries) && p.second_level.entries >= 4, {second + ".entries"},
         fmt::format("expected 0 or a power of two from 4 to 64, got {}", p.second_level.entries));
  expect(p.second_level.counter_width > width, {second + ".counter_width", path + ".counter_width"},
         fmt::format("expected more than the {} bits of the first level's counters, whose messages "
                     "this counter adds up, got {}",
                     width, p.second_level.counter_width));
}

void ProfilerChecker::check_ring(const std::string& path, const CommunicationConfig& p) {
  constexpr uint64_t kBegin = STROBE_RING_BASE, kEnd = kBegin + STROBE_RING_SIZE;
  const RunConfig& run = read_.configuration;
  expect(run.mode == Mode::kTiming, {path + ".kind", "mode"},
         fmt::format("a ring needs mode: timing, got {}", mode_name(run.mode)));
  expect_power_of_two(path + ".entries", p.entries);
  const uint64_t bytes = uint64_t{p.entries} * sizeof(strobe_record_t);
  const bool inside = p.base >= kBegin && p.base < kEnd && bytes <= kEnd - p.base;
  expect(inside, {path + ".base", path + ".entries"},
         fmt::format("expected a ring of {} bytes inside the guest memory reserved for rings, "
                     "{:#x} to {:#x}, got {:#x}",
                     bytes, kBegin, kEnd, p.base));
  expect((p.base & (bytes - 1)) == 0 || !power_of_two(p.entries) || !inside,
         {path + ".base", path + ".entries"},
         fmt::format("expected a multiple of the ring's {} bytes, got {:#x}", bytes, p.base));
  CoreChecker(read_, root_, diagnostics_).check_second(path + ".service_core", *p.service_core);
}

void ProfilerChecker::check_selector(const std::string& path,
                                     const std::vector<SelectorConfig>& all, size_t k) {
  const SelectorConfig& selector = all[k];
  const std::string own = fmt::format("{}.{}", path, k);
  expect(selector.user || selector.machine, {own + ".modes"},
         "expected at least one of user, machine, got none");
  expect(selector.prediction == Prediction::kAny || read_.configuration.mode == Mode::kTiming,
         {own + ".prediction", "mode"},
         "expected any, because only mode timing predicts branches; or set mode to timing");
  expect(!selector.in_burst || read_.configuration.decode.given(),
         {own + ".in_burst", "decode.productions"},
         "expected false, because there are no bursts without a decode engine; or give "
         "decode.productions");
  expect(!selector.in_burst || !selector.machine, {own + ".in_burst", own + ".modes"},
         "expected only user in modes, because no instruction of M-mode is in a burst");
  constexpr unsigned long kLastThread = 65535;
  const bool digits = selector.thread.find_first_not_of("0123456789") == std::string::npos;
  const bool number = digits && selector.thread.size() < 6 &&
                      (selector.thread.empty() || std::stoul(selector.thread) <= kLastThread);
  expect(number, {own + ".thread"},
         fmt::format("expected the number of a thread, from 0 to {}, got {}", kLastThread,
                     selector.thread));
  for (size_t other = 0; other < k; ++other) {
    const std::string theirs = fmt::format("{}.{}", path, other);
    const bool apart = all[other].tag != selector.tag || all[other].profile == selector.profile;
    expect(apart, {own + ".tag", own + ".profile", theirs + ".tag", theirs + ".profile"},
           fmt::format("expected a tag other than that of {}, which is {}: their tuples could not "
                       "be told apart",
                       theirs, all[other].tag));
  }
}

/// The retire port shows the block one thread, or all.
void ProfilerChecker::check_threads(const std::string& path, const ProfilerConfig& p) {
  for (size_t k = 1; p.active && k < p.selectors.size(); ++k) {
    expect(p.selectors[k].thread == p.selectors[0].thread,
           {fmt::format("{}.{}.thread", path, k), path + ".0.thread"},
           fmt::format("expected the thread of the first selector, {}, got {}: an active profiler "
                       "has one for all its selectors",
                       p.selectors[0].thread.empty() ? "null" : p.selectors[0].thread,
                       p.selectors[k].thread.empty() ? "null" : p.selectors[k].thread));
  }
}

void ProfilerChecker::check_names() {
  const auto& profilers = read_.configuration.profilers;
  for (size_t i = 0; i < profilers.size(); ++i) {
    const std::string path = fmt::format("profilers.{}.name", i);
    if (read_.given.count(path) == 0) continue;  // missing: said already
    expect(!profilers[i].name.empty(), {path}, "expected a name, got an empty text");
    for (size_t k = 0; k < i; ++k) {
      if (profilers[k].name != profilers[i].name || profilers[i].name.empty()) continue;
      expect(false, {path, fmt::format("profilers.{}.name", k)},
             fmt::format("expected a unique name, got {}, which is also the name of profilers.{}",
                         text::in_quotes(profilers[i].name), k));
      break;
    }
  }
}

void ProfilerChecker::check_active() {
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
    const unsigned fewest = profiling::two_rows(run.core.commit_width);
    expect(p.queue_depth >= fewest, {own + ".queue_depth", "core.commit_width"},
           fmt::format("expected at least {}, which is two rows for core.commit_width = {}, got {}",
                       fewest, run.core.commit_width, p.queue_depth));
    first = &p.name;
    first_path = own;
  }
}

}  // namespace strobe::config
