// Random instructions like those that the selector distinguishes.
#pragma once

#include "sc_models/port/path_interface.h"
#include "tb/common/compare.h"

namespace strobe::tb {

/// Draws an instruction word: a major opcode that the classes name, or any. Link registers, and
/// funct3 and funct7 that decide a class, are frequent.
inline uint32_t random_instruction(Random& random) {
  static constexpr uint32_t kOpcodes[] = {0x33, 0x3b, 0x03, 0x07, 0x23, 0x27, 0x2f,
                                          0x63, 0x6f, 0x67, 0x53, 0x43, 0x47, 0x4b,
                                          0x4f, 0x73, 0x0f, 0x13, 0x37, 0x17};
  static constexpr uint32_t kFunct7[] = {0x01, 0x00, 0x20, 0x0c, 0x0d, 0x2c, 0x2d, 0x2e, 0x08};
  auto insn = static_cast<uint32_t>(random());
  if (!chance(random, 5)) insn = (insn & ~0x7fu) | kOpcodes[below(random, std::size(kOpcodes))];
  if (chance(random, 60))
    insn = (insn & 0x01ffffffu) | kFunct7[below(random, std::size(kFunct7))] << 25;
  if (chance(random, 50)) insn = (insn & ~0xf80u) | (chance(random, 50) ? 1u : 5u) << 7;
  if (chance(random, 50)) insn = (insn & ~0xf8000u) | (chance(random, 50) ? 1u : 5u) << 15;
  if (chance(random, 15)) {  // a marker, or almost one
    insn = 0x00003013u | static_cast<uint32_t>(below(random, 16)) << 20;
    if (chance(random, 15)) insn ^= 1u << below(random, 32);
  }
  return insn;
}

/// Draws a lane whose pc is at or next to `bound` half of the time.
inline profiling::RetireLane random_lane(Random& random, uint64_t valid_percent, uint64_t bound) {
  profiling::RetireLane lane;
  lane.valid = chance(random, valid_percent);
  lane.trap = chance(random, 5);
  lane.mispredicted = chance(random, 30);
  lane.in_burst = chance(random, 50);
  lane.mode =
      static_cast<uint8_t>(chance(random, 80) ? (chance(random, 60) ? 0 : 3) : below(random, 4));
  lane.insn = random_instruction(random);
  lane.pc_rdata = chance(random, 50) ? bound + below(random, 5) - 2 : random();
  lane.pc_wdata = random();
  lane.rd_wdata = random();
  lane.mem_addr = random();
  return lane;
}

}  // namespace strobe::tb
