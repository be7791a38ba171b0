// The Verilated selector with the interface of its reference.
#pragma once

#include <type_traits>

#include "sc_models/profiling/reference/selection/selector.h"
#include "sc_models/profiling/verilated/lane_ports.h"
#include "tb/common/clocked.h"
#include "tb/common/tuple_lanes.h"

namespace strobe::tb {

template <class V, unsigned kLanes, unsigned kSlots, unsigned kPcWidth = 64,
          unsigned kValueWidth = 64>
class SelectorDut {
 public:
  using Inputs = profiling::Selector::Inputs;
  using Outputs = profiling::Selector::Outputs;

  Outputs step(const Inputs& in) {
    set_slots(in);
    set_lanes(in);
    V& top = block_.top();
    top.clear_i = in.clear;
    top.enable_i = in.enable;
    block_.settle();
    Outputs out;
    for (unsigned k = 0; k < kLanes; ++k) {
      out.valid[k] = (top.valid_o >> k & 1) != 0;
      if (!out.valid[k]) continue;  // its fields are don't-care
      out.tuple[k] = get_tuple(top.tuple_o, k, {kPcWidth, kValueWidth});
    }
    block_.edge();
    return out;
  }

 private:
  template <typename Port>
  static void set(Port& port, uint32_t value) {
    port = static_cast<Port>(value);
  }

  void set_slots(const Inputs& in) {
    V& top = block_.top();
    uint32_t enable = 0, kind = 0, user = 0, machine = 0, marked = 0, prediction = 0, tag = 0;
    uint32_t in_burst = 0, supervisor = 0;
    for (unsigned s = 0; s < kSlots; ++s) {
      const profiling::SelectorSlot& slot = in.slots[s];
      enable |= static_cast<uint32_t>(slot.enable) << s;
      kind |= static_cast<uint32_t>(slot.kind) << (2 * s);
      user |= static_cast<uint32_t>(slot.user) << s;
      supervisor |= static_cast<uint32_t>(slot.supervisor) << s;
      machine |= static_cast<uint32_t>(slot.machine) << s;
      marked |= static_cast<uint32_t>(slot.marked) << s;
      in_burst |= static_cast<uint32_t>(slot.in_burst) << s;
      prediction |= static_cast<uint32_t>(slot.prediction) << (2 * s);
      tag |= static_cast<uint32_t>(slot.tag) << (4 * s);
      profiling::set_lane(top.slot_opclass_i, s, slot.opclass);
      profiling::set_lane(top.slot_pc_lo_i, s, slot.pc_lo);
      profiling::set_lane(top.slot_pc_hi_i, s, slot.pc_hi);
    }
    set(top.slot_enable_i, enable);
    set(top.slot_kind_i, kind);
    set(top.slot_user_i, user);
    set(top.slot_supervisor_i, supervisor);
    set(top.slot_machine_i, machine);
    set(top.slot_marked_i, marked);
    set(top.slot_in_burst_i, in_burst);
    set(top.slot_prediction_i, prediction);
    set(top.slot_tag_i, tag);
  }

  void set_lanes(const Inputs& in) {
    V& top = block_.top();
    uint32_t valid = 0, trap = 0, mode = 0, mispredicted = 0, in_burst = 0;
    for (unsigned k = 0; k < kLanes; ++k) {
      const profiling::RetireLane& lane = in.lane[k];
      valid |= static_cast<uint32_t>(lane.valid) << k;
      trap |= static_cast<uint32_t>(lane.trap) << k;
      mode |= static_cast<uint32_t>(lane.mode) << (2 * k);
      mispredicted |= static_cast<uint32_t>(lane.mispredicted) << k;
      in_burst |= static_cast<uint32_t>(lane.in_burst) << k;
      profiling::set_lane(top.rvfi_insn_i, k, lane.insn);
      profiling::set_lane(top.rvfi_pc_rdata_i, k, lane.pc_rdata);
      profiling::set_lane(top.rvfi_pc_wdata_i, k, lane.pc_wdata);
      profiling::set_lane(top.rvfi_rd_wdata_i, k, lane.rd_wdata);
      profiling::set_lane(top.rvfi_mem_addr_i, k, lane.mem_addr);
    }
    set(top.rvfi_valid_i, valid);
    set(top.rvfi_trap_i, trap);
    set(top.rvfi_mode_i, mode);
    set(top.retire_mispredicted_i, mispredicted);
    set(top.retire_in_burst_i, in_burst);
  }

  Clocked<V> block_;
};

}  // namespace strobe::tb
