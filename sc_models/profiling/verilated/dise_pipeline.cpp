#include "sc_models/profiling/verilated/dise_pipeline.h"

#include <algorithm>
#include <stdexcept>

#include "sc_models/profiling/reference/dise/dise_map.h"

namespace strobe::profiling {

DecodeDecision DisePipeline::decode(const DecodeLane* lanes, unsigned count, uint8_t slot) {
  slot %= kDecodeSlots;
  if (!now_.certain) look();
  AfterLanes after;
  const bool foreseen = foresee(lanes, count, after);
  if (!foreseen || pushed_ - fed_ + count > kMostWaiting) flush();
  DecodeDecision decision;
  if (foreseen) {
    decision.consumed = count;
    decision.in_burst = static_cast<uint8_t>(now_.burst() ? (1u << count) - 1 : 0);
  } else {
    ++bundles_[slot];
    decision = rtl_->decode(lanes, count, slot);
  }
  for (unsigned k = 0; k < decision.consumed; ++k) {
    const DecodeCheckpoint name{slot, static_cast<uint8_t>(k)};
    place(name) = {pushed_, bundles_[slot], name, foreseen ? after[k] : Foresight()};
    waiting_[pushed_++ % kMostWaiting] = {lanes[k], name, now_.burst()};
  }
  if (!foreseen) fed_ = pushed_;  // decode() did this already
  now_ = place({slot, static_cast<uint8_t>(decision.consumed - 1)}).foresight;
  return decision;
}

/// True when none of the lanes is replaced and all of them see the flags that are known now.
/// @param after  set to what is known after each lane
bool DisePipeline::foresee(const DecodeLane* lanes, unsigned count, AfterLanes& after) const {
  if (params_.flags_after) return false;  // a lane takes two steps there
  Foresight state = now_;
  for (unsigned k = 0; k < count; ++k) {
    if (!state.certain) return false;
    const DiseReach reach = tables_.reach(lanes[k], state.flags);
    if (reach.replaced) return false;
    state.certain = reach.set == 0;
    for (unsigned n = 0; n < params_.counters; ++n) {
      if ((reach.moved >> n & 1) != 0 && --state.steps[n] == 0) state.certain = false;
    }
    after[k] = state;
  }
  return true;
}

/// Asks the RTL. Counting up, a flag changes at the step to 0, and so it does counting down; a
/// counter at 0 returns to 0 in two steps, one of each kind.
void DisePipeline::look() {
  flush();
  now_.certain = true;
  now_.flags = rtl_->flags();
  const uint64_t wraps = uint64_t{1} << params_.counter_width;
  for (unsigned n = 0; n < params_.counters; ++n) {
    const uint64_t counter = rtl_->read(kDiseCounter + 8 * n);
    now_.steps[n] = counter == 0 ? 2 : std::min(counter, wraps - counter);
  }
}

void DisePipeline::flush() {
  while (fed_ != pushed_) {
    feed(static_cast<unsigned>(std::min<uint64_t>(params_.lanes, pushed_ - fed_)));
  }
}

/// Feeds the oldest waiting lanes as one bundle, in the slot of the first.
void DisePipeline::feed(unsigned count) {
  const uint8_t slot = waiting_[fed_ % kMostWaiting].name.slot;
  ++bundles_[slot];
  DecodeLane lanes[kMaxDecodeLanes];
  unsigned in_burst = 0;
  for (unsigned k = 0; k < count; ++k, ++fed_) {
    const Waiting& waiting = waiting_[fed_ % kMostWaiting];
    lanes[k] = waiting.lane;
    in_burst |= unsigned{waiting.in_burst} << k;
    Place& after = place(waiting.name);
    if (after.number != fed_) continue;  // a later lane has this name now
    after.bundle = bundles_[slot];
    after.at = {slot, static_cast<uint8_t>(k)};
  }
  rtl_->feed(lanes, count, slot, static_cast<uint8_t>(in_burst));
}

void DisePipeline::restore(DecodeCheckpoint checkpoint) {
  const Place& to = places_[checkpoint.slot % kDecodeSlots][checkpoint.lane % kMaxDecodeLanes];
  const bool waits = to.number >= fed_;
  if (waits ? to.number >= pushed_ : to.bundle != bundles_[to.at.slot])
    throw std::logic_error("decode engine: the checkpoint to restore is gone");
  if (!waits) rtl_->restore(to.at);
  pushed_ = waits ? to.number + 1 : fed_;
  now_ = to.foresight;
}

InstantiatedInstruction DisePipeline::instantiate(const DecodeLane& trigger, uint16_t entry) {
  flush();
  return rtl_->instantiate(trigger, entry);
}

bool DisePipeline::burst() {
  if (!now_.certain) look();
  return now_.burst();
}

uint64_t DisePipeline::read(uint32_t offset) {
  flush();
  return rtl_->read(offset);
}

void DisePipeline::write(uint32_t offset, uint64_t value) {
  flush();
  rtl_->write(offset, value);
  tables_.write(offset, value);
  now_.certain = false;
}

}  // namespace strobe::profiling
