// Lookup, conditional control and checkpoints.
#include "sc_models/profiling/reference/dise/dise_engine.h"

#include <algorithm>

#include "sc_models/profiling/reference/common/check.h"

namespace strobe::profiling {
namespace {

const DiseParams& checked(const DiseParams& p) {
  check_range("decode engine: lanes", p.lanes, 1, kMaxDecodeLanes);
  check_power_of_two("decode engine: patterns", p.patterns, 1, 128);
  check_power_of_two("decode engine: replacements", p.replacements, 1, 2048);
  check_range("decode engine: counters", p.counters, 1, kMaxDiseCounters);
  check_range("decode engine: counter_width", p.counter_width, 2, 32);
  return p;
}

}  // namespace

DiseEngine::DiseEngine(const DiseParams& params)
    : params_(checked(params)),
      counter_mask_(~uint32_t{0} >> (32 - params.counter_width)),
      patterns_(params.patterns),
      replacements_(params.replacements) {}

DecodeDecision DiseEngine::decode(const DecodeLane* lanes, unsigned count, uint8_t slot) {
  DecodeDecision decision;
  while (decision.consumed < count && !decision.replaced) {
    const unsigned lane = decision.consumed++;
    decision.in_burst = static_cast<uint8_t>(decision.in_burst | unsigned{burst()} << lane);
    if (enable_) {
      const DisePattern* replacing = advance(lanes[lane]);
      decision.replaced = replacing != nullptr;
      if (replacing != nullptr) decision.entry = replacing->start;
    }
    saved_[slot % kDecodeSlots][lane] = state_;
  }
  return decision;
}

// Decodes one instruction: changes the state and returns the entry that replaces it, or nullptr.
const DisePattern* DiseEngine::advance(const DecodeLane& lane) {
  std::array<const DisePattern*, 128> matching;  // NOLINT(cppcoreguidelines-pro-type-member-init):
                                                 // up to `count` is filled, clearing costs
  unsigned count = 0;
  for (const DisePattern& entry : patterns_.effective()) {
    if (entry.accepts(lane)) matching[count++] = &entry;
  }
  uint8_t flags = state_.flags;
  const auto holds = [&flags](const DisePattern& entry) {
    return (entry.condition >> flags & 1) != 0;
  };
  Operations operations{};
  if (params_.flags_after) {  // entries without a replacement take effect first, as a step
    for (unsigned i = 0; i < count; ++i) {
      if (!matching[i]->replaces && holds(*matching[i])) claim(operations, *matching[i]);
    }
    state_ = after(operations);
    operations = {};
    flags = state_.flags;
  }
  const DisePattern* replacing = nullptr;
  for (unsigned i = 0; i < count; ++i) {
    const DisePattern& entry = *matching[i];
    const bool may_fire =
        entry.replaces ? lane.expand && replacing == nullptr : !params_.flags_after;
    if (!may_fire || !holds(entry)) continue;
    claim(operations, entry);
    if (entry.replaces) replacing = &entry;
  }
  state_ = after(operations);
  return replacing;
}

// A fired entry operates on the counters on which no entry before it operates.
void DiseEngine::claim(Operations& operations, const DisePattern& fired) const {
  for (unsigned counter = 0; counter < params_.counters; ++counter) {
    if (operations[counter] == nullptr && fired.op(counter) != CounterOp::kNone) {
      operations[counter] = &fired;
    }
  }
}

DiseState DiseEngine::after(const Operations& operations) const {
  DiseState next = state_;
  bool jittered = false;
  for (unsigned n = 0; n < params_.counters; ++n) {
    if (operations[n] == nullptr) continue;
    const uint8_t overflow = static_cast<uint8_t>(1u << 2 * n);
    const uint8_t zero = static_cast<uint8_t>(2u << 2 * n);
    uint32_t& counter = next.counter[n];
    switch (operations[n]->op(n)) {
      case CounterOp::kNone:
        break;
      case CounterOp::kIncrement:
        counter = (counter + 1) & counter_mask_;
        if (counter == 0) next.flags |= overflow;
        break;
      case CounterOp::kDecrement:
        counter = (counter - 1) & counter_mask_;
        if (counter == 0) next.flags |= zero;
        break;
      case CounterOp::kSet: {
        const unsigned read = operations[n]->op_register(n);
        const bool jitters = jitter_.jitters(read);
        const uint32_t added = jitters ? jitter_.added(state_.random) : 0;
        next.set(n, (control_copy_[read] + added) & counter_mask_);
        jittered |= jitters;
        break;
      }
    }
  }
  if (jittered) next.random = jitter_step(state_.random);
  return next;
}

void DiseEngine::restore(DecodeCheckpoint checkpoint) {
  state_ = saved_[checkpoint.slot % kDecodeSlots][checkpoint.lane % kMaxDecodeLanes];
}

InstantiatedInstruction DiseEngine::instantiate(const DecodeLane& trigger, uint16_t entry) {
  return replacements_.instantiate(trigger, entry % replacements_.size());
}

DiseReach DiseEngine::reach(const DecodeLane& lane, uint8_t flags) const {
  DiseReach reach;
  if (!enable_) return reach;
  for (const DisePattern& entry : patterns_.effective()) {
    if ((entry.condition >> flags & 1) == 0 || !entry.accepts(lane)) continue;
    reach.replaced |= entry.replaces && lane.expand;
    for (unsigned n = 0; n < params_.counters; ++n) {
      if (entry.op(n) == CounterOp::kNone) continue;
      uint8_t& mask = entry.op(n) == CounterOp::kSet ? reach.set : reach.moved;
      mask = static_cast<uint8_t>(mask | 1u << n);
    }
  }
  return reach;
}

bool DiseEngine::concerns(const DecodeLane& lane) const {
  const std::vector<DisePattern>& entries = patterns_.effective();
  return enable_ && std::any_of(entries.begin(), entries.end(),
                                [&](const DisePattern& entry) { return entry.accepts(lane); });
}

}  // namespace strobe::profiling
