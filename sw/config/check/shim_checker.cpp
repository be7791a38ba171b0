#include "sw/config/check/shim_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "sw/config/check/core_checker.h"
#include "sw/guest/include/strobe/observer_abi.h"

namespace strobe::config {

void ShimChecker::check() {
  const RunConfig& run = read_.configuration;
  const ShimConfig& p = run.shim;
  if (!p.given()) return;
  expect(run.mode == Mode::kTiming, {"shim.where", "mode"},
         fmt::format("an observer thread needs mode: timing, got {}", mode_name(run.mode)));
  expect(!p.counters.empty() || !p.signals.empty(), {"shim.where", "shim.counters", "shim.signals"},
         "expected counters or signals to observe, got none of shim.counters and shim.signals");
  expect(p.signals.size() <= STROBE_OBSERVER_SIGNALS, {"shim.signals"},
         fmt::format("expected at most {} signals, got {}", STROBE_OBSERVER_SIGNALS,
                     p.signals.size()));
  check_counters(run);
  expect(p.where != ObserverPlace::kSmt || run.core.threads == 2, {"shim.where", "core.threads"},
         "the observer needs a hart beside the program's: expected core.threads: 2, got 1; or set "
         "shim.where to cmp");
  if (p.where == ObserverPlace::kCmp) {
    CoreChecker(read_, root_, diagnostics_).check_second("shim.core", *p.core);
  }
  const auto has_ring = [](const ProfilerConfig& profiler) {
    return profiler.active && profiler.communication.kind == Communication::kRing;
  };
  expect(std::none_of(run.profilers.begin(), run.profilers.end(), has_ring),
         {"shim.where", "profilers"},
         "expected one thread on hart 1, got two: the observer and the service thread of the "
         "active profiler's ring; set its communication.kind to interrupt");
}

void ShimChecker::check_counters(const RunConfig& run) {
  const ShimConfig& p = run.shim;
  constexpr size_t kCounters = STROBE_OBSERVER_COUNTERS;
  const bool own = p.where == ObserverPlace::kSmt && !run.remote_counters;
  const size_t most = own ? kCounters / 2 : kCounters;
  expect(p.counters.size() <= most, {"shim.counters"},
         fmt::format("expected at most {} counters, because a hart has {} and the observer needs "
                     "one to wake it{}, got {}",
                     most, kCounters + 1, own ? " and two for each: the core's and its own" : "",
                     p.counters.size()));
  const bool readable = p.where != ObserverPlace::kCmp || run.remote_counters;
  expect(p.counters.empty() || readable, {"shim.counters", "counters.remote"},
         "the counters of another hart can be read only with counters.remote: true; set it, or "
         "observe signals alone");
}

}  // namespace strobe::config
