// The reference path, made to simulate faster: equal to it cycle by cycle, which tests hold. Cycles
// that change little are not stepped block by block, and tuples that nothing holds up are not
// stepped at all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "sc_models/profiling/accelerated/free_flow.h"
#include "sc_models/profiling/reference/profiler_path.h"
#include "sc_models/profiling/reference/selection/selection_plan.h"

namespace strobe::profiling {

class AcceleratedPath final : public ReferencePath {
 public:
  /// Throws std::invalid_argument when a parameter is out of range.
  explicit AcceleratedPath(const PathParams& params) : ReferencePath(params) {}

  PathOutputs step(const PathInputs& inputs) override;
  unsigned absorb(uint64_t idle, const RetireRecord* const* picked, unsigned count) override;
  PathOutputs peek(uint16_t reg_addr) override {
    settle();
    return ReferencePath::peek(reg_addr);
  }
  void skip(uint64_t cycles) override;
  void reset() override { *this = AcceleratedPath(params_); }

 private:
  bool irq_is_settled() const { return registers_.irq() == registers_.cause(buffer_.level()); }
  PathOutputs step_now(const PathInputs& inputs);
  PathOutputs step_quiet(const PathInputs& inputs, uint16_t addr);
  PathOutputs step_without_access(const PathInputs& inputs);
  void note_quiet() { quiet_ = idle() && !registers_.config().clear; }
  bool begin_flow();
  void count_what_is_through();
  void put_into_queue();
  /// The blocks have the state of this cycle.
  void settle() {
    if (flow_.on()) end_flow();
  }
  void end_flow();

  // Idle and no clear on its way: without a register access only what is selected, the table
  // read-out, the buffer after its head and the interrupt can change in the next cycle.
  bool quiet_ = false;
  bool shown_irq_ = false;  // by the last step
  // Since it was quiet the blocks stand still, and what was selected is here.
  FreeFlow flow_;
  int64_t buffer_seen_ = 0;  // the cycle of the flow up to which the buffer has been brought
  std::optional<SelectionPlan>
      plan_;  // the one of the slots in registers_; none since one was written
};

/// The accelerated path as any other. Throws std::invalid_argument when a parameter is out of
/// range.
std::unique_ptr<ProfilerPath> make_accelerated_path(const PathParams& params);

}  // namespace strobe::profiling
