// The timeline of a run: when interrupts are raised and taken, how long the core drains for them,
// when handlers run, and how full the queues of the active profiler are. docs/timeline.md
//
// A hart is in one phase in each cycle. The phases follow the CPI stack, so that their cycles add
// up to its classes interrupt_entry and handler:
//
//     program ─▶ drain ─▶ entry ─▶ handler ─▶ return ─▶ program     an interrupt
//     program ─▶ handler ─▶ program                                 a handler of the decode engine
//
// The core tells what a cycle went to only after the cycle. Therefore a cycle is looked at when the
// next one is shown.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sc_models/core/core.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/port/retire_sink.h"
#include "sc_models/profiling/device/profiler_device.h"
#include "sc_models/run/timeline_log.h"

namespace strobe::platform {

/// A retire sink that asks for every cycle of its window, and passes the retire port on. It costs
/// the program no cycles.
class Timeline final : public RetireSink {
 public:
  static constexpr unsigned kLines = 17;  // interrupts, by their bit in mip

  /// Names an address: "main+0x12 (file.c:7)".
  using Namer = std::function<std::string(uint64_t pc)>;

  /// Keeps references. Only the cycles [from, to) of the region of interest are shown.
  /// @param device  null: there is no active profiler
  Timeline(RetireSink& next, core::Core& core, const profiling::ProfilerDevice* device, Namer name,
           const std::string& file, uint64_t from, uint64_t to);

  void begin_region(uint64_t cycle);
  /// `cycle` is the first one after the region. What is under way ends there.
  void end_region(uint64_t cycle);
  /// At the end of the run. Throws std::runtime_error when the file could not be written.
  TimelineOutcome finish();

  RetireInterest interest() const override;
  RetireInterest retire(uint64_t cycle, const RetireRecord* lanes, unsigned count,
                        const RetireRecord* const* picked, unsigned picks) override;

 private:
  enum class Phase : uint8_t { kProgram, kDrain, kEntry, kHandler, kReturn };
  /// What is known of a cycle when it is over.
  struct Cycle {
    uint64_t cycle = 0;
    bool waits = false;       // an interrupt is pending and enabled as it begins
    bool program = false;     // an instruction of the program commits, or an injected one
    bool machine = false;     // an instruction of a handler commits
    bool left = false;        // so does the handler's last one
    uint64_t machine_pc = 0;  // the first one of a handler that commits
  };
  /// The core's counts by which cycles are told apart.
  struct Counts {
    uint64_t entry = 0, handler = 0, code_change = 0, interrupts = 0;
  };

  void open(uint64_t cycle);
  void find_phase(uint64_t cycle);
  void close(uint64_t cycle);
  Counts counts() const;
  void settle(uint64_t next);
  Phase phase_of(const Cycle& cycle, uint64_t entry, uint64_t handler) const;
  void go_to(Phase phase, uint64_t cycle);
  void enter_handler();
  void read_cause();
  void take(uint64_t cycle);
  void note_commits(const RetireRecord* lanes, unsigned count);
  void note_lines(uint64_t cycle);
  void note_levels(uint64_t cycle);
  void show_level(uint64_t cycle, const char* event, uint64_t level,
                  std::optional<uint64_t>* shown);

  RetireSink& next_;
  core::Core& core_;
  const profiling::ProfilerDevice* device_;
  const Namer name_;
  const uint64_t from_, to_;
  TimelineLog log_;
  uint64_t region_begin_ = 0;
  bool in_region_ = false;
  bool open_ = false;  // the window has begun and has not ended

  Phase phase_ = Phase::kProgram;
  uint64_t phase_begin_ = 0, charged_ = 0;
  bool by_interrupt_ = false, by_timer_ = false;  // the last handler
  std::string source_;                            // what caused the drain or handler
  uint64_t interrupted_pc_ = 0;                   // where it stopped the program
  uint64_t handler_pc_ = 0;                       // 0: none of its instructions has committed
  Cycle last_;
  Counts counts_;            // before the last cycle
  uint64_t program_pc_ = 0;  // the program's last instruction
  uint64_t lines_ = 0;       // interrupt lines that are high, as in mip
  uint64_t raised_at_[kLines] = {};
  std::optional<uint64_t> queued_, buffered_;
  uint64_t dropped_ = 0;
};

}  // namespace strobe::platform
