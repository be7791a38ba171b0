// The profiling path of reference blocks, cycle by cycle. docs/blocks/profiling_path.md
#pragma once

#include <cstdint>
#include <memory>

#include "sc_models/port/path_interface.h"
#include "sc_models/profiling/reference/message/message_buffer.h"
#include "sc_models/profiling/reference/message/register_block.h"
#include "sc_models/profiling/reference/message/ring_registers.h"
#include "sc_models/profiling/reference/message/ring_writer.h"
#include "sc_models/profiling/reference/sampler/compressor.h"
#include "sc_models/profiling/reference/selection/selector.h"
#include "sc_models/profiling/reference/selection/tuple_queue.h"

namespace strobe::profiling {

/// The contract of the page and nothing else. accelerated/accelerated_path.h is the same path,
/// faster. The meaning of the calls is in sc_models/port/path_interface.h.
class ReferencePath : public ProfilerPath {
 public:
  /// Throws std::invalid_argument for a parameter out of range.
  explicit ReferencePath(const PathParams& params);

  PathOutputs step(const PathInputs& inputs) override;
  PathOutputs peek(uint16_t reg_addr) override;
  /// Takes exactly `cycles` steps with empty inputs, in any state.
  void skip(uint64_t cycles) override;
  void reset() override { *this = ReferencePath(params_); }
  const PathParams& params() const override { return params_; }

  /// Sum of the counts that the compressor holds.
  uint64_t residue() const { return compressor_.residue(); }
  /// Tuples in the tuple queue. A path that is faster than its blocks must have been peeked at.
  uint32_t queued() const { return queue_.level(); }

 protected:
  RegisterBlock::Hardware hardware() const;
  bool idle() const {
    return queue_.empty() && compressor_.idle() && !buffer_.arriving() &&
           !(ring_has_buffer() && buffer_.valid()) && !ring_writer_.in_flight();
  }
  /// The ring writer owns the buffer; the registers see an empty one.
  bool ring_has_buffer() const { return ring_registers_.config().enable || ring_writer_.busy(); }
  bool msg_valid() const { return buffer_.valid() && !ring_has_buffer(); }
  RingWriter::Outputs ring_outputs(bool mem_ready) const {
    return ring_writer_.outputs(ring_registers_.config(), buffer_.head(), mem_ready);
  }
  /// Adds the ring writer's outputs: its word for memory, and its register at `addr`.
  void read_ring(uint16_t addr, const RingWriter::Outputs& ring, PathOutputs& out) const;
  /// The edge of every block but the registers, with the state and configuration of this cycle.
  void step_blocks(const PathInputs& inputs, bool pop);
  /// The edge of selector and queue.
  /// @param ready  the compressor takes the queue's head
  void select_into_queue(const PathInputs& inputs, bool ready);

  PathParams params_;
  RegisterBlock registers_;
  Selector selector_;
  TupleQueue queue_;
  Compressor compressor_;
  MessageBuffer buffer_;
  RingRegisters ring_registers_;  // without a ring writer, both keep their reset state
  RingWriter ring_writer_;
};

/// Makes a reference path. Throws std::invalid_argument for a parameter out of range.
std::unique_ptr<ProfilerPath> make_reference_path(const PathParams& params);

}  // namespace strobe::profiling
