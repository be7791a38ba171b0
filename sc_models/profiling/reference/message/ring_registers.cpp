#include "sc_models/profiling/reference/message/ring_registers.h"

#include <algorithm>

#include "sc_models/profiling/reference/message/register_map.h"

namespace strobe::profiling {

RingRegisters::RingRegisters() { config_.log2_entries = kRingLog2EntriesReset; }

RingRegisters::Outputs RingRegisters::step(const Inputs& inputs) {
  const Outputs now = read(inputs.addr, inputs.writer);
  advance(inputs);
  return now;
}

RingRegisters::Outputs RingRegisters::read(uint16_t addr, const RingWriter::Outputs& writer) const {
  switch (addr) {
    case kRegRingCtrl:
      return {true, config_.enable ? kRingCtrlEnable : 0};
    case kRegRingConfig:
      return {true, config_.log2_entries | (config_.overwrite ? kRingOverwrite : 0)};
    case kRegRingBase:
      return {true, config_.base};
    case kRegRingProd:
      return {true, writer.prod};
    case kRegRingCons:
      return {true, config_.cons};
    case kRegRingOverwritten:
      return {true, writer.overwritten};
    case kRegRingHighWater:
      return {true, writer.high_water};
    case kRegRingStalls:
      return {true, writer.stalls};
    default:
      return {};
  }
}

void RingRegisters::advance(const Inputs& inputs) {
  const bool open = inputs.unlocked && !config_.enable && !inputs.writer.busy;
  if (inputs.we) write(inputs.addr, inputs.wdata, open, inputs.writer.prod);
  if (inputs.clear) config_.cons = 0;
}

void RingRegisters::write(uint16_t addr, uint64_t wdata, bool open, uint32_t prod) {
  switch (addr) {
    case kRegRingCtrl:
      config_.enable = (wdata & kRingCtrlEnable) != 0;
      break;
    case kRegRingConfig:
      if (!open) break;
      config_.overwrite = (wdata & kRingOverwrite) != 0;
      config_.log2_entries =
          std::min(static_cast<uint32_t>(wdata & kRingLog2EntriesField), kMaxRingLog2Entries);
      break;
    case kRegRingBase:
      if (open) base_written_ = wdata;
      break;
    case kRegRingCons: {
      // All three numbers wrap, so their distances are compared.
      const uint32_t forward = static_cast<uint32_t>(wdata) - config_.cons;
      if (forward <= prod - config_.cons) config_.cons = static_cast<uint32_t>(wdata);
      break;
    }
    default:
      break;
  }
  const uint64_t length = kRingRecordBytes << config_.log2_entries;
  config_.base = base_written_ / length * length;
}

}  // namespace strobe::profiling
