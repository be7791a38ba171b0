#include "sc_models/profiling/reference/message/register_block.h"

#include <algorithm>

#include "sc_models/port/path_facts_generated.h"
#include "sc_models/profiling/reference/common/check.h"
#include "sc_models/profiling/reference/common/saturate.h"
#include "sc_models/profiling/reference/message/register_map.h"

namespace strobe::profiling {
namespace {

constexpr unsigned kTagBits = 4;
constexpr unsigned kCountBits = 32;

/// The number that a field stores: the written one, at most `largest`.
uint32_t clamp(uint64_t written, uint64_t largest) {
  return static_cast<uint32_t>(std::min(written, largest));
}

bool is_selector_register(uint16_t addr) {
  return addr >= kRegSelCtrl && addr < kRegSelCtrl + kMaxSelectors * kSelectorStride;
}

uint16_t selector_offset(uint16_t addr) {
  return static_cast<uint16_t>(kRegSelCtrl + (addr - kRegSelCtrl) % kSelectorStride);
}

unsigned selector_slot(uint16_t addr) { return (addr - kRegSelCtrl) / kSelectorStride; }

uint64_t pack(const SelectorSlot& slot) {
  return uint64_t{slot.enable} | uint64_t{slot.kind} << 1 | uint64_t{slot.supervisor} << 3 |
         uint64_t{slot.user} << 4 | uint64_t{slot.machine} << 5 | uint64_t{slot.marked} << 6 |
         uint64_t{slot.in_burst} << 7 | uint64_t{slot.tag} << 8 | uint64_t{slot.prediction} << 12 |
         uint64_t{slot.opclass} << 16;
}

void unpack(uint64_t word, SelectorSlot& slot) {
  slot.enable = (word & 1) != 0;
  slot.kind = static_cast<uint8_t>((word >> 1) & 3);
  slot.supervisor = ((word >> 3) & 1) != 0;
  slot.user = ((word >> 4) & 1) != 0;
  slot.machine = ((word >> 5) & 1) != 0;
  slot.marked = ((word >> 6) & 1) != 0;
  slot.in_burst = ((word >> 7) & 1) != 0;
  slot.tag = static_cast<uint8_t>((word >> 8) & 15);
  slot.prediction = static_cast<uint8_t>((word >> 12) & 3);
  slot.opclass = static_cast<uint16_t>(word >> 16);
}

}  // namespace

SelectorSlot unpack_slot(uint64_t word) {
  SelectorSlot slot;
  unpack(word, slot);
  return slot;
}

RegisterBlock::RegisterBlock(const PathParams& params) : params_(params) {
  check_range("RegisterBlock: selectors", params.selectors, 1, kMaxSelectors);
  check_range("RegisterBlock: counter_width", params.counter_width, 1, 12);
  max_period_ = longest_period(params);
  config_.rates.sampling = SamplingRate{std::min(kPeriodReset, max_period_), kThresholdReset};
}

RegisterBlock::Outputs RegisterBlock::step(const Inputs& inputs) {
  const Outputs now = read(inputs.addr, inputs.re, inputs.hardware);
  advance(inputs.re, inputs.we, inputs.addr, inputs.wdata, inputs.hardware);
  return now;
}

bool RegisterBlock::watermark_cause(uint32_t level) const {
  return (config_.watermark != 0 && level >= config_.watermark) || (intr_test_ & kIntrWatermark);
}

bool RegisterBlock::drop_cause() const { return drop_ || (intr_test_ & kIntrDrop); }

bool RegisterBlock::cause(uint32_t level) const {
  return (watermark_cause(level) && (intr_enable_ & kIntrWatermark)) ||
         (drop_cause() && (intr_enable_ & kIntrDrop));
}

RegisterBlock::Outputs RegisterBlock::read(uint16_t addr, bool re, const Hardware& hw) const {
  Outputs out;
  out.irq = irq_;
  out.shown = shown_;
  const bool shown = shown_ && hw.msg_valid;
  switch (addr) {
    case kRegId:
      out.rdata = kIdValue;
      break;
    case kRegCap0:
      out.rdata = uint64_t{params_.lanes} | uint64_t{params_.selectors} << 8 |
                  uint64_t{kTagBits} << 16 | uint64_t{kCountBits} << 24 |
                  uint64_t{params_.queue_depth} << 32 | uint64_t{params_.buffer_depth} << 48;
      break;
    case kRegCap1:
      out.rdata = uint64_t{params_.strata} | uint64_t{params_.counter_width} << 16 |
                  uint64_t{params_.compressor + 1} << 24 | uint64_t{params_.ring} << 32;
      break;
    case kRegCap2:
      out.rdata = capability_word(params_);
      break;
    case kRegCtrl:
      out.rdata = config_.enable ? kCtrlEnable : 0;
      break;
    case kRegStatus:
      out.rdata = (hw.init ? kStatusInit : 0) | (hw.idle ? kStatusIdle : 0) |
                  uint64_t{hw.level} << kStatusLevelShift;
      break;
    case kRegIntrState:
      out.rdata = (watermark_cause(hw.level) ? kIntrWatermark : 0) | (drop_cause() ? kIntrDrop : 0);
      break;
    case kRegIntrEnable:
      out.rdata = intr_enable_;
      break;
    case kRegIntrTest:
      out.rdata = intr_test_;
      break;
    case kRegRegwen:
      out.rdata = config_.unlocked ? 1 : 0;
      break;
    case kRegPeriod:
      out.rdata = config_.rates.sampling.period;
      break;
    case kRegThreshold:
      out.rdata = config_.rates.sampling.threshold;
      break;
    case kRegSeed:
      out.rdata = config_.seed;
      break;
    case kRegWatermark:
      out.rdata = config_.watermark;
      break;
    case kRegEvents:
      out.rdata = events_;
      break;
    case kRegDropped:
      out.rdata = hw.dropped;
      break;
    case kRegHighWater:
      out.rdata = hw.high_water;
      break;
    case kRegStalls:
      out.rdata = stalls_;
      break;
    case kRegMsgPc:
      out.rdata = hw.head.tuple.pc;
      break;
    case kRegMsgValue:
      out.rdata = shown ? hw.head.tuple.value : 0;
      break;
    case kRegMsgMeta:
      out.pop = re && shown;
      if (!shown) break;
      out.rdata =
          uint64_t{hw.head.count} | uint64_t{hw.head.tuple.tag} << kMetaTagShift | kMetaValid;
      break;
    case kRegTableIndex:
      out.rdata = config_.table_index;
      break;
    case kRegTableData:
      out.rdata = uint64_t{hw.table.held.count} |
                  uint64_t{hw.table.held.tuple.tag} << kMetaTagShift |
                  (hw.table.known ? kMetaValid : 0);
      break;
    case kRegTablePc:
      out.rdata = hw.table.held.tuple.pc;
      break;
    case kRegTableValue:
      out.rdata = hw.table.held.tuple.value;
      break;
    default:
      if (read_setting(addr, config_.rates.settings, &out.rdata)) break;
      out.rdata = read_selector(addr, out.error);
      break;
  }
  return out;
}

uint64_t RegisterBlock::read_selector(uint16_t addr, bool& error) const {
  if (!is_selector_register(addr)) {
    error = true;
    return 0;
  }
  const unsigned number = selector_slot(addr);
  const bool present = number < params_.selectors;
  const SelectorSlot& slot = config_.slots[number];
  switch (selector_offset(addr)) {
    case kRegSelCtrl:
      return present ? pack(slot) : 0;
    case kRegSelPcLo:
      return present ? slot.pc_lo : 0;
    case kRegSelPcHi:
      return present ? slot.pc_hi : 0;
    default:
      error = true;
      return 0;
  }
}

void RegisterBlock::advance(bool re, bool we, uint16_t addr, uint64_t wdata, const Hardware& hw) {
  rest(hw.level, hw.msg_valid);
  if (re && addr == kRegMsgPc) shown_ = hw.msg_valid;
  if (re && addr == kRegMsgMeta) shown_ = false;
  const bool clear = config_.clear;  // of this cycle; a write below may set it for the next
  config_.clear = false;
  if (we) write(addr, wdata);
  if (clear) {
    events_ = 0;
    stalls_ = 0;
    drop_ = false;
    shown_ = false;
    return;
  }
  count(hw.selected, hw.stall, hw.drop);
}

void RegisterBlock::count(uint32_t selected, bool stall, bool drop) {
  events_ = (events_ + selected) & kEventsMask;
  stalls_ = saturating_add(stalls_, stall ? 1 : 0);
  if (drop) drop_ = true;
}

void RegisterBlock::write(uint16_t addr, uint64_t wdata) {
  switch (addr) {
    case kRegCtrl:
      config_.enable = (wdata & kCtrlEnable) != 0;
      config_.clear = (wdata & kCtrlClear) != 0;
      break;
    case kRegIntrState:
      if ((wdata & kIntrDrop) != 0) drop_ = false;
      break;
    case kRegIntrEnable:
      intr_enable_ = wdata & (kIntrWatermark | kIntrDrop);
      break;
    case kRegIntrTest:
      intr_test_ = wdata & (kIntrWatermark | kIntrDrop);
      break;
    case kRegRegwen:
      config_.unlocked = config_.unlocked && (wdata & 1) != 0;
      break;
    case kRegPeriod:
      if (config_.unlocked) {
        config_.rates.sampling.period = clamp(wdata, max_period_);
      }
      break;
    case kRegThreshold:
      if (config_.unlocked) config_.rates.sampling.threshold = clamp(wdata, UINT32_MAX);
      break;
    case kRegSeed:
      if (config_.unlocked) config_.seed = wdata;
      break;
    case kRegWatermark:
      if (config_.unlocked) config_.watermark = clamp(wdata, params_.buffer_depth);
      break;
    case kRegTableIndex:
      config_.table_index = static_cast<uint16_t>(wdata);
      break;
    default:
      if (!config_.unlocked) break;
      write_setting(addr, wdata, &config_.rates.settings);
      if (is_selector_register(addr)) write_selector(addr, wdata);
      break;
  }
}

void RegisterBlock::write_selector(uint16_t addr, uint64_t wdata) {
  const unsigned number = selector_slot(addr);
  if (number >= params_.selectors) return;
  SelectorSlot& slot = config_.slots[number];
  switch (selector_offset(addr)) {
    case kRegSelCtrl:
      unpack(wdata, slot);
      break;
    case kRegSelPcLo:
      slot.pc_lo = wdata;
      break;
    case kRegSelPcHi:
      slot.pc_hi = wdata;
      break;
    default:
      break;  // no register
  }
}

}  // namespace strobe::profiling
