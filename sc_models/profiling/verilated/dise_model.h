// The decode engine's interface on a Verilated strobe_dise.
//
// decode() clocks the pipeline until the bundle's answer is at the output; feed() clocks it once. A
// sequence that a bundle starts is ended immediately, because the core reads sequences entry by
// entry: instantiate() injects the trigger at an entry. An answer leaves the output at the next
// clock edge, even when that edge was caused by another request.
#pragma once

#include <verilated.h>

#include <cstring>
#include <stdexcept>

#include "sc_models/profiling/verilated/clock_edge.h"
#include "sc_models/profiling/verilated/coverage.h"
#include "sc_models/profiling/verilated/lane_ports.h"
#include "sc_models/profiling/verilated/model_context.h"
#include "sc_models/profiling/verilated/pipelined_engine.h"

namespace strobe::profiling {

/// Reads `width` bits of a flat port from bit `at` on.
template <typename Port>
uint64_t port_bits(const Port& port, unsigned at, unsigned width) {
  uint64_t words[2] = {0, 0};
  const unsigned from = at / 8;
  const unsigned bytes = static_cast<unsigned>(sizeof(Port)) - from;
  std::memcpy(words, reinterpret_cast<const unsigned char*>(&port) + from,
              bytes < sizeof(words) ? bytes : sizeof(words));
  const unsigned shift = at % 8;
  const uint64_t value = shift == 0 ? words[0] : words[0] >> shift | words[1] << (64 - shift);
  return width == 64 ? value : value & ((uint64_t{1} << width) - 1);
}

/// Drives a bundle to the input ports of a strobe_dise.
template <class V>
void present(V& top, const DecodeLane* lanes, unsigned count, uint8_t slot) {
  unsigned valid = 0, length4 = 0, expand = 0;
  for (unsigned k = 0; k < count; ++k) {
    const DecodeLane& lane = lanes[k];
    valid |= 1u << k;
    length4 |= static_cast<unsigned>(lane.length == 4) << k;
    expand |= static_cast<unsigned>(lane.expand) << k;
    set_lane(top.insn_i, k, lane.insn);
    set_lane(top.pc_i, k, lane.pc);
    set_lane(top.target_i, k, lane.target);
  }
  top.valid_i = static_cast<CData>(valid);
  top.length4_i = static_cast<CData>(length4);
  top.expand_i = static_cast<CData>(expand);
  top.slot_i = slot;
}

/// The instruction in lane k of the output, for a group of a sequence.
template <class V>
InstantiatedInstruction instruction_at(const V& top, unsigned k) {
  InstantiatedInstruction out;
  out.insn = get_lane<uint32_t>(top.insn_o, k);
  out.kind = static_cast<ReplacementKind>(port_bits(top.kind_o, 3 * k, 3));
  const auto dise = static_cast<unsigned>(port_bits(top.dise_o, 3 * k, 3));
  out.dise_rd = (dise & 1) != 0;
  out.dise_rs1 = (dise & 2) != 0;
  out.dise_rs2 = (dise & 4) != 0;
  out.last = (top.last_o >> k & 1) != 0;
  out.value = get_lane<uint64_t>(top.value_o, k);
  out.go_to = static_cast<uint16_t>(out.kind == ReplacementKind::kDiseBranch ? out.value : 0);
  return out;
}

template <class V>
class DiseModel final : public PipelinedEngine {
 public:
  DiseModel() : top_(&context_) {
    top_.out_ready_i = 1;
    reset_over_an_edge(top_);
  }
  ~DiseModel() override {
    Verilated::threadContextp(&context_);  // the last thread's context may be gone
    top_.final();
    keep_coverage(context_);
  }
  DiseModel(const DiseModel&) = delete;
  DiseModel& operator=(const DiseModel&) = delete;

  DecodeDecision decode(const DecodeLane* lanes, unsigned count, uint8_t slot) override {
    offer(lanes, count, slot);
    settle();
    DecodeDecision decision;
    decision.replaced = top_.replaced_o != 0;
    decision.consumed = decision.replaced ? top_.replaced_lane_o + 1u : count;
    decision.entry = decision.replaced ? top_.replaced_entry_o : 0;
    decision.in_burst = top_.in_burst_o;
    if (decision.replaced) {
      take_answer();
      end_sequence();
    }
    return decision;
  }

  void feed(const DecodeLane* lanes, unsigned count, uint8_t slot, uint8_t in_burst) override {
    offer(lanes, count, slot);
    foreseen_[(offered_ - 1) % kMostInFlight] = in_burst;
  }

  uint8_t flags() override {
    settle();
    return top_.hps_flags_o;
  }

  void restore(DecodeCheckpoint checkpoint) override {
    settle();
    take_answer();
    top_.restore_i = 1;
    top_.restore_slot_i = checkpoint.slot;
    top_.restore_lane_i = checkpoint.lane;
    edge();
    top_.restore_i = 0;
  }

  InstantiatedInstruction instantiate(const DecodeLane& trigger, uint16_t entry) override {
    drain();
    present(top_, &trigger, 1, 0);
    top_.inject_i = 1;
    top_.inject_entry_i = entry;
    edge();
    top_.inject_i = 0;
    top_.valid_i = 0;
    wait([this] { return top_.out_valid_o != 0; });
    const InstantiatedInstruction out = instruction_at(top_, 0);
    end_sequence();
    return out;
  }

  /// The RTL decides every instruction; a caller that skips some keeps its own tables.
  bool concerns(const DecodeLane&) const override { return true; }
  uint64_t generation() const override { return 0; }
  bool burst() override {
    settle();
    return top_.hps_position_o != 0;
  }

  uint64_t read(uint32_t offset) override {
    settle();
    top_.address_i = static_cast<SData>(offset);
    top_.eval();
    return top_.rdata_o;
  }
  void write(uint32_t offset, uint64_t value) override {
    drain();
    top_.address_i = static_cast<SData>(offset);
    top_.wdata_i = value;
    top_.we_i = 1;
    edge();
    top_.we_i = 0;
  }

 private:
  static constexpr unsigned kMostInFlight = 8;  // more than the pipeline holds
  static constexpr int kAsked = -1;

  void edge() {
    rising_edge(top_);
    falling_edge(top_);
  }
  void step() {
    take_answer();
    edge();
  }
  // The answer at the output leaves at the next edge.
  void take_answer() {
    if (!top_.out_valid_o) return;
    const int foreseen = foreseen_[answered_++ % kMostInFlight];
    if (foreseen == kAsked || (!top_.replaced_o && top_.in_burst_o == foreseen)) return;
    throw std::logic_error("the decode engine's RTL answers what its tables do not allow");
  }
  void offer(const DecodeLane* lanes, unsigned count, uint8_t slot) {
    wait([this] { return top_.ready_o != 0; });
    present(top_, lanes, count, slot);
    step();
    top_.valid_i = 0;
    foreseen_[offered_++ % kMostInFlight] = kAsked;
  }
  // Waits until the last answer is at the output or has left.
  void settle() {
    wait([this] { return top_.idle_o || (top_.out_valid_o && offered_ - answered_ == 1); });
  }
  void drain() {
    settle();
    if (!top_.idle_o) step();
  }
  template <class Condition>
  void wait(Condition holds) {
    for (unsigned cycles = 0; !holds(); ++cycles) {
      if (cycles == 100) throw std::runtime_error("the decode engine's RTL gives no answer");
      step();
    }
  }
  // Ends the sequence, because the core reads sequences entry by entry.
  void end_sequence() {
    top_.resume_done_i = 1;
    edge();
    top_.resume_done_i = 0;
  }

  ModelContext context_;
  V top_;
  uint64_t offered_ = 0, answered_ = 0;  // numbers of bundles
  int foreseen_[kMostInFlight] = {};     // for each bundle in flight: in_burst, or kAsked
};

}  // namespace strobe::profiling
