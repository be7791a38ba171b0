#include "sc_models/profiling/device/lockstep_path.h"

#include <sstream>
#include <utility>

#include "sc_models/profiling/reference/message/register_map.h"

namespace strobe::profiling {
namespace {

constexpr uint16_t kWalkEnd = kRegRingStalls + 8;

[[noreturn]] void fail(uint64_t cycle, const char* signal, uint64_t rtl, uint64_t model,
                       uint16_t reg_addr) {
  std::ostringstream text;
  text << "lockstep: cycle " << cycle << ": strobe_profiler." << signal << ": rtl 0x" << std::hex
       << rtl << ", model 0x" << model << " (reg_addr 0x" << reg_addr << ")";
  throw LockstepError(text.str());
}

}  // namespace

LockstepPath::LockstepPath(std::unique_ptr<ProfilerPath> rtl, std::unique_ptr<ProfilerPath> model)
    : rtl_(std::move(rtl)), model_(std::move(model)) {
  if (!(rtl_->params() == model_->params())) {
    throw std::invalid_argument(
        "LockstepPath: expected two paths with the same parameters, got different ones");
  }
}

PathOutputs LockstepPath::step(const PathInputs& inputs) {
  if (inputs.reg_re || inputs.reg_we) {
    const PathOutputs rtl = rtl_->step(inputs);
    const PathOutputs model = model_->step(inputs);
    compare(rtl, model, inputs.reg_addr);
    ++cycle_;
    return rtl;
  }
  PathOutputs out = model_->peek(inputs.reg_addr);
  PathInputs walking = inputs;
  walking.reg_addr = walk_;
  walk_ = walk_ + 8 == kWalkEnd ? uint16_t{0} : static_cast<uint16_t>(walk_ + 8);
  const PathOutputs rtl = rtl_->step(walking);
  const PathOutputs model = model_->step(walking);
  compare(rtl, model, walking.reg_addr);
  ++cycle_;
  return out;
}

PathOutputs LockstepPath::peek(uint16_t reg_addr) {
  const PathOutputs rtl = rtl_->peek(reg_addr);
  compare(rtl, model_->peek(reg_addr), reg_addr);
  return rtl;
}

void LockstepPath::skip(uint64_t cycles) {
  rtl_->skip(cycles);
  model_->skip(cycles);
  cycle_ += cycles;
  peek(kRegStatus);
}

void LockstepPath::reset() {
  rtl_->reset();
  model_->reset();
  cycle_ = 0;
  walk_ = 0;
}

void LockstepPath::compare(const PathOutputs& rtl, const PathOutputs& model,
                           uint16_t reg_addr) const {
  if (rtl.reg_rdata != model.reg_rdata) {
    fail(cycle_, "reg_rdata", rtl.reg_rdata, model.reg_rdata, reg_addr);
  }
  if (rtl.reg_error != model.reg_error) {
    fail(cycle_, "reg_error", rtl.reg_error, model.reg_error, reg_addr);
  }
  if (rtl.irq != model.irq) fail(cycle_, "irq", rtl.irq, model.irq, reg_addr);
  if (rtl.idle != model.idle) fail(cycle_, "idle", rtl.idle, model.idle, reg_addr);
  if (rtl.mem_valid != model.mem_valid) {
    fail(cycle_, "mem_valid", rtl.mem_valid, model.mem_valid, reg_addr);
  }
  if (rtl.mem_addr != model.mem_addr) {
    fail(cycle_, "mem_addr", rtl.mem_addr, model.mem_addr, reg_addr);
  }
  if (rtl.mem_data != model.mem_data) {
    fail(cycle_, "mem_data", rtl.mem_data, model.mem_data, reg_addr);
  }
}

}  // namespace strobe::profiling
