#include "sc_models/profiling/reference/profiler_path.h"

#include "sc_models/profiling/reference/register_map.h"

namespace strobe::profiling {

ReferencePath::ReferencePath(const PathParams& params)
    : params_(params),
      registers_(params),
      selector_(params.selectors),
      queue_(params.lanes, params.queue_depth, params.banks > 1 ? params.lanes : 1),
      compressor_(params),
      buffer_(params.buffer_depth) {}

PathOutputs ReferencePath::step(const PathInputs& inputs) {
  const uint16_t addr = inputs.reg_addr & kRegisterAddressMask;
  if (quiet_ && !inputs.reg_re && !inputs.reg_we) {
    PathOutputs out{kIdValue, false, quiet_irq_, true};
    if (addr != kRegId) out = peek(addr);
    const RegisterBlock::Config& config = registers_.config();
    selector_.advance(config.enable, config.slots, inputs.lane, params_.lanes);
    compressor_.advance_idle(config.table_index);
    quiet_ = selector_.valid_count() == 0;
    return out;
  }
  if (addr == kRegId && !inputs.reg_re && !inputs.reg_we && !registers_.config().clear) {
    return step_without_access(inputs);
  }
  const RegisterBlock::Hardware now = hardware();
  const RegisterBlock::Outputs access = registers_.read(addr, inputs.reg_re, now);
  const PathOutputs out{access.rdata, access.error, access.irq, now.idle};
  step_blocks(inputs, access.pop);
  registers_.advance(inputs.reg_we, addr, inputs.reg_wdata, now);
  note_quiet();
  return out;
}

/// Most cycles: nobody looks at the registers, which only count.
PathOutputs ReferencePath::step_without_access(const PathInputs& inputs) {
  const uint32_t selected = selector_.valid_count();
  const bool drop = queue_.drop();
  const bool stall = compressor_.msg_valid() && !buffer_.ready();
  const PathOutputs out{kIdValue, false, registers_.irq(buffer_.level()), idle()};
  step_blocks(inputs, false);
  registers_.count(selected, stall, drop);
  note_quiet();
  return out;
}

/// The edge of every block but the registers, on the state and configuration of this cycle. Each
/// block runs before the one it reads from, so that all see this cycle's outputs.
void ReferencePath::step_blocks(const PathInputs& inputs, bool pop) {
  const RegisterBlock::Config& config = registers_.config();
  if (config.clear) {
    buffer_.clear();
    compressor_.clear(config.seed);
    queue_.clear();
    selector_.clear();
    return;
  }
  const bool buffer_ready = buffer_.ready();
  const bool compressor_ready = compressor_.ready(buffer_ready);
  buffer_.advance(compressor_.msg_valid() ? &compressor_.message() : nullptr, pop);
  TupleGroup group;
  if (compressor_ready) queue_.take_heads(group);
  compressor_.advance(group, config.rates, buffer_ready, config.table_index);
  if (selector_.valid_count() != 0) {
    const Selector::Outputs& selected = selector_.outputs();
    queue_.advance(compressor_ready, selected.valid, selected.tuple);
  } else if (!queue_.empty()) {
    queue_.advance(compressor_ready);
  }
  selector_.advance(config.enable, config.slots, inputs.lane, params_.lanes);
}

void ReferencePath::note_quiet() {
  quiet_ = idle() && !registers_.config().clear;
  if (quiet_) quiet_irq_ = registers_.irq(buffer_.level());
}

RegisterBlock::Hardware ReferencePath::hardware() const {
  RegisterBlock::Hardware now;
  now.init = compressor_.init();
  now.idle = idle();
  now.msg_valid = buffer_.level() != 0;
  now.stall = compressor_.msg_valid() && !buffer_.ready();
  now.selected = selector_.valid_count();
  now.drop = queue_.drop();
  now.dropped = queue_.dropped();
  now.level = buffer_.level();
  now.high_water = buffer_.high_water();
  now.table = compressor_.table(registers_.config().table_index);
  now.head = buffer_.head();
  return now;
}

PathOutputs ReferencePath::peek(uint16_t reg_addr) {
  const RegisterBlock::Hardware now = hardware();
  const RegisterBlock::Outputs access =
      registers_.read(reg_addr & kRegisterAddressMask, false, now);
  return PathOutputs{access.rdata, access.error, access.irq, now.idle};
}

void ReferencePath::skip(uint64_t cycles) {
  const PathInputs nothing;
  for (; cycles != 0; --cycles) {
    if (quiet_ && compressor_.settled(registers_.config().table_index)) return;
    step(nothing);
  }
}

void ReferencePath::reset() { *this = ReferencePath(params_); }

std::unique_ptr<ProfilerPath> make_reference_path(const PathParams& params) {
  return std::make_unique<ReferencePath>(params);
}

}  // namespace strobe::profiling
