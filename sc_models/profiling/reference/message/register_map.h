// Offsets (bytes) and constants of configs/registers.yaml that the models use. A test holds both
// equal.
#pragma once

#include <cstdint>

namespace strobe::profiling {

enum Register : uint16_t {
  kRegId = 0x00,
  kRegCap0 = 0x08,
  kRegCap1 = 0x10,
  kRegCtrl = 0x18,
  kRegStatus = 0x20,
  kRegIntrState = 0x28,
  kRegIntrEnable = 0x30,
  kRegIntrTest = 0x38,
  kRegRegwen = 0x40,
  kRegPeriod = 0x48,
  kRegWatermark = 0x50,
  kRegEvents = 0x58,
  kRegDropped = 0x60,
  kRegHighWater = 0x68,
  kRegStalls = 0x70,
  kRegMsgPc = 0x80,
  kRegMsgValue = 0x88,
  kRegMsgMeta = 0x90,
  kRegTableIndex = 0x98,
  kRegTableData = 0xA0,
  kRegCap2 = 0x78,
  kRegTablePc = 0xA8,
  kRegTableValue = 0xB0,
  kRegThreshold = 0xB8,
  kRegSeed = 0xC0,
  kRegSelCtrl = 0x100,
  kRegSelPcLo = 0x108,
  kRegSelPcHi = 0x110,
  kRegRingCtrl = 0x200,
  kRegRingConfig = 0x208,
  kRegRingBase = 0x210,
  kRegRingProd = 0x218,
  kRegRingCons = 0x220,
  kRegRingOverwritten = 0x228,
  kRegRingHighWater = 0x230,
  kRegRingStalls = 0x238,
};

inline constexpr unsigned kSelectorStride = 0x20;  // from one slot's registers to the next slot's
inline constexpr unsigned kRegisterAddressMask = 0xfff;  // the address port has 12 bits

inline constexpr uint64_t kIdValue =
    uint64_t{2} << 48 | uint64_t{0} << 32 | 0x42525453;  // 2.0, "STRB"
inline constexpr uint64_t kCtrlEnable = 1, kCtrlClear = 2;
inline constexpr uint64_t kStatusInit = 1, kStatusIdle = 2;
inline constexpr unsigned kStatusLevelShift = 16;
inline constexpr uint64_t kIntrWatermark = 1, kIntrDrop = 2;
inline constexpr uint32_t kPeriodReset = 256;
inline constexpr uint32_t kThresholdReset = 0xffffff;
inline constexpr uint64_t kEventsMask = (uint64_t{1} << 48) - 1;
inline constexpr unsigned kMetaTagShift = 32;
inline constexpr uint64_t kMetaValid = uint64_t{1} << 63;
inline constexpr uint64_t kRingCtrlEnable = 1;
inline constexpr uint64_t kRingLog2EntriesField = 0xff,
                          kRingOverwrite = 0x100;  // the log2 field includes the bits above it
inline constexpr uint32_t kRingLog2EntriesReset = 10, kMaxRingLog2Entries = 16;
inline constexpr uint64_t kRingRecordBytes = 32;

}  // namespace strobe::profiling
