#include "sc_models/run/approach.h"

#include <algorithm>
#include <utility>

#include "sc_models/machine/guest/region.h"

namespace strobe::platform {

using core::CoreStop;

Approach::Approach(const config::RunConfig& configuration, Parts parts)
    : configuration_(configuration), workload_(configuration.workload), parts_(std::move(parts)) {}

CoreStop Approach::run() {
  core::Core& core = parts_.core;
  const isa::StopPoint end = stop_point(workload_.roi_end, parts_.image.program());
  parts_.fork.show_instructions(workload_.roi_warm == 0);
  CoreStop stop = CoreStop::kUserLimit;
  if (workload_.roi_begin.given() || workload_.roi_skip > 0) {
    stop = forward(end);
    begin_ = core.hart().user_instructions();
    if (stop == CoreStop::kUserLimit) core.restart();
  } else {
    // The firmware, up to and with the program's first instruction. What it costs to boot is
    // not the program's.
    set_region_end(core.hart(), end);
    core.restart();
    stop = parts_.detail(1);
    before_ = 1;
  }
  begin_ += workload_.roi_warm;
  if (stop == CoreStop::kUserLimit && workload_.roi_warm > 0) stop = warm();
  parts_.fork.show_instructions(true);
  const bool program_ended =
      stop == CoreStop::kHart && !parts_.image.process().exit().failed && !parts_.signals.fatal;
  if (program_ended && error_.empty() && before_ == 0) {
    error_ = ended_before(workload_, core.hart_stop_reason() == isa::StopReason::kStopPoint,
                          core.hart().user_instructions());
  }
  return stop;
}

CoreStop Approach::warm() {
  const uint64_t left = workload_.roi_warm - before_;
  before_ = 0;
  return left == 0 ? CoreStop::kUserLimit : parts_.detail(left);
}

/// Functionally, from reset to roi.begin and over roi.skip: neither timed nor profiled.
CoreStop Approach::forward(const isa::StopPoint& end) {
  isa::Hart& hart = parts_.core.hart();
  CoreStop stop = firmware();
  if (stop != CoreStop::kUserLimit) return stop;
  if (workload_.roi_begin.given()) {
    hart.set_stop_point(stop_point(workload_.roi_begin, parts_.image.program()));
    stop = forward_to(core::kNever);
    if (stop != CoreStop::kHart) return stop;
    if (hart.stop_reason() != isa::StopReason::kStopPoint) {
      if (parts_.image.process().exit().exited) {
        error_ = never_reached(workload_.roi_begin, "began", hart.stop_point_passes());
      }
      return stop;
    }
  }
  set_region_end(hart, end);
  return forward_to(hart.user_instructions() + workload_.roi_skip);
}

CoreStop Approach::firmware() {
  isa::Hart& hart = parts_.core.hart();
  RetireRecord record;
  while (hart.state().mode == PrivilegeMode::kMachine) {
    if (hart.step(record, /*drained=*/true) == isa::StepStatus::kStopped) return CoreStop::kHart;
    if (workload_.roi_warming == config::Warming::kFunctional) parts_.warmer.record(record);
  }
  return CoreStop::kUserLimit;
}

CoreStop Approach::forward_to(uint64_t target) {
  constexpr uint64_t kChunk = 10'000'000;
  isa::Hart& hart = parts_.core.hart();
  const uint64_t most = configuration_.max_instructions;
  while (hart.user_instructions() < target) {
    const uint64_t done = hart.user_instructions();
    if (most != 0 && done >= most) return CoreStop::kInstructionLimit;
    const uint64_t end = most == 0 ? target : std::min(target, most);
    const uint64_t chunk = std::min(end - done, kChunk);
    const isa::StopReason reason = workload_.roi_warming == config::Warming::kNone
                                       ? hart.run(chunk)
                                       : parts_.warmer.run(chunk);
    if (reason != isa::StopReason::kBudget) return CoreStop::kHart;
    parts_.progress();
  }
  return CoreStop::kUserLimit;
}

}  // namespace strobe::platform
