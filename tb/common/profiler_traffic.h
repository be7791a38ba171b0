// Stimulus for the bench of the whole path: instructions, register accesses, a slow memory.
#pragma once

#include "sc_models/port/path_interface.h"
#include "sc_models/port/path_params.h"
#include "tb/common/bus_traffic.h"
#include "tb/common/compare.h"
#include "tb/common/retire_traffic.h"

namespace strobe::tb {

using profiling::PathInputs;
using profiling::PathParams;

constexpr uint16_t kCtrl = 0x18, kStatus = 0x20, kIntrEnable = 0x30, kRegwen = 0x40, kPeriod = 0x48,
                   kEvents = 0x58, kDropped = 0x60, kMsgPc = 0x80, kMsgMeta = 0x90,
                   kTableIndex = 0x98, kTableData = 0xa0, kSelCtrl = 0x100, kRingCtrl = 0x200,
                   kRingConfig = 0x208, kRingBase = 0x210, kRingProd = 0x218, kRingCons = 0x220,
                   kRingStalls = 0x238;

inline PathInputs write(uint16_t address, uint64_t data) {
  PathInputs in;
  in.reg_we = true;
  in.reg_addr = address;
  in.reg_wdata = data;
  return in;
}

/// Instructions with few different tuples, so that counters fill, in phases of different density,
/// and a driver that programs, reads and pops meanwhile. With `wild` it also clears and writes any
/// value anywhere but to the lock.
class Traffic {
 public:
  Traffic(const PathParams& params, uint64_t seed, bool wild)
      : params_(params), wild_(wild), random_(seed) {}

  PathInputs operator()(uint64_t cycle) {
    if (cycle < 2) return cycle == 0 ? write(kCtrl, 1) : write(kSelCtrl, select_everything());
    if (left_-- == 0) {
      left_ = 1 + below(random_, 800);
      density_ = below(random_, 4) == 0 ? 0 : below(random_, 101);
      kinds_ = below(random_, 3) == 0 ? 1 : 1 + below(random_, 3 * params_.strata);
      bus_ = 1 + below(random_, 60);
      pops_ = below(random_, 101);
    }
    PathInputs in;
    for (unsigned k = 0; k < params_.lanes; ++k) {
      in.lane[k] = random_lane(random_, density_, 0x10000);
      if (chance(random_, 90)) in.lane[k].rd_wdata = in.lane[k].mem_addr = below(random_, kinds_);
      if (chance(random_, 90)) in.lane[k].pc_rdata = 0x10000 + 4 * below(random_, 3);
    }
    if (below(random_, 200) == 0) permitted_ = !permitted_ || chance(random_, 20);
    in.profile_en = permitted_;
    if (chance(random_, bus_)) access(in);
    in.mem_ready = chance(random_, pops_);
    in.mem_idle = chance(random_, pops_);
    return in;
  }

 private:
  static uint64_t select_everything() { return 0xffff'0131; }

  void access(PathInputs& in) {
    if (chance(random_, pops_)) {
      in.reg_re = true;
      in.reg_addr = shown_ || chance(random_, 5) ? kMsgMeta : kMsgPc;
      shown_ = in.reg_addr == kMsgPc;
      return;
    }
    in.reg_addr = random_register(random_);
    in.reg_re = chance(random_, 50);
    if (in.reg_re || !wild_) return;
    in.reg_we = true;
    in.reg_wdata = random_data(random_);
    if (in.reg_addr == kRegwen) in.reg_wdata |= 1;
    if (in.reg_addr == kCtrl) {  // mostly enabled, seldom cleared
      in.reg_wdata =
          (chance(random_, 90) ? 1u : 0u) | (below(random_, 16 + params_.strata) < 8 ? 2u : 0u);
    }
    if (in.reg_addr == kSelCtrl && chance(random_, 80)) in.reg_wdata = select_everything();
    if (in.reg_addr > kSelCtrl && in.reg_addr < kRingCtrl && chance(random_, 80)) {
      in.reg_wdata = in.reg_addr & 8 ? 0 : ~0ull;
    }
  }

  PathParams params_;
  bool wild_, permitted_ = true;
  Random random_;
  uint64_t left_ = 0, density_ = 0, kinds_ = 1, bus_ = 0, pops_ = 0;
  bool shown_ = false;  // the next access to the messages takes one
};

}  // namespace strobe::tb
