#include "sc_models/profiling/reference/profiler_path.h"

#include "sc_models/port/path_check.h"
#include "sc_models/profiling/reference/common/check.h"
#include "sc_models/profiling/reference/message/register_map.h"

namespace strobe::profiling {

ReferencePath::ReferencePath(const PathParams& params)
    : params_((check_path(params), params)),
      registers_(params),
      selector_(params.selectors, params.pc_width, params.value_width),
      queue_(params.lanes, params.queue_depth, params.banks > 1 ? params.lanes : 1),
      compressor_(params),
      buffer_(params.buffer_depth) {
  check_range("ReferencePath: ring", params.ring, 0, 1);
}

PathOutputs ReferencePath::step(const PathInputs& inputs) {
  const uint16_t addr = inputs.reg_addr & kRegisterAddressMask;
  const RegisterBlock::Hardware now = hardware();
  const RegisterBlock::Outputs access = registers_.read(addr, inputs.reg_re, now);
  PathOutputs out{access.rdata, access.error, access.irq, now.idle};
  const RingWriter::Outputs ring = ring_outputs(inputs.mem_ready);
  read_ring(addr, ring, out);
  step_blocks(inputs, ring_has_buffer() ? ring.pop : access.pop);
  if (params_.ring != 0) {
    const RegisterBlock::Config& config = registers_.config();
    ring_registers_.advance(
        {config.clear, config.unlocked, inputs.reg_we, addr, inputs.reg_wdata, ring});
  }
  registers_.advance(inputs.reg_re, inputs.reg_we, addr, inputs.reg_wdata, now);
  return out;
}

void ReferencePath::skip(uint64_t cycles) {
  const PathInputs nothing;
  for (; cycles != 0; --cycles) step(nothing);
}

/// Each block is stepped before the one that it reads from, so that all see the outputs of this
/// cycle.
void ReferencePath::step_blocks(const PathInputs& inputs, bool pop) {
  const RegisterBlock::Config& config = registers_.config();
  if (config.clear) {
    ring_writer_.clear(inputs.mem_ready, inputs.mem_idle);
    buffer_.clear();
    compressor_.clear(config.seed);
    queue_.clear();
    selector_.clear();
    return;
  }
  if (ring_has_buffer()) {
    ring_writer_.advance(ring_registers_.config(), buffer_.valid(), buffer_.head(),
                         inputs.mem_ready, inputs.mem_idle);
  } else {
    ring_writer_.rest(ring_registers_.config().cons, inputs.mem_idle);
  }
  const bool buffer_ready = buffer_.ready();
  const bool compressor_ready = compressor_.ready(buffer_ready);
  buffer_.advance(compressor_.msg_valid() ? &compressor_.message() : nullptr, pop);
  compressor_.advance(compressor_ready ? queue_.group() : TupleGroup(), config.rates, buffer_ready,
                      config.table_index);
  select_into_queue(inputs, compressor_ready);
}

void ReferencePath::select_into_queue(const PathInputs& inputs, bool ready) {
  const RegisterBlock::Config& config = registers_.config();
  const Selector::Outputs& selected = selector_.select(config.enable && inputs.profile_en,
                                                       config.slots, inputs.lane, params_.lanes);
  if (selector_.valid_count() != 0)
    queue_.advance(ready, selected.valid, selected.tuple);
  else
    queue_.advance(ready);
}

RegisterBlock::Hardware ReferencePath::hardware() const {
  RegisterBlock::Hardware now;
  now.init = compressor_.init();
  now.idle = idle();
  now.msg_valid = msg_valid();
  now.stall = compressor_.msg_valid() && !buffer_.ready();
  now.selected = queue_.arrived();
  now.drop = queue_.drop();
  now.dropped = queue_.dropped();
  now.level = buffer_.level();
  now.high_water = buffer_.high_water();
  now.table = compressor_.table(registers_.config().table_index);
  now.head = ring_has_buffer() ? Message{} : buffer_.head();
  return now;
}

PathOutputs ReferencePath::peek(uint16_t reg_addr) {
  const RegisterBlock::Hardware now = hardware();
  const uint16_t addr = reg_addr & kRegisterAddressMask;
  const RegisterBlock::Outputs access = registers_.read(addr, false, now);
  PathOutputs out{access.rdata, access.error, access.irq, now.idle};
  read_ring(addr, ring_outputs(false), out);
  return out;
}

void ReferencePath::read_ring(uint16_t addr, const RingWriter::Outputs& ring,
                              PathOutputs& out) const {
  if (params_.ring == 0) return;
  out.mem_valid = ring.mem_valid;
  out.mem_addr = ring.mem_addr;
  out.mem_data = ring.mem_data;
  const RingRegisters::Outputs access = ring_registers_.read(addr, ring);
  if (!access.known) return;
  out.reg_rdata = access.rdata;
  out.reg_error = false;
}

std::unique_ptr<ProfilerPath> make_reference_path(const PathParams& params) {
  return std::make_unique<ReferencePath>(params);
}

}  // namespace strobe::profiling
