// Drives a ProfilerPath in the form in which tests are written: register reads and writes, one step
// each.
#pragma once

#include <cstdint>

#include "sc_models/port/path_interface.h"
#include "sc_models/profiling/reference/message/register_map.h"
#include "tests/unit/profiling/random_stream.h"

namespace strobe::profiling {

inline PathInputs write_access(uint16_t addr, uint64_t value) {
  PathInputs inputs;
  inputs.reg_we = true;
  inputs.reg_addr = addr;
  inputs.reg_wdata = value;
  return inputs;
}

inline PathInputs read_access(uint16_t addr) {
  PathInputs inputs;
  inputs.reg_re = true;
  inputs.reg_addr = addr;
  return inputs;
}

inline void write(ProfilerPath& path, uint16_t addr, uint64_t value) {
  path.step(write_access(addr, value));
}
inline uint64_t read(ProfilerPath& path, uint16_t addr) {
  return path.step(read_access(addr)).reg_rdata;
}
inline uint64_t peek(ProfilerPath& path, uint16_t addr) { return path.peek(addr).reg_rdata; }

inline void run_until_idle(ProfilerPath& path) {
  while (!path.step(PathInputs{}).idle) {
  }
}

constexpr uint64_t kSelectUserLoads = 1 | 1 << 4 | uint64_t{1} << (16 + 3);
constexpr uint32_t kLoadInsn = 0x00013503;  // ld a0, 0(sp)

inline RetireLane load_lane(uint64_t pc, uint64_t value) {
  RetireLane lane;
  lane.valid = true;
  lane.insn = kLoadInsn;
  lane.pc_rdata = pc;
  lane.rd_wdata = value;
  return lane;
}

/// A path that has finished its initialization and selects user loads with this period.
inline void start(ProfilerPath& path, uint32_t period) {
  run_until_idle(path);
  write(path, kRegPeriod, period);
  write(path, kRegSelCtrl, kSelectUserLoads);
  write(path, kRegCtrl, kCtrlEnable);
}

/// Takes the oldest message out as software does. @return MSG_META: 0 when there was none
inline uint64_t take(ProfilerPath& path) {
  read(path, kRegMsgPc);
  return read(path, kRegMsgMeta);
}

/// Removes all messages from the buffer, also those on their way to its head; the sum of their
/// counts.
inline uint64_t drain(ProfilerPath& path) {
  uint64_t sum = 0;
  while (peek(path, kRegStatus) >> kStatusLevelShift != 0) {
    sum += take(path) & UINT32_MAX;
  }
  return sum;
}

/// A path whose limits are soon reached.
inline PathParams small_path() {
  PathParams params;
  params.queue_depth = 8;
  params.strata = 16;
  params.counter_width = 4;
  params.buffer_depth = 4;
  return params;
}

/// Anything that can happen, with registers that matter hit more often than others.
inline PathInputs random_inputs(RandomSource& random, bool dense) {
  static const uint16_t kAddresses[] = {
      kRegMsgMeta, kRegMsgPc,   kRegMsgMeta,    kRegMsgPc,     kRegEvents,   kRegStatus,
      kRegPeriod,  kRegDropped, kRegWatermark,  kRegIntrState, kRegStalls,   kRegTableData,
      kRegCtrl,    kRegSelCtrl, 0x120,          0x128,         kRegIntrTest, kRegIntrEnable,
      0xd0,        0x160,       kRegTableIndex, kRegHighWater};
  PathInputs in;
  for (unsigned k = 0; k < kMaxRetireWidth; ++k) {
    if (!random.one_in(dense ? 2 : 20)) continue;
    in.lane[k] = load_lane(0x1000 + 4 * random.below(8), random.below(3));
    in.lane[k].trap = random.one_in(10);
    in.lane[k].mode = random.one_in(10) ? 3 : 0;
    if (random.one_in(4)) in.lane[k].insn = 0x00b50463;  // beq
  }
  if (random.one_in(4)) {
    in.reg_addr = kAddresses[random.below(sizeof kAddresses / sizeof kAddresses[0])];
    if (random.one_in(3)) {
      in.reg_we = true;
      in.reg_wdata = random.word() >> random.below(64);
      if (in.reg_addr == kRegCtrl) in.reg_wdata = random.one_in(20) ? 3 : !random.one_in(4);
      if (in.reg_addr == kRegSelCtrl) in.reg_wdata = kSelectUserLoads | random.below(4) << 1;
      if (in.reg_addr == kRegWatermark) in.reg_wdata = random.below(5);
    } else {
      in.reg_re = true;
    }
  }
  return in;
}

}  // namespace strobe::profiling
