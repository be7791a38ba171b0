// Drives a ProfilerPath the way a test wants to write it: register reads and writes, one step each.
#pragma once

#include <cstdint>

#include "sc_models/port/path_interface.h"
#include "sc_models/profiling/reference/register_map.h"
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

/// A path that has finished its initialisation and selects user loads with this period.
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

}  // namespace strobe::profiling
