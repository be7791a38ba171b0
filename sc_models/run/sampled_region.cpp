#include "sc_models/run/sampled_region.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "sc_models/machine/profiler/random_offset.h"
#include "sc_models/run/watched_blocks.h"

namespace strobe::platform {
namespace {

using core::CoreStop;
using isa::StopReason;

constexpr uint64_t kChunk = 1'000'000;  // instructions between two calls of progress

/// More U-mode instructions than the pipeline holds.
uint64_t most_in_flight(const config::RunConfig& configuration) {
  return uint64_t{configuration.core.rob} + configuration.core.fetch_buffer;
}

/// Where the first unit begins after the start and the drained pipeline.
uint64_t first_offset(const config::RunConfig& configuration) {
  return random_offset(configuration.seed, configuration.sampling.interval);
}

}  // namespace

SampledRegion::SampledRegion(const config::RunConfig& configuration, Parts parts)
    : sampling_(configuration.sampling),
      workload_(configuration.workload),
      most_instructions_(configuration.max_instructions),
      in_flight_(most_in_flight(configuration)),
      offset_(first_offset(configuration)),
      parts_(std::move(parts)) {
  samples_.unit = sampling_.unit;
}

CoreStop SampledRegion::run() {
  const uint64_t begin = parts_.begin, machine_before = machine();
  uint64_t end = workload_.roi_run == 0 ? core::kNever : begin + workload_.roi_run;
  const bool limited = most_instructions_ != 0 && most_instructions_ < end;
  if (limited) end = std::max(most_instructions_, begin);
  CoreStop stop = sample(end);
  if (stop == CoreStop::kUserLimit && limited) stop = CoreStop::kInstructionLimit;
  samples_.instructions = std::min(now(), end) - begin;
  samples_.interrupts += parts_.core.stats().interrupts;
  machine_instructions_ = machine() - machine_before;
  if (parts_.handlers) samples_.handler_instructions = machine() - machine_at_start_;
  return stop;
}

CoreStop SampledRegion::sample(uint64_t end) {
  CoreStop stop = measure_start(end);
  if (stop != CoreStop::kNone) return stop;
  // Units are the same instructions in every run, wherever the pipeline was drained.
  uint64_t unit = parts_.begin + samples_.start_instructions + in_flight_ + offset_;
  for (; unit < end && end - unit >= sampling_.unit; unit += sampling_.interval) {
    detail_at_ = unit - std::min(unit - now(), sampling_.warm);
    stop = forward(detail_at_);
    if (stop != CoreStop::kNone) return stop;
    parts_.core.restart();
    if (unit > now()) {
      stop = detail(unit - now());
      if (stop != CoreStop::kUserLimit) return stop;
    }
    stop = measure_unit();
    if (stop != CoreStop::kNone) return stop;
  }
  detail_at_ = end;
  stop = forward(end);
  return stop == CoreStop::kNone ? CoreStop::kUserLimit : stop;
}

// All of it, interrupts included, as mode timing measures a region. After it the pipeline is
// drained, or the region has ended.
CoreStop SampledRegion::measure_start(uint64_t end) {
  const uint64_t length = std::min(sampling_.start, end - parts_.begin);
  const uint64_t first_cycle = parts_.core.cycle_count();
  parts_.statistics.reset();
  CoreStop stop = CoreStop::kUserLimit;
  if (length > parts_.before) stop = parts_.detail(length - parts_.before);
  samples_.start_instructions = stop == CoreStop::kUserLimit ? length : now() - parts_.begin;
  samples_.start_cycles = parts_.core.cycle_count() - first_cycle;
  counters_ = parts_.statistics.read();
  parts_.statistics.reset();
  if (stop != CoreStop::kUserLimit || length == end - parts_.begin) return stop;
  stop = parts_.core.drain();
  machine_at_start_ = machine() - parts_.core.stats().machine;
  return stop;
}

// Every interrupt met in detail is a measured one.
CoreStop SampledRegion::detail(uint64_t instructions) {
  reset_counters();
  const CoreStop stop = parts_.detail(instructions);
  if (stop != CoreStop::kUserLimit) return stop;
  const uint64_t interrupts = parts_.core.stats().interrupts;
  const bool all_done = parts_.core.hart().state().mode == PrivilegeMode::kUser;
  if (interrupts > 0 && all_done) {
    const uint64_t cycles = interrupt_cycles() / interrupts;
    samples_.interrupt_cycles.insert(samples_.interrupt_cycles.end(), interrupts, cycles);
  }
  return stop;
}

CoreStop SampledRegion::measure_unit() {
  const uint64_t begin = parts_.core.cycle_count();
  const CoreStop stop = detail(sampling_.unit);
  if (stop != CoreStop::kUserLimit) return stop;
  samples_.unit_cycles.push_back(parts_.core.cycle_count() - begin - interrupt_cycles());
  if (parts_.handlers) {
    samples_.unit_handler_instructions.push_back(parts_.core.stats().machine);
  }
  for (const auto& [name, value] : parts_.statistics.read()) counters_[name] += value;
  return parts_.core.drain();
}

CoreStop SampledRegion::forward(uint64_t target) {
  while (now() < target) {
    const uint64_t chunk = std::min(target - now(), kChunk);
    if (parts_.device != nullptr) {
      const CoreStop stop = observe(now() + chunk);
      if (stop != CoreStop::kNone) return stop;
    } else if (warm(chunk) != StopReason::kBudget) {
      return CoreStop::kHart;
    }
    parts_.progress();
  }
  return CoreStop::kNone;
}

StopReason SampledRegion::warm(uint64_t instructions) {
  if (parts_.watchers == nullptr) return parts_.warmer.run(instructions);
  return run_watched(parts_.core.hart(), instructions, *parts_.watchers, parts_.warmer);
}

// As forward, with an active profiler, which may interrupt.
CoreStop SampledRegion::observe(uint64_t target) {
  isa::Hart& hart = parts_.core.hart();
  while (now() < target) {
    if (hart.interrupt_pending()) {
      if (unmeasured_ == 0 && interrupt_fits()) {
        const CoreStop stop = measure_interrupt();
        if (stop != CoreStop::kNone) return stop;
        continue;
      }
      hart.take_interrupt();
      ++samples_.interrupts;
      if (unmeasured_ != 0) --unmeasured_;
    }
    const isa::StepStatus status = hart.step(record_, /*drained=*/true);
    if (hart.record_valid()) show(record_);
    if (status == isa::StepStatus::kStopped) return CoreStop::kHart;
  }
  return CoreStop::kNone;
}

void SampledRegion::show(const RetireRecord& record) {
  parts_.warmer.record(record);
  parts_.device->warm(record);
  if (parts_.watchers != nullptr) parts_.watchers->record(record);
}

// Measuring an interrupt takes less than three times what the pipeline holds.
bool SampledRegion::interrupt_fits() const {
  return detail_at_ > now() && detail_at_ - now() > 4 * in_flight_;
}

// The interrupt is held back until the pipeline is full, as it would be found. After as many
// instructions again it has been taken, and its handler has returned.
CoreStop SampledRegion::measure_interrupt() {
  isa::Hart& hart = parts_.core.hart();
  hart.set_interrupt(Interrupt::kProfiler, false);
  parts_.core.restart();
  CoreStop stop = detail(in_flight_);
  hart.set_interrupt(Interrupt::kProfiler, true);
  if (stop != CoreStop::kUserLimit) return stop;
  stop = detail(in_flight_);
  if (stop != CoreStop::kUserLimit) return stop;
  unmeasured_ = sampling_.interrupts - 1;
  return parts_.core.drain();
}

uint64_t SampledRegion::interrupt_cycles() const {
  if (parts_.device == nullptr) return 0;  // machine mode is that of productions' handlers
  const core::PipelineStats& stats = parts_.core.stats();
  return stats.cpi[static_cast<unsigned>(core::CpiClass::kInterruptEntry)] +
         stats.cpi[static_cast<unsigned>(core::CpiClass::kHandler)];
}

void SampledRegion::reset_counters() {
  samples_.interrupts += parts_.core.stats().interrupts;
  parts_.statistics.reset();
}

uint64_t shortest_sampled_region(const config::RunConfig& configuration) {
  const config::SamplingConfig& sampling = configuration.sampling;
  return sampling.start + most_in_flight(configuration) + first_offset(configuration) +
         (profile::kLeastUnits - 1) * sampling.interval + sampling.unit;
}

void estimate_cycles(RunOutcome& outcome) {
  try {
    outcome.cycles =
        static_cast<uint64_t>(std::llround(profile::estimated_cycles(*outcome.samples).value));
  } catch (const std::invalid_argument& error) {
    outcome.end = RunEnd::kFailed;
    outcome.error = error.what();
  }
}

}  // namespace strobe::platform
