// The profiling path, composed of the reference blocks, cycle by cycle.
// docs/blocks/profiling_path.md
#pragma once

#include <memory>
#include <optional>

#include "sc_models/profiling/reference/absorbing_path.h"
#include "sc_models/profiling/reference/compressor.h"
#include "sc_models/profiling/reference/free_flow.h"
#include "sc_models/profiling/reference/message_buffer.h"
#include "sc_models/profiling/reference/register_block.h"
#include "sc_models/profiling/reference/ring_registers.h"
#include "sc_models/profiling/reference/ring_writer.h"
#include "sc_models/profiling/reference/selection_plan.h"
#include "sc_models/profiling/reference/selector.h"
#include "sc_models/profiling/reference/tuple_queue.h"

namespace strobe::profiling {

class ReferencePath final : public AbsorbingPath {
 public:
  /// Throws std::invalid_argument when a parameter is out of range.
  explicit ReferencePath(const PathParams& params);

  PathOutputs step(const PathInputs& inputs) override;
  unsigned absorb(uint64_t idle, const RetireRecord* const* picked, unsigned count) override;
  PathOutputs peek(uint16_t reg_addr) override;
  /// Exactly `cycles` steps with empty inputs, whatever the state.
  void skip(uint64_t cycles) override {
    if (flow_.on()) return flow_.pass(cycles);
    step_nothing(cycles);
  }
  void reset() override;
  const PathParams& params() const override { return params_; }

  /// Sum of the counts that the compressor holds.
  uint64_t residue() {
    settle();
    return compressor_.residue();
  }

 private:
  RegisterBlock::Hardware hardware() const;
  bool idle() const {
    return queue_.empty() && compressor_.idle() && !buffer_.arriving() &&
           !(ring_has_buffer() && buffer_.valid()) && !ring_writer_.in_flight();
  }
  /// The registers then see an empty buffer.
  bool ring_has_buffer() const { return ring_registers_.config().enable || ring_writer_.busy(); }
  bool msg_valid() const { return buffer_.valid() && !ring_has_buffer(); }
  bool irq_is_settled() const { return registers_.irq() == registers_.cause(buffer_.level()); }
  RingWriter::Outputs ring_outputs(bool mem_ready) const {
    return ring_writer_.outputs(ring_registers_.config(), buffer_.head(), mem_ready);
  }
  void read_ring(uint16_t addr, const RingWriter::Outputs& ring, PathOutputs& out) const;
  PathOutputs step_now(const PathInputs& inputs);
  PathOutputs step_without_access(const PathInputs& inputs);
  void step_blocks(const PathInputs& inputs, bool pop);
  void select_into_queue(const PathInputs& inputs, bool ready);
  void step_nothing(uint64_t cycles);
  void note_quiet();
  bool begin_flow();
  void count_what_is_through();
  void put_into_queue();
  void settle() {
    if (flow_.on()) end_flow();
  }
  void end_flow();

  PathParams params_;
  RegisterBlock registers_;
  Selector selector_;
  TupleQueue queue_;
  Compressor compressor_;
  MessageBuffer buffer_;
  RingRegisters ring_registers_;  // without a ring writer both stay as reset leaves them
  RingWriter ring_writer_;
  // Idle and no clear on its way: without a register access only what is selected, the table
  // read-out, the buffer behind its head and the interrupt can move in the next cycle.
  bool quiet_ = false;
  bool shown_irq_ = false;  // by the last step
  // Since it was quiet the blocks stand still, and what was selected is here.
  FreeFlow flow_;
  int64_t buffer_seen_ = 0;            // the cycle of the flow up to which the buffer has moved
  std::optional<SelectionPlan> plan_;  // of the slots in registers_; none since one was written
};

/// The reference path behind the common interface. Throws std::invalid_argument when a parameter is
/// out of range.
std::unique_ptr<ProfilerPath> make_reference_path(const PathParams& params);

}  // namespace strobe::profiling
