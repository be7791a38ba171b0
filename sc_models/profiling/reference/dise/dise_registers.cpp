// The decode engine's register block: docs/blocks/dise.md, "Registers".
#include "sc_models/profiling/reference/dise/dise_engine.h"
#include "sc_models/profiling/reference/dise/dise_map.h"

namespace strobe::profiling {

uint64_t DiseEngine::capabilities() const {
  return params_.patterns | params_.counters << 8 | params_.counter_width << 12 |
         params_.lanes << 20 | unsigned{params_.jitter} << 24 |
         uint64_t{params_.replacements} << 32;
}

uint64_t DiseEngine::jitter() const {
  return params_.jitter ? dise_jitter_word(jitter_.reg, jitter_.bits, state_.random) : 0;
}

uint64_t DiseEngine::read(uint32_t offset) {
  if (offset >= kDiseReg && offset < kDiseReg + 8 * kDiseRegisters && offset % 8 == 0) {
    return control_copy_[(offset - kDiseReg) / 8];
  }
  if (offset >= kDiseCounter && offset < kDiseCounter + 8 * params_.counters && offset % 8 == 0) {
    return state_.counter[(offset - kDiseCounter) / 8];
  }
  switch (offset) {
    case kDiseId:
      return kDiseIdValue;
    case kDiseCap:
      return capabilities();
    case kDiseCtrl:
      return enable_ ? kDiseCtrlEnable : 0;
    case kDiseStatus:
      return state_.flags;
    case kDiseJitter:
      return jitter();
    case kDisePatternIndex:
      return pattern_index_;
    case kDiseReplacementIndex:
      return replacement_index_;
    default:
      return 0;
  }
}

void DiseEngine::write(uint32_t offset, uint64_t value) {
  if (offset >= kDiseReg && offset < kDiseReg + 8 * kDiseRegisters && offset % 8 == 0) {
    control_copy_[(offset - kDiseReg) / 8] = static_cast<uint32_t>(value) & counter_mask_;
    return;
  }
  if (offset >= kDiseCounter && offset < kDiseCounter + 8 * params_.counters && offset % 8 == 0) {
    state_.set((offset - kDiseCounter) / 8, static_cast<uint32_t>(value) & counter_mask_);
    return;
  }
  switch (offset) {
    case kDiseCtrl:
      write_control(value);
      break;
    case kDiseJitter:
      if (params_.jitter) write_jitter(value);
      break;
    case kDisePatternIndex:
      pattern_index_ = static_cast<unsigned>(value % patterns_.size());
      break;
    case kDisePatternWord:
    case kDisePatternKind:
    case kDisePatternCondition:
    case kDisePatternOps:
      write_pattern(offset, value);
      break;
    case kDiseReplacementIndex:
      replacement_index_ = static_cast<unsigned>(value % replacements_.size());
      break;
    case kDiseReplacementData:
      replacements_.write(replacement_index_, value);
      replacement_index_ = (replacement_index_ + 1) % replacements_.size();
      break;
    default:
      break;
  }
}

void DiseEngine::write_control(uint64_t value) {
  const bool enable = (value & kDiseCtrlEnable) != 0;
  if (enable != enable_) ++generation_;
  enable_ = enable;
  if ((value & kDiseCtrlClear) != 0) {
    state_.counter = {};
    state_.flags = 0;
  }
}

void DiseEngine::write_jitter(uint64_t value) {
  jitter_ = {static_cast<unsigned>(value & 7), static_cast<unsigned>(value >> 4 & 15)};
  state_.random = static_cast<uint16_t>(value >> 16 & kJitterStates);
  if (state_.random == 0) state_.random = 1;
}

void DiseEngine::write_pattern(uint32_t offset, uint64_t value) {
  DisePattern entry = patterns_.entry(pattern_index_);
  const unsigned flag_values = 1u << 2 * params_.counters;
  switch (offset) {
    case kDisePatternWord:
      entry.value = static_cast<uint32_t>(value);
      entry.mask = static_cast<uint32_t>(value >> 32);
      break;
    case kDisePatternKind:
      entry.classes = static_cast<uint16_t>(value);
      entry.sign = static_cast<DiseSign>(value >> 16 & 3);
      entry.direction = static_cast<DiseDirection>(value >> 18 & 3);
      entry.replaces = (value >> 20 & 1) != 0;
      entry.valid = (value >> 21 & 1) != 0;
      entry.start = static_cast<uint16_t>((value >> 32) % replacements_.size());
      break;
    case kDisePatternCondition:
      entry.condition = value & ~uint64_t{0} >> (64 - flag_values);
      break;
    default:
      entry.ops = static_cast<uint16_t>(value & ((1u << 5 * params_.counters) - 1));
      break;
  }
  patterns_.write(pattern_index_, entry);
  ++generation_;
}

}  // namespace strobe::profiling
