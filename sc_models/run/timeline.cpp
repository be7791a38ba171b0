#include "sc_models/run/timeline.h"

#include <utility>

#include "sc_models/core/cpi/cpi.h"
#include "sc_models/port/interrupt.h"
#include "sw/profile/reports/export.h"

namespace strobe::platform {
namespace {

constexpr const char* kPhaseNames[] = {"program", "drain", "entry", "handler", "return"};

constexpr std::pair<Interrupt, const char*> kLineNames[] = {
    {Interrupt::kProfiler, "profiler"},
    {Interrupt::kMachineExternal, "external"},
    {Interrupt::kMachineSoftware, "software"},
    {Interrupt::kMachineTimer, "timer"},
    {Interrupt::kCounterOverflow, "counter_overflow"}};

uint64_t cycles_of(const core::PipelineStats& stats, core::CpiClass what) {
  return stats.cpi[static_cast<unsigned>(what)];
}

}  // namespace

Timeline::Timeline(RetireSink& next, core::Core& core, const profiling::ProfilerDevice* device,
                   Namer name, const std::string& file, uint64_t from, uint64_t to)
    : next_(next),
      core_(core),
      device_(device),
      name_(std::move(name)),
      from_(from),
      to_(to),
      log_(file) {}

void Timeline::begin_region(uint64_t cycle) {
  region_begin_ = cycle;
  in_region_ = cycle < to_;
  log_.add({cycle, "region"});
}

void Timeline::end_region(uint64_t cycle) {
  if (open_) {
    settle(cycle);
    close(cycle);
  }
  in_region_ = false;
}

TimelineOutcome Timeline::finish() {
  log_.finish();
  return {region_begin_, log_.records(), log_.left_out()};
}

/// The core asks at least once a quantum, so the window is not missed.
RetireInterest Timeline::interest() const {
  RetireInterest interest = next_.interest();
  if (in_region_ && core_.cycle_count() + core::Core::kQuantum >= from_) interest.busy = true;
  return interest;
}

RetireInterest Timeline::retire(uint64_t cycle, const RetireRecord* lanes, unsigned count,
                                const RetireRecord* const* picked, unsigned picks) {
  const bool passes = picks != 0 || next_.interest().busy;
  if (open_) settle(cycle);
  if (in_region_ && cycle >= to_) {
    if (open_) close(to_);
    in_region_ = false;
  } else if (in_region_ && !open_ && cycle >= from_) {
    open(cycle);
  }
  if (!open_) {
    if (passes) next_.retire(cycle, lanes, count, picked, picks);
    return interest();
  }
  last_ = {cycle, core_.hart().interrupt_pending()};
  if (passes) next_.retire(cycle, lanes, count, picked, picks);
  note_commits(lanes, count);
  note_lines(cycle);
  if (passes) note_levels(cycle + 1);
  return interest();
}

void Timeline::open(uint64_t cycle) {
  open_ = true;
  counts_ = counts();
  last_.cycle = cycle;
  note_lines(cycle);
  find_phase(cycle);
  if (device_ != nullptr) dropped_ = device_->dropped();
  note_levels(cycle);
}

/// A handler may be under way as the window begins.
void Timeline::find_phase(uint64_t cycle) {
  const isa::HartState& state = core_.hart().state();
  go_to(Phase::kProgram, cycle);
  if (state.dise.in_handler) {
    go_to(Phase::kHandler, cycle);
  } else if (state.mode == PrivilegeMode::kMachine && state.mcause >> 63 != 0) {
    read_cause();
    go_to(Phase::kEntry, cycle);
  }
}

void Timeline::close(uint64_t cycle) {
  go_to(Phase::kProgram, cycle);
  open_ = false;
}

Timeline::Counts Timeline::counts() const {
  const core::PipelineStats& stats = core_.stats();
  return {cycles_of(stats, core::CpiClass::kInterruptEntry),
          cycles_of(stats, core::CpiClass::kHandler), cycles_of(stats, core::CpiClass::kCodeChange),
          stats.interrupts};
}

/// All cycles before `next` are over, and the core has said what they went to.
void Timeline::settle(uint64_t next) {
  note_lines(last_.cycle);
  const Counts now = counts();
  const uint64_t entry = now.entry - counts_.entry;
  uint64_t handler = now.handler - counts_.handler;
  // A program's own FENCE.I has the class of the timer's handler.
  if (by_timer_ && phase_ >= Phase::kEntry) handler += now.code_change - counts_.code_change;
  const bool taken = now.interrupts != counts_.interrupts;
  counts_ = now;
  const Phase phase = phase_of(last_, entry, handler);
  if (phase != phase_) go_to(phase, last_.cycle);
  if (phase_ == Phase::kHandler && handler_pc_ == 0) handler_pc_ = last_.machine_pc;
  charged_ += phase_ >= Phase::kHandler ? handler : entry;
  if (phase_ == Phase::kHandler && last_.left) {
    go_to(by_interrupt_ ? Phase::kReturn : Phase::kProgram, next);
  }
  if (taken) take(next - 1);
}

Timeline::Phase Timeline::phase_of(const Cycle& cycle, uint64_t entry, uint64_t handler) const {
  const bool handles = handler != 0 || cycle.machine;
  switch (phase_) {
    case Phase::kEntry:
      return handles ? Phase::kHandler : Phase::kEntry;
    case Phase::kHandler:
      return entry != 0 ? Phase::kDrain : Phase::kHandler;
    case Phase::kReturn:
      if (entry != 0 || cycle.waits) return Phase::kDrain;
      return cycle.program ? Phase::kProgram : Phase::kReturn;
    default:
      if (entry != 0) return Phase::kDrain;
      // Before the program's first instruction, it is the rest of a handler that the hart has left.
      if (handles) return program_pc_ != 0 ? Phase::kHandler : Phase::kReturn;
      return cycle.waits ? Phase::kDrain : Phase::kProgram;
  }
}

/// The present phase ends before `cycle`, in which the next one begins.
void Timeline::go_to(Phase phase, uint64_t cycle) {
  if (phase_ != Phase::kProgram && cycle > phase_begin_) {
    TimelineRecord record{phase_begin_, kPhaseNames[static_cast<unsigned>(phase_)], source_,
                          cycle - phase_begin_, charged_};
    if (interrupted_pc_ != 0) {
      record.pc = profile::hexadecimal(interrupted_pc_);
      record.symbol = name_(interrupted_pc_);
    }
    if (phase_ == Phase::kHandler && handler_pc_ != 0) record.handler = name_(handler_pc_);
    log_.add(record);
  }
  if (phase == Phase::kHandler) enter_handler();
  if (phase == Phase::kDrain) {
    source_.clear();
    interrupted_pc_ = 0;
  }
  phase_ = phase;
  phase_begin_ = cycle;
  charged_ = 0;
}

/// The handler's first cycle. Without the entry of an interrupt, the decode engine has called it.
void Timeline::enter_handler() {
  handler_pc_ = 0;
  by_interrupt_ = phase_ == Phase::kEntry;
  if (by_interrupt_) return;
  source_ = "decode_engine";
  interrupted_pc_ = program_pc_;
}

/// What the hart says of the interrupt that it took last.
void Timeline::read_cause() {
  const isa::HartState& state = core_.hart().state();
  const uint64_t line = state.mcause & 0xff;
  source_.clear();
  for (const auto& [interrupt, name] : kLineNames) {
    if (line == static_cast<uint64_t>(interrupt)) source_ = name;
  }
  by_timer_ = line == static_cast<uint64_t>(Interrupt::kMachineTimer);
  interrupted_pc_ = state.mepc;
}

/// The core has taken an interrupt at the end of `cycle`.
void Timeline::take(uint64_t cycle) {
  if (phase_ != Phase::kDrain) go_to(Phase::kProgram, cycle + 1);
  read_cause();
  go_to(Phase::kEntry, cycle + 1);
  const uint64_t raised_at = raised_at_[core_.hart().state().mcause & 0xff];
  log_.add({cycle, "taken", source_, 0, cycle - raised_at, profile::hexadecimal(interrupted_pc_),
            name_(interrupted_pc_)});
}

void Timeline::note_commits(const RetireRecord* lanes, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    if (lanes[i].mode != PrivilegeMode::kMachine) {
      last_.program = true;
      program_pc_ = lanes[i].pc_rdata;
      continue;
    }
    if (!last_.machine) last_.machine_pc = lanes[i].pc_rdata;
    last_.machine = true;
    if (lanes[i].itype == IType::kTrapReturn) last_.left = true;
  }
}

void Timeline::note_lines(uint64_t cycle) {
  const uint64_t high = core_.hart().state().mip;
  if (high == lines_) return;
  for (const auto& [interrupt, name] : kLineNames) {
    const auto line = static_cast<unsigned>(interrupt);
    if ((high & ~lines_) >> line & 1) {
      raised_at_[line] = cycle;
      log_.add({cycle, "raised", name});
    }
  }
  lines_ = high;
}

/// What the device holds as `cycle` begins.
void Timeline::note_levels(uint64_t cycle) {
  if (device_ == nullptr || cycle >= to_) return;
  show_level(cycle, "message_buffer", device_->level(), &buffered_);
  if (const std::optional<uint64_t> queued = device_->queued()) {
    show_level(cycle, "tuple_queue", *queued, &queued_);
  }
  const uint64_t dropped = device_->dropped();
  if (dropped > dropped_) log_.add({cycle, "dropped", "profiler", 0, dropped - dropped_});
  dropped_ = dropped;
}

void Timeline::show_level(uint64_t cycle, const char* event, uint64_t level,
                          std::optional<uint64_t>* shown) {
  if (*shown == level) return;
  *shown = level;
  log_.add({cycle, event, "profiler", 0, level});
}

}  // namespace strobe::platform
