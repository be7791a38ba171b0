#include "sc_models/profiling/accelerated/accelerated_path.h"

#include "sc_models/profiling/reference/message/register_map.h"

namespace strobe::profiling {

PathOutputs AcceleratedPath::step(const PathInputs& inputs) {
  settle();
  const PathOutputs out = step_now(inputs);
  shown_irq_ = out.irq;
  return out;
}

PathOutputs AcceleratedPath::step_now(const PathInputs& inputs) {
  const uint16_t addr = inputs.reg_addr & kRegisterAddressMask;
  const bool access = inputs.reg_re || inputs.reg_we;
  if (quiet_ && !access) return step_quiet(inputs, addr);
  if (addr == kRegId && !access && !registers_.config().clear) return step_without_access(inputs);
  const PathOutputs out = ReferencePath::step(inputs);
  if (inputs.reg_we) plan_.reset();
  note_quiet();
  return out;
}

/// Only what is selected comes in.
PathOutputs AcceleratedPath::step_quiet(const PathInputs& inputs, uint16_t addr) {
  PathOutputs out{kIdValue, false, registers_.irq(), true};
  if (addr != kRegId) out = ReferencePath::peek(addr);
  const RegisterBlock::Config& config = registers_.config();
  registers_.rest(buffer_.level(), msg_valid());
  buffer_.rest(1);
  compressor_.advance_idle(config.table_index);
  ring_writer_.rest(ring_registers_.config().cons, inputs.mem_idle);
  select_into_queue(inputs, false);
  quiet_ = selector_.valid_count() == 0;
  return out;
}

/// Most cycles: the registers are not accessed and only count.
PathOutputs AcceleratedPath::step_without_access(const PathInputs& inputs) {
  const uint32_t selected = queue_.arrived();
  const bool drop = queue_.drop();
  const bool stall = compressor_.msg_valid() && !buffer_.ready();
  PathOutputs out{kIdValue, false, registers_.irq(), idle()};
  registers_.rest(buffer_.level(), msg_valid());
  bool pop = false;
  if (ring_has_buffer()) {
    const RingWriter::Outputs ring = ring_outputs(inputs.mem_ready);
    read_ring(kRegId, ring, out);
    pop = ring.pop;
  }
  step_blocks(inputs, pop);
  registers_.count(selected, stall, drop);
  note_quiet();
  return out;
}

void AcceleratedPath::skip(uint64_t cycles) {
  if (flow_.on()) return flow_.pass(cycles);
  const PathInputs nothing;
  for (; cycles != 0; --cycles) {
    if (quiet_ && irq_is_settled() && compressor_.settled(registers_.config().table_index)) {
      ring_writer_.rest(ring_registers_.config().cons, nothing.mem_idle);
      buffer_.rest(cycles);
      return;
    }
    step(nothing);
  }
}

std::unique_ptr<ProfilerPath> make_accelerated_path(const PathParams& params) {
  return std::make_unique<AcceleratedPath>(params);
}

}  // namespace strobe::profiling
