// The front end and the core around a Verilated strobe_dise, cycle by cycle, compared with the
// reference.
//
// Bundles of any width come with gaps, the output is taken at random, the lanes after a replaced
// instruction are presented again, sequences are resumed, registers are written and checkpoints are
// restored. The reference gets each bundle when its answer leaves the RTL.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <type_traits>

#include "sc_models/profiling/reference/dise/dise_engine.h"
#include "sc_models/profiling/verilated/dise_model.h"
#include "tb/common/clocked.h"
#include "tb/common/dise_traffic.h"

namespace strobe::tb {

/// Rates of the events that make a stream difficult, in percent of cycles; `stall_cycles` is
/// StallCycles of the RTL.
struct StreamRates {
  unsigned present = 90, take = 90, restore = 1, write = 1, program = 0;
  unsigned stall_cycles = 1;
};

template <class V>
class DiseStream {
 public:
  DiseStream(const profiling::DiseParams& params, const StreamRates& rates, uint64_t seed)
      : params_(params), rates_(rates), traffic_(params, seed), reference_(params) {
    V& top = block_.top();
    top.we_i = top.inject_i = top.valid_i = top.restore_i = top.resume_i = top.resume_done_i = 0;
    top.out_ready_i = 1;
    traffic_.erase([&](uint32_t offset, uint64_t value) { write(offset, value); });
    program();
  }

  profiling::DiseEngine& reference() { return reference_; }
  V& top() { return block_.top(); }

  /// @return the first difference with its cycle, empty when there is none.
  std::string run(uint64_t cycles) {
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
      step();
      if (!difference_.text().empty())
        return fmt::format("cycle {}: {}", cycle, difference_.text());
    }
    return reached_everything();
  }

 private:
  struct Bundle {
    std::vector<DecodeLane> lanes;
    uint8_t slot = 0;
  };
  struct Saved {
    unsigned lanes = 0;  // lanes with a saved state
  };

  Random& random() { return traffic_.random(); }

  void program() {
    traffic_.program([&](uint32_t offset, uint64_t value) { write(offset, value); });
  }

  void write(uint32_t offset, uint64_t value) {
    V& top = block_.top();
    top.we_i = 1;
    top.address_i = static_cast<SData>(offset);
    top.wdata_i = value;
    block_.settle();
    block_.edge();
    top.we_i = 0;
    reference_.write(offset, value);
  }

  void compare_registers() {
    V& top = block_.top();
    const bool all = chance(random(), 10);  // otherwise the flags and the counters
    for (uint32_t offset = all ? 0x00 : 0x80; offset < (all ? 0x100 : 0x98); offset += 8) {
      top.address_i = static_cast<SData>(offset);
      block_.settle();
      difference_.check(fmt::format("register {:#x}", offset).c_str(), top.rdata_o,
                        reference_.read(offset));
    }
    difference_.check("hps_flags", top.hps_flags_o, reference_.read(0x18));
    difference_.check("hps_position", top.hps_position_o, reference_.burst());
  }

  // Acts between two cycles in which the engine is idle.
  void act_while_idle() {
    compare_registers();
    ++idle_checks_;
    if (chance(random(), 30)) {
      traffic_.touch([&](uint32_t offset, uint64_t value) { write(offset, value); });
      compare_registers();
    } else if (chance(random(), rates_.program)) {
      program();
    } else if (chance(random(), 30)) {
      inject();
    }
    draining_ = false;
  }

  void inject() {
    trigger_ = traffic_.lane();
    next_entry_ = static_cast<unsigned>(below(random(), params_.replacements));
    V& top = block_.top();
    profiling::present(top, &trigger_, 1, 0);
    top.inject_i = 1;
    top.inject_entry_i = static_cast<std::decay_t<decltype(top.inject_entry_i)>>(next_entry_);
    block_.settle();
    block_.edge();
    top.inject_i = 0;
    top.valid_i = 0;
    sequence_ = Sequence::kRuns;
    quiet_ = rates_.stall_cycles - 1;
  }

  void step() {
    V& top = block_.top();
    top.valid_i = 0;
    top.restore_i = 0;
    top.resume_i = 0;
    top.resume_done_i = 0;
    top.out_ready_i = chance(random(), rates_.take);
    block_.settle();
    if (top.idle_o) {
      if (!in_flight_.empty()) return difference_.check("idle", 1u, 0u);
      if (draining_) return act_while_idle();
    }
    if (chance(random(), rates_.write)) draining_ = true;

    std::optional<Bundle> offered;
    if (!draining_ && chance(random(), rates_.present)) {
      offered = Bundle{};
      fill(offered->lanes);
      offered->slot = slot_;
      profiling::present(top, offered->lanes.data(), static_cast<unsigned>(offered->lanes.size()),
                         slot_);
    }
    const bool restores = chance(random(), rates_.restore) && pick_checkpoint();
    if (restores) {
      top.restore_i = 1;
      top.restore_slot_i = restore_.slot;
      top.restore_lane_i = restore_.lane;
    }
    if (sequence_ == Sequence::kWaits && chance(random(), 50)) resume();
    // The core may end a sequence at any time, even while a group of it waits at the output.
    if (sequence_ == Sequence::kRuns && !(top.out_valid_o && top.out_ready_i) &&
        chance(random(), 5)) {
      top.resume_done_i = 1;
      sequence_ = Sequence::kNone;
    }
    block_.settle();
    const bool taken = offered && top.ready_o;
    const bool leaves = top.out_valid_o && top.out_ready_i && !restores;
    if (taken) {
      saved_[slot_].lanes = 0;
      if (!restores) in_flight_.push_back(*offered);
      slot_ = static_cast<uint8_t>((slot_ + 1) % kDecodeSlots);
      ahead_ += offered->lanes.size();
    }
    if (leaves) {
      check_output();
    } else if (!top.out_valid_o && sequence_ == Sequence::kStarts) {
      ++quiet_;
    }
    block_.edge();
    if (restores) {
      reference_.restore(restore_);
      in_flight_.clear();
      again_.clear();
      ahead_ = 0;
      sequence_ = Sequence::kNone;
      ++restores_;
    }
  }

  // Fills a bundle, first with the lanes that must be presented again.
  void fill(std::vector<DecodeLane>& lanes) {
    const uint64_t count = 1 + below(random(), params_.lanes);
    for (uint64_t k = 0; k < count; ++k) {
      if (ahead_ + k >= again_.size()) again_.push_back(traffic_.lane());
      lanes.push_back(again_[ahead_ + k]);
    }
  }

  bool pick_checkpoint() {
    restore_.slot = static_cast<uint8_t>(below(random(), kDecodeSlots));
    const unsigned lanes = saved_[restore_.slot].lanes;
    if (lanes == 0) return false;
    restore_.lane = static_cast<uint8_t>(below(random(), lanes));
    return true;
  }

  void resume() {
    V& top = block_.top();
    const uint64_t choice = below(random(), 3);
    if (choice == 0) {
      top.resume_done_i = 1;
      sequence_ = Sequence::kNone;
      return;
    }
    next_entry_ = choice == 1 ? static_cast<unsigned>(below(random(), params_.replacements))
                              : (next_entry_ % params_.replacements);
    top.resume_i = 1;
    top.resume_entry_i = static_cast<std::decay_t<decltype(top.resume_entry_i)>>(next_entry_);
    sequence_ = Sequence::kRuns;
  }

  void check_output() {
    if ((profiling::port_bits(block_.top().entry_o, 0, 12) & 0x800) != 0) {
      check_group();
    } else {
      check_bundle();
    }
  }

  void check_bundle() {
    V& top = block_.top();
    if (in_flight_.empty()) return difference_.check("bundles in flight", 1u, 0u);
    if (sequence_ != Sequence::kNone) return difference_.check("a sequence is on", 0u, 1u);
    const Bundle bundle = in_flight_.front();
    in_flight_.pop_front();
    const auto count = static_cast<unsigned>(bundle.lanes.size());
    const DecodeDecision decision = reference_.decode(bundle.lanes.data(), count, bundle.slot);
    difference_.check("replaced", top.replaced_o, decision.replaced);
    const unsigned leave = decision.consumed - decision.replaced;
    difference_.check("valid", top.valid_o, (1u << leave) - 1);
    for (unsigned k = 0; k < leave; ++k) {
      difference_.check("insn", profiling::get_lane<uint32_t>(top.insn_o, k), bundle.lanes[k].insn);
      difference_.check("pc", profiling::get_lane<uint64_t>(top.pc_o, k), bundle.lanes[k].pc);
      difference_.check("kind", profiling::port_bits(top.kind_o, 3 * k, 3), 0u);
    }
    difference_.check("in_burst", top.in_burst_o, decision.in_burst);
    saved_[bundle.slot].lanes = decision.consumed;
    consumed(decision.consumed);
    if (!decision.replaced) return;
    ++replaced_;
    difference_.check("replaced lane", top.replaced_lane_o, decision.consumed - 1);
    difference_.check("entry", top.replaced_entry_o, decision.entry);
    trigger_ = bundle.lanes[decision.consumed - 1];
    next_entry_ = decision.entry;
    in_flight_.clear();
    ahead_ = 0;
    sequence_ = Sequence::kStarts;
    quiet_ = 0;
  }

  // Removes instructions of the stream that are not presented again.
  void consumed(unsigned count) {
    again_.erase(again_.begin(), again_.begin() + count);
    ahead_ = ahead_ > count ? ahead_ - count : 0;
  }

  void check_group() {
    V& top = block_.top();
    if (sequence_ == Sequence::kNone || sequence_ == Sequence::kWaits)
      return difference_.check("a group without a sequence", 1u, 0u);
    if (sequence_ == Sequence::kStarts)
      difference_.check("stall cycles", quiet_, rates_.stall_cycles);
    ++groups_;
    sequence_ = Sequence::kRuns;
    difference_.check("replaced by a group", top.replaced_o, 0u);
    difference_.check("in_burst of a group", top.in_burst_o, 0u);
    for (unsigned k = 0; k < params_.lanes; ++k) {
      const bool valid = (top.valid_o >> k & 1) != 0;
      difference_.check("valid in a sequence", valid, sequence_ == Sequence::kRuns);
      if (sequence_ != Sequence::kRuns || !valid) continue;
      const InstantiatedInstruction rtl = profiling::instruction_at(top, k);
      const InstantiatedInstruction expected =
          reference_.instantiate(trigger_, static_cast<uint16_t>(next_entry_));
      difference_.check("entry", profiling::port_bits(top.entry_o, 12 * k, 12),
                        0x800 | next_entry_);
      difference_.check("pc of the trigger", profiling::get_lane<uint64_t>(top.pc_o, k),
                        trigger_.pc);
      difference_.check("kind", static_cast<int>(rtl.kind), static_cast<int>(expected.kind));
      difference_.check("insn", rtl.insn, expected.insn);
      difference_.check("dise_rd", rtl.dise_rd, expected.dise_rd);
      difference_.check("dise_rs1", rtl.dise_rs1, expected.dise_rs1);
      difference_.check("dise_rs2", rtl.dise_rs2, expected.dise_rs2);
      difference_.check("last", rtl.last, expected.last);
      if (expected.kind == ReplacementKind::kDiseBranch)
        difference_.check("goto", rtl.go_to, expected.go_to);
      difference_.check("value", rtl.value, expected.value);
      ++next_entry_;
      if (expected.kind == ReplacementKind::kDiseBranch ||
          expected.kind == ReplacementKind::kCall) {
        sequence_ = Sequence::kWaits;
      } else if (expected.last) {
        sequence_ = Sequence::kNone;
      }
    }
  }

  // A stream without replacements, restores or idle cycles tests nothing.
  std::string reached_everything() const {
    if (replaced_ != 0 && groups_ != 0 && restores_ != 0 && idle_checks_ != 0) return "";
    return fmt::format(
        "the stream is too tame: {} replaced, {} groups, {} restores, {} idle checks", replaced_,
        groups_, restores_, idle_checks_);
  }

  enum class Sequence { kNone, kStarts, kRuns, kWaits };

  const profiling::DiseParams params_;
  const StreamRates rates_;
  DiseTraffic traffic_;
  Clocked<V> block_;
  profiling::DiseEngine reference_;
  Difference difference_;

  std::deque<DecodeLane> again_;  // presented and not consumed, oldest first
  size_t ahead_ = 0;              // number of these in flight
  std::deque<Bundle> in_flight_;
  uint8_t slot_ = 0;
  std::array<Saved, kDecodeSlots> saved_{};
  DecodeCheckpoint restore_;
  Sequence sequence_ = Sequence::kNone;
  DecodeLane trigger_;
  unsigned next_entry_ = 0;
  unsigned quiet_ = 0;  // cycles without output since the trigger's bundle left
  bool draining_ = false;
  uint64_t replaced_ = 0, groups_ = 0, restores_ = 0, idle_checks_ = 0;
};

}  // namespace strobe::tb
