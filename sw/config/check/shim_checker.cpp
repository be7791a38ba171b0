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
  const size_t most = STROBE_OBSERVER_COUNTERS;
  expect(p.counters.size() <= most, {"shim.counters"},
         fmt::format("expected at most {} counters, because a hart has {} and the observer needs "
                     "one to wake it, got {}",
                     most, most + 1, p.counters.size()));
  expect(p.counters.empty() || run.remote_counters, {"shim.counters", "counters.remote"},
         "the counters of another hart can be read only with counters.remote: true; set it, or "
         "observe signals alone");
}

}  // namespace strobe::config
