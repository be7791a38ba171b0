// The Verilated register block and its reference; one step gives bus and configuration outputs.
#pragma once

#include <type_traits>

#include "sc_models/profiling/reference/message/register_block.h"
#include "sc_models/profiling/verilated/lane_ports.h"
#include "tb/common/clocked.h"
#include "tb/common/tuple_lanes.h"

namespace strobe::tb {

struct RegistersOutputs {
  profiling::RegisterBlock::Outputs bus;
  profiling::RegisterBlock::Config config;
};

class RegistersReference {
 public:
  explicit RegistersReference(const profiling::PathParams& params) : block_(params) {}
  RegistersOutputs step(const profiling::RegisterBlock::Inputs& in) {
    RegistersOutputs out;
    out.config = block_.config();
    out.bus = block_.step(in);
    return out;
  }

 private:
  profiling::RegisterBlock block_;
};

template <class V>
class RegistersDut {
 public:
  explicit RegistersDut(const profiling::PathParams& params) : params_(params) {}

  RegistersOutputs step(const profiling::RegisterBlock::Inputs& in) {
    V& top = block_.top();
    top.reg_re_i = in.re;
    top.reg_we_i = in.we;
    top.reg_addr_i = in.addr;
    top.reg_wdata_i = in.wdata;
    set_hardware(in.hardware);
    block_.settle();
    RegistersOutputs out;
    out.bus.rdata = top.reg_rdata_o;
    out.bus.error = top.reg_error_o != 0;
    out.bus.irq = top.irq_o != 0;
    out.bus.shown = top.msg_shown_o != 0;
    get_config(out.config);
    block_.edge();
    return out;
  }

 private:
  void set_hardware(const profiling::RegisterBlock::Hardware& hardware) {
    V& top = block_.top();
    set(top.event_i, (1u << hardware.selected) - 1);
    top.drop_i = hardware.drop;
    top.dropped_i = hardware.dropped;
    top.stall_i = hardware.stall;
    top.init_i = hardware.init;
    top.idle_i = hardware.idle;
    top.table_valid_i = hardware.table.known;
    set_tuple(top.table_tuple_i, hardware.table.held.tuple);
    top.table_count_i = hardware.table.held.count;
    set(top.level_i, hardware.level);
    set(top.high_water_i, hardware.high_water);
    top.msg_valid_i = hardware.msg_valid;
    set_tuple(top.msg_tuple_i, hardware.head.tuple);
    set(top.msg_count_i, hardware.head.count);
  }

  void get_config(profiling::RegisterBlock::Config& config) {
    const V& top = block_.top();
    config.enable = top.enable_o != 0;
    config.unlocked = top.unlocked_o != 0;
    config.clear = top.clear_o != 0;
    config.rates.sampling = {top.period_o, top.threshold_o};
    for (const profiling::SettingField& setting : profiling::kSettingFields) {
      config.rates.settings.*setting.field =
          static_cast<uint32_t>(get_bits(top.settings_o, setting.low, setting.width));
    }
    config.seed = top.seed_o;
    config.table_index = top.table_index_o;
    for (unsigned s = 0; s < params_.selectors; ++s) {
      profiling::SelectorSlot& slot = config.slots[s];
      slot.enable = (top.slot_enable_o >> s & 1) != 0;
      slot.kind = static_cast<uint8_t>(top.slot_kind_o >> (2 * s) & 3);
      slot.user = (top.slot_user_o >> s & 1) != 0;
      slot.supervisor = (top.slot_supervisor_o >> s & 1) != 0;
      slot.machine = (top.slot_machine_o >> s & 1) != 0;
      slot.marked = (top.slot_marked_o >> s & 1) != 0;
      slot.in_burst = (top.slot_in_burst_o >> s & 1) != 0;
      slot.prediction = static_cast<uint8_t>(top.slot_prediction_o >> (2 * s) & 3);
      slot.tag = static_cast<uint8_t>(top.slot_tag_o >> (4 * s) & 15);
      slot.opclass = profiling::get_lane<uint16_t>(top.slot_opclass_o, s);
      slot.pc_lo = profiling::get_lane<uint64_t>(top.slot_pc_lo_o, s);
      slot.pc_hi = profiling::get_lane<uint64_t>(top.slot_pc_hi_o, s);
    }
  }

  template <typename Port>
  static void set(Port& port, uint32_t value) {
    port = static_cast<Port>(value);
  }

  profiling::PathParams params_;
  Clocked<V> block_;
};

}  // namespace strobe::tb
